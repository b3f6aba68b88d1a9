//! Playouts of games whose state is nothing but sets: where pieces of each owner and kind stand, and how many wait off the board.
//! No cells, no log of writes and no list of steps: the sets are variables of one function, which is written for each turn by
//! itself, so that the player is a number and a step a shift.
//!
//! A game is played so when all that its rules say can be said of all sites at once (`lanes`, `words`), nothing but its rules
//! says what is legal, and no state but by passing can stand twice.

mod choose;
mod count;
mod fill;
mod kinds;
mod lanes;
mod needs;
mod place;
mod words;

use dagaz_base::Id;
use dagaz_ir::{Pass, Player, Rule, Trigger, Turn, View};

use self::lanes::{Deed, Emission, Queued, differ};
use self::needs::Changes;
use self::place::Place;
use self::words::{Pieces, Scene, Set};
use super::ends::STUCK;
use super::{Compiler, asks_for_the_past, mail, random};
use crate::low::{Body, Ex, Fun, Label, Module, Stmt as Low, Ty, V, Width};

/// How many turns a round may have, and how many pairs of owner and kind there may be.
const MOST_TURNS: usize = 4;
const MOST_PAIRS: usize = 24;

/// Variables of the function that plays.
struct Play {
    pieces: Pieces,
    random: Vec<V>,
    limit: V,
    made: V,
    code: V,
    /// How many players before this one have passed, one after the other.
    passes: V,
    /// How many turns of the first round are over already.
    skipped: V,
    /// Where a game that is over leads.
    over: Label,
}

/// A step that some rule makes for some sites in a turn.
struct Way<'r> {
    rule: &'r Rule,
    /// The numbers of the kinds that the piece may be of, where it is about a piece.
    kinds: Vec<usize>,
    emission: Emission,
}

/// Functions for such games.
#[derive(Clone, Debug)]
pub(super) struct Lean {
    /// Plays so many games, of so many moves at most.
    play: Fun,
    /// The same where a board is only filled.
    fill: Option<Fun>,
    /// Counts, for each turn.
    counts: Option<Vec<Fun>>,
    /// For each turn an owner of whom a piece is taken to be on the board when it begins.
    present: Vec<Option<Player>>,
}

impl Lean {
    /// Whether a board is only filled.
    pub(super) fn fills(&self) -> bool {
        self.fill.is_some()
    }

    /// Whether it counts.
    pub(super) fn counts(&self) -> bool {
        self.counts.is_some()
    }
}

/// What is done when an end is true, whose number is given.
type Over<'a> = dyn Fn(&mut Body, i32) + 'a;

impl<'r> Compiler<'r> {
    /// Functions for a game, where its rules allow it.
    pub(super) fn lean(&self, module: &mut Module) -> Option<Lean> {
        if !self.is_all_sets() {
            return None;
        }
        let changes = self.turns_change()?;
        let play = module.function_if("lean playouts", &[Ty::I32, Ty::I32], None, |body, params| {
            self.play_games(body, params[0], params[1], &changes)
        })?;
        let fill = self.lean_fills(module, &changes);
        let present = (0..changes.len()).map(|turn| self.present_in(turn, &changes)).collect();
        Some(Lean { play, fill, counts: self.lean_counts(module, &changes), present })
    }

