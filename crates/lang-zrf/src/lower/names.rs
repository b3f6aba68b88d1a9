//! The names that a game defines, each sort in a table of its own: one word may be a piece, a player and a position.

use std::collections::BTreeMap;

use dagaz_base::{Diagnostic, Origin};
use dagaz_board::{Direction, Site, Zone};
use dagaz_ir::{Field, Kind, Label, MoveType, Player};

/// All names of one game.
#[derive(Default)]
pub(crate) struct Names {
    pub(crate) players: BTreeMap<String, Player>,
    pub(crate) directions: BTreeMap<String, Direction>,
    pub(crate) sites: BTreeMap<String, Site>,
    pub(crate) zones: BTreeMap<String, Zone>,
    pub(crate) kinds: BTreeMap<String, Kind>,
    pub(crate) attributes: BTreeMap<String, Field>,
    pub(crate) move_types: BTreeMap<String, MoveType>,
    pub(crate) variables: BTreeMap<String, Field>,
    pub(crate) labels: BTreeMap<String, Label>,
}

/// With how many words one that is unknown is compared: a game with more names has them from a program, and no slips.
const COMPARED: usize = 200;

/// A question whether one of the known words was meant, when one is close to what was written.
pub(crate) fn suggest<'a>(written: &str, known: impl Iterator<Item = &'a str>) -> Option<String> {
    nearest(written, known).map(|word| format!("did you mean `{word}`?"))
}

/// What is said of a word that nobody knows. What looks like a slip of a word on which play depends (`played`) is an error,
/// for it would be another game without it. All else is skipped, as Zillions does: `shown` are words for eye and ear, and
/// `otherwise` is the help for what looks like nothing.
pub(crate) fn unknown(
    code: &'static str,
    origin: Origin,
    message: String,
    written: &str,
    played: &[&str],
    shown: &[&str],
    otherwise: &str,
) -> Diagnostic {
    let word = nearest(written, played.iter().chain(shown).copied());
    let help = word.map_or_else(|| otherwise.to_owned(), |word| format!("did you mean `{word}`?"));
    if word.is_some_and(|word| played.contains(&word)) {
        return Diagnostic::error(code, origin, message).label("this looks like a slip of the pen").help(help);
    }
    Diagnostic::warning(code, origin, message).label("this is skipped").help(help)
}

/// The known word that is closest to what was written, when one is close.
fn nearest<'a>(written: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let limit = 1 + written.chars().count() / 4;
    known
        .take(COMPARED)
        .filter(|word| word.len().abs_diff(written.len()) <= 4 * limit)
        .map(|word| (distance(written, word), word))
        .filter(|&(distance, _)| distance <= limit)
        .min()
        .map(|(_, word)| word)
}

/// How many letters differ (Levenshtein).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, &y) in b.iter().enumerate() {
            let above = row[j + 1];
            row[j + 1] = (corner + usize::from(x != y)).min(above + 1).min(row[j] + 1);
            corner = above;
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_pen_is_recognised() {
        let known = ["description", "history", "strategy"];
        assert_eq!(suggest("descriprion", known.into_iter()).as_deref(), Some("did you mean `description`?"));
        assert_eq!(suggest("zebra", known.into_iter()), None);
    }
}
