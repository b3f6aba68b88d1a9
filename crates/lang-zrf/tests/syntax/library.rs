//! The standard library: what it promises of itself, and how it is included and replaced.

use std::collections::BTreeMap;

use dagaz_lang_zrf::{Node, library};

use crate::{Reading, expanded, read, read_files};

/// The first entry expanded, and the findings.
fn found(mut reading: Reading) -> (String, String) {
    let form = reading.expand(0).to_string();
    (form, reading.diagnostics.render(&reading.sources))
}

#[test]
fn files_hold_nothing_but_definitions_and_each_name_once() {
    let mut owners = BTreeMap::new();
    for (file, text) in library::files() {
        let mut game = read(&format!("(include \"{file}\") (game)"));
        game.expand_all();
        assert_eq!(game.diagnostics.render(&game.sources), "", "{file}");
        assert_eq!(game.document.entries.len(), 1, "{file}");
        for line in text.lines().filter(|line| line.starts_with('(')) {
            let name = line.strip_prefix("(define ").and_then(|rest| rest.split([' ', ')']).next());
            let name = name.unwrap_or_else(|| panic!("{file}: `{line}` is no definition"));
            if let Some(other) = owners.insert(name, file) {
                panic!("{name} is both in {other} and in {file}");
            }
        }
    }
    assert!(owners.len() > 30, "{owners:?}");
}

#[test]
fn a_file_is_found_from_any_folder_and_in_any_case() {
    let text = "(include \"Dagaz\\Ways.zrf\") (game (straight-ways step))";
    assert_eq!(expanded(text), "(game (step n) (step e) (step s) (step w))");
    let files = [
        ("game.zrf", "(include \"dagaz/ways.zrf\") (include \"parts/men.inc\") (game (man))"),
        ("parts/men.inc", "(include \"dagaz/ways.zrf\") (define man (forward-ways step))"),
    ];
    assert_eq!(found(read_files(&files)), ("(game (step ne) (step nw))".to_owned(), String::new()));
}

#[test]
fn a_file_beside_the_rules_comes_first() {
    let files = [
        ("game.zrf", "(include \"dagaz/ways.zrf\") (game (straight-ways step))"),
        ("dagaz/ways.zrf", "(define straight-ways mine)"),
    ];
    assert_eq!(found(read_files(&files)), ("(game mine)".to_owned(), String::new()));
}

/// The macros of the library are there to be replaced: before and after, also where the library itself uses them.
#[test]
fn rules_replace_macros_of_the_library() {
    let own = "(define promotions Rook)";
    let include = "(include \"dagaz/steps.zrf\")";
    let expected = "(game ($1 (verify empty?) (if (in-zone? last-rank) (add Rook) else add)))".replace("$1", "n");
    for text in [format!("{own} {include}"), format!("{include} {own}")] {
        assert_eq!(expanded(&format!("{text} (game (pawn-step n))")), expected);
    }
}

#[test]
fn of_two_own_definitions_one_is_still_too_many() {
    let text = "(include \"dagaz/steps.zrf\") (define step a) (define step b) (game (step))";
    let mut reading = read(text);
    assert_eq!(reading.expand(0).to_string(), "(game b)");
    assert_eq!(reading.codes(), ["zrf-redefined"]);
}

#[test]
fn names_of_files_that_there_are_not_get_the_list() {
    let mut reading = read("(include \"dagaz/stpes.zrf\") (game)");
    reading.expand_all();
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!("library_missing", reading.diagnostics.render(&reading.sources));
    });
}

/// What is wrong inside of a macro of the library is shown there, with the use that the author can change.
#[test]
fn findings_name_the_file_of_the_library() {
    let text = "(include \"dagaz/steps.zrf\")\n(game\n   (piece (name Man) (moves (leap n))))";
    let mut reading = read(text);
    let form = reading.expand(0);
    assert!(matches!(form.node, Node::List(_)));
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!("library_finding", reading.diagnostics.render(&reading.sources));
    });
}
