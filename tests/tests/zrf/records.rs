//! What Zillions' saved games say with numbers, which only the rules explain.

use dagaz_notation::zsg::{self, Heading};

use crate::{GAME, Game};

/// Gwangsanghui.zsg (`is-traitor?` is 2, `is-intruder?` 0), KoShogi.zsg (`enemy-pass?` is 4): all declarations of the game are
/// counted from the last to the first, each name where it is met first.
#[test]
fn attributes_are_numbered_from_the_last_declaration_to_the_first() {
    let set = |name: &str| format!("(n (verify empty?) (set-attribute {name} true) add)");
    let rest = format!(
        "(piece (name Man) (attribute early false) (attribute shared false) (moves {} {} {}))
         (piece (name King) (attribute shared false) (attribute late false)) (board-setup (White (Man a1)) (Black (Man d1)))",
        set("early"),
        set("late"),
        set("shared")
    );
    let trial = Game { rest: &rest, ..GAME }.start().after("a1 - a2 Man, d1 - d2 Man #2, a2 - a3 Man #3");
    assert_eq!(trial.pieces(), "(White (Man a3[shared early])) (Black (Man d2[late]))");
    let heading = Heading { rules_file: "Test.zrf", variant: "Test" };
    let written = zsg::write(trial.play(), heading).unwrap();
    let moves: Vec<_> = written.lines().skip(3).collect();
    assert_eq!(moves, ["1. Man a1 - a2 @ a2 2 1", "1. Man d1 - d2 @ d2 0 1", "2. Man a2 - a3 @ a3 1 1"]);
    let again = zsg::read_text(&written).unwrap().replay(trial.play().executor().clone()).unwrap();
    assert_eq!(again.state(), trial.play().state());
}
