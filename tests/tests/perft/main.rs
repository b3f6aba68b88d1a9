//! Rule files of others give the published numbers of moves, or it is known why they do not.
//!
//! Bundled games have their numbers beside them, in their `.cases`. By default a series is counted as far as it takes
//! moments; `DAGAZ_SLOW=1` counts it to its end. The tables are published as `docs/perft.md`, which `DAGAZ_BLESS=1`
//! writes.

mod page;
mod table;

use std::path::Path;

use dagaz_engine::{Executor, Interpreter, NoHistory, perft};
use dagaz_lang_zrf::Settings;
use dagaz_tests::{corpus, project, rules_of, slow};
use table::{DIFFERENCES, ROWS, Row};

#[test]
fn files_of_others_give_the_published_counts() {
    let Some(corpus) = corpus(1) else { return };
    count(&corpus, &mut ROWS.iter());
}

#[test]
fn files_that_differ_give_the_counts_that_are_explained() {
    let Some(corpus) = corpus(1) else { return };
    for difference in DIFFERENCES {
        let compared = difference.row.counts.iter().zip(difference.published);
        assert!(compared.clone().any(|(ours, published)| ours != published), "{} agrees", difference.game);
    }
    count(&corpus, &mut DIFFERENCES.iter().map(|difference| &difference.row));
}

#[test]
fn the_page_shows_the_tables() {
    let path = project().join("docs/perft.md");
    let page = page::page();
    if std::env::var_os("DAGAZ_BLESS").is_some() {
        std::fs::write(&path, &page).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == page, "{} is not what the tables say; DAGAZ_BLESS=1 writes it", path.display());
}

/// Counts every series, by default up to its quick depth.
fn count(corpus: &Path, rows: &mut dyn Iterator<Item = &Row>) {
    let (mut series, mut skipped, mut wrong) = (0, 0, Vec::new());
    for row in rows {
        let settings = Settings { variant: row.variant.map(str::to_owned), ..Settings::default() };
        let rules = rules_of(&corpus.join("zrf").join(row.file), &settings);
        let name = rules.name.clone();
        let executor = Interpreter::new(rules);
        let depths = if slow() { row.counts.len() } else { row.quick };
        (series, skipped) = (series + 1, skipped + row.counts.len() - depths);
        for (depth, &expected) in (1..).zip(&row.counts[..depths]) {
            let counted = perft(&executor, &executor.initial(), &NoHistory, depth).expect("rules that end");
            if counted != expected {
                wrong.push(format!("{name} ({}), depth {depth}: {counted}, expected {expected}", row.file));
            }
        }
    }
    eprintln!("{series} series; {skipped} deeper counts skipped, DAGAZ_SLOW=1 runs them");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
