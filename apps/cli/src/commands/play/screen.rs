//! What stands on the screen, and before whom: where players do not see everything, each is shown what he sees.

use dagaz_engine::{Seen, Step};
use dagaz_ir::Player;

use super::Session;
use crate::answer::Out;
use crate::seats::Seat;
use crate::{board, sight};

impl Session {
    /// Draws what is seen of the board.
    fn show(&mut self, seen: &Seen, out: &mut Out) -> anyhow::Result<()> {
        out.line("")?;
        out.text(board::draw(&**self.play.executor(), seen))?;
        self.shown = true;
        Ok(())
    }

    /// Draws all of it, which is for everybody to see once the game is over.
    pub(super) fn show_all(&mut self, out: &mut Out) -> anyhow::Result<()> {
        self.show(&Seen::whole(self.play.state().clone()), out)
    }

    /// Shows the person to move what he sees; where that is not everything, also what has changed while others moved.
    pub(super) fn show_mover(&mut self, out: &mut Out) -> anyhow::Result<()> {
        let player = self.play.to_move();
        let executor = self.play.executor().clone();
        let seen = executor.seen_by(self.play.state(), player)?;
        self.show(&seen, out)?;
        let changed = match self.views[player].replace(seen.clone()) {
            Some(before) if self.conceals() => sight::sites(&*executor, &before.changes(&seen)),
            _ => Vec::new(),
        };
        if !changed.is_empty() {
            out.line(format_args!("Since your move there is something new on {}.", changed.join(", ")))?;
        }
        Ok(())
    }

    /// Remembers what a person sees after his own move, and shows it before he leaves the screen to somebody else.
    pub(super) fn look_back(&mut self, player: Player, out: &mut Out) -> anyhow::Result<()> {
        let seen = self.play.executor().seen_by(self.play.state(), player)?;
        let is_over = self.play.outcome().map_err(Clone::clone)?.is_some();
        if !is_over && self.must_hand_over() {
            self.show(&seen, out)?;
            self.shown = false;
        }
        self.views[player] = Some(seen);
        Ok(())
    }

    /// Whether persons are told of a step that none of them makes. Where they do not see everything they see what differs on
    /// the board; what chance does they are told of if nothing that it changes is hidden from anybody.
    pub(super) fn is_told(&self, step: &Step) -> anyhow::Result<bool> {
        if !self.conceals() || !self.has_person() {
            return Ok(true);
        }
        if !matches!(self.seats[self.play.to_move()], Seat::Chance) {
            return Ok(false);
        }
        let (executor, before) = (self.play.executor(), self.play.state());
        let mut after = before.clone();
        executor.apply(&mut after, step)?;
        let changed = Seen::whole(before.clone()).changes(&Seen::whole(after.clone()));
        for (player, _) in self.seats.iter().filter(|(_, seat)| matches!(seat, Seat::Person)) {
            for state in [before, &after] {
                let seen = executor.seen_by(state, player)?;
                if changed.iter().any(|&cell| seen.hides(cell)) {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Whether another person must sit down before the screen first.
    pub(super) fn must_hand_over(&self) -> bool {
        let persons = self.seats.values().filter(|seat| matches!(seat, Seat::Person)).count();
        self.conceals() && persons > 1 && self.persons_turn() && self.looker != Some(self.play.to_move())
    }

    /// The person to move has sat down.
    pub(super) fn hand_over(&mut self, out: &mut Out) -> anyhow::Result<()> {
        self.looker = Some(self.play.to_move());
        self.shown = false;
        Ok(out.clear()?)
    }

    /// Whether players do not see everything.
    pub(super) fn conceals(&self) -> bool {
        !self.play.rules().concealments.is_empty()
    }
}
