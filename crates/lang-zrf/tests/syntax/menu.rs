//! Games and variants of a file, before they are expanded.

use dagaz_lang_zrf::{EntryKind, display_text};

use crate::{read, read_files};

/// Kind and title of each entry.
fn menu(text: &str) -> Vec<(EntryKind, Option<String>)> {
    read(text).document.entries.into_iter().map(|entry| (entry.kind, entry.title)).collect()
}

/// Duke.zrf, Ragnarok.zrf, margo.zrf and PyonPyonShogi.zrf have variants first.
#[test]
fn variants_may_stand_before_the_game() {
    let reading = read("(variant (title \"A\")) (version \"2.0\") (game (title \"B\") (default)) (variant)");
    let entries = &reading.document.entries;
    assert_eq!(reading.document.game(), Some(1));
    assert_eq!(entries.iter().map(|entry| entry.default).collect::<Vec<_>>(), [false, true, false]);
    assert_eq!(entries[2].title, None);
    assert_eq!(reading.codes(), [""; 0]);
}

#[test]
fn a_dash_is_a_separator() {
    let reading = read("(game (title \"-\")) (variant (title \"-\") (board)) (variant (title \"-x\"))");
    let separators: Vec<_> = reading.document.entries.iter().map(|entry| entry.separator).collect();
    assert_eq!(separators, [false, true, false]);
}

#[test]
fn titles_may_come_from_macros() {
    let text = "(define name (title \"$1 chess\") (default)) (define head (name) (players A B)) (game (head Big))";
    assert_eq!(menu(text), [(EntryKind::Game, Some("Big chess".to_owned()))]);
    assert!(read(text).document.entries[0].default);
}

#[test]
fn entries_may_come_from_macros() {
    let text = "(define sizes (variant (title \"Small $1\") (size 1)) (variant (title \"Big $1\") (size 2)))
        (game (title \"Go\")) (sizes Go)";
    let mut reading = read(text);
    let titles: Vec<_> = reading.document.entries.iter().filter_map(|entry| entry.title.as_deref()).collect();
    assert_eq!(titles, ["Go", "Small Go", "Big Go"]);
    assert_eq!(reading.document.entries[2].form.to_string(), "(sizes Go)");
    assert_eq!(reading.expand(1).to_string(), "(variant (title \"Small Go\") (size 1))");
    assert_eq!(reading.expand(2).to_string(), "(variant (title \"Big Go\") (size 2))");
}

#[test]
fn an_included_file_may_hold_entries() {
    let reading = read_files(&[("a.zrf", "(game) (include \"b\") (variant)"), ("b", "(variant (title \"B\"))")]);
    assert_eq!(reading.document.entries.len(), 3);
    assert_eq!(reading.document.entries[1].title.as_deref(), Some("B"));
}

#[test]
fn reading_expands_no_more_than_the_menu_needs() {
    let reading = read("(define b (x)) (define a (title \"A\") (piece (b) (b))) (game (a) (piece (b)))");
    assert_eq!(reading.sources.expansion_count(), 1);
}

#[test]
fn a_backslash_begins_a_line_and_a_back_quote_is_a_quote() {
    assert_eq!(display_text("One.\\Two `2`.\\\\Three.\\"), "One.\nTwo \"2\".\n\nThree.\n");
    assert_eq!(display_text("It was \\\r\n      wrapped\n  here.\\\\\r\n  - next"), "It was\nwrapped here.\n\n- next");
    assert_eq!(display_text("  kept  apart  "), "  kept  apart");
    assert_eq!(display_text(""), "");
}
