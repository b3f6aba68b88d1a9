//! What is not well formed gets an answer, and nothing hangs or grows without end.

use crate::{codes, game};

/// What is found when a man has this block.
fn of_block(block: &str) -> Vec<&'static str> {
    codes(&format!("(piece (name Man) (moves {block})) (board-setup (White (Man a1)) (Black (Man d3)))"))
}

#[test]
fn numbers_conditions_and_sets_say_what_is_missing() {
    for value in [
        "(+ 1)",
        "(- 1 2 3)",
        "(abs)",
        "(if true 1)",
        "(count home home)",
        "(sum home)",
        "(me)",
        "99999999999",
        "home",
        "a1",
    ] {
        assert_eq!(of_block(&format!("((verify (= {value} 0)) n add)")), ["zrf-value"], "{value}");
    }
    for condition in ["(=)", "(= 1)", "(same? a1)", "(any?)", "(member?)", "(my? a1 b1)"] {
        assert_eq!(of_block(&format!("((verify {condition}) n add)")), ["zrf-malformed-step"], "{condition}");
    }
    for set in ["(union)", "(shift home q)", "(flood a1)", "(ray n)", "(neighbours)", "(home 1)", "7", "nowhere"] {
        assert_eq!(of_block(&format!("((verify (any? {set})) n add)")), ["zrf-value"], "{set}");
    }
}

#[test]
fn steps_say_how_they_are_written() {
    let malformed = [
        "(let x)",
        "(let 1 2)",
        "(let x a1) (let x 3)",
        "(set x 1)",
        "(choose x)",
        "(choose x home)",
        "(choose x (of) add)",
        "(for-each d () (capture d))",
        "(for-each d n add)",
        "(try)",
        "(jump x)",
        "(jump a b)",
        "(displace a1)",
        "(put White)",
        "(push White Man)",
        "pop",
        "(take White Man)",
        "(if true (then n))",
        "(then n) (then e)",
        "(then)",
        "(then add)",
        "(then (then n))",
        "(view tentative)",
    ];
    for step in malformed {
        assert_eq!(of_block(&format!("({step} n add)")), ["zrf-malformed-step"], "{step}");
    }
    assert_eq!(of_block("(n (then (capture a1)))"), ["zrf-malformed-step"], "no move is made");
    assert_eq!(of_block("((let x 1) (let x home) n add)"), ["zrf-value"]);
}

#[test]
fn sections_say_how_they_are_written() {
    let cases = [
        ("(variable x)", "zrf-variable"),
        ("(variable 5 1)", "zrf-variable"),
        ("(variable x 9 (range 0 5))", "zrf-variable"),
        ("(variable x 0 (array 0))", "zrf-variable"),
        ("(variable x 0 positions players)", "zrf-variable"),
        ("(variable x 0 positions (at 1 z9))", "zrf-variable"),
        ("(variable x 0) (variable x 1)", "zrf-duplicate"),
        ("(variable x 0 (array 4000000000))", "zrf-too-complex"),
        ("(stacks 1)", "zrf-variable"),
        ("(stacks 2 3)", "zrf-variable"),
        ("(stacks 2000000000)", "zrf-variable"),
        ("(teams A)", "zrf-malformed"),
        ("(teams (White) (White))", "zrf-malformed"),
        ("(teams (White White))", "zrf-malformed"),
        ("(after-move (choose x home (capture)))", "zrf-malformed-step"),
        ("(variable x 0) (after-move (set x moves-made))", "zrf-value"),
        ("(variable x 0) (after-move (if (> repetitions 1) (set x 1)))", "zrf-value"),
        ("(turn-order (label a))", "zrf-malformed"),
        ("(score-condition (= 1 1))", "zrf-goal"),
        ("(stacks 2) (piece (name Man) (moves (n add))) (board-setup (White (Man a1 a1 a1)))", "zrf-duplicate"),
        ("(piece (name Man) (attribute x 1 2))", "zrf-malformed"),
        ("(after-move add)", "zrf-malformed-step"),
        ("(before-step (choose x home add))", "zrf-malformed-step"),
        ("(after-move (then (capture a1)))", "zrf-malformed-step"),
        ("(moves (owner any) (add))", "zrf-malformed-step"),
        ("(turn-order (label) White)", "zrf-malformed"),
        ("(turn-order (labels a) White)", "zrf-malformed"),
        ("(turn-order White (turn-order))", "zrf-malformed"),
        ("(win-condition (White) (> (count replies) 0))", "zrf-value"),
    ];
    for (section, code) in cases {
        let found = codes(section);
        assert!(found.contains(&code), "{section}: {found:?}");
    }
}

