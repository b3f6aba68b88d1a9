//! Goals: chapter 8.

use crate::game;

const MAN: &str = "(piece (name Man) (moves (e add))) (board-setup (White (Man a1)) (Black (Man a3)))";

fn outcome(goal: &str, moves: &str) -> String {
    game(&format!("{MAN} {goal}")).after(moves).outcome()
}

#[test]
fn a_goal_without_players_is_for_each_person() {
    assert_eq!(outcome("(win-condition (my? c3))", "b1, b3, c1, c3"), "White loses, Black wins: (my? c3)");
    assert_eq!(outcome("(loss-condition (= (owner b1) me))", "b1"), "White loses, Black wins: (= (owner b1) me)");
}

/// A condition that names a player was read as the players whom the goal is for.
#[test]
fn a_goal_without_players_may_name_one() {
    assert_eq!(
        outcome("(win-condition (= (owner b1) White me))", "b1"),
        "White wins, Black loses: (= (owner b1) White me)"
    );
}

#[test]
fn goals_take_conditions_at_places() {
    assert_eq!(outcome("(win-condition (White) (empty? a1))", "b1"), "White wins, Black loses: (empty? a1)");
    assert_eq!(outcome("(win-condition (White) (not-my? a1))", "b1"), "White wins, Black loses: (not-my? a1)");
    assert_eq!(
        outcome("(win-condition (White) (and (my? b1) (not (= moves-made 0))))", "b1"),
        "White wins, Black loses: (and (my? b1) (not (= moves-made 0)))"
    );
}

#[test]
fn the_highest_score_wins_and_equals_draw() {
    let goal = "(variable points 0 positions (at 2 b1) (at 1 b3)) (score-condition (= moves-made 2) (sum (pieces my?) points))";
    assert_eq!(outcome(goal, "b1, b3"), "White wins, Black loses: (= moves-made 2)");
    let equal = goal.replace("(at 1 b3)", "(at 2 b3)");
    assert_eq!(outcome(&equal, "b1, b3"), "White draws, Black draws: (= moves-made 2)");
}

#[test]
fn moves_are_counted_for_the_player_to_move() {
    let goal = "(loss-condition (= (count moves) 0)) (draw-condition (and (= (count moves) -1) (= moves-made 9)))";
    assert_eq!(outcome(goal, "b1, b3, c1, c3, d1, d3"), "White loses, Black wins: (= (count moves) 0)");
}

#[test]
fn the_last_mover_is_known() {
    assert_eq!(
        outcome("(win-condition (and (= last-mover me) (= moves-made 2)))", "b1, b3"),
        "White loses, Black wins: (and (= last-mover me) (= moves-made 2))"
    );
}
