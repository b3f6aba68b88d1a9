//! Which ends a move can make true: those that ask for more of what it adds, or for less of what it takes away. What was false
//! before and does not ask for either is false still.

use dagaz_base::Id;
use dagaz_ir::{Expr, Op, Player, Rules};

use super::lanes::{Deed, Emission, Queued};

/// For each owner whether there can be more of his pieces somewhere, and whether there can be less.
#[derive(Clone, Debug)]
pub(super) struct Changes {
    more: Vec<bool>,
    less: Vec<bool>,
    /// Whether it is not only that.
    always: bool,
    /// An owner of whom a piece surely stands on the board afterwards, if there is one.
    pub(super) present: Option<Player>,
}

/// Whether a step puts a piece on an empty site and takes none away.
pub(super) fn grows(emission: &Emission) -> bool {
    emission.queue.iter().any(|queued| queued.always && fills(emission, &queued.deed)) && keeps(emission)
}

/// Whether a step takes no piece away, not even by putting another one there.
pub(super) fn keeps(emission: &Emission) -> bool {
    let stays = |deed: &Deed| matches!(deed, Deed::Retype(..) | Deed::Reown(..) | Deed::Flip(_));
    emission.queue.iter().all(|queued| stays(&queued.deed) || fills(emission, &queued.deed))
}

fn fills(emission: &Emission, deed: &Deed) -> bool {
    matches!(deed, Deed::Put(place, ..) if emission.finds_empty(place))
}

/// Whether a step surely takes a piece of an adversary away and puts none on the board.
pub(super) fn shrinks(emission: &Emission) -> bool {
    let moved = emission.queue.iter().find_map(|queued| match &queued.deed {
        Deed::Move(_, to) => Some(to),
        _ => None,
    });
    let takes = |deed: &Deed| match deed {
        Deed::Move(_, to) => emission.finds_enemy(to),
        Deed::Capture(place) => emission.finds_enemy(place) && moved.is_none_or(|to| emission.finds_empty(to)),
        _ => false,
    };
    emission.queue.iter().any(|queued| queued.always && takes(&queued.deed))
        && !emission.queue.iter().any(|queued| matches!(queued.deed, Deed::Put(..)))
}

/// Whether a step surely leaves a piece of an owner on the board, whatever stood there.
fn leaves(emission: &Emission, owner: Player) -> bool {
    let puts = |queued: &Queued| queued.always && matches!(queued.deed, Deed::Put(_, of, ..) if of == owner);
    emission.queue.iter().any(puts) && emission.queue.iter().all(|queued| matches!(queued.deed, Deed::Put(..)))
}

impl Changes {
    fn none(players: usize) -> Self {
        Self { more: vec![false; players], less: vec![false; players], always: false, present: None }
    }

    /// What can change anything.
    pub(super) fn all(rules: &Rules) -> Self {
        let some = || vec![true; rules.players.len()];
        Self { more: some(), less: some(), always: true, present: None }
    }

    /// What the steps of a turn change.
    pub(super) fn of<'e>(rules: &Rules, me: Player, emissions: impl Iterator<Item = &'e Emission>) -> Self {
        let mut changes = Self::none(rules.players.len());
        let emissions: Vec<&Emission> = emissions.collect();
        changes.present = rules.players.ids().find(|&owner| emissions.iter().all(|emission| leaves(emission, owner)));
        for emission in emissions {
            for deed in emission.queue.iter().map(|queued| &queued.deed) {
                match deed {
                    Deed::Move(_, to) => {
                        changes.more[me.index()] = true;
                        changes.less[me.index()] = true;
                        changes.covers(!emission.finds_empty(to));
                    }
                    Deed::Put(place, owner, ..) => {
                        changes.more[owner.index()] = true;
                        changes.covers(!emission.finds_empty(place));
                    }
                    Deed::Capture(_) => changes.covers(true),
                    Deed::Retype(..) | Deed::Reown(..) | Deed::Flip(_) => {
                        changes.more.fill(true);
                        changes.less.fill(true);
                    }
                }
            }
        }
        changes
    }

    fn covers(&mut self, something: bool) {
        if something {
            self.less.fill(true);
        }
    }

    /// Whether these changes can make an end true that was false for a player.
    pub(super) fn concern(&self, rules: &Rules, end: &Expr, player: Player) -> bool {
        let mut wanted = Self::none(rules.players.len());
        wanted.want(rules, player, end, true);
        let meet = |a: &[bool], b: &[bool]| a.iter().zip(b).any(|(a, b)| *a && *b);
        wanted.always || meet(&wanted.more, &self.more) || meet(&wanted.less, &self.less)
    }

    /// Adds what can make an expression true, or greater, or the other way.
    fn want(&mut self, rules: &Rules, me: Player, expr: &Expr, up: bool) {
        let args = &expr.args;
        let info = &rules.players[me];
        let either = |side: &mut Self, arg: &Expr| {
            side.want(rules, me, arg, true);
            side.want(rules, me, arg, false);
        };
        match expr.op {
            Op::Not => self.want(rules, me, &args[0], !up),
            Op::Every(_) | Op::Less | Op::AtMost => {
                self.want(rules, me, &args[0], !up);
                self.want(rules, me, &args[1], up);
            }
            Op::Difference => {
                self.want(rules, me, &args[0], up);
                self.want(rules, me, &args[1], !up);
            }
            Op::Equal => match (&args[0], &args[1]) {
                (read, number) | (number, read) if matches!(read.op, Op::Read(_)) && number.args.is_empty() => {
                    let same = number.op != Op::Int(0);
                    rules.players.ids().for_each(|owner| self.mark(owner, up == same));
                }
                (count, zero) | (zero, count) if count.op == Op::Count && zero.op == Op::Int(0) => {
                    self.want(rules, me, &count.args[0], !up);
                }
                _ => args.iter().for_each(|arg| either(self, arg)),
            },
            Op::Subtract | Op::Multiply | Op::Pick => args.iter().for_each(|arg| either(self, arg)),
            Op::Empty => rules.players.ids().for_each(|owner| self.mark(owner, !up)),
            Op::Mine => self.mark(me, up),
            Op::Friend => info.friends.iter().for_each(|&owner| self.mark(owner, up)),
            Op::Enemy => info.enemies.iter().for_each(|&owner| self.mark(owner, up)),
            Op::Neutral => rules.players.ids().for_each(|owner| self.mark(owner, up)),
            Op::And
            | Op::Or
            | Op::Truth
            | Op::Add
            | Op::Count
            | Op::Any(_)
            | Op::Where(_)
            | Op::Union
            | Op::Intersection
            | Op::Shift(_)
            | Op::Neighbours(_)
            | Op::Flood(_)
            | Op::Contains => args.iter().for_each(|arg| self.want(rules, me, arg, up)),
            Op::Int(_)
            | Op::Bool(_)
            | Op::Kind(_)
            | Op::Player(_)
            | Op::Me
            | Op::Local(_)
            | Op::Nowhere
            | Op::Site(_)
            | Op::Step(_)
            | Op::StepBack(_)
            | Op::OrElse
            | Op::OnBoard
            | Op::InZone(_)
            | Op::Same
            | Op::AllSites
            | Op::NoSites
            | Op::ZoneSites(_)
            // States are the first of their kind as long as somebody can move.
            | Op::Repetitions => {}
            _ => self.always = true,
        }
    }

    fn mark(&mut self, owner: Player, up: bool) {
        if up {
            self.more[owner.index()] = true;
        } else {
            self.less[owner.index()] = true;
        }
    }
}
