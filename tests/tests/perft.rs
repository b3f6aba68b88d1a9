//! Rule files of others give the published numbers of moves.
//!
//! Each row names a file of the corpus and a variant, and where its numbers come from. Bundled games have their numbers
//! beside them, in their `.cases`. By default a row is counted as far as it takes moments; `DAGAZ_SLOW=1` counts it to
//! its end.

use std::sync::Arc;

use dagaz_engine::{Executor, Interpreter, Line, perft};
use dagaz_lang_zrf::Settings;
use dagaz_tests::{corpus, rules_of};

/// One published series.
struct Row {
    file: &'static str,
    variant: Option<&'static str>,
    /// The counts from depth 1 on.
    counts: &'static [u64],
    /// Up to which depth it is counted by default.
    quick: usize,
    source: &'static str,
}

const fn row(
    file: &'static str,
    variant: Option<&'static str>,
    counts: &'static [u64],
    quick: usize,
    source: &'static str,
) -> Row {
    Row { file, variant, counts, quick, source }
}

const CPW: &str = "Chess Programming Wiki, Perft Results";
const FSF: &str = "Fairy-Stockfish 11.1, run";
const DCT: &str = "test-suite of rhalbersma/dctl, which cites FMJD forum threads";
const ART: &str = "Aart Bik's perft pages";
const DAMA: &str = "tests of an open TypeScript dama engine";
/// Counted by plain programs written from the rules; weaker than a published table.
const PLAIN: &str = "a plain program for this game alone";
/// Another interpreter of the same file: agreement of two readings, no more.
const OTHER: &str = "another ZRF interpreter";

const COLLECTION: &str = "zillions/zrf/CheckersCollection/CheckersCollection.zrf";

const ROWS: &[Row] = &[
    row("dagazproject-site/checkmate/zrf/chess.zrf", None, &[20, 400, 8902, 197_281], 3, CPW),
    row("dagazproject-site/checkmate/zrf/shatranj.zrf", Some("Shatranj"), &[16, 256, 4176, 68_122], 3, FSF),
    row("dagazproject-site/checkmate/zrf/makruk.zrf", None, &[23, 529, 12_012, 273_026], 3, FSF),
    row("dagazproject-site/checkmate/zrf/glinski.zrf", None, &[51, 2586, 137_858], 2, PLAIN),
    row("dagazproject-site/xiangqi/zrf/xiangqi.zrf", Some("XiangQi"), &[44, 1920, 79_666], 2, FSF),
    row("dagazproject-site/breakthrough/zrf/breakthrough.zrf", None, &[22, 484, 11_132, 256_036], 3, FSF),
    row("dagazproject-site/breakthrough/zrf/breakthrough.zrf", Some("Breakthrough (5x5)"), &[13, 156, 1924], 3, OTHER),
    row("glukkazan-repo/breakthrough/jeson-mor.zrf", None, &[30, 900, 27_960, 868_624], 3, FSF),
    row("dagazproject-site/checkers/zrf/turkish-dama.zrf", None, &[8, 64, 708, 7538, 85_090], 4, DAMA),
    row(
        "dagazproject-site/checkers/zrf/english-checkers.zrf",
        None,
        &[7, 49, 302, 1469, 7361, 36_768, 179_740, 845_931],
        6,
        ART,
    ),
    row(
        "dagazproject-site/checkers/zrf/thai-checkers.zrf",
        None,
        &[7, 49, 392, 3136, 26_592, 218_695, 1_820_189],
        5,
        DCT,
    ),
    row(
        "glukkazan-repo/checkers/italian-checkers.zrf",
        None,
        &[7, 49, 302, 1469, 7361, 36_473, 177_532, 828_783],
        6,
        DCT,
    ),
    row(COLLECTION, Some("Italian Checkers"), &[7, 49, 302, 1469, 7361, 36_473, 177_532, 828_783], 6, DCT),
    row(COLLECTION, Some("Thai Checkers"), &[7, 49, 392, 3136, 26_592, 218_695, 1_820_189], 5, DCT),
    row("dagazproject-site/stalemate/zrf/amazons.zrf", None, &[2176], 1, "Fairy-Stockfish repository, tests/perft.sh"),
    // Its captures are left to a script: this is the published series of lines without a capture.
    row("dagazproject-site/elimination/zrf/surakarta.zrf", None, &[16, 256, 5382, 110_540], 3, PLAIN),
    row("glukkazan-repo/breakthrough/jungle.zrf", None, &[24, 576, 12_240], 3, OTHER),
    row("dagazproject-site/checkers-like/zrf/bagh-chal.zrf", None, &[21, 252, 6044], 3, OTHER),
    row("dagazproject-site/breakthrough/zrf/doubutsu-shogi.zrf", None, &[4, 17, 123], 3, OTHER),
];

#[test]
fn files_of_others_give_the_published_counts() {
    let Some(corpus) = corpus(1) else { return };
    let slow = std::env::var_os("DAGAZ_SLOW").is_some();
    let (mut wrong, mut skipped) = (Vec::new(), 0);
    for row in ROWS {
        let settings = Settings { variant: row.variant.map(str::to_owned), ..Settings::default() };
        let rules = rules_of(&corpus.join("zrf").join(row.file), &settings);
        let executor = Interpreter::new(Arc::clone(&rules));
        let start = executor.initial();
        let depths = if slow { row.counts.len() } else { row.quick };
        skipped += row.counts.len() - depths;
        for (depth, &published) in (1..).zip(&row.counts[..depths]) {
            let counted = perft(&executor, &start, &mut Line::new(), depth).expect("rules that end");
            if counted != published {
                let (name, source) = (&rules.name, row.source);
                wrong.push(format!("{name} ({}), depth {depth}: {counted}; {source} says {published}", row.file));
            }
        }
    }
    eprintln!("{} series; {skipped} deeper counts skipped, DAGAZ_SLOW=1 runs them", ROWS.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
