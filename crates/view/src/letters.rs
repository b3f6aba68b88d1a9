//! Letters that stand for kinds: one where that is possible, from the name.

use std::collections::BTreeSet;

use dagaz_base::IdMap;
use dagaz_ir::{Kind, Rules};

use crate::view::View;

/// The letters of all kinds, each its own. Names that end in a number are called by it.
pub(crate) fn letters(rules: &Rules, view: &View) -> IdMap<Kind, String> {
    let said = |kind: Kind| view.letters.iter().find(|(name, _)| *name == rules.kinds[kind].name);
    let mut letters: IdMap<Kind, String> =
        rules.kinds.ids().map(|kind| said(kind).map(|(_, letter)| letter.clone()).unwrap_or_default()).collect();
    let mut taken: BTreeSet<String> = letters.values().cloned().collect();
    // Short names choose first, so that a king is K and a knight N; and everybody's first letter goes before any second one.
    let mut order: Vec<Kind> = rules.kinds.ids().collect();
    order.sort_by_key(|&kind| (rules.kinds[kind].name.chars().count(), kind));
    let firsts = order.iter().map(|&kind| (kind, candidates(&rules.kinds[kind].name).into_iter().take(1).collect()));
    let others = order.iter().map(|&kind| (kind, candidates(&rules.kinds[kind].name)));
    let rounds: Vec<(Kind, Vec<String>)> = firsts.chain(others).collect();
    for (kind, candidates) in rounds {
        if letters[kind].is_empty()
            && let Some(free) = candidates.into_iter().find(|letter| !taken.contains(letter))
        {
            taken.insert(free.clone());
            letters[kind] = free;
        }
    }
    for kind in order {
        if letters[kind].is_empty() {
            let free = (1..).map(|number: u32| number.to_string()).find(|letter| !taken.contains(letter));
            letters[kind] = free.expect("numbers never run out");
            taken.insert(letters[kind].clone());
        }
    }
    letters
}

fn candidates(name: &str) -> Vec<String> {
    let number: String =
        name.chars().rev().take_while(char::is_ascii_digit).collect::<Vec<_>>().into_iter().rev().collect();
    let letters: Vec<String> =
        name.chars().filter(|letter| letter.is_alphabetic()).map(|letter| letter.to_uppercase().collect()).collect();
    let first = letters.first().cloned().unwrap_or_default();
    let pairs: Vec<String> =
        name.chars().filter(|letter| letter.is_alphabetic()).skip(1).map(|second| format!("{first}{second}")).collect();
    let numbered = (!number.is_empty()).then_some(number);
    numbered.into_iter().chain(letters).chain(pairs).collect()
}