    /// Plays games from the state in memory and leaves, if that can be done so.
    pub(super) fn play_lean(&self, body: &mut Body, lean: &Lean, games: V, limit: V) {
        let start = self.is_open(body);
        if self.rules.ends.iter().any(super::ends::scores) {
            body.set(start, start & Ex::from(self.globals.tallying).eqz());
        }
        if self.hashing && self.rules.policy.pass == Pass::Forced {
            // Who has passed just now has left a state that may stand again: games begin after a move that changed something.
            let line = Ex::from(self.globals.line);
            let before = (line.clone() - 8).load(Width::I64, 0);
            let board = Ex::from(0).load(Width::I64, mail::KEYS + 16);
            body.set(start, start & (line.eq(self.memory.line.start) | before.ne(board)));
        }
        // A turn that rests on what the one before it has put on the board.
        for (index, &owner) in
            lean.present.iter().enumerate().filter_map(|(index, owner)| Some((index, owner.as_ref()?)))
        {
            let set = self.memory.owner_sets + (owner.index() as u32 + 1) * self.memory.set_bytes();
            let words = (0..self.memory.words).map(|word| Ex::from(0).load(Width::I64, set + word * 8));
            let some = words.reduce(|a, b| a | b).map_or(0.into(), |set| set.ne(crate::low::c64(0)));
            body.set(start, start & (self.cell(self.memory.known.turn).ne(index as i32) | some));
        }
        if let Some(fill) = lean.fill {
            let fits = self.can_fill(body, start.into());
            body.when(fits, |body| {
                body.call(fill, vec![games.into(), limit.into()]);
                body.leave();
            });
        }
        body.when(start, |body| {
            body.call(lean.play, vec![games.into(), limit.into()]);
            body.leave();
        });
    }

    /// Counts the ways to go on from the state in memory, and gives their number if that can be done so.
    pub(super) fn count_lean(&self, body: &mut Body, lean: &Lean, depth: V) {
        if let Some(counts) = &lean.counts {
            self.count_from_here(body, counts, depth);
        }
    }

    /// Whether the state in memory stands between moves, and no end is true there but what asks for the moves.
    fn is_open(&self, body: &mut Body) -> V {
        let fresh = body.bind(self.cell(self.memory.known.chain).eqz());
        for (index, end) in self.rules.ends.iter().enumerate() {
            if super::ends::counts_moves(&end.condition.body) {
                continue;
            }
            for &player in &end.players {
                let holds = self.ask(self.functions.ends[index], [(player.index() as i32 + 1).into()]);
                body.set(fresh, fresh & holds.eqz());
            }
        }
        fresh
    }

    /// Whether rules, turns and policy are such as are played so.
    fn is_all_sets(&self) -> bool {
        let (rules, known) = (self.rules, &self.memory.known);
        let (turns, policy) = (&rules.schedule.turns, &rules.policy);
        let round = turns.iter().enumerate().all(|(index, turn)| turn.next == (index + 1) % turns.len());
        let simple =
            |rule: &Rule| rule.then.is_none() && rule.view == View::Before && rule.trigger != Trigger::AnyPiece;
        self.lawless()
            && policy.filters.is_empty()
            && !policy.recycle_captures
            && policy.pass != Pass::Always
            && known.stack.is_none()
            && known.next_turn.is_none()
            && round
            && turns.len() <= MOST_TURNS
            && rules.players.len() * rules.kinds.len() <= MOST_PAIRS
            && self.shifts.values().any(|[forward, _]| forward.is_some())
            && rules.rules.values().all(simple)
    }

    /// What each turn can change; nothing where some rule says more than can be said of all sites at once, or where a state can
    /// stand twice and somebody asks.
    fn turns_change(&self) -> Option<Vec<Changes>> {
        let mut changes = Vec::new();
        let (mut grows, mut shrinks) = (true, true);
        // A round in which one turn surely adds a piece and no other takes one away comes to no state again.
        let (mut keeps, mut adds) = (self.rules.policy.pass == Pass::Never, false);
        // What is written here is thrown away.
        let mut body = Body::new(&[]);
        let pieces = self.pieces(&mut body);
        for turn in &self.rules.schedule.turns {
            let mut scene = self.scene(&mut body, &pieces, turn);
            scene.present = changes.last().and_then(|before: &Changes| before.present);
            let ways = self.ways(&mut scene, turn)?;
            let growing = ways.iter().all(|way| needs::grows(&way.emission));
            grows &= growing;
            adds |= growing;
            keeps &= ways.iter().all(|way| needs::keeps(&way.emission));
            shrinks &= ways.iter().all(|way| needs::shrinks(&way.emission));
            changes.push(Changes::of(self.rules, turn.owner, ways.iter().map(|way| &way.emission)));
        }
        let asked = asks_for_the_past(self.rules) && !dagaz_ir::progress::never_repeats(self.rules);
        (grows || shrinks || keeps && adds || !asked).then_some(changes)
    }

