//! What cases find of a game with chains, hands, attributes and a variant.
//!
//! ```text
//!   3 . m .     White jumps from a1 round the square in either direction, and takes all four.
//!   2 m . m
//!   1 M m .
//!     a b c
//! ```

use std::sync::Arc;

use dagaz_cases::{Cases, Failure, judge};
use dagaz_engine::{Executor, Interpreter, Limits};
use dagaz_lang_zrf::{Settings, compile};

const RULES: &str = r#"
(define step ($1 (verify empty?) (set-attribute moved? true) add))
(define jump ($1 (verify enemy?) capture $1 (verify empty?) (add-partial jumping)))
(define put ((verify empty?) add))
(game
   (title "Ring")
   (players White Black)
   (turn-order White Black)
   (move-priorities jumping stepping)
   (board
      (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (10 0)) ("3/2/1" (0 10)))
            (directions (n 0 -1) (s 0 1) (e 1 0) (w -1 0))))
   (piece (name Man) (attribute moved? false) (drops (put))
      (moves (move-type jumping) (jump n) (jump e) (jump s) (jump w)
             (move-type stepping) (step n) (step e)))
   (piece (name Lord))
   (board-setup (White (Man a1 off 1)) (Black (Man b1 c2 b3 a2)))
   (loss-condition (White Black) (pieces-remaining 0)))
(variant (title "Pair") (board-setup (White (Man a1)) (Black (Man c1))))
(variant (title "Dark")
   (conceal piece not-my? not-empty? (not-position? a2)) (conceal kind enemy?) (conceal moved? my?)
   (conceal hand (!= owner me)))
"#;

fn executor(variant: Option<&str>, limits: Limits) -> Arc<dyn Executor> {
    let settings = Settings { variant: variant.map(str::to_owned), ..Settings::default() };
    let compiled = compile("test.zrf", RULES.as_bytes(), &mut |_: &str| None, &settings);
    let findings = compiled.diagnostics.render(&compiled.sources);
    Arc::new(Interpreter::with_limits(Arc::new(compiled.game.unwrap_or_else(|| panic!("{findings}")).rules), limits))
}

/// Why the cases of a file fail, in their order.
fn failures(text: &str) -> Vec<Failure> {
    let cases = Cases::read(&format!("; source: proved by hand\n{text}")).expect("cases that are read");
    let judged = cases
        .cases
        .iter()
        .map(|case| judge(&cases, case, &executor(case.variant.as_deref(), Limits::default()), &mut |_| ()));
    judged.filter_map(Result::err).collect()
}

#[track_caller]
fn holds(text: &str) {
    assert_eq!(failures(text), []);
}

#[track_caller]
fn fails(text: &str, messages: &[&str]) {
    let found: Vec<String> = failures(text).iter().map(ToString::to_string).collect();
    assert_eq!(found, messages, "{text}");
}

#[test]
fn moves_that_lead_to_one_state_are_one() {
    holds("count start = 1\nperft start 1 = 1\nmoves start = a1xc1xc3xa3xa1");
    for text in ["a1xa3xc3xc1xa1", "a1c1c3a3a1", "a1-c1-c3-a3-a1", "a1 x c1 x c3 x a3 x a1"] {
        holds(&format!("moves start = {text}\nlegal start: {text}"));
    }
    fails("moves start = a1c1c3a3a1, a1a3c3c1a1", &["line 2: `a1a3c3c1a1` is there twice"]);
}

#[test]
fn a_part_of_a_move_is_not_a_move() {
    holds("illegal start: a1xc1, a1xc1xc3, a1-a2, b2");
    fails("legal start: a1xc1", &["expected legal moves, found `a1xc1` only begins a move, which must go on"]);
    fails("illegal start: a9-z1", &["line 2: `a9-z1` names no site of the board and no rule"]);
    holds("illegal start: a1-a2 jump n, c1 put, a1 - b1 step e, a1-a2 Lord, pass");
    for slip in ["a1-a2 jmup n", "a1 - a2 step nn", "a1-a2 Lady"] {
        fails(
            &format!("illegal start: {slip}"),
            &[&format!("line 2: `{slip}` names a rule that the game does not have")],
        );
    }
    fails("illegal start: a1c1c3a3a1", &["expected illegal moves, found `a1xa3xc3xc1xa1` is legal"]);
}

#[test]
fn moves_are_missing_or_surplus() {
    holds("variant \"Pair\" moves start = a1-a2, b1");
    fails("variant \"Pair\" moves start = a1-a2, b2", &["missing b2; surplus a1 - b1 step e"]);
    fails("variant \"Pair\" moves start =", &["surplus a1 - a2 step n, a1 - b1 step e"]);
}

#[test]
fn a_text_that_may_mean_several_moves_is_legal_and_names_none() {
    let two = "position two = board: White Man a2 b1; Black Man c3\n";
    let several = "`b2` may mean several moves: a2 - b2 step e, b1 - b2 step n";
    holds(&format!("{two}legal two: b2"));
    fails(&format!("{two}illegal two: b2"), &[&format!("expected illegal moves, found {several}")]);
    fails(&format!("{two}moves two = b2"), &[&format!("line 3: {several}")]);
}

