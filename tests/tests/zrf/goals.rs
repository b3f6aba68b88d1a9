//! How games end.

use crate::{GAME, Game, Trial, compiled};

const WHITE_WINS: &str = "White wins, Black loses";
const BLACK_WINS: &str = "White loses, Black wins";
const DRAWN: &str = "White draws, Black draws";

/// Stones that are dropped anywhere empty, and go one step in four directions, capturing enemies.
fn game(setup: &str, goals: &str) -> Trial {
    let rest = format!(
        "(piece (name Stone)
           (moves (n (verify not-friend?) add) (e (verify not-friend?) add) (s (verify not-friend?) add) (w (verify not-friend?) add))
           (drops ((verify empty?) add)))
         (piece (name Star)) (board-setup {setup}) {goals}"
    );
    let board =
        "(zone (name top) (players White) (positions a3 b3 c3)) (zone (name top) (players Black) (positions a1 b1 c1))
        (symmetry Black (n s) (s n))";
    Game { files: "a/b/c", ranks: "3/2/1", board, rest: &rest, ..GAME }.start()
}

/// Who has what after these moves, without the goal's name.
fn result(setup: &str, goals: &str, moves: &str) -> String {
    game(setup, goals).after(moves).outcome().split(": ").next().expect("a split has a part").to_owned()
}

#[test]
fn win_loss_and_draw() {
    let setup = "(White (Stone a1)) (Black (Stone c3))";
    let result = |head: &str| result(setup, &format!("({head}-condition (White) (absolute-config Stone (a2)))"), "a2");
    assert_eq!([result("win"), result("loss"), result("draw")], [WHITE_WINS, BLACK_WINS, DRAWN]);
}

#[test]
fn goals_are_asked_for_every_listed_player_not_only_the_mover() {
    let setup = "(White (Stone a1)) (Black (Stone a2 c3) (Star b3))";
    assert_eq!(result(setup, "(loss-condition (White Black) (pieces-remaining 2))", "a1 x a2"), WHITE_WINS);
    assert_eq!(result(setup, "(loss-condition (White) (pieces-remaining 2))", "a1 x a2"), "open");
    let setup = "(White (Stone a1)) (Black (Star a2))";
    assert_eq!(
        result(setup, "(loss-condition (White Black) (pieces-remaining 0 Star))", "a1 x a2"),
        BLACK_WINS,
        "White never had one"
    );
}

#[test]
fn the_first_goal_in_the_file_decides_and_its_first_player() {
    let setup = "(White (Stone a1)) (Black (Stone c3))";
    let at = "(absolute-config Stone (a2))";
    let (win, draw) = (format!("(win-condition (White) {at})"), format!("(draw-condition (White) {at})"));
    assert_eq!(result(setup, &format!("{win} {draw}"), "a2"), WHITE_WINS);
    assert_eq!(result(setup, &format!("{draw} {win}"), "a2"), DRAWN);
    assert_eq!(result(setup, "(win-condition (White Black) (total-piece-count 2))", "a2"), WHITE_WINS);
    assert_eq!(result(setup, "(win-condition (Black White) (total-piece-count 2))", "a2"), BLACK_WINS);
}

#[test]
fn with_three_players_one_wins_and_all_others_lose() {
    let rest = "(piece (name Man) (moves (n add))) (board-setup (A (Man a1)) (B (Man b1)) (C (Man c1)))
        (win-condition (A B C) (absolute-config Man (a2))) (loss-condition (A B C) (absolute-config Man (b2)))";
    let game = Game { players: "A B C", turns: "A B C", rest, ..GAME };
    assert!(game.start().after("a2").outcome().starts_with("A wins, B loses, C loses"));
    let game = Game { turns: "B C A", ..game };
    assert!(game.start().after("b2").outcome().starts_with("A wins, B loses, C wins"));
}