    fn scene<'a>(&'a self, body: &'a mut Body, pieces: &'a Pieces, turn: &Turn) -> Scene<'a, 'r> {
        Scene::new(self, body, pieces, turn.owner, turn.player)
    }

    /// Variables for all pieces.
    fn pieces(&self, body: &mut Body) -> Pieces {
        let (players, kinds) = (self.memory.players as usize, self.memory.kinds as usize);
        let words = self.memory.words;
        let mut set = || (0..words).map(|_| body.local(Ty::I64)).collect();
        let sets = (0..players).map(|_| (0..kinds).map(|_| set()).collect()).collect();
        let drops = self.rules.rules.values().any(|rule| rule.trigger == Trigger::Drop);
        let mut row = || (0..kinds).map(|_| body.local(Ty::I32)).collect();
        let hands = drops.then(|| (0..players).map(|_| row()).collect());
        Pieces { sets, hands }
    }

    /// Gives the variables what stands in memory.
    fn take_up(&self, body: &mut Body, pieces: &Pieces) {
        let memory = &self.memory;
        let bytes = memory.set_bytes();
        for (owner, kinds) in pieces.sets.iter().enumerate() {
            for (kind, set) in kinds.iter().enumerate() {
                for (index, &word) in set.iter().enumerate() {
                    let at = |sets: u32, number: usize| {
                        Ex::from(0).load(Width::I64, sets + (number as u32 + 1) * bytes + index as u32 * 8)
                    };
                    body.set(word, at(memory.owner_sets, owner) & at(memory.kind_sets, kind));
                }
            }
        }
        let Some((hands, field)) = pieces.hands.as_ref().zip(memory.known.hand) else { return };
        for (owner, kinds) in hands.iter().enumerate() {
            for (kind, &count) in kinds.iter().enumerate() {
                let owner = body.bind(owner as i32 + 1);
                body.set(count, self.hand(field, owner, kind as u32 + 1).load(Width::I32, 0));
            }
        }
    }

    /// The steps of a turn, as sets of the sites for which they are made.
    fn ways(&self, scene: &mut Scene<'_, 'r>, turn: &Turn) -> Option<Vec<Way<'r>>> {
        let mut ways: Vec<Way<'r>> = Vec::new();
        let of_turn = |rule: &&Rule| turn.move_type.is_none_or(|wanted| rule.move_type == Some(wanted));
        for (rule, kinds) in kinds::joined(self.rules.rules.values().filter(of_turn)) {
            let lanes = self.lanes(scene, turn.owner, rule, &kinds)?;
            let emissions = lanes::run(scene, rule, lanes, None)?;
            for emission in emissions {
                self.is_sound(rule, &emission).then_some(())?;
                let alike = |other: &&Way<'_>| {
                    let of_kind = kinds.iter().any(|kind| other.kinds.contains(kind));
                    other.rule.trigger == rule.trigger && (rule.trigger == Trigger::Turn || of_kind)
                };
                if !ways.iter().filter(alike).all(|other| differ(&other.emission, &emission)) {
                    return None;
                }
                ways.push(Way { rule, kinds: kinds.clone(), emission });
            }
        }
        (!ways.is_empty()).then_some(ways)
    }

    /// The sites for which a rule is run.
    fn lanes(&self, scene: &mut Scene<'_, 'r>, owner: Player, rule: &Rule, kinds: &[usize]) -> Option<Set> {
        let all = scene.all();
        match rule.trigger {
            Trigger::Turn => Some(Set::fixed(all)),
            Trigger::Piece => Some(scene.standing(|of, kind| of == owner.index() && kinds.contains(&kind))),
            Trigger::Drop => {
                let waiting = scene.pieces.hands.as_ref()?[owner.index()][rule.kind?.index()];
                Some(scene.if_so(all, waiting.gt_s(0)))
            }
            Trigger::AnyPiece => None,
        }
    }

    /// Whether a step can be made by what is known of it, differs from those of other sites, and surely changes something.
    fn is_sound(&self, rule: &Rule, emission: &Emission) -> bool {
        let displacements: Vec<&Queued> =
            emission.queue.iter().filter(|queued| queued.deed.is_displacement()).collect();
        let inside = |place: &Place| place.is_on_board_from(&emission.lanes.within);
        let here = |place: &Place| place.distance_from(&emission.lanes.within) == Some(0);
        let possible = displacements.iter().all(|queued| match &queued.deed {
            Deed::Move(from, to) => rule.trigger == Trigger::Piece && here(from) && inside(to) && queued.always,
            Deed::Put(place, owner, kind, _) => {
                let own = rule.trigger == Trigger::Drop && rule.kind == Some(*kind);
                own && inside(place) && queued.always && owner.index() < self.rules.players.len()
            }
            _ => false,
        });
        let apart = match rule.trigger {
            Trigger::Piece => here(&emission.from),
            _ => inside(&emission.to),
        };
        possible && displacements.len() <= 1 && apart && emission.changes
    }

    /// The games, one after the other.
    fn play_games(&self, body: &mut Body, games: V, limit: V, changes: &[Changes]) -> Option<()> {
        let pieces = self.pieces(body);
        let random = random::take(body);
        let (made, code) = (body.local(Ty::I32), body.local(Ty::I32));
        let (passes, skipped) = (body.local(Ty::I32), body.local(Ty::I32));
        let over = body.label();
        let play = Play { pieces, random, limit, made, code, passes, skipped, over };
        let mut written = None;
        body.count(0, games, |body, _, _| {
            self.refill(body);
            self.take_up(body, &play.pieces);
            body.set(skipped, self.cell(self.memory.known.turn));
            body.set(made, 0);
            body.set(passes, 0);
            body.open_block();
            written = self.play_round(body, &play, changes);
            let mut statements = body.close_block();
            let again = body.label();
            statements.push(Low::Go(again));
            body.push(Low::Block(over, vec![Low::Loop(again, statements)]));
            self.count_lean_game(body, &play);
        });
        random::leave(body, &play.random);
        self.leave_pieces(body, &play.pieces);
        written
    }

    /// Adds a game to what playouts came to.
    fn count_lean_game(&self, body: &mut Body, play: &Play) {
        self.count_game(body, play.made, play.code, &|_, _, player| {
            let words = play.pieces.sets[player.index()].iter().flatten().map(|&word| Ex::from(word).popcnt());
            words.reduce(|a, b| a + b).unwrap_or(crate::low::c64(0)).wrap()
        });
    }

    /// Leaves in memory where the pieces of each player stand.
    fn leave_pieces(&self, body: &mut Body, pieces: &Pieces) {
        for (owner, kinds) in pieces.sets.iter().enumerate() {
            for index in 0..self.memory.words {
                let words = kinds.iter().map(|set| Ex::from(set[index as usize]));
                let at = self.memory.finals.start + owner as u32 * self.memory.set_bytes() + index * 8;
                body.store(Width::I64, 0, at, words.reduce(|a, b| a | b).unwrap_or(crate::low::c64(0)));
            }
        }
    }

    /// All turns once.
    fn play_round(&self, body: &mut Body, play: &Play, changes: &[Changes]) -> Option<()> {
        let mut work = 0;
        for (index, turn) in self.rules.schedule.turns.iter().enumerate() {
            let before = &changes[(index + changes.len() - 1) % changes.len()];
            let done = body.label();
            body.open_block();
            if index + 1 < self.rules.schedule.turns.len() {
                // The first round begins with the turn of the state.
                body.when(play.skipped, |body| {
                    body.set(play.skipped, play.skipped - 1);
                    body.go(done);
                });
            }
            let present = self.present_in(index, changes);
            let written = self.play_turn(body, play, turn, (before, present), done, &mut work);
            let statements = body.close_block();
            body.push(Low::Block(done, statements));
            written?;
        }
        Some(())
    }

    /// An owner who has a piece on the board when the turn of this number begins: games begin with the first turn.
    fn present_in(&self, turn: usize, changes: &[Changes]) -> Option<Player> {
        let passes = self.rules.policy.pass == Pass::Forced;
        turn.checked_sub(1).filter(|_| !passes).and_then(|before| changes[before].present)
    }

    fn play_turn(
        &self,
        body: &mut Body,
        play: &Play,
        turn: &Turn,
        (before, present): (&Changes, Option<Player>),
        done: Label,
        work: &mut usize,
    ) -> Option<()> {
        let mut scene = self.scene(body, &play.pieces, turn);
        scene.work = std::mem::take(work);
        scene.present = present;
        let ways = self.ways(&mut scene, turn)?;
        let (counts, total) = self.totals(&mut scene, &ways);
        let over = |body: &mut Body, end: i32| {
            body.set(play.code, end);
            body.go(play.over);
        };

        // Nobody can move.
        scene.body.open_block();
        self.end_stuck_games(&mut scene, play.passes, &over)?;
        match self.rules.policy.pass {
            Pass::Forced => {
                play.stop_at_limit(scene.body);
                scene.body.set(play.passes, play.passes + 1);
                scene.body.set(play.made, play.made + 1);
                scene.body.go(done);
            }
            Pass::Never | Pass::Always => over(scene.body, STUCK),
        }
        let stuck = scene.body.close_block();
        scene.body.push(Low::If(total.eqz(), stuck, Vec::new()));

        self.end_open_games(&mut scene, before, &over)?;
        play.stop_at_limit(scene.body);
        scene.body.set(play.made, play.made + 1);
        scene.body.set(play.passes, 0);
        let number = random::draw(scene.body, &play.random, total);
        for (index, (way, &count)) in ways.iter().zip(&counts).enumerate() {
            let last = index + 1 == ways.len();
            scene.body.open_block();
            let lanes = self.nth_site(&mut scene, &way.emission.lanes, number);
            self.make(&mut scene, way, &lanes)?;
            if !last {
                scene.body.go(done);
            }
            let statements = scene.body.close_block();
            if last {
                statements.into_iter().for_each(|statement| scene.body.push(statement));
            } else {
                scene.body.push(Low::If(number.lt_s(count), statements, Vec::new()));
                scene.body.set(number, number - count);
            }
        }
        *work = scene.work;
        Some(())
    }

    /// How many steps each way has, and all together.
    fn totals(&self, scene: &mut Scene<'_, 'r>, ways: &[Way<'r>]) -> (Vec<V>, V) {
        let counts: Vec<V> = ways
            .iter()
            .map(|way| {
                let count = way.emission.lanes.count();
                scene.body.bind(count)
            })
            .collect();
        let total = counts.iter().fold(0.into(), |sum: Ex, &count| sum + count);
        let total = scene.body.bind(total);
        (counts, total)
    }

    /// Asks all ends, where the player to move has no step; what players before him did is to pass, so many times.
    fn end_stuck_games(&self, scene: &mut Scene<'_, 'r>, passes: V, over: &Over<'_>) -> Option<()> {
        // Where a player who cannot move passes there is always a move.
        let forced = self.rules.policy.pass == Pass::Forced;
        scene.stuck = Some(!forced);
        if forced {
            let period = self.rules.schedule.turns.len() as i32;
            scene.stood = Ex::binary(crate::low::Binary::DivS, passes, period) + 1;
        }
        self.end_games(scene, None, over)
    }

    /// Asks the ends that some changes may have made true, where the player to move can move: who passed has changed nothing.
    fn end_open_games(&self, scene: &mut Scene<'_, 'r>, by: &Changes, over: &Over<'_>) -> Option<()> {
        scene.stuck = Some(false);
        scene.stood = 1.into();
        self.end_games(scene, Some(by), over)
    }

    fn end_games(&self, scene: &mut Scene<'_, 'r>, by: Option<&Changes>, over: &Over<'_>) -> Option<()> {
        let players = self.memory.players as i32;
        let me = scene.me;
        for (index, end) in self.rules.ends.iter().enumerate() {
            for &player in &end.players {
                if by.is_some_and(|changes| !changes.concern(self.rules, &end.condition.body, player)) {
                    continue;
                }
                scene.me = player;
                let holds = scene.value(&end.condition.body)?;
                let number = index as i32 * players + player.index() as i32;
                scene.body.when(holds, |body| over(body, number));
            }
        }
        scene.me = me;
        Some(())
    }

    /// Makes a step for one site.
    fn make(&self, scene: &mut Scene<'_, 'r>, way: &Way<'r>, lanes: &Set) -> Option<()> {
        let queue = &way.emission.queue;
        let (first, then): (Vec<&Queued>, Vec<&Queued>) =
            queue.iter().partition(|queued| queued.deed.is_displacement());
        let mut gathered = None;
        if !queue.iter().all(|queued| queued.always) {
            // Which effects there are depends on the site: the rule is run again for it alone, before anything changes.
            let next = self.next_persons();
            let turns_back = (0..next.len()).all(|player| next[next[player]] == player);
            let alike = then.iter().all(|queued| queued.deed.is_like(&then[0].deed));
            let flips = matches!(then[0].deed, Deed::Flip(_));
            if !alike || !way.emission.whole || flips && !turns_back {
                return None;
            }
            gathered = Some(self.gather(scene, way, lanes.clone())?);
        }
        for queued in first {
            self.perform(scene, way, &queued.deed, lanes)?;
        }
        match gathered {
            Some(there) => self.treat(scene, &then[0].deed, &there),
            None => then.into_iter().try_for_each(|queued| self.perform(scene, way, &queued.deed, lanes))?,
        }
        Some(())
    }

    /// The sites that a step concerns which is made for one site.
    fn gather(&self, scene: &mut Scene<'_, 'r>, way: &Way<'r>, lanes: Set) -> Option<Set> {
        let all = scene.all();
        let gathered: Vec<V> = all.iter().map(|_| scene.body.bind(crate::low::c64(0))).collect();
        lanes::run(scene, way.rule, lanes, Some(gathered.clone()))?;
        Some(Set { words: gathered.into_iter().map(Ex::from).collect(), within: all })
    }

    fn perform(&self, scene: &mut Scene<'_, 'r>, way: &Way<'r>, deed: &Deed, lanes: &Set) -> Option<()> {
        let everything = |_: usize, _: usize| true;
        match deed {
            Deed::Move(_, to) => {
                let owner = scene.me.index();
                let there = scene.sent_to(to, lanes);
                // Of several kinds the piece is of one.
                let moved: Vec<(usize, Set)> = match way.kinds[..] {
                    [kind] => vec![(kind, there.clone())],
                    _ => {
                        let own = |&kind: &usize| {
                            let piece = scene.standing(|of, own| of == owner && own == kind);
                            let piece = scene.meet(&piece, lanes);
                            (kind, scene.sent_to(to, &piece))
                        };
                        way.kinds.iter().map(own).collect()
                    }
                };
                scene.take(lanes, |of, own| of == owner && way.kinds.contains(&own));
                if !way.emission.finds_empty(to) {
                    scene.take(&there, everything);
                }
                for (kind, there) in moved {
                    scene.put(&there, owner, kind);
                }
            }
            Deed::Put(at, owner, kind, from_hand) => {
                let there = scene.sent_to(at, lanes);
                if !way.emission.finds_empty(at) {
                    scene.take(&there, everything);
                }
                scene.put(&there, owner.index(), kind.index());
                if *from_hand {
                    let count = scene.pieces.hands.as_ref()?[owner.index()][kind.index()];
                    scene.body.set(count, count - 1);
                }
            }
            other => {
                let there = scene.sent_to(other.place(), lanes);
                self.treat(scene, other, &there);
            }
        }
        Some(())
    }

    /// Does to the pieces on some sites what is said.
    fn treat(&self, scene: &mut Scene<'_, 'r>, deed: &Deed, there: &Set) {
        match deed {
            Deed::Capture(_) => scene.take(there, |_, _| true),
            Deed::Retype(_, kind) => scene.change(there, |owner, _| (owner, kind.index())),
            Deed::Reown(_, owner) => scene.change(there, |_, kind| (owner.index(), kind)),
            Deed::Flip(_) => {
                let next = self.next_persons();
                scene.change(there, |owner, kind| (next[owner], kind));
            }
            Deed::Move(..) | Deed::Put(..) => unreachable!("these are made one by one"),
        }
    }
}
