//! What becomes of the use of a macro. The file that needs a rule is named where one is known.

use dagaz_lang_zrf::{Form, Node};

use crate::{expanded, read, read_files};

#[test]
fn a_body_is_spliced_in_place() {
    assert_eq!(expanded("(define a (x) y (z)) (game (p (a) q))"), "(game (p (x) y (z) q))");
    assert_eq!(expanded("(define nothing) (game (p (nothing)))"), "(game (p))");
    assert_eq!(expanded("(define empty-test empty?) (game (verify (empty-test)))"), "(game (verify empty?))");
}

#[test]
fn a_use_may_stand_wherever_a_list_may() {
    let text = "(define mine? (and friend? marked?)) (define if-mine (if (mine?) $1 else (if-not)))
        (define if-not (while (mine?) $1)) (define shift ((if-mine n) add))
        (define man (piece (name Man) (moves (shift)))) (game (man))";
    let step = "(if (and friend? marked?) n else (while (and friend? marked?) n))";
    assert_eq!(expanded(text), format!("(game (piece (name Man) (moves ({step} add))))"));
}

#[test]
fn only_a_list_uses_a_macro() {
    assert_eq!(expanded("(define a b) (game a (x a) (\"a\") ((a)))"), "(game a (x a) (\"a\") (b))");
}

