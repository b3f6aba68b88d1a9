//! Positions, links, symmetries and zones.

use dagaz_tests::trial::Trial;

use crate::{GAME, Game, codes};

/// The moves of a piece of the only player on `start`, with a block for each of the directions.
fn walks(board: &str, start: &str, directions: &str) -> Vec<String> {
    Trial::of(&walker(board, start, directions)).moves()
}

fn walker(board: &str, start: &str, directions: &str) -> String {
    let blocks: String = directions.split(' ').map(|direction| format!("({direction} add)")).collect();
    format!(
        "(game (title \"T\") (players P) (turn-order P) (board {board})
           (piece (name X) (moves {blocks})) (board-setup (P (X {start}))))"
    )
}

#[test]
fn names_are_the_labels_in_the_order_of_the_dimensions() {
    let grid = "(grid (start-rectangle 0 0 9 9) (dimensions (\"a/bb\" (10 0)) (\"top-/low-\" (0 10)) (\"1\" (0 0)))
        (directions (e 1) (s 0 1)))";
    assert_eq!(walks(grid, "atop-1", "e s"), ["atop-1 - bbtop-1 X", "atop-1 - alow-1 X"]);
}

#[test]
fn a_grid_may_have_one_dimension_or_three() {
    let one = "(grid (start-rectangle 0 0 9 9) (dimensions (\"a/b/c\" (10 0))) (directions (on 1) (back-2 -2)))";
    assert_eq!(walks(one, "c", "on back-2"), ["c - a X"]);
    let three = "(grid (start-rectangle 0 0 9 9) (dimensions (\"a/b\" (10 0)) (\"1/2\" (0 10)) (\"x/y\" (0 0)))
        (directions (up 0 0 1) (all 1 1 1) (short 1)))";
    assert_eq!(walks(three, "a1x", "up all short"), ["a1x - a1y X", "a1x - b2y X", "a1x - b1x X"]);
}

#[test]
fn a_grid_needs_no_rectangle() {
    assert_eq!(walks("(grid (dimensions (\"a/b\" (1 0))) (directions (e 1)))", "a", "e"), ["a - b X"]);
}

#[test]
fn rectangles_move_by_the_pixels_of_each_dimension() {
    let text = walker(
        "(grid (start-rectangle 10 20 19 29) (dimensions (\"a/b\" (10 -1)) (\"1/2\" (-5 30))) (directions (e 1)))",
        "a1",
        "e",
    );
    let trial = Trial::of(&text);
    let topology = &trial.rules().topology;
    let area = topology.area(topology.site("b2").unwrap()).unwrap();
    assert_eq!((area.left, area.top, area.right, area.bottom), (15, 49, 24, 58));
}

#[test]
fn two_grids_share_their_directions() {
    let grids =
        "(grid (dimensions (\"a/b\" (1 0))) (directions (e 1))) (grid (dimensions (\"A/B\" (1 0))) (directions (e 1)))";
    assert_eq!(walks(&format!("{grids} (links over (b A))"), "b A", "e over"), ["b x A X", "A - B X"]);
    let same = grids.replace("A/B", "b/c");
    assert_eq!(codes(&walker(&same, "a", "e")), ["zrf-duplicate-position"]);
    assert_eq!(Trial::despite_findings(&walker(&same, "b", "e")).moves(), ["b - c X"]);
}

const ROW: &str = "(grid (start-rectangle 0 0 9 9) (dimensions (\"a/b/c/d\" (10 0))) (directions (e 1) (w -1)))";

#[test]
fn links_lead_one_way_and_replace_those_of_grids() {
    let linked = format!("{ROW} (positions (z 90 0 99 9)) (links e (a c) (d z)) (links ring (d a))");
    assert_eq!(walks(&linked, "a", "e w ring"), ["a - c X"]);
    assert_eq!(walks(&linked, "c", "w"), ["c - b X"], "the way back is as it was");
    assert_eq!(walks(&linked, "d", "e ring"), ["d - z X", "d - a X"]);
    assert!(walks(&linked, "z", "e w ring").is_empty());
}

#[test]
fn links_may_stand_before_what_they_join() {
    assert_eq!(walks("(links n (p q)) (dummy p) (positions (q 0 0 9 9))", "p", "n"), ["p - q X"]);
}