#[test]
fn positions_follow_one_another() {
    holds(
        "position turning = after start: a1xc1
         moves turning = c1xc3xa3xa1
         board turning = White Man c1; Black Man c2 b3 a2
         position end = after turning: c1xc3, c3xa3xa1
         board end = White Man a1
         result end = White wins
         moves end =
         illegal end: a1-a2
         result start = open",
    );
    fails(
        "position bad = after start: a1xc1, c1-b1\nposition worse = after bad: a1\ncount worse = 0",
        &["the position of line 2 is not reached: `c1-b1` is not a legal move here; legal `c1 - c3 jump n`"],
    );
    fails(
        "result start = draw\nresult start = White wins",
        &["expected draw, found open", "expected White wins, found open"],
    );
}

#[test]
fn boards_are_set_up_by_hand() {
    holds(
        "position here = board: turn Black; set moved? b2 true; hand Black Man 2; Black Man b2
         board here = Black Man b2
         hand here Black Man = 2
         hand here White Man = 0
         field here moved? b2 = true
         field here attribute moved? b2 = 1
         field here turn = 1
         result here = open
         hand start White Man = 1",
    );
    fails("board start = White Man a1; Black Man b1 c2 b3 c1", &["missing Black Man c1; surplus Black Man a2"]);
    fails("hand start White Man = 3", &["expected 3, found 1"]);
    fails("field start moved? a1 = true", &["expected 1, found 0"]);
}

#[test]
fn what_the_rules_do_not_have_is_the_fault_of_the_case() {
    for (item, message) in [
        ("Red Man a1", "there is no player `Red`; there are `White`, `Black`"),
        ("White Queen a1", "there is no kind `Queen`; there are `Man`, `Lord`"),
        ("White Man a9", "the board has no site `a9`"),
        ("White Man a1 a1", "two pieces stand on `a1`"),
        ("set speed 3", "the state has no field `speed`; it has `owner`"),
        ("set moved? 1", "`attribute moved?` has a value for each site"),
        ("set turn a1 1", "`turn` has one value for the whole state"),
        ("set turn 7", "`turn` holds 0 to 1, not 7"),
        ("set moved? a1 1", "no piece stands where `attribute moved?` is set"),
        ("set hand a1 1", "`hand` is said by `hand PLAYER KIND`"),
    ] {
        let text = format!("\nposition here = board: {item}\ncount here = 0");
        let failures = failures(&text);
        let [Failure::Unknown { line: 3, reason }] = failures.as_slice() else { panic!("{item}: {failures:?}") };
        assert!(reason.starts_with(message), "{item}: {reason}");
    }
    fails("position here = fen 8/8 w - -\ncount here = 0", &["line 2: the text has 2 rows, and the board 3"]);
    fails("result start = Red wins", &["line 2: there is no player `Red`; there are `White`, `Black`"]);
}

#[test]
fn rules_that_fail_are_a_failing_case() {
    let cases = Cases::read("; source: none\ncount start = 1").unwrap();
    let limited = executor(None, Limits { work: 3, ..Limits::default() });
    let failure = judge(&cases, &cases.cases[0], &limited, &mut |_| ()).unwrap_err();
    assert!(matches!(failure, Failure::Fault(_)), "{failure}");
    assert!(
        failure
            .to_string()
            .starts_with("the rules fail: this takes more than 3 operations, the last of them in `jump`"),
        "{failure}"
    );
}

#[test]
fn long_counts_say_how_far_they_are() {
    let cases = Cases::read("; source: none\nvariant \"Pair\" perft start 2 = 2").unwrap();
    let mut found = 0;
    judge(&cases, &cases.cases[0], &executor(Some("Pair"), Limits::default()), &mut |more| found += more).unwrap();
    assert_eq!(found, 2);
}

#[test]
fn a_thousand_positions_after_one_another_do_not_overflow_the_stack() {
    let mut text = "position p0 = start\n".to_owned();
    for number in 1..20_000 {
        text += &format!("position p{number} = after p{}:\n", number - 1);
    }
    holds(&(text + "count p19999 = 1"));
}

#[test]
fn what_a_player_sees() {
    holds("seen start White = White Man a1; Black Man b1 c2 b3 a2");
    holds("variant \"Dark\" seen start White = White Man a1; ? b1 c2 b3; Black ? a2");
    holds("variant \"Dark\" seen start Black = Black Man b1 c2 b3 a2; ? a1");
    fails(
        "variant \"Dark\" seen start White = White Man a1 a3; ? b1 c2; Black Man a2 b3",
        &["missing White Man a3, Black Man a2, Black Man b3; surplus Black ? a2, ? b3"],
    );
    fails("seen start Grey = ? a1", &["line 2: there is no player `Grey`; there are `White`, `Black`"]);
    fails("seen start White = ? z9", &["line 2: the board has no site `z9`"]);
}

#[test]
fn what_else_a_player_does_not_see() {
    holds("shown start White: hand Black Man, moved? a2");
    holds("variant \"Dark\" hidden start White: hand Black Man, hand Black Lord, moved? a1, kind a2");
    holds("variant \"Dark\" shown start White: hand White Man, turn, owner a2");
    fails(
        "variant \"Dark\" hidden start White: hand White Man, hand Black Man, turn",
        &["expected hidden, found shown hand White Man, turn"],
    );
    fails("variant \"Dark\" shown start White: hand Black Lord", &["expected shown, found hidden hand Black Lord"]);
    fails("hidden start White: hand Grey Man", &["line 2: there is no player `Grey`; there are `White`, `Black`"]);
}
