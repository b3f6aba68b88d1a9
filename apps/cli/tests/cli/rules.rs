//! `list`, `check`, `info`: what the rules files say.

use crate::run::{Scratch, dagaz};

/// Each player drops men on three points; two in a row win.
pub(crate) const TINY: &str = r#"
(define drop ((verify empty?) add))
(game
   (title "Tiny")
   (description "Two in a row win.")
   (players First Second)
   (turn-order First Second)
   (board (grid (start-rectangle 0 0 10 10) (dimensions ("a/b/c" (10 0)) ("1" (0 10))) (directions (e 1 0) (w -1 0))))
   (board-setup (First (Man off 5)) (Second (Man off 5)))
   (piece (name Man) (drops (drop)))
   (win-condition (First Second) (relative-config Man e Man))
   (draw-condition (First Second) stalemated)
)
(variant (title "Tiny, upside down") (loss-condition (First Second) (relative-config Man e Man)))
"#;

#[test]
fn list_names_the_bundled_games() {
    let listed = dagaz(&["list"]).code(0);
    assert!(
        listed.stdout.lines().any(|line| line.split_whitespace().collect::<Vec<_>>() == ["chess", "chess", "2", "zrf"])
    );
    let games = dagaz(&["list", "--json"]).code(0).json();
    let chess = games.as_array().unwrap().iter().find(|game| game["name"] == "chess").unwrap();
    assert_eq!(chess["family"], "chess");
    assert_eq!(chess["players"], serde_json::json!(["White", "Black"]));
    assert_eq!(chess["language"], "zrf");
}

#[test]
fn every_bundled_game_is_good() {
    let games = dagaz(&["list", "--json"]).json();
    for game in games.as_array().unwrap() {
        dagaz(&["check", game["name"].as_str().unwrap()]).code(0);
    }
}

/// Rules that fail say where they ran at that time: in a block, and in a stage.
#[test]
fn rules_without_an_end_are_located() {
    let scratch = Scratch::new("endless");
    let block = TINY.replace("(title \"Tiny\")", "(title \"Tiny\") (variable x 0)");
    let block = block.replace("((verify empty?) add)", "((while (= x 0) (set x 0)) (verify empty?) add)");
    let file = scratch.file("block.zrf", &block);
    let place = "block.zrf:2:15, in the macro `drop`, used at ";
    dagaz(&["moves", &file]).code(2).err(place).err("more than 200000000 operations, the last of them in `drop`");
    let stage =
        TINY.replace("(title \"Tiny\")", "(title \"Tiny\") (variable x 0) (after-move (while (= x 0) (set x 0)))");
    let file = scratch.file("stage.zrf", &stage);
    let said = "the last of them in `after-move`\n";
    dagaz(&["selfplay", &file, "--games", "1"]).code(2).err("stage.zrf:4:").err(said);
}

/// A path is named once, and what there is one of is no plural.
#[test]
fn small_words_are_right() {
    let answer = dagaz(&["check", "nowhere.zrf"]).code(2);
    assert_eq!(answer.stderr.matches("nowhere.zrf").count(), 1, "{}", answer.stderr);
    let said = dagaz(&["selfplay", "tic-tac-toe", "--games", "1", "--threads", "1"]).code(0);
    said.out("tic-tac-toe: 1 game, seed 1, random\n");
    dagaz(&["replay", "--help"]).code(0).out("`.jsonl`");
}

