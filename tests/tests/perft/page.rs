//! The page `docs/perft.md`: the tables as a reader sees them.

use crate::table::{DIFFERENCES, ROWS, Row};

const BEFORE: &str = "\
# Numbers of moves of rule files that other people wrote

Two programs that read the same rules find the same number of sequences of so many moves, or one of them is wrong. Here are the
files of the corpus for whose games such numbers are published, as far as Dagaz counts them within a minute each. A chain of
captures is one move, moves to the same position are one, and a game that is over has none. Bundled games have their numbers
beside them, in their `.cases`.

The test `perft` counts every number on this page, with `DAGAZ_SLOW=1` the larger ones, too; `DAGAZ_BLESS=1` writes the page.

## Files that give the published numbers

| file | variant | numbers from depth 1 on | source |
|---|---|---|---|
";

const BETWEEN: &str = "
## Files that do not, and why

Most of these files are half of a game: the other half is a script that comes with them, and removes or adds moves. A `?` is a
depth for which nothing is published.

| game | file | variant | numbers of the file | published | source | why they differ |
|---|---|---|---|---|---|---|
";

/// The whole page.
pub(crate) fn page() -> String {
    let agree = ROWS.iter().map(|row| {
        let Row { counts, source, .. } = row;
        format!("| {} | {} | {source} |\n", place(row), numbers(counts))
    });
    let differ = DIFFERENCES.iter().map(|difference| {
        let (row, game, why) = (&difference.row, difference.game, difference.why);
        let (ours, published) = (numbers(row.counts), numbers(difference.published));
        format!("| {game} | {} | {ours} | {published} | {} | {why} |\n", place(row), row.source)
    });
    BEFORE.to_owned() + &agree.collect::<String>() + BETWEEN + &differ.collect::<String>()
}

fn place(row: &Row) -> String {
    format!("`{}` | {}", row.file, row.variant.unwrap_or_default())
}

fn numbers(counts: &[u64]) -> String {
    let number = |&count: &u64| if count == 0 { "?".to_owned() } else { count.to_string() };
    counts.iter().map(number).collect::<Vec<_>>().join(", ")
}
