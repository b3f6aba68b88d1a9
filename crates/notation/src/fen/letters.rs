//! Which letter stands for which kind of piece.

use dagaz_base::IdMap;
use dagaz_ir::{Kind, Rules};

/// A letter for each kind, in upper case; kinds may be without one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letters {
    letters: IdMap<Kind, Option<char>>,
}

impl Letters {
    /// The letters that a function gives, such as those that the rules write. What is no letter stands for nothing.
    pub fn new(rules: &Rules, letter: &dyn Fn(Kind) -> Option<char>) -> Self {
        let upper = |kind| letter(kind).filter(|letter| letter.is_alphabetic())?.to_uppercase().next();
        Self { letters: rules.kinds.ids().map(upper).collect() }
    }

    /// Letters of the kinds' own names: each kind has the first letter of its name that is still free. The shortest
    /// name chooses first, so that of two kinds with one initial the plainer word keeps it.
    pub fn of_names(rules: &Rules) -> Self {
        let mut kinds: Vec<(Kind, &str)> = rules.kinds.iter().map(|(kind, info)| (kind, info.name.as_str())).collect();
        kinds.sort_by_key(|(_, name)| name.chars().count());
        let mut letters = IdMap::filled(rules.kinds.len(), None);
        for (kind, name) in kinds {
            let upper = name.chars().filter(|letter| letter.is_alphabetic()).flat_map(char::to_uppercase);
            letters[kind] = upper.into_iter().find(|&letter| letters.values().all(|&taken| taken != Some(letter)));
        }
        Self { letters }
    }

    /// The letter of a kind, in upper case.
    pub fn letter(&self, kind: Kind) -> Option<char> {
        self.letters[kind]
    }

    /// The kind of a letter in either case.
    pub fn kind(&self, letter: char) -> Option<Kind> {
        let upper = letter.to_uppercase().next();
        self.letters.position(|other| other.is_some() && *other == upper)
    }

    /// All letters, for messages.
    pub(super) fn known(&self) -> String {
        self.letters.values().flatten().collect()
    }
}
