//! Makes steps and their effects.

use dagaz_base::Id;
use dagaz_board::Site;
use dagaz_ir::{Kind, Player, Role, Scope, View};

use super::eval::number;
use super::stages::Present;
use super::{Interpreter, Meter};
use crate::executor::Fault;
use crate::layout::Cell;
use crate::state::{Piece, State, Undo};
use crate::step::{Effect, Step, StepRule};

impl Interpreter {
    /// Makes a step with all that surrounds it, and then the chain goes on or the turn does.
    pub(super) fn make(&self, state: &mut State, step: &Step, undo: &mut Undo) -> Result<(), Fault> {
        let meter = Meter::new(self.limits.work);
        self.prepare(state, undo, &meter)?;
        self.advance(state, undo, step, &meter)?;
        if step.chain.is_some() {
            self.open_chain(state, undo, step);
            if self.can_go_on(state, &meter)? {
                return Ok(());
            }
        }
        self.finish_move(state, undo, step, &Present::unknown(), &mut None, &meter)?;
        self.pass_turn(state, undo);
        undo.ends_move = true;
        Ok(())
    }

    /// The next turn begins: the one that a jump named, or the one that follows.
    pub(super) fn pass_turn(&self, state: &mut State, undo: &mut Undo) {
        let known = &self.layout.known;
        self.put(state, undo, self.layout.global(known.chain), 0);
        self.put(state, undo, self.layout.global(known.chain_type), 0);
        let mut next = self.turn(state).next as i32;
        if let Some(field) = known.next_turn {
            let jump = self.layout.global(field);
            if state.get(jump) > 0 {
                next = state.get(jump) - 1;
                self.put(state, undo, jump, 0);
            }
        }
        self.put(state, undo, self.layout.global(known.turn), next);
        for &(cell, initial) in self.layout.transient() {
            self.put(state, undo, cell, initial);
        }
    }

    /// The state as it will be when the turn is passed on.
    pub(super) fn next_turn(&self, state: &State) -> State {
        let mut after = state.clone();
        self.pass_turn(&mut after, &mut Undo::default());
        after
    }

    /// Notes in the state that the piece of the step's chain must go on.
    pub(super) fn open_chain(&self, state: &mut State, undo: &mut Undo, step: &Step) {
        if let Some(chain) = step.chain {
            let move_type = chain.move_type.map_or(0, |id| id.index() as i32 + 1);
            self.put(state, undo, self.layout.global(self.layout.known.chain), chain.site.index() as i32 + 1);
            self.put(state, undo, self.layout.global(self.layout.known.chain_type), move_type);
        }
    }

    /// The effects of a step and the memory of where it went, without what follows for chain and turn.
    pub(super) fn perform_step(&self, state: &mut State, undo: &mut Undo, step: &Step) {
        self.perform_effects(state, undo, step);
        if step.from.is_none() && step.to.is_none() {
            return;
        }
        let known = &self.layout.known;
        for (field, site) in [(known.last_from, step.from), (known.last_to, step.to)] {
            if let Some(field) = field {
                let value = site.map_or(0, |site| site.index() as i32 + 1);
                self.put(state, undo, self.layout.global(field), value);
            }
        }
    }

    /// The effects of a step alone: in the view [`View::Before`] all displacements at once, then the rest in order; in the
    /// view [`View::Tentative`] everything in order.
    pub(super) fn perform_effects(&self, state: &mut State, undo: &mut Undo, step: &Step) {
        let StepRule::Rule(rule) = step.rule else { return };
        let at_once = match self.rules.rules[rule].view {
            View::Before => step.effects.iter().take_while(|effect| effect.is_displacement()).count(),
            View::Tentative => 0,
        };
        let (displacements, others) = step.effects.split_at(at_once);
        self.displace(state, undo, displacements);
        for effect in others {
            self.perform(state, undo, effect);
        }
    }

