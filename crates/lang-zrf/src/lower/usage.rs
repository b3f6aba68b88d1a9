//! How the forms of the extended language are written: what an author is told who has written one otherwise.
//!
//! It must not know what they mean.

/// How the step that begins with this word is written.
pub(crate) fn of_step(word: &str) -> Option<&'static str> {
    Some(match word {
        "let" => "(let name value)",
        "set" => "(set name value) or (set name index value)",
        "choose" => "(choose name set step …), with a set, (range a b) or (of word …)",
        "for" => "(for name set step …), with a set, (range a b) or (of word …)",
        "for-each" => "(for-each name (word …) step …)",
        "then" => "(then step …), once, among the steps of a block and not inside of others",
        "jump" => "(jump label)",
        "displace" => "(displace from to)",
        "put" | "push" | "tuck" | "take" => "(… player piece) or (… player piece place)",
        "own" => "(own player) or (own player place)",
        "retype" => "(retype piece) or (retype piece place)",
        "view" => "(view before) or (view tentative), among the blocks of moves",
        "owner" => "(owner mine) or (owner any), among the blocks of a piece's moves",
        "move-type" => "(move-type name), among the blocks of moves",
        _ => return None,
    })
}

/// The conditions of the extended language that need no current position: goals may be made of them.
pub(crate) const CONDITIONS: [&str; 11] =
    ["=", "!=", "<", "<=", ">", ">=", "any?", "every?", "none?", "member?", "same?"];

/// How the condition that begins with this word is written.
pub(crate) fn of_condition(word: &str) -> Option<&'static str> {
    Some(match word {
        "=" | "!=" | "<" | "<=" | ">" | ">=" => "(… a b), with two numbers or more",
        "same?" => "(same? place place)",
        "any?" | "every?" | "none?" => "(… set condition …)",
        "member?" => "(member? set) or (member? set place)",
        _ => return None,
    })
}

/// How the number or the set that begins with this word is written.
pub(crate) fn of_value(word: &str) -> Option<&'static str> {
    Some(match word {
        "+" | "*" | "min" | "max" => "(… a b …), with two numbers or more",
        "-" => "(- a b) or (- a)",
        "/" | "mod" => "(… a b)",
        "abs" => "(abs a)",
        "if" => "(if condition a b)",
        "count" => "(count set)",
        "sum" => "(sum set number)",
        "owner-below" | "kind-below" => "(… level) or (… level place)",
        "hand" => "(hand piece) or (hand piece player), in a game whose pieces wait in hands",
        "captured" => "(captured), (captured player) or (captured player piece)",
        "repetitions" | "board-repetitions" | "first-stood" | "moves-made" | "me" | "mover" | "last-mover" => {
            "a word without brackets"
        }
        "where" => "(where set condition …)",
        "union" | "intersection" | "difference" => "(… set set …)",
        "shift" => "(shift set direction …)",
        "neighbours" => "(neighbours set direction …)",
        "flood" => "(flood start within direction …)",
        "ray" => "(ray direction within) or (ray direction within place)",
        "range" => "(range a b)",
        _ => return None,
    })
}
