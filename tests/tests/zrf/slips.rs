//! What is understood and has no effect, or says a thing twice: a warning each, and the game can be played.

use dagaz_base::Severity;

use crate::{GAME, Game, codes, compiled};

/// The codes of what is found in a game with a man on a1 that can go north, and with more.
fn found(turns: &str, board: &str, rest: &str) -> Vec<&'static str> {
    let rest =
        format!("(piece (name Man) (moves (n add) (move-type jumping) (e add))) (board-setup (White (Man a1))) {rest}");
    Game { turns, board, rest: &rest, ..GAME }.codes()
}

fn block(block: &str) -> Vec<&'static str> {
    found("White Black", "", &format!("(piece (name Other) (moves {block}))"))
}

#[test]
fn a_type_that_no_block_has() {
    assert_eq!(found("(White jumping) Black", "", "(move-priorities jumping)"), [""; 0]);
    assert_eq!(found("(White jumpin) Black", "", ""), ["zrf-unknown-type"]);
    assert_eq!(found("White Black", "", "(move-priorities jumping walking)"), ["zrf-unknown-type"]);
    assert_eq!(block("(n (verify (attacked? jumping)) add)"), [""; 0]);
    assert_eq!(block("(n (verify (not-attacked? nn)) add)"), ["zrf-unknown-type"]);
    assert_eq!(block("(n (verify (defended? nn s)) add)"), ["zrf-unknown-type"]);
}

#[test]
fn a_type_without_blocks_ends_a_move_in_parts() {
    assert_eq!(block("(n (add-partial stop))"), [""; 0]);
}

#[test]
fn a_block_without_add() {
    assert_eq!(block("(n (if empty? (while empty? add n)))"), [""; 0]);
    assert_eq!(block("(n (verify empty?))"), ["zrf-no-move"]);
    assert_eq!(block("(n (verify emty?))"), ["zrf-unknown-condition"], "the error is what matters");
}

#[test]
fn a_flag_that_its_block_never_sets() {
    assert_eq!(
        block(
            "((set-flag f empty?) (set-position-flag p true n) n (verify (flag? f)) (verify (position-flag? p)) add)"
        ),
        [""; 0]
    );
    assert_eq!(block("(n (verify (not-flag? f)) add) ((set-flag f true) n add)"), ["zrf-unset-flag"]);
    assert_eq!(block("((set-flag f true) n (verify (position-flag? f)) add)"), ["zrf-unset-flag"]);
}

/// Nine men's morris: a macro asks whether a position is one that the moving man leaves; only some of its uses set that.
#[test]
fn a_macro_may_ask_for_a_flag_that_only_some_of_its_uses_set() {
    let text = |define: &str| {
        format!(
            "(define go (n (verify (not-flag? f)) add)) {define} {}",
            Game { rest: "(piece (name Man) (moves (go) (mark))) (board-setup (White (Man a1)))", ..GAME }.text()
        )
    };
    assert_eq!(codes(&text("(define mark ((set-flag f true) add))")), [""; 0]);
    assert_eq!(codes(&text("(define mark ((set-flag g true) add))")), ["zrf-unset-flag"]);
}

#[test]
fn what_is_said_twice() {
    let duplicate = ["zrf-duplicate"];
    assert_eq!(found("White Black", "", "(turn-order White Black)"), duplicate);
    assert_eq!(found("White Black", "", "(players White Black)"), duplicate);
    assert_eq!(found("White Black", "", "(piece (name Man) (moves (n add) (move-type jumping) (n add)))"), duplicate);
    assert_eq!(found("White Black", "", "(option \"pass turn\" true) (pass-turn false)"), duplicate);
    assert_eq!(found("White repeat Black repeat White", "", ""), duplicate);
    let grid = "(grid (start-rectangle 0 0 9 9) (dimensions (\"x/y\" (1 0))) (directions (up 1)))";
    assert_eq!(found("White Black", grid, ""), [""; 0]);
    assert_eq!(found("White Black", &grid.replace("(up 1)", "(up 1) (up 1)"), ""), duplicate);
    assert_eq!(found("White Black", &grid.replace("(dim", "(start-rectangle 1 1 2 2) (dim"), ""), duplicate);
    let zone = "(zone (name z) (players White) (positions a1))";
    assert_eq!(found("White Black", &format!("{zone} {}", zone.replace("White", "Black")), ""), [""; 0]);
    assert_eq!(found("White Black", &format!("{zone} {zone}"), ""), duplicate);
}

#[test]
fn of_two_sections_the_last_holds_and_a_variant_has_its_own() {
    let game = Game { rest: "(board-setup (White (Man a1))) (piece (name Man) (moves (n add)))", ..GAME };
    let twice = game.text().replacen("(turn-order", "(turn-order Black) (turn-order", 1);
    assert_eq!(codes(&twice), ["zrf-duplicate"]);
    assert_eq!(dagaz_tests::trial::Trial::despite_findings(&twice).to_move(), "White");
    let variant = format!("{} (variant (default) (title \"V\") (turn-order Black White))", game.text());
    assert_eq!(codes(&variant), [""; 0]);
}

#[test]
fn of_two_pieces_on_one_site_the_last_stands_there() {
    let rest = "(piece (name Man) (moves (n add))) (piece (name King) (moves (n add)))
        (board-setup (White (Man a1)) (Black (King a1)))";
    let game = Game { rest, ..GAME };
    assert_eq!(game.codes(), ["zrf-duplicate"]);
    assert_eq!(game.start_anyway().pieces(), "(Black (King a1))");
}

/// None of them keeps a game from being played.
#[test]
fn slips_are_warnings() {
    let rest = "(piece (name Man) (moves (n) (n (verify (flag? f)) add))) (move-priorities x) (board-setup (White (Man a1 a1)))";
    let compiled = compiled(&Game { rest, ..GAME }.text());
    assert!(compiled.game.is_some());
    assert_eq!(compiled.diagnostics.iter().filter(|finding| finding.severity == Severity::Warning).count(), 4);
}