    /// One effect.
    pub(super) fn perform(&self, state: &mut State, undo: &mut Undo, effect: &Effect) {
        match *effect {
            Effect::Move { .. } | Effect::Copy { .. } | Effect::Drop { .. } => {
                self.displace(state, undo, std::slice::from_ref(effect));
            }
            Effect::Capture { site } => self.capture(state, undo, site),
            // What a new piece replaces is gone, but nobody captured it: no rule or record says that it counts as taken.
            Effect::Create { site, owner, kind } => self.place(state, undo, site, owner, kind),
            Effect::Retype { site, kind } => self.retype(state, undo, site, kind),
            Effect::Reown { site, owner } => {
                if self.piece(state, site).is_some() {
                    self.put(state, undo, self.layout.at(self.layout.known.owner, site), number(owner));
                }
            }
            Effect::Flip { site } => {
                if let Some(piece) = self.piece(state, site) {
                    let owner = self.next_person(piece.owner);
                    self.put(state, undo, self.layout.at(self.layout.known.owner, site), number(owner));
                }
            }
            Effect::SetAt { field, site, value } => {
                let settable = match self.rules.fields[field].scope {
                    Scope::Piece => {
                        self.piece(state, site).is_some_and(|piece| self.attribute(piece.kind, field).is_some())
                    }
                    Scope::Site => true,
                    Scope::Player | Scope::Hand | Scope::Global | Scope::Array(_) | Scope::Stack(_) => false,
                };
                if settable {
                    self.put(state, undo, self.layout.at(field, site), value);
                }
            }
            Effect::Set { field, index, value } => {
                let known = &self.layout.known;
                let own = [Some(known.turn), Some(known.chain), Some(known.chain_type), known.next_turn];
                let own = own.contains(&Some(field));
                let per_site = matches!(self.rules.fields[field].scope, Scope::Piece | Scope::Site | Scope::Stack(_));
                if let Some(cell) = self.layout.cell(field, index as usize).filter(|_| !own && !per_site) {
                    self.put(state, undo, cell, value);
                }
            }
            Effect::Push { site, owner, kind } => self.push(state, undo, site, Piece { owner, kind }),
            Effect::Pop { site } => self.pop(state, undo, site),
            Effect::Tuck { site, owner, kind } => self.tuck(state, undo, site, Piece { owner, kind }),
            Effect::Jump { label } => {
                if let Some(field) = self.layout.known.next_turn {
                    let turn = state.get(self.layout.global(self.layout.known.turn)) as usize;
                    let target = self.rules.schedule.labels[label].targets[turn] as i32 + 1;
                    self.put(state, undo, self.layout.global(field), target);
                }
            }
        }
    }

    /// Lifts the pieces of all displacements, then sets them down in order, those from hands too. Each takes what stands
    /// on its destination by then. From an empty site nothing goes, and from a site to itself nothing either.
    fn displace(&self, state: &mut State, undo: &mut Undo, displacements: &[Effect]) {
        let mut lifted = Vec::with_capacity(displacements.len());
        for effect in displacements {
            lifted.push(match *effect {
                Effect::Move { from, to } | Effect::Copy { from, to }
                    if from != to && self.piece(state, from).is_some() =>
                {
                    Some((to, self.layout.piece_cells(from).map(|cell| state.get(cell)).collect::<Vec<_>>()))
                }
                _ => None,
            });
        }
        for effect in displacements {
            if let Effect::Move { from, to } = *effect
                && from != to
            {
                self.clear(state, undo, from);
            }
        }
        for (effect, lifted) in displacements.iter().zip(lifted) {
            if let Some((to, values)) = lifted {
                self.capture(state, undo, to);
                for (cell, value) in self.layout.piece_cells(to).zip(values) {
                    self.put(state, undo, cell, value);
                }
            } else if let Effect::Drop { site, owner, kind } = *effect {
                self.drop_piece(state, undo, site, owner, kind);
            }
        }
    }

    /// Takes a piece from the owner's hand to the site. From an empty hand nothing comes.
    fn drop_piece(&self, state: &mut State, undo: &mut Undo, site: Site, owner: Player, kind: Kind) {
        if let Some(hand) = self.hand(owner, kind) {
            let count = state.get(hand);
            if count <= 0 {
                return;
            }
            self.put(state, undo, hand, count - 1);
        }
        self.capture(state, undo, site);
        self.place(state, undo, site, owner, kind);
    }

    fn capture(&self, state: &mut State, undo: &mut Undo, site: Site) {
        let Some(piece) = self.piece(state, site) else { return };
        undo.captured.push(piece);
        self.clear(state, undo, site);
        if self.rules.policy.recycle_captures
            && let Some(field) = self.layout.known.hand
            && let Some(cell) = self.hand(piece.owner, piece.kind)
        {
            let count = self.clamped(field, state.get(cell).saturating_add(1));
            self.put(state, undo, cell, count);
        }
    }

    /// A new piece with its kind's attributes, alone.
    fn place(&self, state: &mut State, undo: &mut Undo, site: Site, owner: Player, kind: Kind) {
        self.top(state, undo, site, Piece { owner, kind });
        for cell in self.layout.stack(site) {
            self.put(state, undo, cell, 0);
        }
    }

