//! Boards as pictures.

use crate::run::{Scratch, dagaz};

#[test]
fn a_board_is_drawn_as_svg_png_and_json() {
    let svg = dagaz(&["render", "chess", "--after", "e2e4", "--select", "g8"]).code(0);
    let svg = svg
        .out("<svg xmlns")
        .out("<title id=\"title\">Chess</title>")
        .out("role=\"img\"")
        .out("White pawn")
        .out("class=\"marks\"");
    let again = dagaz(&["render", "chess", "--after", "e2e4", "--select", "g8"]).code(0);
    assert_eq!(svg.stdout, again.stdout, "the same board is the same text");
    let dark = dagaz(&["render", "chess", "--after", "e2e4", "--select", "g8", "--theme", "dark"]).code(0);
    assert_ne!(svg.stdout, dark.stdout);

    let scratch = Scratch::new("pictures");
    let png = scratch.path("board.png");
    dagaz(&["render", "shogi", "--flip", "--size", "200", "-o", &png]).code(0);
    let bytes = std::fs::read(&png).expect("a picture");
    assert!(bytes.starts_with(b"\x89PNG\r\n"));
    // Width and height stand at the beginning; the longer one is what was asked for.
    let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
    assert_eq!(number(16).max(number(20)), 200);

    let scene: serde_json::Value =
        serde_json::from_str(&dagaz(&["render", "kalah", "--json"]).code(0).stdout).expect("JSON");
    assert_eq!(scene["sites"].as_array().map(Vec::len), Some(14));
    assert_eq!(scene["heaps"][0]["count"], 4);
}

/// What Black does not see at the start of dark chess is in no picture that is drawn for him.
#[test]
fn a_picture_shows_what_its_viewer_sees() {
    let all = dagaz(&["render", "dark-chess"]).code(0);
    all.out("White queen").out("Black queen");
    let seen = dagaz(&["render", "dark-chess", "--viewer", "Black", "--after", "e2e4", "--select", "d1"]).code(0);
    assert!(!seen.stdout.contains("White"), "{}", seen.stdout);
    seen.out("Black queen").out("not seen");
}

#[test]
fn all_games_are_drawn_on_one_sheet() {
    let scratch = Scratch::new("sheet");
    let sheet = scratch.path("games.png");
    dagaz(&["render", "--all", "--size", "24", "-o", &sheet]).code(0);
    assert!(std::fs::read(&sheet).expect("a sheet").starts_with(b"\x89PNG\r\n"));
}

#[test]
fn what_cannot_be_drawn_is_told() {
    dagaz(&["render"]).code(2).err("name a game");
    dagaz(&["render", "--all"]).code(2).err("needs a file");
    dagaz(&["render", "chess", "--viewer", "Green"]).code(2).err("has no player `Green`; it has White, Black");
    dagaz(&["render", "chess", "--select", "z9"]).code(2).err("the board has no site `z9`");
    dagaz(&["render", "chess", "--size", "5"]).code(2).err("from 16 to 4096");
    dagaz(&["render", "chess", "-o", "board.gif"]).code(2).err("should end in `.svg`, `.png` or `.json`");
}

const RACE: &str = r#"
(game
   (title "Race")
   (players White Black)
   (turn-order White Black)
   (board
      (grid
         (start-rectangle 0 0 80 80)
         (dimensions ("a/b" (80 0)) ("3/2/1" (0 80)))
         (directions (n 0 -1) (s 0 1)))
      (symmetry Black (n s)))
   (piece (name Man) (moves (n (verify empty?) add)))
   (board-setup (White (Man a1)) (Black (Man a3)))
   (loss-condition (White Black) stalemated))
"#;

#[test]
fn a_view_lies_beside_the_rules_and_is_checked() {
    let scratch = Scratch::new("views");
    let rules = scratch.file("race.zrf", RACE);
    let view = scratch.file("race.view", "(look Man king)\n(colour Blck \"#000000\")\n(colour White \"#f0dcb0\")\n");
    dagaz(&["check", &rules]).code(1).err("view-unknown-player").err("`Blck`");
    assert!(std::path::Path::new(&view).is_file());
    scratch.file("race.view", "(look Man king)\n(colour Black \"#f0dcb0\")\n(colour White \"#f0dcb0\")\n");
    dagaz(&["check", &rules]).code(0).err("view-same-look");
    dagaz(&["check", "--strict", &rules]).code(1);
    scratch.file("race.view", "(look Man king)\n(fill plain\n");
    dagaz(&["render", &rules]).code(2).err("view-bracket").err("cannot be used");
    scratch.file("race.view", "(look Man king)\n");
    dagaz(&["check", &rules]).code(0).out("good");
    dagaz(&["render", &rules]).code(0).out("White man");
}
