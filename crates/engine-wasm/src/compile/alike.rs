//! Rules that are the same but for what stands outside their programs: two kinds of pieces that move alike, or a rule under two
//! names. Whatever is asked of their programs alone is written once.

use dagaz_base::IdMap;
use dagaz_ir::{Rule, RuleId, Rules};

/// With how many of the rules before it a rule is compared.
const TRIES: usize = 64;

/// For each rule the first one that has the same program.
pub(super) fn firsts(rules: &Rules) -> IdMap<RuleId, RuleId> {
    let mut known: Vec<(RuleId, &Rule)> = Vec::new();
    let first = |(id, rule)| {
        let found = known.iter().rev().take(TRIES).find(|(_, other)| is_alike(rule, other));
        let first = found.map_or(id, |&(first, _)| first);
        if first == id {
            known.push((id, rule));
        }
        first
    };
    rules.rules.iter().map(first).collect()
}

/// Whether two rules run alike. Where they stand must have been forgotten.
fn is_alike(one: &Rule, other: &Rule) -> bool {
    (one.trigger, one.view) == (other.trigger, other.view) && one.locals == other.locals && one.body == other.body
}
