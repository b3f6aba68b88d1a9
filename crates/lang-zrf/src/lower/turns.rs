//! `(players …)` and `(turn-order …)`.

use std::collections::BTreeSet;

use dagaz_base::{Diagnostic, Diagnostics, IdMap};
use dagaz_ir::{Player, Role, Schedule, Turn};

use crate::lower::Lowering;
use crate::lower::names::Names;
use crate::syntax::Form;

/// A player as the form names him; what else there is to know follows from the turn order.
pub(crate) struct Listed {
    pub(crate) name: String,
    pub(crate) random: bool,
}

/// How many players there may be: each knows all his enemies, which is a square of players.
const MAX_PLAYERS: usize = 1000;

/// Reads the players.
pub(crate) fn players(form: &Form, names: &mut Names, diagnostics: &mut Diagnostics) -> IdMap<Player, Listed> {
    let mut players: IdMap<Player, Listed> = IdMap::new();
    for item in &form.list().unwrap_or_default()[1..] {
        let Some(name) = item.symbol() else {
            let warning = Diagnostic::warning("zrf-malformed", item.origin, "a player is one word");
            diagnostics.push(warning.label("this is skipped"));
            continue;
        };
        if names.players.contains_key(name) {
            let warning = Diagnostic::warning("zrf-malformed", item.origin, format!("`{name}` is listed twice"));
            diagnostics.push(warning.label("this is skipped"));
            continue;
        }
        if players.len() >= MAX_PLAYERS {
            diagnostics.push(
                Diagnostic::error("zrf-too-complex", item.origin, "there are too many players")
                    .label(format!("more than {MAX_PLAYERS}")),
            );
            break;
        }
        let player = players.push(Listed { name: name.to_owned(), random: name.starts_with('?') });
        names.players.insert(name.to_owned(), player);
    }
    players
}

impl Lowering<'_> {
    /// Reads the turn order; without one the players follow each other.
    pub(crate) fn schedule(&mut self, form: Option<&Form>, players: &IdMap<Player, Listed>) -> Schedule {
        let mut schedule = Schedule { turns: Vec::new(), repeat: 0 };
        let items = form.and_then(Form::list).map_or(&[][..], |list| &list[1..]);
        let mut repeat: Option<&Form> = None;
        for item in items {
            if item.symbol() == Some("repeat") {
                if let Some(first) = repeat.replace(item) {
                    self.diagnostics.push(
                        Diagnostic::warning("zrf-duplicate", item.origin, "`repeat` stands twice in this order")
                            .label("play goes on after this one")
                            .related(first.origin.span, "this one is without effect"),
                    );
                }
                schedule.repeat = schedule.turns.len();
                continue;
            }
            let words = item.list().map_or(std::slice::from_ref(item), |list| list);
            schedule.turns.extend(self.turn(item, words));
        }
        if schedule.turns.is_empty() {
            let turn = |player| Turn { player, owner: player, move_type: None };
            schedule.turns =
                players.iter().filter(|(_, listed)| !listed.random).map(|(player, _)| turn(player)).collect();
        }
        if schedule.repeat >= schedule.turns.len() {
            schedule.repeat = 0;
        }
        schedule
    }

    fn turn(&mut self, item: &Form, words: &[Form]) -> Option<Turn> {
        let known = words.first().and_then(Form::symbol).and_then(|name| self.names.players.get(name)).copied();
        let Some(player) = known else {
            self.diagnostics.push(
                Diagnostic::warning("zrf-unknown-player", item.origin, "this turn is for a player that does not play")
                    .label("it is left out"),
            );
            return None;
        };
        let mut turn = Turn { player, owner: player, move_type: None };
        for (index, word) in words.iter().enumerate().skip(1) {
            match word.symbol() {
                Some(name) if index == 1 && self.names.players.contains_key(name) => {
                    turn.owner = self.names.players[name];
                }
                Some(name) if turn.move_type.is_none() => {
                    turn.move_type = Some(self.asked_type(name, word.origin, "there is no move in this turn"));
                }
                _ => self.diagnostics.push(
                    Diagnostic::warning(
                        "zrf-malformed",
                        word.origin,
                        "a turn is `player`, `(player move-type)` or `(player owner move-type)`",
                    )
                    .label("this is skipped"),
                ),
            }
        }
        Some(turn)
    }
}

/// Who plays which part, as the turns say.
pub(crate) struct Parts {
    /// Those who have a turn.
    movers: BTreeSet<Player>,
    /// Those whose pieces take part: whoever has a turn, and whose pieces are moved in one.
    takers: BTreeSet<Player>,
}

impl Parts {
    pub(crate) fn of(schedule: &Schedule) -> Self {
        let movers = schedule.turns.iter().map(|turn| turn.player).collect();
        let takers = schedule.turns.iter().flat_map(|turn| [turn.player, turn.owner]).collect();
        Self { movers, takers }
    }

    /// Who a player is: neutral when he has no turn.
    pub(crate) fn role(&self, player: Player, listed: &Listed) -> Role {
        match listed.random {
            true => Role::Random,
            false if self.movers.contains(&player) => Role::Person,
            false => Role::Neutral,
        }
    }

    /// The players whose pieces are adversaries of this player's: all others that take part.
    pub(crate) fn enemies(&self, player: Player) -> Vec<Player> {
        self.takers.iter().copied().filter(|&other| other != player).collect()
    }
}
