//! The core knows no game: a rule that only one game has is a smell, its name in the code is the proof.

use anyhow::Result;

use super::{at, source};
use crate::bundled;
use crate::workspace::File;

/// Names of games that are also words of something else, and of what.
const ORDINARY: &[(&str, &str)] = &[("go", "a verb of rule languages"), ("hex", "a shape of cells")];

/// The names of all bundled games, each as its words.
pub(super) fn names() -> Result<Vec<Vec<String>>> {
    let names = bundled::all()?.into_iter().map(|game| game.name);
    Ok(names.filter(|name| ORDINARY.iter().all(|(word, _)| word != name)).map(|name| words(&name)).collect())
}

pub(super) fn findings(file: &File, names: &[Vec<String>]) -> Vec<String> {
    if !file.path.starts_with("crates/") {
        return Vec::new();
    }
    let mut findings = Vec::new();
    for (number, line) in source::product(file) {
        let spoken = words(line);
        for name in names {
            if spoken.windows(name.len()).any(|window| window == name) {
                let what = format!("`{}` is a game, and the core knows no game", name.join("-"));
                findings.push(at(file, number, &what));
            }
        }
    }
    findings
}

/// The words of a line, in lower case: `TicTacToe`, `tic_tac_toe` and `"tic-tac-toe"` are all three.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before_was_small = false;
    for letter in line.chars() {
        if !letter.is_alphanumeric() || (letter.is_uppercase() && before_was_small) {
            words.push(String::new());
        }
        if letter.is_alphanumeric() {
            words.last_mut().expect("it begins with one").extend(letter.to_lowercase());
        }
        before_was_small = !letter.is_uppercase();
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::super::tests::file;
    use super::*;

    #[test]
    fn a_game_is_found_however_its_name_is_written() {
        let names = [words("tic-tac-toe"), words("chess")];
        for line in ["fn tic_tac_toe() {}", "struct TicTacToe;", "f(\"tic-tac-toe\")", "let chessBoard = 1;"] {
            assert_eq!(findings(&file("crates/a/src/a.rs", line), &names).len(), 1, "{line}");
        }
        for line in ["// as in chess", "fn toe() {}", "let chessboard = 1;"] {
            assert!(findings(&file("crates/a/src/a.rs", line), &names).is_empty(), "{line}");
        }
        assert!(findings(&file("apps/cli/src/a.rs", "chess"), &names).is_empty(), "an application may name games");
    }
}
