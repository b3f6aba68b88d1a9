//! Which rules are worth running for a question about attacks: those whose walk can reach the site at all.
//!
//! The only shortcut of the interpreter. It changes no answer, as tests/tests/corpus/reach.rs checks on random games, and
//! without it games in which a king must be safe could not be tested to any depth.

use std::sync::OnceLock;

use dagaz_base::{Id, IdMap};
use dagaz_board::{Site, SiteSet};
use dagaz_ir::reach::Reach;
use dagaz_ir::{Player, RuleId, Rules};

use super::Interpreter;

/// How much memory all tables of a game may take, in bytes; larger games do without them.
const BUDGET: usize = 256 << 20;

/// The sites that can be struck from each site, once asked for.
type Row = Box<[OnceLock<SiteSet>]>;

/// For each rule and player, once asked for, the sites that it can strike from each site.
#[derive(Clone, Debug)]
pub(super) struct ReachTables {
    tables: IdMap<RuleId, Vec<OnceLock<Row>>>,
}

impl ReachTables {
    /// Empty tables for these rules.
    pub(super) fn of(rules: &Rules) -> Self {
        let (sites, players) = (rules.topology.site_count(), rules.players.len());
        let size = rules.rules.len().saturating_mul(players).saturating_mul(sites.saturating_mul(sites) / 8);
        if size > BUDGET { Self::none(rules) } else { Self::with_columns(rules, players) }
    }

    /// No tables: every rule counts as able to strike everything.
    pub(super) fn none(rules: &Rules) -> Self {
        Self::with_columns(rules, 0)
    }

    fn with_columns(rules: &Rules, columns: usize) -> Self {
        Self { tables: IdMap::filled(rules.rules.len(), vec![OnceLock::new(); columns]) }
    }
}

impl Interpreter {
    /// Whether the rule could strike `target` for a piece of the player on `from`.
    pub(crate) fn reaches(&self, rule: RuleId, player: Player, from: Site, target: Site) -> bool {
        let Some(table) = self.tables.reach.tables[rule].get(player.index()) else { return true };
        let row = table.get_or_init(|| vec![OnceLock::new(); self.topology().site_count()].into());
        let strikes = || Reach::new(&self.rules, &self.tables.opposites).strikes(rule, player, from);
        row[from.index()].get_or_init(strikes).contains(target)
    }
}