#[test]
fn pieces_remaining_is_exact_and_counts_the_board() {
    let setup = "(White (Stone a1 off 3)) (Black (Stone c3 off 3))";
    let goal = "(win-condition (White Black) (pieces-remaining 3 Stone))";
    assert_eq!(result(setup, goal, "b1 Stone, b3 Stone"), "open");
    assert_eq!(result(setup, goal, "b1 Stone, b3 Stone, c1 Stone"), WHITE_WINS);
    let off = format!("{goal} (option \"include off-pieces\" true)");
    // With those off the board White has four, at any time.
    assert_eq!(result(setup, &off, "b1 Stone, b3 Stone, c1 Stone"), "open");
    assert_eq!(result(setup, &off.replace("3 Stone", "4"), "b1 Stone"), WHITE_WINS);
}

#[test]
fn total_piece_count_is_over_all_players() {
    let setup = "(White (Stone a1) (Star b1)) (Black (Stone a2 c3))";
    let goal = |count: &str| format!("(draw-condition (White Black) (total-piece-count {count}))");
    assert_eq!(result(setup, &goal("3"), "a1 x a2"), DRAWN);
    assert_eq!(result(setup, &goal("2 Stone"), "a1 x a2"), DRAWN);
    assert_eq!(result(setup, &goal("1 Star"), "a1 x a2"), DRAWN);
    assert_eq!(result(setup, &goal("1 Black"), "a1 x a2"), DRAWN, "or over one, by name");
    assert_eq!(result(setup, &goal("2"), "a1 x a2"), "open");
}

#[test]
fn neutral_pieces_count_in_the_total() {
    let rest = "(piece (name Man) (moves (n add))) (board-setup (White (Man a1)) (Black (Man d4)) (Stone (Man c1)))
        (draw-condition (White) (total-piece-count 3))";
    assert_eq!(
        Game { players: "White Black Stone", rest, ..GAME }.start().after("a2").outcome(),
        "White draws, Black draws: (total-piece-count 3)"
    );
}

#[test]
fn captured_is_about_the_last_move() {
    let setup = "(White (Stone a1)) (Black (Stone a2 c3) (Star b1))";
    let goal = "(loss-condition (White Black) (captured Star))";
    assert_eq!(result(setup, goal, "a1 x a2"), "open");
    assert_eq!(result(setup, goal, "a1 x b1"), WHITE_WINS);
    assert_eq!(result(setup, "(loss-condition (White Black) (captured Star Stone))", "a1 x a2"), WHITE_WINS);
}

#[test]
fn an_absolute_config_needs_all_its_places() {
    let setup = "(White (Stone off 5)) (Black (Stone off 5))";
    let goal = "(win-condition (White) (absolute-config Stone (a1 b1)))";
    assert_eq!(result(setup, goal, "a1 Stone, c3 Stone"), "open");
    assert_eq!(result(setup, goal, "a1 Stone, c3 Stone, b1 Stone"), WHITE_WINS);
    assert_eq!(result(setup, goal, "a1 Stone, b1 Stone, c1 Stone"), "open", "the enemy's stone is none of mine");
}

#[test]
fn a_zone_is_one_place_and_is_the_players() {
    let setup = "(White (Stone off 5)) (Black (Stone off 5))";
    let goal = "(win-condition (White Black) (absolute-config Stone (top)))";
    assert_eq!(result(setup, goal, "a1, a3"), "open");
    assert_eq!(result(setup, goal, "b3"), WHITE_WINS);
    assert_eq!(result(setup, goal, "a2, c1"), BLACK_WINS);
    assert_eq!(
        result(
            setup,
            "(win-condition (White) (absolute-config Stone (top a1)))",
            "b2 Stone, c2 Stone, b3 Stone, c1 Stone, a1 Stone"
        ),
        WHITE_WINS
    );
}

#[test]
fn brackets_around_one_place_may_be_missing() {
    assert_eq!(result("(White (Stone a1))", "(win-condition (White) (absolute-config Stone a2))", "a2"), WHITE_WINS);
}

#[test]
fn several_occupants_are_alternatives() {
    let setup = "(White (Stone a1) (Star b2)) (Black (Stone c3))";
    let goal =
        |occupants: &str, places: &str| format!("(win-condition (White) (absolute-config {occupants} ({places})))");
    assert_eq!(result(setup, &goal("Stone Star", "a2 b2"), "a2"), WHITE_WINS);
    assert_eq!(result(setup, &goal("Stone", "a2 b2"), "a2"), "open");
    assert_eq!(result(setup, &goal("(opponent Stone)", "c3"), "a2"), WHITE_WINS);
    assert_eq!(result(setup, &goal("(opponent Star)", "b2"), "a2"), "open");
    assert_eq!(result(setup, &goal("(any-owner Stone)", "a2 c3"), "a2"), WHITE_WINS);
    assert_eq!(result(setup, &goal("(not Star)", "a1 a2 c3"), "a2"), WHITE_WINS, "empty, another type, another player");
    assert_eq!(result(setup, &goal("(not Star)", "b2"), "a2"), "open");
}

