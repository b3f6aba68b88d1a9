//! `(players …)` and `(turn-order …)`.

use dagaz_base::{Diagnostic, Diagnostics, Id, IdMap};
use dagaz_ir::{Player, Role, Schedule, Turn};

use crate::lower::Lowering;
use crate::lower::names::Names;
use crate::syntax::Form;

/// A player as the form names him; what else there is to know follows from the turn order.
pub(crate) struct Listed {
    pub(crate) name: String,
    pub(crate) random: bool,
}

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
        for item in items {
            if item.symbol() == Some("repeat") {
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
                Some(name) if turn.move_type.is_none() => turn.move_type = Some(self.move_type(name)),
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

/// Who a player is: neutral when he has no turn.
pub(crate) fn role(player: Player, listed: &Listed, schedule: &Schedule) -> Role {
    if listed.random {
        Role::Random
    } else if schedule.turns.iter().any(|turn| turn.player == player) {
        Role::Person
    } else {
        Role::Neutral
    }
}

/// Whether the player's pieces take part: whoever has a turn, and whose pieces are moved in one.
pub(crate) fn takes_part(player: Player, schedule: &Schedule) -> bool {
    schedule.turns.iter().any(|turn| turn.player == player || turn.owner == player)
}

/// The players whose pieces are adversaries of this player's: all others that take part.
pub(crate) fn enemies(player: Player, count: usize, schedule: &Schedule) -> Vec<Player> {
    (0..count).map(Player::from_index).filter(|&other| other != player && takes_part(other, schedule)).collect()
}
