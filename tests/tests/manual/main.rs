//! The manuals of the rule language are run: each game on their pages is compiled and must do what the page says it does.
//!
//! A block of rules is one of
//!
//! ````text
//! ```zrf                  a whole game; blocks that say what it does must follow
//! ```zrf,frame=NAME       a game with the word HERE in it; compiled with nothing there
//! ```zrf,fragment=NAME    what stands for HERE in that frame; blocks that say what it does may follow
//! ```zrf,file=NAME        a file that the games below include
//! ````
//!
//! Blocks that say what the last game does:
//!
//! ````text
//! ```moves                the legal moves in universal notation, one a line, in their order; (none) when there are none
//! ```position             whose turn it is and what stands where, as `dagaz_tests::trial` writes it
//! ```seen                 what each player sees, a line for each, as `dagaz_tests::trial` writes it
//! ```outcome              `open`, or who wins and by which goal
//! ```perft                `depth = count`, one a line
//! ```menu                 the titles that the file offers, the default marked
//! ```diagnostics          what is found in it; without this block nothing may be
//! ````
//!
//! In each of them lines `variant: TITLE` and `after: MOVE, MOVE …` begin a section that speaks of that variant, after those
//! moves. Blocks of `text` are not looked at; any other word after the fence is a mistake.
//!
//! `DAGAZ_BLESS=1 cargo test -p dagaz-tests --test manual` writes what the games do into the page. Read the diff against the
//! page's own words: a blessed block proves nothing.

mod check;
mod damage;
mod page;

use std::collections::BTreeSet;

use dagaz_lang_zrf::library;
use page::Page;

/// The page of ZRF, where the diagnostics have their table.
const PAGE: &str = "docs/zrf.md";

#[test]
fn each_game_does_what_the_manual_of_zrf_says() {
    run(PAGE);
}

#[test]
fn each_game_does_what_the_manual_of_the_extended_language_says() {
    run("docs/language.md");
}

#[test]
fn each_game_does_what_the_page_for_authors_of_zrf_says() {
    run("docs/from-zrf.md");
}

#[test]
fn a_game_with_a_part_missing_is_understood_or_refused() {
    for name in [PAGE, "docs/language.md", "docs/from-zrf.md"] {
        let text = std::fs::read_to_string(dagaz_tests::project().join(name)).expect("the page is there");
        let page = Page::of(&text).unwrap_or_else(|error| panic!("{name}:{error}"));
        page.games.iter().for_each(damage::each_part_missing);
    }
}

fn run(name: &str) {
    let path = dagaz_tests::project().join(name);
    let text = std::fs::read_to_string(&path).expect("the page is there");
    let page = Page::of(&text).unwrap_or_else(|error| panic!("{name}:{error}"));
    let findings = check::findings(&page);
    if std::env::var_os("DAGAZ_BLESS").is_some() {
        std::fs::write(&path, page.rewritten(&findings)).expect("the page can be written");
    }
    let blessed = |finding: &&check::Finding| finding.found.is_none() || std::env::var_os("DAGAZ_BLESS").is_none();
    let left: Vec<_> = findings.iter().filter(blessed).map(|finding| format!("{name}:{finding}")).collect();
    assert!(left.is_empty(), "{}\n{} findings; see tests/tests/manual/main.rs", left.join("\n"), left.len());
}

#[test]
fn each_diagnostic_has_a_row_in_the_table() {
    let page = std::fs::read_to_string(dagaz_tests::project().join(PAGE)).unwrap();
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `zrf-")?.split('`').next());
    let explained: BTreeSet<String> = rows.map(|code| format!("zrf-{code}")).collect();
    assert_eq!(codes(), explained, "the codes in the front end, and those in the table of {PAGE}");
}

#[test]
fn each_macro_of_the_library_is_in_the_table() {
    let page = std::fs::read_to_string(dagaz_tests::project().join("docs/language.md")).unwrap();
    for (file, text) in library::files() {
        let defined = text.lines().filter_map(|line| line.strip_prefix("(define ")?.split([' ', ')']).next());
        let row = page.lines().find_map(|line| line.strip_prefix(&format!("| `{file}` |")));
        let named = row.unwrap_or_default().split('`').skip(1).step_by(2);
        assert_eq!(defined.collect::<Vec<_>>(), named.collect::<Vec<_>>(), "{file}");
    }
}

/// All codes of diagnostics in the sources of the front end.
fn codes() -> BTreeSet<String> {
    let mut codes = BTreeSet::new();
    let mut folders = vec![dagaz_tests::project().join("crates/lang-zrf/src")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("the sources of the front end") {
            let path = entry.expect("an entry of the folder").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = std::fs::read_to_string(path).expect("a source is text");
            let words = text.split('"').filter(|word| word.starts_with("zrf-"));
            codes.extend(
                words.filter(|word| word.bytes().all(|b| b.is_ascii_lowercase() || b == b'-')).map(str::to_owned),
            );
        }
    }
    codes
}
