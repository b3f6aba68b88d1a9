//! What a file of cases may say, and what is said of one that is not understood.

use dagaz_cases::{Cases, Claim, Ending, SetUp};

/// What is wrong with a file.
#[track_caller]
fn wrong(text: &str) -> String {
    Cases::read(text).expect_err("this should not be read").to_string()
}

/// What is wrong with a case that has a source.
#[track_caller]
fn wrong_case(text: &str) -> String {
    let message = wrong(&format!("; source: a book\n{text}"));
    message.strip_prefix("line 2: ").expect("the line").to_owned()
}

#[test]
fn each_case_names_its_source() {
    let cases = Cases::read("; source: a book\ncount start = 1\n; source: another\ncount start = 2").unwrap().cases;
    assert_eq!([&*cases[0].source, &*cases[1].source], ["a book", "another"]);
    let message = "each case names its source: a line `; source: …` above it";
    assert_eq!(wrong("position here = start\n\ncount here = 1"), format!("line 3: {message}"));
    assert_eq!(wrong("; source:\ncount start = 1"), format!("line 2: {message}"));
}

#[test]
fn a_variant_holds_for_its_line_or_until_the_next() {
    let text = "; source: a book
        count start = 0
        variant \"One\" count start = 1
        count start = 0
        variant \"Two\"
        count start = 2
        variant \"One\" count start = 1
        count start = 2
        variant
        count start = 0";
    for case in Cases::read(text).unwrap().cases {
        let expected = [None, Some("One"), Some("Two")];
        let Claim::Count(count) = case.claim else { panic!("{case:?}") };
        assert_eq!(case.variant.as_deref(), expected[count as usize], "{}", case.text);
    }
    assert_eq!(wrong("variant One"), "line 1: this is written `variant \"TITLE\"`");
}

#[test]
fn positions_belong_to_their_variant() {
    let text = "; source: a book\nvariant \"One\" position here = start\n";
    assert!(Cases::read(&format!("{text}variant \"One\" count here = 1")).is_ok());
    let message = "line 3: no line above this one names a position `here` of the same variant";
    assert_eq!(wrong(&format!("{text}count here = 1")), message);
    assert_eq!(wrong("position a = start\nposition a = start"), "line 2: the name `a` is taken");
    assert_eq!(wrong("position start = fen 8/8 w"), "line 1: the name `start` is taken");
    let message = "line 1: no line above this one names a position `a` of the same variant";
    assert_eq!(wrong("position a = after a: b2"), message);
}

/// What nobody speaks of may be wrong without anybody seeing it.
#[test]
fn what_no_case_speaks_of_is_told() {
    let unused = |text: &str| -> Vec<String> {
        let cases = Cases::read(&format!("; source: a book\n{text}")).unwrap();
        cases.unused.into_iter().map(|unused| format!("{}: {}", unused.line, unused.what)).collect()
    };
    let used = "position a = start\nposition b = after a: 1\ncount b = 1\nvariant \"One\"\ncount start = 1\nvariant\n";
    assert_eq!(unused(used), [""; 0]);
    let text = "position a = start\nposition b = after a: 1\nposition c = after a: 1\ncount c = 1
        variant \"One\"\nvariant \"Two\" position a = start\nvariant \"Three\"\nvariant \"Two\"";
    let found = [
        "3: the position `b`",
        "6: the variant `One`",
        "7: the position `a`",
        "8: the variant `Three`",
        "9: the variant `Two`",
    ];
    assert_eq!(unused(text), found);
}

