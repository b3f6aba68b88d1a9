//! Players, the order of turns, and whose side things are seen from.

use dagaz_ir::Role;

use crate::{GAME, Game, man};

/// Everybody has a man on the first rank that can go north; a1 is White's.
fn order(players: &str, turns: &str) -> crate::Trial {
    let setup: String =
        players.split(' ').zip('a'..).map(|(player, file)| format!("({player} (Man {file}1))")).collect();
    let rest = format!("(piece (name Man) (moves (n add))) (board-setup {setup})");
    Game { players, turns, rest: &rest, ..GAME }.start()
}

#[test]
fn the_order_goes_round() {
    let trial = order("White Black Red", "White Black White Red");
    let mut seen = vec![trial.to_move().to_owned()];
    let mut line = String::new();
    for step in ["a2", "b2", "a3", "c2"] {
        line += &format!("{step},");
        seen.push(order("White Black Red", "White Black White Red").after(&line).to_move().to_owned());
    }
    assert_eq!(seen, ["White", "Black", "White", "Red", "White"]);
}

#[test]
fn after_the_last_entry_play_goes_on_after_repeat() {
    let turns = "White White repeat Black Red";
    assert_eq!(order("White Black Red", turns).after("a2, a3, b2, c2").to_move(), "Black");
    assert_eq!(order("White Black Red", turns).after("a2, a3, b2, c2, b3").to_move(), "Red");
}

#[test]
fn an_entry_in_brackets_is_the_bare_player() {
    assert_eq!(order("White Black", "(White) (Black)").after("a2").to_move(), "Black");
}

#[test]
fn a_move_type_restricts_the_turn_to_moves_and_drops_of_that_type() {
    let game = Game {
        turns: "(White up) White (White none)",
        rest: "(piece (name Man)
            (moves (w add) (move-type up) (n add) (move-type other) (e add))
            (drops ((verify (position? d4)) add) (move-type up) ((verify (position? d3)) add)))
          (board-setup (White (Man b1 off 5)))",
        ..GAME
    };
    assert_eq!(game.codes(), ["zrf-unknown-type"]);
    assert_eq!(game.start_anyway().moves(), ["b1 - b2 Man", "d3 Man"]);
    let second = game.start_anyway().after("b2");
    assert_eq!(second.moves(), ["b2 - a2 Man", "b2 - b3 Man", "b2 - c2 Man", "d4 Man", "d3 Man"]);
    assert!(second.after("b2 - a2").moves().is_empty());
}

#[test]
fn an_owner_lends_his_pieces_and_his_view() {
    let board = "(symmetry Black (n e)) (zone (name home) (players Black) (positions b2))
        (zone (name home) (players White) (positions a1))";
    let rest = "(piece (name Man)
          (moves (n (verify (in-zone? home)) (verify (enemy? n)) (create w) add))
        ) (board-setup (White (Man a1 c2)) (Black (Man a2)))";
    // Black's man goes n, which is east for Black, to b2, Black's home; White's man on c2 is his enemy.
    for (turns, moves) in [("(White Black) Black", vec!["a2 - b2 Man"]), ("White Black", Vec::new())] {
        assert_eq!(Game { turns, board, rest, ..GAME }.start().moves(), moves, "{turns}");
    }
    let made = Game { turns: "(White Black) Black", board, rest, ..GAME }.start().after("b2");
    assert_eq!(made.pieces(), "(White (Man a1 c2)) (Black (Man a2 b2))", "what is created is the owner's");
}

#[test]
fn three_words_are_player_owner_and_type() {
    let rest =
        "(piece (name Man) (moves (n add) (move-type east) (e add))) (board-setup (White (Man a1)) (Black (Man a3)))";
    let trial = Game { turns: "(White Black east) Black", rest, ..GAME }.start();
    assert_eq!(trial.to_move(), "White");
    assert_eq!(trial.moves(), ["a3 - b3 Man"]);
}

#[test]
fn the_second_word_is_an_owner_if_a_player_has_that_name() {
    let rest = "(piece (name Man) (moves (move-type Black) (n add) (move-type up) (e add)))
        (board-setup (White (Man a1)) (Black (Man a3)))";
    let trial = Game { turns: "(White Black) Black", rest, ..GAME }.start();
    assert_eq!(trial.moves(), ["a3 - a4 Man", "a3 - b3 Man"]);
}

