//! Outcomes and scores in words.

use dagaz_engine::{Outcome, Share};
use dagaz_ir::Rules;
use serde_json::{Value, json};

/// How a game ended, such as `White wins by checkmate`.
pub(crate) fn outcome(rules: &Rules, outcome: &Outcome) -> String {
    let names = |wanted: Share| -> Vec<&str> {
        let players = rules.players.values().zip(&outcome.shares);
        players.filter(|(_, share)| **share == wanted).map(|(player, _)| player.name.as_str()).collect()
    };
    let (winners, losers) = (names(Share::Win), names(Share::Loss));
    let result = match (winners.as_slice(), losers.as_slice()) {
        ([], []) => "draw".to_owned(),
        ([], losers) => format!("{} {}", losers.join(" and "), if losers.len() == 1 { "loses" } else { "lose" }),
        ([winner], _) => format!("{winner} wins"),
        (winners, _) => format!("{} win", winners.join(" and ")),
    };
    match end(rules, outcome) {
        "" => result,
        reason => format!("{result} by {reason}"),
    }
}

/// So many things, in words: `1 game`, `2 games`.
pub(crate) fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// Which end of the rules it was.
pub(crate) fn end<'a>(rules: &'a Rules, outcome: &Outcome) -> &'a str {
    match outcome.end {
        Some(index) => rules.ends.get(index).map_or("", |end| &end.name),
        None => "no moves left",
    }
}

/// A share as it is written in JSON.
pub(crate) fn share(share: Share) -> &'static str {
    match share {
        Share::Win => "win",
        Share::Draw => "draw",
        Share::Loss => "loss",
        Share::None => "none",
    }
}

/// An outcome as JSON: `{"end": …, "shares": {"White": "win", …}}`.
pub(crate) fn outcome_value(rules: &Rules, outcome: &Outcome) -> Value {
    let players = rules.players.values().zip(&outcome.shares).filter(|(_, share)| **share != Share::None);
    let shares: serde_json::Map<String, Value> =
        players.map(|(player, one)| (player.name.clone(), share(*one).into())).collect();
    json!({ "end": end(rules, outcome), "shares": shares })
}
