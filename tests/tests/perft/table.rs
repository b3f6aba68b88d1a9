//! The published series that rule files of others give, and those that they do not give, each with the reason.

/// A series that a file gives.
pub(crate) struct Row {
    /// The file, in the corpus.
    pub(crate) file: &'static str,
    pub(crate) variant: Option<&'static str>,
    /// The counts from depth 1 on, as far as they take less than a minute.
    pub(crate) counts: &'static [u64],
    /// Up to which depth it is counted by default.
    pub(crate) quick: usize,
    pub(crate) source: &'static str,
}

/// A file that gives other counts than those that are published for its game.
pub(crate) struct Difference {
    /// What is counted. Its source is that of the published series.
    pub(crate) row: Row,
    /// The game of the published series.
    pub(crate) game: &'static str,
    /// That series, from depth 1 on, as far as it is compared.
    pub(crate) published: &'static [u64],
    /// Why they differ.
    pub(crate) why: &'static str,
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

const fn but(row: Row, game: &'static str, published: &'static [u64], why: &'static str) -> Difference {
    Difference { row, game, published, why }
}

const CPW: &str = "Chess Programming Wiki, Perft Results";
const FSF: &str = "Fairy-Stockfish 11.1, run";
const FST: &str = "Fairy-Stockfish repository, tests/perft.sh";
const DCT: &str = "test-suite of rhalbersma/dctl, which cites FMJD forum threads";
const ART: &str = "Aart Bik's perft pages";
const DAMA: &str = "tests of an open TypeScript dama engine";
/// Counted by plain programs written from the rules; weaker than a published table.
const PLAIN: &str = "a plain program for this game alone";
/// Another interpreter of the same file: agreement of two readings, no more.
const OTHER: &str = "another ZRF interpreter";

const COLLECTION: &str = "zillions/zrf/CheckersCollection/CheckersCollection.zrf";
const INTERNATIONAL: &str = "dagazproject-site/checkers/zrf/international-checkers.zrf";
const MINI: &str = "dagazproject-site/checkmate/zrf/mini-chess.zrf";

pub(crate) const ROWS: &[Row] = &[
    row("dagazproject-site/checkmate/zrf/chess.zrf", None, &[20, 400, 8902, 197_281], 3, CPW),
    row("dagazproject-site/checkmate/zrf/shatranj.zrf", Some("Shatranj"), &[16, 256, 4176, 68_122, 1_164_248], 3, FSF),
    row("dagazproject-site/checkmate/zrf/makruk.zrf", None, &[23, 529, 12_012, 273_026], 3, FSF),
    row(MINI, Some("Los Alamos Chess"), &[10, 100, 1212, 14_332, 191_846, 2_549_164], 4, FSF),
    row("dagazproject-site/checkmate/zrf/glinski.zrf", None, &[51, 2586, 137_858], 2, PLAIN),
    row("dagazproject-site/xiangqi/zrf/xiangqi.zrf", Some("XiangQi"), &[44, 1920, 79_666], 2, FSF),
    row("dagazproject-site/breakthrough/zrf/breakthrough.zrf", None, &[22, 484, 11_132, 256_036, 6_182_818], 3, FSF),
    row("dagazproject-site/breakthrough/zrf/breakthrough.zrf", Some("Breakthrough (5x5)"), &[13, 156, 1924], 3, OTHER),
    row("glukkazan-repo/breakthrough/jeson-mor.zrf", None, &[30, 900, 27_960, 868_624], 3, FSF),
    row(INTERNATIONAL, Some("International Checkers"), &[9, 81, 658, 4265, 27_117, 167_140, 1_049_442], 4, DCT),
    row(COLLECTION, Some("International Checkers"), &[9, 81, 658, 4265, 27_117, 167_140], 4, DCT),
    row(INTERNATIONAL, Some("Brazilian Checkers"), &[7, 49, 302, 1469, 7473, 37_628, 187_302, 907_830], 5, DCT),
    row(COLLECTION, Some("Brazilian Checkers"), &[7, 49, 302, 1469, 7473, 37_628, 187_302, 907_830], 5, DCT),
    row(
        "dagazproject-site/checkers/zrf/frisian-checkers.zrf",
        None,
        &[9, 81, 658, 3874, 21_265, 102_431, 540_126],
        4,
        DCT,
    ),
    row(COLLECTION, Some("Frisian Checkers"), &[9, 81, 658, 3874, 21_265, 102_431, 540_126], 4, DCT),
    row(COLLECTION, Some("Canadian Checkers"), &[11, 121, 1222, 10_053, 79_049], 3, OTHER),
    row(COLLECTION, Some("Russian Checkers"), &[7, 49, 302, 1469, 7482, 37_986, 190_146], 5, DCT),
    row(COLLECTION, Some("Pool Checkers"), &[7, 49, 302, 1469, 7482, 37_986, 190_146, 929_896], 5, DCT),
    row(
        "dagazproject-site/checkers/zrf/english-checkers.zrf",
        None,
        &[7, 49, 302, 1469, 7361, 36_768, 179_740, 845_931],
        6,
        ART,
    ),
    row(COLLECTION, Some("Checkers (English draughts)"), &[7, 49, 302, 1469, 7361, 36_768, 179_740, 845_931], 5, ART),
    row(
        "dagazproject-site/checkers/zrf/thai-checkers.zrf",
        None,
        &[7, 49, 392, 3136, 26_592, 218_695, 1_820_189],
        5,
        DCT,
    ),
    row(COLLECTION, Some("Thai Checkers"), &[7, 49, 392, 3136, 26_592, 218_695, 1_820_189], 5, DCT),
    row(
        "glukkazan-repo/checkers/italian-checkers.zrf",
        None,
        &[7, 49, 302, 1469, 7361, 36_473, 177_532, 828_783],
        6,
        DCT,
    ),
    row(COLLECTION, Some("Italian Checkers"), &[7, 49, 302, 1469, 7361, 36_473, 177_532, 828_783], 6, DCT),
    // What this file calls Czech are the Spanish rules: of the captures that take most, the one with most kings.
    row(COLLECTION, Some("Czech Checkers"), &[7, 49, 302, 1469, 7361, 36_473, 177_532, 828_783], 6, DCT),
    row("dagazproject-site/checkers/zrf/turkish-dama.zrf", None, &[8, 64, 708, 7538, 85_090], 4, DAMA),
    row("dagazproject-site/stalemate/zrf/amazons.zrf", None, &[2176], 1, FST),
    row("glukkazan-repo/breakthrough/jungle.zrf", None, &[24, 576, 12_240], 3, OTHER),
    row("dagazproject-site/checkers-like/zrf/bagh-chal.zrf", None, &[21, 252, 6044], 3, OTHER),
    row("dagazproject-site/breakthrough/zrf/doubutsu-shogi.zrf", None, &[4, 17, 123], 3, OTHER),
    row("dagazproject-site/solitaire/zrf/british.zrf", Some("British Solitaire"), &[4, 12, 60], 3, OTHER),
];

/// These files leave a part of their rules to a script that comes with them, or are of a game that only shares the name.
pub(crate) const DIFFERENCES: &[Difference] = &[
    but(
        row("dagazproject-site/checkmate/zrf/bomb-chess.zrf", Some("Chess"), &[20, 400, 8902, 197_742], 3, CPW),
        "Chess",
        &[20, 400, 8902, 197_281],
        "it has no goal, so that a king may be left under attack (as in extinction chess, whose count this is); a script forbids that",
    ),
    but(
        row(MINI, Some("Gardner's Chess"), &[7, 53, 506, 4775, 51_528], 4, FSF),
        "Gardner's minichess",
        &[7, 53, 506, 4775, 52_512],
        "a pawn becomes a queen and nothing else",
    ),
    but(
        row("dagazproject-site/checkmate/zrf/courier-chess.zrf", None, &[20, 400, 8500], 2, FSF),
        "Courier chess",
        &[26, 678, 18_406],
        "it begins from the array; the published count begins after the four moves with which each side opens",
    ),
    but(
        row("dagazproject-site/checkmate/zrf/sittuyin.zrf", None, &[12, 492, 17_568], 2, FSF),
        "Sittuyin",
        &[88, 7744, 580_096],
        "White alone sets up, eight pieces from squares beside the board, and a script does the rest; Fairy-Stockfish drops from the hand by turns",
    ),
    but(
        row("dagazproject-site/xiangqi/zrf/minixiangqi.zrf", None, &[13, 159, 2838], 3, FSF),
        "Minixiangqi",
        &[19, 331, 6664],
        "another army: it has leopards, and the cannons stand in the second row. There is no goal either",
    ),
    but(
        row("dagazproject-site/xiangqi/zrf/janggi.zrf", Some("Janggi"), &[8, 48, 144], 3, FSF),
        "Janggi",
        &[32, 1024, 33_000],
        "both sides first choose where horses and elephants stand; the published count begins after that",
    ),
    but(
        row("dagazproject-site/shogi/zrf/shogi.zrf", Some("Shogi"), &[30, 900, 25_440], 2, FSF),
        "Shogi",
        &[30, 900, 25_470],
        "promotions are left to a script: there are thirty of them at the third ply",
    ),
    but(
        row("dagazproject-site/shogi/zrf/judkins-shogi.zrf", None, &[18, 320, 6117], 3, FSF),
        "Judkins shogi",
        &[20, 336, 6183],
        "promotions are left to a script (of the bishop and of the rook at the first ply), and so is check",
    ),
    but(
        row("dagazproject-site/shogi/zrf/tori-shogi.zrf", None, &[17, 289, 4961, 85_278], 3, FST),
        "Tori shogi",
        &[0, 0, 0, 103_857],
        "promotions, captures into the hand and check are left to a script",
    ),
    but(
        row(
            "zillions/zrf/DobutsuShogi/Dobutsu.zrf",
            Some("Doubutsu Shogi (with check and mate)"),
            &[4, 13, 63],
            3,
            FSF,
        ),
        "Dobutsu shogi",
        &[4, 13, 69],
        "a chick must promote (two moves) and may not be dropped on the last rank (four)",
    ),
    but(
        row(COLLECTION, Some("Russian Checkers"), &[7, 49, 302, 1469, 7482, 37_986, 190_146, 929_901], 5, DCT),
        "Russian draughts",
        &[7, 49, 302, 1469, 7482, 37_986, 190_146, 929_899],
        "a king may stop behind his victim although he could go on from another square there: the bundled game without this rule gives 929901, too",
    ),
    but(
        row(COLLECTION, Some("Czech Checkers"), &[7, 49, 302, 1469, 7361, 36_473, 177_532], 6, DCT),
        "Czech draughts",
        &[7, 49, 302, 1469, 7361, 36_768, 179_740],
        "it plays by the Spanish rules, see above; the Czech ones know no duty to take most",
    ),
    but(
        row(COLLECTION, Some("Turkish Dama"), &[8, 64, 708, 7462], 4, DAMA),
        "Turkish draughts",
        &[8, 64, 708, 7538],
        "a man never captures twice: his jumps go on with the type `continuetype`, and men have no blocks of it",
    ),
    but(
        row("dagazproject-site/custodian/zrf/reversi.zrf", Some("Reversi"), &[60, 3540, 205_320], 2, ART),
        "Othello",
        &[4, 12, 56],
        "a disc may be dropped anywhere; a script turns discs and asks for one that is turned",
    ),
    but(
        row("dagazproject-site/arrange/zrf/loa.zrf", Some("Lines of Action"), &[180, 30_868], 2, PLAIN),
        "Lines of Action",
        &[36, 1244],
        "a man slides over any distance; a script compares it with the number of men on the line",
    ),
    but(
        row("dagazproject-site/elimination/zrf/abalone.zrf", Some("Abalone"), &[58, 3364, 214_600], 2, PLAIN),
        "Abalone",
        &[44, 1936, 98_912],
        "a column is pushed whatever its length and whatever stands at its end; a script weighs them",
    ),
    but(
        row("dagazproject-site/morris/zrf/morris.zrf", Some("Morris"), &[24, 552, 24_288], 2, PLAIN),
        "Nine men's morris",
        &[24, 552, 12_144],
        "stones may fly from the first move on; a script says in which phase the game is",
    ),
    but(
        row("dagazproject-site/elimination/zrf/surakarta.zrf", None, &[16, 256, 5382, 110_540], 3, PLAIN),
        "Surakarta",
        &[16, 256, 5382, 111_122],
        "captures around the loops are left to a script; 110540 is the published number of lines without one",
    ),
    but(
        row("dagazproject-site/stalemate/zrf/konane.zrf", None, &[32, 1024, 2976], 3, PLAIN),
        "Konane",
        &[2, 8, 24],
        "any stone may be the first to be taken off; a script asks for the middle, and for a neighbour",
    ),
];