#[test]
fn the_past_is_asked_where_it_is_known() {
    for number in [
        "repetitions",
        "board-repetitions",
        "moves-made",
        "first-stood",
        "last-mover",
        "(count moves)",
        "(count replies)",
        "(captured)",
    ] {
        assert_eq!(of_block(&format!("((verify (= {number} 0)) n add)")), ["zrf-value"], "{number}");
    }
}

fn nested(inner: &str, around: &str, times: usize) -> String {
    (0..times).fold(inner.to_owned(), |form, _| around.replace('@', &form))
}

/// Each of these was written out until memory was exhausted.
#[test]
fn what_is_written_out_is_limited() {
    let cases = [
        format!("((verify (= {} 0)) n add)", nested("1", "(abs @)", 60)),
        format!("((verify (= 0 {} 1)) n add)", nested("1", "(if (< 0 @ 2) 1 0)", 40)),
        format!("({} n add)", nested("(capture a1)", "(for x (of 1 2) @)", 40)),
        format!("({})", nested("add", "(choose x (of 1 2 3 4) @)", 30)),
        format!("({} n add)", nested("(capture a1)", "(for-each x (1 2 3 4 5 6 7 8 9 10) @)", 30)),
        format!("((verify {}) n add)", nested("empty?", "(adjacent-to-enemy? (first (positions @)))", 20)),
        format!("((verify {}) n mark add)", nested("empty?", "(marked? (first (positions @)))", 40)),
        format!("((verify (= 0 (+ {}))) n add)", "1 ".repeat(100_000)),
    ];
    for block in cases {
        let found = of_block(&block);
        assert!(
            found.contains(&"zrf-too-complex") || found.contains(&"zrf-malformed-step"),
            "{}: {found:?}",
            &block[..60]
        );
    }
    let labels: String = (0..3000).map(|index| format!("(label l{index}) White ")).collect();
    assert_eq!(codes(&format!("(turn-order {labels})")), ["zrf-malformed"]);
    let variables: String = (0..1002).map(|index| format!("(variable v{index} 0) ")).collect();
    assert_eq!(codes(&variables), ["zrf-variable"; 2]);
    let chain = "n Man ".repeat(100_000);
    assert_eq!(
        codes(&format!("(piece (name Man)) (win-condition (White) (relative-config Man {chain}))")),
        ["zrf-too-complex"]
    );
}

#[test]
fn a_range_without_end_is_stopped_with_its_rule_named() {
    for block in
        ["((for x (range 0 2000000000) (set-flag f true)) n add)", "((choose x (range -2147483648 2147483647) n add))"]
    {
        let trial =
            game(&format!("(piece (name Man) (moves {block})) (board-setup (White (Man a1)) (Black (Man d3)))"));
        let fault = trial.try_moves().expect_err("it does not end");
        assert!(fault.contains("`Man`"), "{fault}");
    }
    for stage in ["before-move", "after-step", "after-move"] {
        let trial = game(&format!(
            "(piece (name Man) (moves (n add))) (board-setup (White (Man a1)) (Black (Man d3))) ({stage} (while true (set-flag f true)))"
        ));
        let fault = trial.try_moves().expect_err("it does not end");
        assert!(fault.contains(stage), "{fault}");
    }
}
