//! `replay` and `convert`.

use crate::run::{Scratch, dagaz};

const GAME: &str = r#"{"format": "dagaz-record", "version": 1, "game": "chess",
    "moves": ["e2 - e4 pawn-double n", "e7 - e5 pawn-double n", "g1 - f3 leap n nw"]}"#;

#[test]
fn a_record_that_fits_is_summed_up() {
    let scratch = Scratch::new("replay");
    let file = scratch.file("game.json", GAME);
    dagaz(&["replay", &file]).code(0).out("fits, 3 steps: unfinished, Black to move");
    let json = dagaz(&["replay", &file, "--json"]).code(0).json();
    assert_eq!((&json["fits"], &json["steps"]), (&true.into(), &3.into()));
}

#[test]
fn the_first_ply_that_does_not_fit_is_named() {
    let scratch = Scratch::new("misfit");
    let file = scratch.file("game.json", &GAME.replace("e7 - e5", "e7 - e4"));
    dagaz(&["replay", &file]).code(1).err("ply 2: `e7 - e4 pawn-double n`: not legal here");
    let json = dagaz(&["replay", &file, "--json"]).code(1).json();
    assert_eq!((&json["fits"], &json["ply"]), (&false.into(), &2.into()));
    dagaz(&["convert", &file, &scratch.path("game.zsg")]).code(1).err("ply 2");
    assert_eq!(scratch.names(), ["game.json"]);
}

#[test]
fn a_ply_may_be_a_whole_chain() {
    let scratch = Scratch::new("chain");
    let plies: Vec<&str> = crate::runs::BEFORE_A_CHAIN.split(' ').chain(["g5-e3-c1"]).collect();
    let record = serde_json::json!({ "format": "dagaz-record", "version": 1, "game": "english", "moves": plies });
    dagaz(&["replay", &scratch.file("chain.json", &record.to_string())]).code(0).out("fits, 9 steps");
}

#[test]
fn records_that_are_none_are_bad_input() {
    let scratch = Scratch::new("no-record");
    dagaz(&["replay", &scratch.path("none.json")]).code(2).err("cannot read");
    dagaz(&["replay", &scratch.file("game.json", "[]")]).code(2).err("is no record");
    dagaz(&["replay", &scratch.file("game.doc", "")]).code(2).err("no known format");
    let other = GAME.replace("chess", "no such game");
    dagaz(&["replay", &scratch.file("other.json", &other)]).code(2).err("`no such game`, which is not bundled");
    dagaz(&["replay", &scratch.path("other.json"), "--rules", "chess"]).code(0);
}

#[test]
fn records_go_from_format_to_format_and_back() {
    let scratch = Scratch::new("convert");
    let (json, zsg, back) = (scratch.file("game.json", GAME), scratch.path("game.zsg"), scratch.path("back.json"));
    dagaz(&["convert", &json, &zsg]).code(0);
    let saved = std::fs::read_to_string(&zsg).unwrap();
    assert!(saved.contains("RulesFile=chess.zrf\r\n") && saved.contains("1. Pawn e2 - e4\r\n"), "{saved}");
    dagaz(&["convert", &zsg, &back]).code(0);
    let moves = |path: &str| {
        let record: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        record["moves"].clone()
    };
    assert_eq!(moves(&json), moves(&back));
    dagaz(&["convert", &json, &scratch.path("game.pdf")]).code(2).err("no known format");
}

#[test]
fn a_variant_that_the_rules_do_not_have_is_told() {
    let scratch = Scratch::new("variant");
    let saved = |rules: &str, variant: &str| {
        format!("Zillions Save Game File Version 0.02 HH\nRulesFile={rules}.zrf\nVariantName={variant}\n")
    };
    let one = scratch.file("one.zsg", &(saved("english", "Wild draughts") + "1. Man c3 - d4\n"));
    let note = "note: the record is of the variant `Wild draughts`, and this is `English draughts`";
    dagaz(&["replay", &one]).code(0).out("fits").err(note);
    let several = scratch.file("several.zsg", &(saved("shogi", "Wild Shogi") + "1. Pawn 7g - 7f\n"));
    dagaz(&["replay", &several]).code(2).err("`shogi` has no variant `Wild Shogi`; it has `Shogi`, `Minishogi`");
    let good = scratch.file("good.zsg", &(saved("english", "ENGLISH DRAUGHTS") + "1. Man c3 - d4\n"));
    assert_eq!(dagaz(&["replay", &good]).code(0).stderr, "");
}

#[test]
fn rules_beside_a_record_are_found() {
    let scratch = Scratch::new("beside");
    scratch.file("Tiny.zrf", crate::rules::TINY);
    let record = r#"{"format": "dagaz-record", "version": 1, "game": "Tiny.zrf", "moves": ["a1", "c1", "b1"]}"#;
    dagaz(&["replay", &scratch.file("game.json", record)]).code(0).out("First wins by ");
    let upside_down = record.replace("\"moves\"", "\"variant\": \"Tiny, upside down\", \"moves\"");
    dagaz(&["replay", &scratch.file("lost.json", &upside_down)]).code(0).out("Second wins by ");
}