#[test]
fn a_relative_config_stands_anywhere() {
    let setup = "(White (Stone off 5)) (Black (Stone off 5))";
    let goal = "(win-condition (White Black) (relative-config Stone n Stone))";
    assert_eq!(result(setup, goal, "b2 Stone, a1 Stone, b3 Stone"), WHITE_WINS);
    assert_eq!(result(setup, goal, "b2 Stone, c2 Stone, a1 Stone, c1 Stone"), BLACK_WINS);
    assert_eq!(result(setup, goal, "a1 Stone, b1 Stone, c1 Stone"), "open");
    let edge = "(win-condition (White) (relative-config Stone n (not Stone)))";
    assert_eq!(result(setup, edge, "a3, c1"), "open", "off the board is not even `not Stone`");
    assert_eq!(result(setup, edge, "a1"), WHITE_WINS);
}

#[test]
fn directions_of_a_relative_config_are_the_players() {
    let setup = "(White (Stone off 5)) (Black (Stone off 5) (Star a3))";
    let goal = "(win-condition (White Black) (relative-config Star n Stone))";
    assert_eq!(result(setup, goal, "c1, a2"), BLACK_WINS, "Black's n is down");
}

#[test]
fn and_or_not_join_conditions() {
    let setup = "(White (Stone a1)) (Black (Stone c3))";
    let goal = |condition: &str| result(setup, &format!("(win-condition (White) {condition})"), "a2");
    assert_eq!(goal("(and (absolute-config Stone (a2)) (pieces-remaining 1))"), WHITE_WINS);
    assert_eq!(goal("(and (absolute-config Stone (a2)) (pieces-remaining 2))"), "open");
    assert_eq!(goal("(or (pieces-remaining 2) (absolute-config Stone (a2)))"), WHITE_WINS);
    assert_eq!(goal("(not (absolute-config Stone (a1)))"), WHITE_WINS);
}

#[test]
fn nothing_is_asked_before_the_first_move_but_whether_there_is_one() {
    let setup = "(White (Stone a1)) (Black (Stone c3))";
    assert_eq!(result(setup, "(win-condition (White) (absolute-config Stone (a1)))", ""), "open");
    assert_eq!(result("(Black (Stone c3))", "(loss-condition (White) stalemated)", ""), BLACK_WINS);
}

#[test]
fn a_stuck_player_is_stalemated_and_draws_by_default() {
    let setup = "(White (Stone a1)) (Black (Star c3))";
    assert_eq!(result(setup, "", "a2"), DRAWN);
    assert_eq!(game(setup, "").after("a2").outcome(), "White draws, Black draws: no moves");
    assert_eq!(result(setup, "(loss-condition (White Black) stalemated)", "a2"), WHITE_WINS);
    assert_eq!(result(setup, "(win-condition (White Black) stalemated)", "a2"), BLACK_WINS);
    assert_eq!(result(setup, "(loss-condition (White) stalemated)", "a2"), DRAWN, "only White loses by it");
}

#[test]
fn who_may_pass_is_not_stalemated() {
    let setup = "(White (Stone a1)) (Black (Star c3))";
    assert_eq!(result(setup, "(loss-condition (White Black) stalemated) (option \"pass turn\" forced)", "a2"), "open");
}

#[test]
fn count_condition_goes_by_pieces_on_the_board() {
    let goal = "(count-condition (White Black) stalemated)";
    assert_eq!(result("(White (Stone a1)) (Black (Star c3 c2))", goal, "a2"), BLACK_WINS);
    assert_eq!(result("(White (Stone a1) (Star b1)) (Black (Star c3))", goal, "a2"), WHITE_WINS);
    assert_eq!(result("(White (Stone a1)) (Black (Star c3 off 7))", goal, "a2"), DRAWN);
}

