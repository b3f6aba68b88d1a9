//! The tables of `docs/zrf-corpus.md` that were written by hand: tests hold them to what is so.

use std::collections::BTreeMap;

/// The rows of the table under a heading of the page: the file in the first column, without its back-quotes, and the other
/// columns as they are.
pub fn table(heading: &str) -> BTreeMap<String, Vec<String>> {
    let path = crate::project().join("docs/zrf-corpus.md");
    let page = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let section = page.split("\n## ").find_map(|section| section.strip_prefix(heading));
    let section = section.unwrap_or_else(|| panic!("the page has no heading `{heading}`"));
    let cells =
        |line: &str| -> Vec<String> { line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect() };
    let rows = section.lines().filter(|line| line.starts_with("| `")).map(|line| {
        let mut cells = cells(line);
        (cells.remove(0).trim_matches('`').to_owned(), cells)
    });
    rows.collect()
}
