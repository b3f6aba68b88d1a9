//! `(players …)` and `(turn-order …)`.

use std::collections::{BTreeMap, BTreeSet};

use dagaz_base::{Diagnostic, Diagnostics, Id, IdMap};
use dagaz_ir::{Label, LabelInfo, Player, Role, Schedule, Scope, Turn};

use crate::lower::names::Names;
use crate::lower::{Lowering, field};
use crate::syntax::Form;

/// Labels, times turns: from each turn it is written down where a jump to each label leads.
const MAX_JUMPS: usize = 1 << 20;

/// A label as it stands in the turn order.
struct Mark {
    name: String,
    /// Whose jumps lead here; nobody's in particular when there is none.
    player: Option<Player>,
    /// The turn that it stands before.
    turn: usize,
}

/// Makes the turns lead back that lead beyond the last.
fn close(turns: &mut [Turn], start: usize, repeat: usize) {
    let count = turns.len();
    let first = if repeat < count { repeat } else { start };
    for turn in turns[start..].iter_mut().filter(|turn| turn.next >= count) {
        turn.next = first;
    }
}

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
    for item in form.rest() {
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
        let (mut turns, mut marks) = (Vec::new(), Vec::new());
        let items = form.map(Form::rest).unwrap_or_default();
        self.cycle(items, &mut turns, &mut marks);
        if turns.is_empty() {
            if let Some(form) = form.filter(|_| !marks.is_empty()) {
                self.malformed(form, "labels stand before turns, and there are none");
                marks.clear();
            }
            let persons = players.iter().filter(|(_, listed)| !listed.random);
            let turn = |(index, (player, _))| Turn { player, owner: player, move_type: None, next: index + 1 };
            turns.extend(persons.enumerate().map(turn));
            close(&mut turns, 0, 0);
        }
        if let Some(form) = form.filter(|_| marks.len().saturating_mul(turns.len()) > MAX_JUMPS) {
            self.malformed(form, "the turn order has too many labels for its turns");
            marks.clear();
        }
        let labels = self.labels(&turns, &marks);
        Schedule { turns, labels }
    }

    /// Reads turns that follow each other round and round, and cycles among them that only a jump leaves.
    fn cycle(&mut self, items: &[Form], turns: &mut Vec<Turn>, marks: &mut Vec<Mark>) {
        let (start, first_mark) = (turns.len(), marks.len());
        let (mut repeat, mut repeated) = (start, None::<&Form>);
        for item in items {
            let words = item.list().map_or(std::slice::from_ref(item), |list| list);
            let a_player = item.head().is_some_and(|head| self.names.players.contains_key(head));
            match (item.symbol(), item.head()) {
                (Some("repeat"), _) => {
                    repeat = turns.len();
                    if let Some(first) = repeated.replace(item) {
                        self.diagnostics.push(
                            Diagnostic::warning("zrf-duplicate", item.origin, "`repeat` stands twice in this order")
                                .label("play goes on after this one")
                                .related(first.origin.span, "this one is without effect"),
                        );
                    }
                }
                (_, Some("turn-order")) if !a_player => {
                    let before = turns.len();
                    self.cycle(&words[1..], turns, marks);
                    if turns.len() == before {
                        self.malformed(item, "there are no turns in it");
                    }
                }
                (_, Some("label")) if !a_player => match words {
                    [_, name] if name.symbol().is_some() => {
                        let name = name.symbol().unwrap_or_default().to_owned();
                        marks.push(Mark { name, player: None, turn: turns.len() });
                    }
                    _ => self.malformed(item, "a label is written `(label name)`"),
                },
                (_, Some("labels")) if !a_player => {
                    let players = self.names.players.len();
                    if words.len() != players + 1 {
                        self.malformed(item, "`labels` names one label for each player, or `-` for none");
                    }
                    for (index, name) in words[1..].iter().enumerate().take(players) {
                        match name.symbol() {
                            Some("-") => {}
                            Some(label) => {
                                let player = Some(Player::from_index(index));
                                marks.push(Mark { name: label.to_owned(), player, turn: turns.len() });
                            }
                            None => self.malformed(name, "a label is one word"),
                        }
                    }
                }
                _ => {
                    let next = turns.len() + 1;
                    turns.extend(self.turn(item, words).map(|turn| Turn { next, ..turn }));
                }
            }
        }
        close(turns, start, repeat);
        for mark in &mut marks[first_mark..] {
            if mark.turn >= turns.len() {
                mark.turn = start;
            }
        }
    }

    /// The labels, with where a jump from each turn leads: to the label of that name, for that turn's player, that stands
    /// before the turn and nearest to it; if there is none, to the first after it.
    fn labels(&mut self, turns: &[Turn], marks: &[Mark]) -> IdMap<Label, LabelInfo> {
        let mut labels = IdMap::new();
        let mut named: Vec<(&str, Vec<&Mark>)> = Vec::new();
        let mut known = BTreeMap::new();
        for mark in marks {
            let index = *known.entry(mark.name.as_str()).or_insert(named.len());
            match named.get_mut(index) {
                Some((_, same)) => same.push(mark),
                None => named.push((&mark.name, vec![mark])),
            }
        }
        for (name, marks) in named {
            let target = |(index, turn): (usize, &Turn)| {
                let meant = |other: &&&Mark| other.player.is_none_or(|player| player == turn.player);
                let before =
                    marks.iter().filter(meant).filter(|other| other.turn <= index).map(|other| other.turn).max();
                let after = marks.iter().filter(meant).map(|other| other.turn).min();
                before.or(after).unwrap_or(turn.next)
            };
            let targets = turns.iter().enumerate().map(target).collect();
            let label = labels.push(LabelInfo { name: name.to_owned(), targets });
            self.names.labels.insert(name.to_owned(), label);
        }
        if !labels.is_empty() {
            self.fields.push(field("next-turn", Scope::Global, false));
        }
        labels
    }

    fn malformed(&mut self, item: &Form, what: &str) {
        self.diagnostics
            .push(Diagnostic::error("zrf-malformed", item.origin, what.to_owned()).label("this is skipped"));
    }

    /// Reads `(teams (A B) (C D))`.
    pub(crate) fn teams(&mut self) {
        let sections = self.sections;
        let Some(form) = sections.get("teams") else { return };
        for team in form.rest() {
            let names = team.list().unwrap_or_default();
            let known = |name: &Form| self.names.players.get(name.symbol()?).copied();
            let players: Vec<Player> = names.iter().filter_map(known).collect();
            let each_once = players.iter().collect::<BTreeSet<_>>().len() == names.len();
            if players.is_empty()
                || !each_once
                || players.iter().any(|player| self.teams.iter().flatten().any(|p| p == player))
            {
                self.malformed(team, "a team is a list of players, each in one team");
                continue;
            }
            self.teams.push(players);
        }
    }

    /// The player and whoever is in his team.
    pub(crate) fn friends(&self, player: Player) -> Vec<Player> {
        self.teams.iter().find(|team| team.contains(&player)).cloned().unwrap_or_else(|| vec![player])
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
        let mut turn = Turn { player, owner: player, move_type: None, next: 0 };
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