#[test]
fn checkmate_is_a_loss_and_no_stalemate() {
    let pieces = "(piece (name King) (moves (n (verify not-friend?) add) (s (verify not-friend?) add)))
        (piece (name Rook) (moves (n (while empty? add n) (verify not-friend?) add) (e (while empty? add e) (verify not-friend?) add)
            (s (while empty? add s) (verify not-friend?) add)))";
    let outcome = |setup: &str, goals: &str, moves: &str| {
        let rest = format!("{pieces} (board-setup {setup}) {goals}");
        Game { rest: &rest, ..GAME }.start().after(moves).outcome()
    };
    let goals = "(win-condition (White Black) stalemated) (loss-condition (White Black) (checkmated King))";
    let rooks = "(White (Rook b3 a1)) (Black (King d4))";
    // One rook takes the rank of the king, the other has the one below it.
    assert_eq!(outcome(rooks, goals, "a1 - a4"), "White wins, Black loses: (checkmated King)");
    assert_eq!(outcome(rooks, goals, "a1 - a2"), "White loses, Black wins: stalemated");
}

#[test]
fn checkmated_forbids_what_leaves_the_king_attacked_only_for_its_players() {
    let rest = |players: &str| {
        format!(
            "(piece (name King) (moves (n add) (e add))) (piece (name Rook) (moves (s (while empty? add s) (verify enemy?) add)))
             (board-setup (White (King a1)) (Black (Rook b4))) (loss-condition ({players}) (checkmated King))"
        )
    };
    assert_eq!(Game { rest: &rest("White Black"), ..GAME }.start().moves(), ["a1 - a2 King"]);
    assert_eq!(Game { rest: &rest("Black"), ..GAME }.start().moves().len(), 2);
}

/// Two men that go to and fro, each on a line of two.
fn circle(goals: &str) -> Trial {
    let rest = format!(
        "(piece (name Man) (moves ((verify (in-zone? low)) n add) ((verify (not-in-zone? low)) s add)))
         (board-setup (White (Man a1)) (Black (Man d1))) {goals}"
    );
    Game { board: "(zone (name low) (positions a1 d1))", rest: &rest, ..GAME }.start()
}

const ROUND: &str = "a2, d2, a1, d1";

#[test]
fn the_third_time_is_a_draw_by_itself() {
    assert_eq!(circle("").after(ROUND).outcome(), "open");
    let twice = format!("{ROUND}, {ROUND}");
    assert_eq!(circle("").after(&twice).outcome(), "White draws, Black draws: repetition");
    assert_eq!(
        circle("(draw-condition (White Black) repetition)").after(&twice).outcome(),
        "White draws, Black draws: repetition"
    );
}

/// A puzzle does not end because somebody goes back and forth, nor a race because of what the dice say.
#[test]
fn a_repetition_draws_only_where_two_play_and_nothing_is_left_to_chance() {
    let outcome = |players: &str, turns: &str, goals: &str| {
        let rest = format!(
            "(piece (name Man) (moves (n (verify empty?) add) (s (verify empty?) add))) (board-setup (A (Man a1))) {goals}"
        );
        let trial = Game { players, turns, ranks: "2/1", rest: &rest, ..GAME }.start();
        let round = turns.replace('A', "{}").replace(['B', '?'], "pass").replace(' ', ", ");
        let there = round.replacen("{}", "a2", 1);
        let back = round.replacen("{}", "a1", 1);
        trial.after(&[there.clone(), back.clone(), there, back].join(", ")).outcome()
    };
    let pass = "(option \"pass turn\" forced)";
    assert_eq!(outcome("A B", "A B", pass), "A draws, B draws: repetition");
    assert_eq!(outcome("A", "A", pass), "open");
    assert_eq!(outcome("A B ?", "A B ?", pass), "open");
    assert_eq!(outcome("A B ?", "A B", pass), "A draws, B draws: repetition", "a player of chance without a turn");
    assert_eq!(outcome("A", "A", &format!("{pass} (loss-condition (A) repetition)")), "A loses: repetition");
}