#[test]
fn check_says_what_is_wrong_and_where() {
    let scratch = Scratch::new("check");
    let good = scratch.file("tiny.zrf", TINY);
    dagaz(&["check", &good]).code(0).out("tiny.zrf: good (2 games)");
    let bad = scratch.file("bad.zrf", &TINY.replace("(name Man) (drops (drop))", "(name Man) (drops (drap))"));
    let answer = dagaz(&["check", &good, &bad]).code(1).out("bad.zrf: 1 error").err("drap");
    assert!(answer.stderr.contains("bad.zrf:10:"), "{}", answer.stderr);
    let warned = scratch.file("warned.zrf", &TINY.replace("(name Man)", "(name Man) (colour red)"));
    let answer = dagaz(&["check", &good, &bad, &warned]).code(1).out("warned.zrf: good, 1 warning (2 games)");
    answer.out("2 of 3 files are good, 1 of them with warnings");
    dagaz(&["check", "--strict", &warned]).code(1).out("warned.zrf: 1 warning (2 games)");
    let found = dagaz(&["check", "--json", &bad]).code(1).json();
    assert_eq!(found[0]["errors"], 1);
    assert_eq!(found[0]["diagnostics"][0]["place"]["line"], 10);
}

#[test]
fn check_tells_files_that_are_missing_from_files_that_are_bad() {
    let scratch = Scratch::new("check-missing");
    let bad = scratch.file("bad.zrf", "(game");
    dagaz(&["check", &bad, &scratch.path("none.zrf")]).code(2).err("none.zrf").out("bad.zrf: ");
    dagaz(&["check"]).code(2);
}

#[test]
fn an_unknown_game_is_bad_input_with_a_hint() {
    dagaz(&["info", "ches"]).code(2).err("did you mean `chess`?");
    dagaz(&["info", "no-such-game-at-all"]).code(2).err("dagaz list");
    let scratch = Scratch::new("unknown");
    dagaz(&["info", &scratch.file("game.txt", "")]).code(2).err("no known rules language");
}

#[test]
fn info_describes_board_and_variants() {
    let scratch = Scratch::new("info");
    let tiny = scratch.file("tiny.zrf", TINY);
    dagaz(&["info", &tiny]).code(0).out("sites       3").out("First, Second").out("Two in a row win.");
    let info = dagaz(&["info", &tiny, "--json", "--variant", "upside"]).code(0).json();
    assert_eq!(info["variant"], "Tiny, upside down");
    assert_eq!(info["directions"][0]["links"]["a1"], "b1");
    assert_eq!(info["sites"][2]["area"], serde_json::json!([20, 0, 30, 10]));
    dagaz(&["info", &tiny, "--ir"]).code(0).out("drop");
    dagaz(&["info", &tiny, "--variant", "sideways"]).code(2).err("`Tiny, upside down`");
}

#[test]
fn a_device_without_an_end_is_no_file() {
    let scratch = Scratch::new("endless");
    for name in ["endless.zrf", "endless.json"] {
        std::os::unix::fs::symlink("/dev/zero", scratch.path(name)).unwrap();
    }
    dagaz(&["check", &scratch.path("endless.zrf")]).code(2).err("it has more than 16 MiB");
    dagaz(&["replay", &scratch.path("endless.json")]).code(2).err("it has more than 256 MiB");
    let main = scratch.file("main.zrf", &format!("(include \"endless.zrf\")\n{TINY}"));
    dagaz(&["check", &main]).code(1).err("endless.zrf").err("the file has more than 16777216 bytes");
}

#[test]
fn nobody_needs_to_hear_what_is_wrong() {
    let scratch = Scratch::new("deaf");
    let bad = scratch.file("bad.zrf", "(game");
    for command in ["check", "info"] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let status = std::process::Command::new(env!("CARGO_BIN_EXE_dagaz"))
            .args([command, &bad])
            .stdout(std::process::Stdio::null())
            .stderr(full)
            .status()
            .unwrap();
        assert_eq!(status.code(), Some(if command == "check" { 1 } else { 2 }));
    }
}

#[test]
fn included_files_are_found_whatever_their_case() {
    let scratch = Scratch::new("include");
    scratch.file("Parts/Drop.zrf", "(define drop ((verify empty?) add))");
    let main = TINY.replace("(define drop ((verify empty?) add))", r#"(include "parts\drop.ZRF")"#);
    dagaz(&["check", &scratch.file("tiny.zrf", &main)]).code(0);
}