#[test]
fn unlink_takes_a_position_a_pair_or_a_direction() {
    let moves = |unlink: &str, start: &str| walks(&format!("{ROW} (links up (b a)) {unlink}"), start, "e w up").len();
    assert_eq!([moves("", "b"), moves("", "a")], [2, 1]);
    assert_eq!([moves("(unlink b)", "b"), moves("(unlink b)", "a"), moves("(unlink b)", "c")], [0, 0, 1]);
    assert_eq!([moves("(unlink (b a))", "b"), moves("(unlink (b a))", "a")], [1, 1], "both ways from b to a are gone");
    assert_eq!([moves("(unlink (b w))", "b"), moves("(unlink (b w) (b e))", "b")], [2, 1]);
}

/// Chessence.zsg: its board takes positions out of the grid with `unlink`, and gives some of them new links after that.
#[test]
fn links_and_unlinks_are_made_in_the_order_of_the_text() {
    let moves = |links: &str| walks(&format!("{ROW} {links}"), "b", "e w up");
    assert_eq!(moves("(unlink b) (links up (b d)) (links e (b d))"), ["b - d X"]);
    assert_eq!(moves("(links up (b d)) (unlink b) (links w (b c))"), ["b - c X"]);
    assert!(moves("(links up (b d)) (unlink b)").is_empty());
}