#[test]
fn a_repetition_may_be_lost_by_who_completes_it() {
    let twice = format!("{ROUND}, {ROUND}");
    assert_eq!(
        circle("(loss-condition (White Black) repetition)").after(&twice).outcome(),
        "White wins, Black loses: repetition"
    );
    assert_eq!(
        circle("(win-condition (White Black) repetition)").after(&twice).outcome(),
        "White loses, Black wins: repetition"
    );
}

#[test]
fn what_only_remembers_the_last_move_does_not_prevent_a_repetition() {
    // A rule that asks for the last move makes it part of the state, but not of the position.
    let rest = "(piece (name Man) (moves ((verify (in-zone? low)) n add) ((verify (not-in-zone? low)) s add) (e (verify (last-to? a4)) add)))
        (board-setup (White (Man a1)) (Black (Man d1)))";
    let trial = Game { board: "(zone (name low) (positions a1 d1))", rest, ..GAME }.start();
    assert_eq!(trial.after(&format!("{ROUND}, {ROUND}")).outcome(), "White draws, Black draws: repetition");
}

#[test]
fn with_several_entries_of_one_player_each_is_checked_alone() {
    let rest = "(piece (name King) (moves (n add) (e add))) (piece (name Rook) (moves (s (while empty? add s) (verify enemy?) add)))
        (board-setup (White (King a1)) (Black (Rook b4))) (loss-condition (White Black) (checkmated King))";
    assert_eq!(
        Game { turns: "White White Black", rest, ..GAME }.start().moves(),
        ["a1 - a2 King"],
        "not even for a moment"
    );
}

#[test]
fn goals_that_speak_of_nothing_are_refused() {
    for goal in [
        "(and)",
        "(or)",
        "(captured)",
        "(checkmated)",
        "(absolute-config)",
        "(absolute-config (a1))",
        "(absolute-config Man ())",
        "(relative-config)",
        "(relative-config Man)",
        "(relative-config Man n)",
        "(relative-config Man n Man n)",
        "(not (and))",
        "(stalemated Man)",
        "(repetition Man)",
    ] {
        let rest =
            format!("(piece (name Man) (moves (n add))) (board-setup (White (Man a1))) (win-condition (White) {goal})");
        assert_eq!(Game { rest: &rest, ..GAME }.codes(), ["zrf-goal"], "{goal}");
    }
}

#[test]
fn goals_that_are_none_are_found() {
    let codes = |goal: &str| {
        let rest = format!("(piece (name Man) (moves (n add))) (board-setup (White (Man a1))) {goal}");
        Game { rest: &rest, ..GAME }.codes()
    };
    assert_eq!(codes("(win-condition (White) (conquered a1))"), ["zrf-goal"]);
    assert_eq!(codes("(win-condition White)"), ["zrf-goal"]);
    assert_eq!(codes("(win-condition (Green) stalemated)"), ["zrf-unknown-player", "zrf-goal"]);
    assert_eq!(codes("(win-condition (White) (absolute-config Man (q9)))"), ["zrf-unknown-position"]);
    assert_eq!(codes("(loss-condition (White) (captured Queen))"), ["zrf-unknown-name"]);
}

/// A word that is known was not misspelt: help that asks whether it was meant would say nothing.
#[test]
fn a_goal_with_the_wrong_words_is_shown_as_it_is_written() {
    let help = |goal: &str| {
        let rest = format!("(piece (name Man) (moves (n add))) (win-condition (White) {goal})");
        let compiled = compiled(&Game { rest: &rest, ..GAME }.text());
        compiled.diagnostics.iter().next().and_then(|finding| finding.help.clone()).unwrap_or_default()
    };
    assert_eq!(help("(stalemated Man)"), "it is written `stalemated`");
    assert_eq!(help("(not)"), "it is written `(not condition)`");
    assert_eq!(help("(pieces-remaining Man)"), "it is written `(pieces-remaining number [piece])`");
    assert_eq!(help("(stalemate)"), "did you mean `stalemated`?");
    assert_eq!(help("(none a1)"), "did you mean `none?`?");
    assert_eq!(help("(= 1)"), "it is written (… a b), with two numbers or more");
    let known = help("(conquered a1)");
    assert!(known.starts_with("a goal is one of and, or, not, ") && known.contains(", any?, "), "{known}");
}
