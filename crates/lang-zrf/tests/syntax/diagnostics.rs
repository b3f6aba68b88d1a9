//! Each finding as its author sees it, below the text that it is about.

use crate::{Reading, read, read_files};

/// The text, what became of each entry, and the findings.
fn report(text: &str, mut reading: Reading) -> String {
    let count = reading.document.entries.len();
    let entries: String = (0..count).map(|index| format!("{}\n", reading.expand(index))).collect();
    format!("{text}\n---------- becomes\n{entries}---------- with\n{}", reading.diagnostics.render(&reading.sources))
}

macro_rules! snapshots {
    ($($name:ident: $text:expr;)*) => {
        $(
            #[test]
            fn $name() {
                let text: &str = $text;
                insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
                    insta::assert_snapshot!(stringify!($name), report(text, read(text)));
                });
            }
        )*
    };
}

snapshots! {
    unbalanced_end: "(game\n   (title \"A\")\n   (board\n      (grid (a b)\n   )\n   (piece)\n)\n; end\n";
    unbalanced_before_margin: "(define step (\n   $1 (verify empty?) add\n)\n\n(define slide ($1 add))\n\n(game (step n)\n";
    unbalanced_extra: "(game\n   (title \"A\"))\n   (piece (name Man))\n)))\n(variant)\n)";
    unterminated_string: "(game\n   (title \"A)\n   (piece\n      (name \"Man\"))\n   (help \"B\")\n)\n";
    unterminated_only_string: "(game (title \"A))";
    macro_argument_missing: "(define step ($1 (verify $2) line-$3 add))\n(define steps (step n))\n(game (steps))";
    macro_argument_outside: "(game (moves ($1 add)))";
    macro_argument_in_text: "(define shown (help \"It costs $5\"))\n(game (shown))";
    macro_recursion: "(define slide ($1 (slide $1)))\n(game\n   (slide n))";
    macro_recursion_of_two: "(define first second (second $1))\n(define second\n   (first $1))\n(define all (x)\n   (first n))\n(game (all))";
    macro_recursion_by_argument: "(define apply ($1 $1))\n(game (apply apply))";
    macro_redefined: "(define a b)\n(define a c)\n(define d e)\n(define d e)\n(game (a) (d))";
    macro_without_name: "(define)\n(define (a b))\n(define \"a\" b)\n(game)";
    no_game: "; nothing but a macro\n(define a b)";
    no_text: "";
    several_games: "(game (title \"A\"))\n(game (title \"B\"))";
    unknown_forms: "(Game)\n(board-defs)\n(translate \"a\" \"b\")\n(define made (include \"x\") (define a b))\n(made)\nword \"text\" ()\n(game)";
}

#[test]
fn includes() {
    let text = "(include \"missing.inc\")\n(include)\n(include \"a.inc\" \"b.inc\")\n(game)";
    let files = [("game.zrf", text), ("a.inc", "(include \"b.inc\")"), ("b.inc", "(define b\n(include \"A.inc\")\n")];
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!("includes", report(text, read_files(&files)));
    });
}

#[test]
fn macro_limit() {
    let text = "(define one (two) (two) (two) (two) (two) (two) (two) (two) (two) (two))
(define two (three) (three) (three) (three) (three) (three) (three) (three) (three) (three))
(define three (four) (four) (four) (four) (four) (four) (four) (four) (four) (four))
(define four (five) (five) (five) (five) (five) (five) (five) (five) (five) (five))
(define five (six) (six) (six) (six) (six) (six) (six) (six) (six) (six))
(define six (all) (all) (all) (all) (all) (all) (all) (all) (all) (all))
(define all n s e w ne nw se sw)
(game
   (title \"A\")
   (piece (six) (one)))";
    let mut reading = read(text);
    reading.expand_all();
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!("macro_limit", reading.diagnostics.render(&reading.sources));
    });
}