#[test]
fn positions_are_made_in_four_ways() {
    let text = "position a = start\nposition b = fen 8/8 w - -\nposition c = after b: 1, 2 - 3 step,4
        position d = board: White Man a1 b2; turn Black; hand White Man 2; set moved? a1 true\nposition e=board:White Man a1";
    let positions = Cases::read(text).unwrap().positions;
    let set_ups: Vec<&SetUp> = positions.values().map(|position| &position.set_up).collect();
    assert_eq!(set_ups[..2], [&SetUp::Start, &SetUp::Fen("8/8 w - -".to_owned())]);
    assert!(matches!(set_ups[2], SetUp::After { from: Some(_), moves } if moves == &["1", "2 - 3 step", "4"]));
    assert!(matches!(set_ups[3], SetUp::Board(items) if items.len() == 4));
    assert!(matches!(set_ups[4], SetUp::Board(items) if items.len() == 1));
    for bad in [
        "a",
        "a b = start",
        " = start",
        "a = fen",
        "a = after start",
        "a = board: White Man",
        "a = board: hand White Man x",
    ] {
        let message = wrong(&format!("position {bad}"));
        assert!(message.starts_with("line 1: this is written `position NAME = start | fen FEN"), "{bad}: {message}");
    }
}

#[test]
fn what_is_not_understood_is_shown_as_it_is_written() {
    for (bad, form) in [
        ("perft start 3", "perft NAME DEPTH = NUMBER [slow]"),
        ("perft start 3 = many", "perft NAME DEPTH = NUMBER [slow]"),
        ("perft start 3 = 5 quick", "perft NAME DEPTH = NUMBER [slow]"),
        ("count = 3", "count NAME = NUMBER"),
        ("count start = -1", "count NAME = NUMBER"),
        ("moves start: a1", "moves NAME = MOVE, …"),
        ("legal start = a1", "legal NAME: MOVE, …"),
        ("illegal start:", "illegal NAME: MOVE, …"),
        ("result start = White", "result NAME = PLAYER wins | PLAYER loses | draw | open"),
        ("result start = wins", "result NAME = PLAYER wins | PLAYER loses | draw | open"),
        ("board start = White Man", "board NAME = PLAYER KIND SITE …; …"),
        ("hand start White = 3", "hand NAME PLAYER KIND = NUMBER"),
        ("field start = 3", "field NAME FIELD [SITE] = NUMBER"),
    ] {
        assert_eq!(wrong_case(bad), format!("this is written `{form}`"), "{bad}");
    }
    assert_eq!(
        wrong_case("pertf start 1 = 1"),
        "`pertf` begins no line of cases; these do: variant, position, perft, count, moves, legal, illegal, result, board, \
         hand, field, seen, hidden, shown"
    );
}

#[test]
fn results_name_who_wins_or_loses() {
    let ending = |text: &str| {
        let case = Cases::read(&format!("; source: a book\nresult start = {text}")).unwrap().cases.remove(0);
        let Claim::Result(ending) = case.claim else { panic!("{case:?}") };
        ending
    };
    let names = |names: &[&str]| names.iter().map(ToString::to_string).collect();
    assert_eq!(ending("open"), Ending::Open);
    assert_eq!(ending("draw"), Ending::Draw);
    assert_eq!(ending("White wins"), Ending::Win(names(&["White"])));
    assert_eq!(ending("White Black win"), Ending::Win(names(&["White", "Black"])));
    assert_eq!(ending("You loses"), Ending::Loss(names(&["You"])));
}

#[test]
fn what_is_seen_is_written_as_a_board_is() {
    for (wrong, form) in [
        ("seen start White = White Man", "seen NAME PLAYER = PLAYER KIND SITE …; PLAYER ? SITE …; ? SITE …"),
        ("seen start White = ?", "seen NAME PLAYER = PLAYER KIND SITE …; PLAYER ? SITE …; ? SITE …"),
        ("seen start = ? a1", "seen NAME PLAYER = PLAYER KIND SITE …; PLAYER ? SITE …; ? SITE …"),
        ("hidden start White:", "hidden NAME PLAYER: FIELD [SITE] | hand PLAYER KIND, …"),
        ("shown start White = x", "shown NAME PLAYER: FIELD [SITE] | hand PLAYER KIND, …"),
    ] {
        assert_eq!(wrong_case(wrong), format!("this is written `{form}`"), "{wrong}");
    }
}
