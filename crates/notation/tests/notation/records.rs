//! Records: trees of plies that are replayed, and what is said when one does not fit.

use dagaz_engine::Share;
use dagaz_notation::{Ply, Reason, Record, RecordError, SetUp, Variation, json, record};

use crate::games::{CHAINS, DROPS, PAWNS, executor, played};

fn record(plies: &[&str]) -> Record {
    Record { game: "Pawns".into(), plies: plies.iter().copied().map(Ply::new).collect(), ..Record::default() }
}

#[test]
fn a_record_is_a_tree() {
    let mut written = record(&["a1a2", "pass", "a3 Rook"]);
    written.comments = vec!["before".into()];
    written.plies[1].comments = vec!["he passes".into()];
    let line = |after, texts: &[&str]| Variation { after, plies: texts.iter().copied().map(Ply::new).collect() };
    written.variations = vec![line(1, &["b2 - b1 Rook", "pass"]), line(4, &["a3 Quail"]), line(1, &["b2a1q"])];
    let error = record::replay(&written, executor(PAWNS)).unwrap_err().to_string();
    assert!(error.starts_with("ply 2: `b2a1q`: not legal here; legal `b2 - b1 push n Queen`, "), "{error}");
    written.variations[2].after = 7;
    let error = record::replay(&written, executor(PAWNS)).unwrap_err().to_string();
    assert_eq!(error, "variation 3 starts after ply 7, and only 6 come before it");
    written.variations.pop();
    let play = record::replay(&written, executor(PAWNS)).unwrap();
    assert_eq!((play.steps_made().count(), play.nodes().len()), (3, 7));
    let again = Record::of(&play).unwrap();
    assert_eq!(again.variations[0].plies[0].text, "b2 - b1 push n Rook");
    assert_eq!(again.variations.iter().map(|line| line.after).collect::<Vec<_>>(), [1, 4]);
    assert_eq!((again.plies[1].comments.len(), again.comments.len()), (1, 1));
    assert_eq!(json::read(&json::write(&again)), Ok(again.clone()));
    let replayed = record::replay(&again, executor(PAWNS)).unwrap();
    assert_eq!(Record::of(&replayed), Ok(again));
}

#[test]
fn variations_may_be_deeper_than_any_stack() {
    let variations = (0..2_000).map(|after| Variation { after, plies: vec![Ply::new("pass")] });
    let written = Record { variations: variations.collect(), ..record(&[]) };
    let text = json::write(&written);
    assert_eq!(json::read(&text), Ok(written));
}

#[test]
fn the_first_ply_that_does_not_fit_is_named() {
    let mut written = record(&["a1 - a2 push n", "pass", "b2 - b1"]);
    written.plies[2].line = Some(7);
    let RecordError::Ply { ply, line, text, reason, before } = record::replay(&written, executor(PAWNS)).unwrap_err()
    else {
        panic!("a ply is wrong");
    };
    assert_eq!((ply, line, text.as_str()), (3, Some(7), "b2 - b1"));
    assert!(matches!(reason, Reason::Illegal { .. }));
    assert_eq!(before.steps_made().count(), 2);
}

#[test]
fn the_set_up_is_part_of_the_record() {
    let place = |owner: &str, kind: &str, site: &str| SetUp::Place(owner.into(), kind.into(), site.into());
    let mut written = record(&["b1 Wall"]);
    written.set_up = vec![
        SetUp::Remove("a1".into()),
        place("First", "Wall", "a2"),
        SetUp::Hand("First".into(), "Wall".into(), 3),
        SetUp::Cell("turn".into(), 0, 0),
    ];
    let play = record::replay(&written, executor(DROPS)).unwrap();
    assert_eq!(Record::of(&play).unwrap().set_up, written.set_up);
    let fault = |set_up| {
        let written = Record { set_up: vec![set_up], ..record(&[]) };
        record::replay(&written, executor(DROPS)).unwrap_err().to_string()
    };
    assert_eq!(
        fault(place("Nobody", "Wall", "a2")),
        r#"change 1 of the starting state, Place("Nobody", "Wall", "a2"): there is no player `Nobody`"#
    );
    assert_eq!(
        fault(SetUp::Remove("z9".into())),
        r#"change 1 of the starting state, Remove("z9"): there is no site `z9`"#
    );
}

#[test]
fn the_result_is_that_of_the_main_line() {
    let edits = [SetUp::Remove("x-".into()), SetUp::Remove("-x".into())];
    let written = Record { set_up: edits.into(), ..record(&["x - +1 jump e"]) };
    let play = record::replay(&written, executor(CHAINS)).unwrap();
    let expected = vec![("White".to_owned(), Share::Win), ("Black".to_owned(), Share::Loss)];
    assert_eq!(Record::of(&play).unwrap().result, expected);
    let further = Record { plies: vec![Ply::new("+ x - +1 jump e"), Ply::new("pass")], ..written };
    let error = record::replay(&further, executor(CHAINS)).unwrap_err();
    assert_eq!(error.to_string(), "ply 2: `pass`: the game is over");
}

#[test]
fn a_long_game_is_written_and_read() {
    let steps = ["c1 - b1 slide w", "pass", "b1 - c1 slide e", "pass"];
    let steps: Vec<&str> = steps.iter().copied().cycle().take(8).collect();
    let play = played(PAWNS, &steps);
    let text = json::write(&Record::of(&play).unwrap());
    assert_eq!(record::replay(&json::read(&text).unwrap(), executor(PAWNS)).unwrap().state(), play.state());
}
