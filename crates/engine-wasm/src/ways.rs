//! The ways in which a playout ends, by number: nobody can move and no end says more, the limit came first, then an end that is
//! true for a player; and for each end that compares scores, which players have most.

use dagaz_base::Id as _;
use dagaz_engine::{Outcome, Share};
use dagaz_ir::{Player, Rules, Verdict};

/// A game that was cut off at its limit.
pub(crate) const OPEN: u32 = 1;

/// The ends that compare scores, each with the number of the first of its ways; those after it are told apart by a bit for each
/// player of the end.
pub(crate) fn scored(rules: &Rules) -> Vec<(usize, u32)> {
    let mut next = 2 + (rules.ends.len() * rules.players.len()) as u32;
    let mut scored = Vec::new();
    for (index, end) in rules.ends.iter().enumerate() {
        if matches!(end.result, Verdict::Count | Verdict::Score(_)) {
            scored.push((index, next));
            next = next.saturating_add(1_u32.checked_shl(end.players.len() as u32).unwrap_or(u32::MAX));
        }
    }
    scored
}

/// What each player has of a game that ended so; nothing where that cannot be said by the number.
pub(crate) fn shares(rules: &Rules, way: u32) -> Option<Vec<Share>> {
    if way == 0 {
        return Some(Outcome::stuck(rules).shares);
    }
    let players = rules.players.len() as u32;
    let code = way.checked_sub(2)?;
    if code / players < rules.ends.len() as u32 {
        let (end, player) = ((code / players) as usize, (code % players) as usize);
        let compared = matches!(rules.ends[end].result, Verdict::Count | Verdict::Score(_));
        return (!compared).then(|| Outcome::decided(rules, end, Player::from_index(player), None).shares);
    }
    let (end, first) = scored(rules).into_iter().rev().find(|&(_, first)| first <= way)?;
    let compared = &rules.ends[end].players;
    let best = way - first;
    if best >> compared.len() != 0 {
        return None;
    }
    let mut scores = vec![0; rules.players.len()];
    for (index, player) in compared.iter().enumerate() {
        scores[player.index()] = (best >> index & 1) as i32;
    }
    Some(Outcome::decided(rules, end, compared[0], Some(scores.into())).shares)
}