#[test]
fn arguments_are_put_into_symbols_and_strings() {
    let text = r#"(define a $1 line-$1 $1$2 $1-$2? "images\$1\x.bmp") (game (a n w))"#;
    assert_eq!(expanded(text), r#"(game n line-n nw n-w? "images\n\x.bmp")"#);
}

#[test]
fn a_number_takes_all_digits() {
    assert_eq!(expanded("(define a $10 $1 $1$0) (game (a 1 2 3 4 5 6 7 8 9 ten))"), "(game ten 1 1$0)");
    assert_eq!(expanded("(define a $ $x $1) (game (a n))"), "(game $ $x n)");
}

#[test]
fn strings_and_lists_are_arguments_too() {
    assert_eq!(expanded(r#"(define a (b $1) "$1!") (game (a "x y"))"#), r#"(game (b "x y") "x y!")"#);
    assert_eq!(expanded(r#"(define a $1 $1) (game (a (b "c")))"#), r#"(game (b "c") (b "c"))"#);
    assert_eq!(expanded("(define a (x $1)) (define b (y)) (game (a (b)))"), "(game (x (y)))");
}

/// Ragnarok.zrf calls `(common-step-body)` bare inside `common-step`.
#[test]
fn a_missing_argument_is_that_of_the_use_around() {
    assert_eq!(expanded("(define inner $1 $2) (define outer (inner)) (game (outer n s))"), "(game n s)");
    assert_eq!(expanded("(define inner $1 $2) (define outer (inner e)) (game (outer n s))"), "(game e s)");
    let text = "(define c $1 $2 $3) (define b (c x)) (define a (b y z)) (game (a 1 2 3))";
    assert_eq!(expanded(text), "(game x z 3)");
}

#[test]
fn arguments_keep_the_meaning_they_have_where_they_stand() {
    let text = "(define inner ($1 $2)) (define outer (inner $2 $1)) (game (outer n s))";
    assert_eq!(expanded(text), "(game (s n))");
}

/// international-king-jump1 of CheckersCollection.zrf is given four arguments and uses three.
#[test]
fn arguments_too_many_are_ignored() {
    assert_eq!(expanded("(define a $1) (game (a n s))"), "(game n)");
}

#[test]
fn a_name_may_come_from_arguments() {
    let text =
        "(define slide (s $1)) (define king-step (k $1)) (define all ($1 n) ($2-step w)) (game (all slide king))";
    assert_eq!(expanded(text), "(game (s n) (k w))");
}

#[test]
fn a_macro_is_stronger_than_a_keyword() {
    assert_eq!(expanded("(define verify (must $1)) (game (verify empty?))"), "(game (must empty?))");
}

#[test]
fn names_differ_by_case() {
    assert_eq!(expanded("(define a x) (define A y) (game (a) (A))"), "(game x y)");
}

#[test]
fn definitions_may_follow_their_use_and_the_last_one_holds() {
    let mut reading = read("(game (a)) (define a x) (variant (a)) (define a y)");
    assert_eq!(reading.codes(), ["zrf-redefined"]);
    assert_eq!(reading.expand(0).to_string(), "(game y)");
    assert_eq!(reading.expand(1).to_string(), "(variant y)");
    assert_eq!(read("(game) (define a (x y)) (define a ; again\n (x  y))").codes(), [""; 0]);
}

#[test]
fn included_definitions_are_known() {
    let game = "(include \"lib\\steps.inc\") (game (step n))";
    let mut reading = read_files(&[
        ("folder/game.zrf", game),
        ("lib/steps.inc", "(include \".\\..\\lib\\more.inc\") (include \"more.inc\") (define step ($1 (more)))"),
        ("lib/more.inc", "(define more add)"),
    ]);
    assert_eq!(reading.codes(), [""; 0]);
    assert_eq!(reading.expand(0).to_string(), "(game (n add))");
}

/// The macro uses by which each list of a form was made, outermost list first.
fn makers(form: &Form, found: &mut Vec<String>) {
    if let Node::List(items) = &form.node {
        found.push(form.made_by.as_ref().map_or("-".to_owned(), ToString::to_string));
        items.iter().for_each(|item| makers(item, found));
    }
}

fn makers_of(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    makers(&read(text).expand(0), &mut found);
    found
}

#[test]
fn a_list_remembers_the_outermost_use_that_made_it_alone() {
    assert_eq!(makers_of("(define slide ($1 add)) (game (slide n))"), ["-", "(slide n)"]);
    let king = "(define slide ($1 (test) add)) (define king (slide $1)) (game (king n))";
    assert_eq!(makers_of(king), ["-", "(king n)", "-"]);
    assert_eq!(makers_of("(define a ($1)) (define b $1) (game (b (a \"x y\")))"), ["-", "(b (\"x y\"))"]);
}

#[test]
fn lists_made_together_keep_their_own_uses() {
    let rook = "(define slide ($1 add)) (define rook (slide n) (slide s) (x)) (game (rook))";
    assert_eq!(makers_of(rook), ["-", "(slide n)", "(slide s)", "-"]);
    assert_eq!(makers_of("(define slide ($1 add)) (define a mark (slide n)) (game (a))"), ["-", "(slide n)"]);
}

#[test]
fn what_a_macro_makes_shows_the_use_and_those_around_it() {
    let text = "(define inner (x $1)) (define outer (inner)) (game (outer n))";
    let mut reading = read(text);
    let form = reading.expand(0);
    let list = &form.list().unwrap()[1];
    for form in [list, &list.list().unwrap()[0], &list.list().unwrap()[1]] {
        let uses: Vec<_> = reading.sources.backtrace(form.origin).map(|expansion| &*expansion.name).collect();
        assert_eq!(uses, ["inner", "outer"]);
    }
    assert_eq!(reading.sources.slice(list.list().unwrap()[1].origin.span), "$1");
    assert_eq!(reading.sources.slice(list.origin.span), "(x $1)");
    assert_eq!(form.origin.expansion, None);
}

#[test]
fn numbers_are_symbols_that_read_as_one() {
    let form = read("(game 7 -3 5x5 \"7\")").expand(0);
    let numbers: Vec<_> = form.list().unwrap().iter().map(Form::integer).collect();
    assert_eq!(numbers, [None, Some(7), Some(-3), None, None]);
}

#[test]
fn a_macro_in_its_own_arguments_is_no_recursion() {
    assert_eq!(expanded("(define pair ($1 $2)) (game (pair a (pair b (pair c d))))"), "(game (a (b (c d))))");
    assert_eq!(expanded("(define apply ($1 $2 $3)) (define end $1) (game (apply apply end n))"), "(game n)");
}