#[test]
fn several_dimensions_in_one_grid_are_several_blocks_of_positions() {
    let grid = "(grid (start-rectangle 0 0 9 9) (dimensions (\"a/b\" (10 0)) (\"1/2\" (0 10)))
        (dimensions (\"x/y/z\" (10 0)) (\"1\" (0 10))) (directions (e 1) (s 0 1)))";
    assert_eq!(walks(grid, "a1 x1 y1", "e s"), ["a1 - b1 X", "a1 - a2 X", "x1 x y1 X", "y1 - z1 X"]);
    assert!(walks(grid, "b2 z1", "e s").is_empty(), "nothing leads from one block to another");
}

#[test]
fn killed_positions_take_their_links_along() {
    let board = format!("{ROW} (kill-positions b)");
    assert_eq!(walks(&board, "a c", "e w"), ["c - d X"]);
    assert_eq!(codes(&walker(&format!("{ROW} (kill-positions q)"), "a", "e")), ["zrf-unknown-position"]);
}

#[test]
fn a_dummy_is_a_position_like_others() {
    let board = format!("{ROW} (dummy box) (links e (box a)) (links w (a box))");
    assert_eq!(walks(&board, "box", "e"), ["box - a X"]);
    let text = walker(&board, "a", "w").replace("(w add)", "(w (verify (and on-board? empty? (position? box))) add)");
    let trial = Trial::of(&text);
    assert_eq!(trial.moves(), ["a - box X"]);
    let topology = &trial.rules().topology;
    assert!(topology.area(topology.site("box").unwrap()).is_none());
}

#[test]
fn a_macro_may_bring_a_whole_board_into_a_board() {
    let text = format!("(define half (board {ROW})) {}", walker("(half) (dummy z) (links up (a z))", "a", "e up"));
    assert_eq!(Trial::of(&text).moves(), ["a - b X", "a - z X"]);
}

#[test]
fn symmetry_is_one_sided_and_reaches_every_direction() {
    let game = |moves: &str| {
        let rest = format!("(piece (name Man) (moves {moves})) (board-setup (White (Man a1)) (Black (Man b2 c1)))");
        Game { turns: "Black White", board: "(symmetry Black (n e))", rest: &rest, ..GAME }.start().moves()
    };
    assert_eq!(game("(n add)"), ["b2 - c2 Man", "c1 - d1 Man"]);
    assert_eq!(game("(e add)"), ["b2 - c2 Man", "c1 - d1 Man"], "no pair (e n) was given");
    assert_eq!(game("((opposite n) add)"), ["b2 - a2 Man", "c1 - b1 Man"]);
    assert_eq!(game("((verify (enemy? (opposite n))) w add)"), Vec::<String>::new());
    assert_eq!(game("((verify (empty? n)) (create n) s add)"), ["b2 - b1 Man"]);
}

#[test]
fn directions_without_a_way_back_have_no_opposite() {
    let board = format!("{ROW} (links up (a d))");
    let text = walker(&board, "d", "x").replace("(x add)", "((opposite up) add) ((opposite e) add)");
    assert_eq!(Trial::of(&text).moves(), ["d - c X"]);
}

#[test]
fn opposites_are_found_through_links_whatever_their_names() {
    let board = "(positions (a 0 0 1 1) (b 0 0 1 1) (c 0 0 1 1)) (links on (a b) (b c)) (links home (c b) (b a))";
    let text = walker(board, "b", "x").replace("(x add)", "((opposite on) add)");
    assert_eq!(Trial::of(&text).moves(), ["b - a X"]);
}

#[test]
fn zones_are_the_owners_may_overlap_and_add_up() {
    let board = "(zone (name z) (players White) (positions a2)) (zone (name z) (players Black) (positions b2 a2))
        (zone (name z) (players White) (positions (c2 d2))) (zone (name y) (players White) (positions a2 a3))
        (zone (name all) (positions a2 b2))";
    let game = |zone: &str, turns: &str| {
        let rest = format!(
            "(piece (name Man) (moves (n (verify (in-zone? {zone})) add)))
             (board-setup (White (Man a1 b1 c1 d1)) (Black (Man a3 b3 c3 d3)))"
        );
        let black = "(symmetry Black (n s))";
        let board = format!("{board} {black}");
        Game { turns, board: &board, rest: &rest, ..GAME }.start_anyway().moves().len()
    };
    assert_eq!([game("z", "White Black"), game("z", "Black White")], [3, 2]);
    assert_eq!(
        [game("y", "White Black"), game("y", "Black White")],
        [1, 0],
        "Black has no zone y: it holds nothing for him"
    );
    assert_eq!([game("all", "White Black"), game("all", "Black White")], [2, 2]);
}

#[test]
fn positions_that_do_not_exist_are_left_out_with_a_warning() {
    let game = Game {
        board: "(zone (name z) (positions a1 q9)) (links n (a1 q9))",
        rest: "(piece (name Man) (moves (n add))) (board-setup (White (Man a1 q9)))",
        ..GAME
    };
    assert_eq!(game.codes(), ["zrf-unknown-position"; 3]);
    assert_eq!(game.start_anyway().moves(), ["a1 - a2 Man"]);
}

#[test]
fn other_mistakes_of_boards_are_found() {
    let codes = |board: &str| Game { board, ..GAME }.codes();
    assert_eq!(codes("(symmetry White (n up))"), ["zrf-unknown-direction"]);
    assert_eq!(codes("(symmetry Green (n s))"), ["zrf-unknown-player"]);
    assert_eq!(codes("(zone (players White) (positions a1))"), ["zrf-malformed"]);
    assert_eq!(codes("(hole a1)"), ["zrf-unknown-item"]);
    let huge = "(grid (dimensions (\"a/b\" (1 0)) (\"c/d\" (1 0))) (directions))".replace("c/d", &"x/".repeat(70_000));
    assert_eq!(codes(&huge), ["zrf-board-too-large"]);
    let empty = "(game (title \"T\") (players P) (turn-order P) (board))";
    assert_eq!(crate::codes(empty), ["zrf-missing-section"]);
    assert_eq!(crate::codes("(game (title \"T\"))"), ["zrf-missing-section"]);
}

/// A name with white space in it could be written in no rule, and a record with it could not be read again.
#[test]
fn labels_lose_their_white_space_with_a_warning() {
    let board = "(grid (dimensions (\"a /b\n\" (1 0))) (directions (e 1)))";
    let text = walker(board, "a", "e");
    assert_eq!(codes(&text), ["zrf-malformed"]);
    assert_eq!(Trial::despite_findings(&text).moves(), ["a - b X"]);
}

/// They matter only for the picture: the rules are the same without.
#[test]
fn rectangles_and_pixels_that_are_none_are_found() {
    for board in [
        "(grid (start-rectangle 0 0 9) (dimensions (\"a/b\" (1 0))) (directions (e 1)))",
        "(grid (dimensions (\"a/b\")) (directions (e 1)))",
        "(grid (dimensions (\"a/b\" (1 x))) (directions (e 1)))",
        "(grid (dimensions (\"a/b\" (1 0) (0 1))) (directions (e 1)))",
        "(positions (a 0 0 9 9) (b 10 0 19 9 29)) (links e (a b))",
        "(positions (a) (b 10 0 19 9)) (links e (a b))",
    ] {
        let text = walker(board, "a", "e");
        assert_eq!(codes(&text), ["zrf-malformed"], "{board}");
        assert_eq!(Trial::despite_findings(&text).moves(), ["a - b X"], "{board}");
    }
}
