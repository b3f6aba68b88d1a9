//! Whether a site is attacked or defended.
//!
//! It is, when some piece of the other side (or of one's own) has a rule that makes a step which captures on the site or
//! ends there. Only rules for pieces on the board are asked, of one move type or of any, and whether the step would be legal
//! is not. A question about attacks that such a rule asks in turn is answered with no, or two kings would never stop looking
//! at each other.

use dagaz_board::Site;
use dagaz_ir::{MoveType, Player, Trigger};

use super::machine::{Ending, Halt, Machine};
use crate::state::{State, Undo};
use crate::step::Effect;

impl Machine<'_> {
    /// Whether an adversary of `me` could strike the site in the state that reads see.
    pub(super) fn attacked(&self, site: Site, move_type: Option<MoveType>) -> Result<bool, Halt> {
        if self.cut {
            return Ok(false);
        }
        for &enemy in &self.engine.rules.players[self.me].enemies {
            if self.strikes(self.view(), enemy, site, None, move_type)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether another piece of `me` could strike the site, if an enemy's piece stood there instead of an own one: what a
    /// rule says of friends on the destination would else answer for it. The piece whose rule asks does not count either: it
    /// asks whether others cover the site that it is about to go to.
    pub(super) fn defended(&self, site: Site, move_type: Option<MoveType>) -> Result<bool, Halt> {
        if self.cut {
            return Ok(false);
        }
        let asking = match self.rule {
            Some((_, rule)) if matches!(rule.trigger, Trigger::Piece | Trigger::AnyPiece) => {
                self.locals.first().and_then(super::Value::site)
            }
            _ => None,
        };
        let own = self.engine.piece(self.view(), site).is_some_and(|piece| piece.owner == self.me);
        let enemy = self.engine.rules.players[self.me].enemies.first();
        match enemy {
            Some(&owner) if own => {
                self.charge(self.view().cells().len() as u64)?;
                let mut turned = self.view().clone();
                self.engine.perform(&mut turned, &mut Undo::default(), &Effect::Reown { site, owner });
                self.strikes(&turned, self.me, site, asking, move_type)
            }
            _ => self.strikes(self.view(), self.me, site, asking, move_type),
        }
    }

    /// Whether a piece of the player, other than one on the site itself or on `apart`, has a step that captures there or ends
    /// there.
    fn strikes(
        &self,
        state: &State,
        player: Player,
        target: Site,
        apart: Option<Site>,
        move_type: Option<MoveType>,
    ) -> Result<bool, Halt> {
        let engine = self.engine;
        let mut machine = Machine::new(engine, state, player, self.meter).looking_for(target);
        for site in engine.topology().sites() {
            self.charge(1)?;
            let Some(piece) = engine.piece(state, site) else { continue };
            if piece.owner != player || site == target || Some(site) == apart {
                continue;
            }
            for &rule in &engine.tables.piece_rules[piece.kind] {
                if move_type.is_some() && move_type != engine.rules.rules[rule].move_type {
                    continue;
                }
                if !engine.reaches(rule, player, site, target) {
                    continue;
                }
                let ending = machine.run(rule, Some(site)).map_err(|fault| Halt::Fault(fault.into()))?;
                if ending == Ending::Hit {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
}