#[test]
fn the_winner_is_whose_turn_it_was_not_the_owner() {
    let rest = "(piece (name Man) (moves (n add))) (board-setup (Black (Man a1)))
        (win-condition (White Black) (absolute-config Man (a2)))";
    let trial = Game { turns: "(White Black) Black", rest, ..GAME }.start().after("a2");
    assert_eq!(trial.outcome(), "White loses, Black wins: (absolute-config Man (a2))", "a config is about its player");
    let rest = "(piece (name Man) (moves (n add))) (board-setup (Black (Man a3)))
        (loss-condition (White Black) stalemated)";
    let trial = Game { turns: "Black (White Black)", rest, ..GAME }.start().after("a4");
    assert_eq!(trial.outcome(), "White loses, Black wins: stalemated");
}

#[test]
fn chance_moves_in_turns_of_its_own_and_neither_wins_nor_loses() {
    let rest = "(piece (name Man) (moves (n add) (e add))) (board-setup (White (Man a1)) (?Dice (Man c1)))
        (loss-condition (White Black) stalemated)";
    let trial = Game { players: "White Black ?Dice", turns: "White ?Dice ?Dice Black", rest, ..GAME }.start();
    let trial = trial.after("a2");
    assert_eq!((trial.to_move(), trial.moves().len()), ("?Dice", 2));
    let trial = trial.after("c2, c3");
    assert_eq!(trial.outcome(), "White wins, Black loses: stalemated");
}

#[test]
fn a_listed_player_without_a_turn_is_neutral() {
    let game = Game {
        players: "White Black Stone",
        rest: "(piece (name Man) (moves
            (n (verify neutral?) add)
            (n (verify (or friend? enemy?)) add)
            (e (verify enemy?) add)))
          (board-setup (White (Man a1)) (Black (Man b1)) (Stone (Man a2)))",
        ..GAME
    };
    assert_eq!(game.start().moves(), ["a1 x a2 Man", "a1 x b1 Man"]);
    assert_eq!(game.start().rules().players.values().last().unwrap().role, Role::Neutral);
}

#[test]
fn a_neutral_whose_pieces_are_moved_takes_part() {
    let game = Game {
        players: "White Black Stone",
        turns: "White (Black Stone)",
        rest: "(piece (name Man) (moves (n (verify not-friend?) add) (e (verify friend?) add)))
          (board-setup (White (Man a1)) (Stone (Man a2 b2)))",
        ..GAME
    };
    assert_eq!(game.start().moves(), ["a1 x a2 Man"]);
    let second = game.start().after("a2");
    assert_eq!(second.to_move(), "Black");
    assert_eq!(second.moves(), ["b2 - b3 Man"]);
}

#[test]
fn all_others_who_take_part_are_enemies() {
    let rest = "(piece (name Man) (moves (e (verify enemy?) add) (n (verify enemy?) add) (ne (verify enemy?) add)))
        (board-setup (A (Man a1)) (B (Man b1)) (C (Man a2)) (D (Man b2)))";
    assert_eq!(Game { players: "A B C D", turns: "A B C D", rest, ..GAME }.start().moves().len(), 3);
}

#[test]
fn a_game_for_one_person_is_won_or_comes_to_its_end() {
    let game = |goal: &str| {
        let rest = format!("(piece (name Man) (moves (n add))) (board-setup (You (Man a3))) {goal}");
        Game { players: "You", turns: "You", rest: &rest, ..GAME }.start().after("a4").outcome()
    };
    assert_eq!(game("(win-condition (You) (absolute-config Man (a4)))"), "You wins: (absolute-config Man (a4))");
    assert_eq!(game("(loss-condition (You) stalemated)"), "You loses: stalemated");
    assert_eq!(game(""), "You draws: no moves");
}

#[test]
fn without_a_turn_order_the_players_follow_each_other() {
    let text = "(game (title \"T\") (players A ?R B) (board (grid (dimensions (\"a\" (1 0)) (\"3/2/1\" (0 1))) (directions (n 0 -1))))
        (piece (name Man) (moves (n add))) (board-setup (A (Man a1)) (B (Man a2))))";
    assert_eq!(dagaz_tests::trial::Trial::of(text).after("a1 x a2").to_move(), "B");
}

#[test]
fn unknown_players_are_left_out() {
    let rest = "(piece (name Man) (moves (n add))) (board-setup (White (Man a1)) (Green (Man a2)))";
    let game = Game { turns: "White Green Black", rest, ..GAME };
    assert_eq!(game.codes(), ["zrf-unknown-player", "zrf-unknown-player"]);
    assert_eq!(game.start_anyway().after("a2").to_move(), "Black");
}

#[test]
fn symmetry_says_what_a_player_means() {
    let setup = "(White (Man a1)) (Black (Man b4))";
    let trial = man("(n add)", setup).after("a2");
    assert!(trial.moves().is_empty(), "without a symmetry n is up for Black as well");
}