    /// A new piece with its kind's attributes in the place of the one on top.
    fn top(&self, state: &mut State, undo: &mut Undo, site: Site, Piece { owner, kind }: Piece) {
        for &field in self.layout.piece_fields() {
            let value = if field == self.layout.known.owner {
                number(owner)
            } else if field == self.layout.known.kind {
                kind.index() as i32 + 1
            } else {
                self.attribute(kind, field).unwrap_or(0)
            };
            self.put(state, undo, self.layout.at(field, site), value);
        }
    }

    fn retype(&self, state: &mut State, undo: &mut Undo, site: Site, kind: Kind) {
        let Some(Piece { kind: old, .. }) = self.piece(state, site) else { return };
        for &field in self.layout.piece_fields() {
            let cell = self.layout.at(field, site);
            if field == self.layout.known.kind {
                self.put(state, undo, cell, kind.index() as i32 + 1);
            } else if field != self.layout.known.owner {
                match (self.attribute(old, field), self.attribute(kind, field)) {
                    (Some(_), Some(_)) => {}
                    (None, Some(default)) => self.put(state, undo, cell, default),
                    (_, None) => self.put(state, undo, cell, 0),
                }
            }
        }
    }

    fn clear(&self, state: &mut State, undo: &mut Undo, site: Site) {
        for cell in self.layout.piece_cells(site) {
            self.put(state, undo, cell, 0);
        }
    }

    /// A piece on top of what stands there. A stack that is full loses its lowest piece.
    fn push(&self, state: &mut State, undo: &mut Undo, site: Site, piece: Piece) {
        let mut above = self.piece(state, site).map_or(0, |top| self.buried(top));
        for cell in self.layout.stack(site) {
            let here = state.get(cell);
            self.put(state, undo, cell, above);
            above = here;
        }
        self.top(state, undo, site, piece);
    }

    /// The top piece is captured, and the next one is the top.
    fn pop(&self, state: &mut State, undo: &mut Undo, site: Site) {
        let Some(top) = self.piece(state, site) else { return };
        let Some(next) = self.below(state, site, 1) else { return self.capture(state, undo, site) };
        undo.captured.push(top);
        self.top(state, undo, site, next);
        let cells: Vec<Cell> = self.layout.stack(site).collect();
        for (index, &cell) in cells.iter().enumerate() {
            let below = cells.get(index + 1).map_or(0, |&cell| state.get(cell));
            self.put(state, undo, cell, below);
        }
    }

    /// A piece under all that stand there. Under a stack that is full there is no room: the piece is lost.
    fn tuck(&self, state: &mut State, undo: &mut Undo, site: Site, piece: Piece) {
        if self.piece(state, site).is_none() {
            return self.top(state, undo, site, piece);
        }
        if let Some(free) = self.layout.stack(site).find(|&cell| state.get(cell) == 0) {
            self.put(state, undo, free, self.buried(piece));
        }
    }

    /// How a piece is written below another.
    fn buried(&self, piece: Piece) -> i32 {
        1 + (piece.owner.index() * self.rules.kinds.len() + piece.kind.index()) as i32
    }

    /// The piece so many levels below the top, which is level 0.
    pub(super) fn below(&self, state: &State, site: Site, level: usize) -> Option<Piece> {
        let Some(level) = level.checked_sub(1) else { return self.piece(state, site) };
        let code = state.get(self.layout.stack(site).nth(level)?).checked_sub(1).filter(|&code| code >= 0)? as usize;
        let kinds = self.rules.kinds.len();
        Some(Piece { owner: Player::from_index(code / kinds), kind: Kind::from_index(code % kinds) })
    }

    /// How many pieces stand on each other there.
    pub(super) fn height(&self, state: &State, site: Site) -> usize {
        usize::from(self.piece(state, site).is_some())
            + self.layout.stack(site).filter(|&cell| state.get(cell) != 0).count()
    }

    /// Where the pieces of a player and kind are counted that wait off the board.
    pub(super) fn hand(&self, owner: Player, kind: Kind) -> Option<Cell> {
        let index = owner.index() * self.rules.kinds.len() + kind.index();
        self.layout.cell(self.layout.known.hand?, index)
    }

    /// The next person in the order of the players; chance and neutral players are passed over. A lone person follows himself.
    fn next_person(&self, player: Player) -> Player {
        let count = self.rules.players.len();
        let mut after = (1..=count).map(|ahead| Player::from_index((player.index() + ahead) % count));
        after.find(|&next| self.rules.players[next].role == Role::Person).unwrap_or(player)
    }

    /// Writes a cell and notes its old value. What stays the same is no write.
    fn put(&self, state: &mut State, undo: &mut Undo, cell: Cell, value: i32) {
        undo.write(state, &self.layout, cell, value);
    }
}
