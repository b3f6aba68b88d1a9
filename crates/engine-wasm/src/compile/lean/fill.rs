//! Playouts of games in which turns put a piece on some empty site: a game is an order of the sites, drawn one after the other.
//! What a piece changes is looked at from its site alone: the lines through it, and what it joins with an edge. Steps that change
//! pieces where they stand may happen beside that, and should be rare: everything is looked at anew after them.

use std::collections::BTreeMap;

use dagaz_base::Id;
use dagaz_board::{Direction, Site};
use dagaz_ir::{Compass, Expr, Op, Pass, Player, Turn};

use super::lanes::{Deed, Emission};
use super::needs::Changes;
use super::words::{Bits, Bound, Names, Scene, Set, has};
use super::{Compiler, Play, Way};
use crate::compile::ends::STUCK;
use crate::compile::random;
use crate::compile::set::steps_from;
use crate::low::{Binary, Body, Ex, Fun, Module, Stmt as Low, Ty, V, Width, c64, select};

/// How long a line of sites may be.
const LONGEST: usize = 32;

/// What tells whether an end has become true for a player by a piece of his.
enum Check {
    /// So many of his pieces in a row, in one of these directions of the board.
    Rows(Vec<(Direction, u32)>),
    /// A chain of his pieces, along the directions of a list, between sites of two sets.
    Chain(Compass, Bits, Bits),
    /// The whole condition, on a board of one word.
    Whole,
}

/// An end that a turn can make true: its number among those of all players, for whom, and how that is seen.
struct Watched {
    end: usize,
    player: Player,
    check: Check,
}

/// What a turn does.
struct Filling {
    owner: Player,
    kind: usize,
    from_hand: bool,
    watched: Vec<Watched>,
    /// What steps change that put no piece on the board, where there are any.
    others: Option<Changes>,
    /// An owner who has a piece on the board when the turn begins.
    present: Option<Player>,
}

/// For each end that is a chain, and each player, the sites that his pieces join with the edge.
type Reached = BTreeMap<(usize, Player), Vec<V>>;

/// Where things lie in scratch memory.
struct Places {
    next: u32,
    end: u32,
    /// The sites in the order in which they are drawn, from the last one on.
    order: u32,
    /// For each direction the line and the place on it of each site.
    lines: BTreeMap<Direction, u32>,
    /// For each owner and direction the bits of each line: all together they are cleared for a game.
    rows: BTreeMap<(Player, Direction), u32>,
    first_row: u32,
    last_row: u32,
    /// The bits of the lines at the start of a game, in the same order.
    first_rows: u32,
    /// For each end that is a chain, and each player for whom it is watched, what each site joins.
    joins: BTreeMap<(usize, Player), u32>,
}

impl Places {
    fn take(&mut self, bytes: u32) -> Option<u32> {
        let at = self.next.next_multiple_of(8);
        self.next = at.checked_add(bytes)?;
        (self.next <= self.end).then_some(at)
    }
}

impl<'r> Compiler<'r> {
    /// A function that plays such games, where the rules are such.
    pub(super) fn lean_fills(&self, module: &mut Module, changes: &[Changes]) -> Option<Fun> {
        if self.rules.policy.pass != Pass::Never {
            return None;
        }
        let turns = self.fillings(changes)?;
        let scratch = self.memory.scratch;
        let mut places = Places {
            next: scratch.start,
            end: scratch.end,
            order: 0,
            lines: BTreeMap::new(),
            rows: BTreeMap::new(),
            first_row: 0,
            last_row: 0,
            first_rows: 0,
            joins: BTreeMap::new(),
        };
        let tables = self.fill_tables(&turns, &mut places)?;
        let function = module.function_if("filling playouts", &[Ty::I32, Ty::I32], None, |body, params| {
            self.fill_games(body, params[0], params[1], &turns, &places)
        })?;
        tables.into_iter().for_each(|(at, bytes)| module.data(at, bytes));
        Some(function)
    }

    /// Whether such a game can start from the state in memory: there are enough pieces to fill the board.
    pub(super) fn can_fill(&self, body: &mut Body, start: Ex) -> Ex {
        let memory = &self.memory;
        let empty = (0..memory.words).map(|index| Ex::from(0).load(Width::I64, memory.owner_sets + index * 8).popcnt());
        let empty = empty.reduce(|a, b| a + b).unwrap_or(c64(0)).wrap();
        let (fits, empty) = (body.bind(start), body.bind(empty));
        let turns = &self.rules.schedule.turns;
        for (_, rule) in self.rules.rules.iter() {
            let (dagaz_ir::Trigger::Drop, Some(kind), Some(hand)) = (rule.trigger, rule.kind, memory.known.hand) else {
                continue;
            };
            for turn in turns {
                let owner = body.bind(turn.owner.index() as i32 + 1);
                let waiting = self.hand(hand, owner, kind.index() as u32 + 1).load(Width::I32, 0);
                let count = turns.len() as i32;
                let most = Ex::binary(Binary::DivS, empty + (count - 1), count);
                body.set(fits, fits & waiting.lt_s(most).eqz());
            }
        }
        fits.into()
    }

    /// What each turn does, if it is that.
    fn fillings(&self, changes: &[Changes]) -> Option<Vec<Filling>> {
        let mut body = Body::new(&[]);
        let pieces = self.pieces(&mut body);
        let mut fillings = Vec::new();
        for (index, turn) in self.rules.schedule.turns.iter().enumerate() {
            let mut scene = self.scene(&mut body, &pieces, turn);
            scene.present = self.present_in(index, changes);
            let present = scene.present;
            let ways = self.ways(&mut scene, turn)?;
            let (fills, others): (Vec<&Way<'_>>, Vec<&Way<'_>>) = ways.iter().partition(|way| fills(way));
            let [Way { emission, .. }] = fills[..] else { return None };
            let of = |ways: &[&Way<'_>]| Changes::of(self.rules, turn.owner, ways.iter().map(|way| &way.emission));
            let changes = of(&fills);
            if !others.iter().all(|way| stays(&way.emission)) {
                return None;
            }
            let others = Some(of(&others)).filter(|_| !others.is_empty());
            let [queued] = &emission.queue[..] else { return None };
            let Deed::Put(place, owner, kind, from_hand) = &queued.deed else { return None };
            if !emission.wherever_empty || *place != scene.here() || *owner != turn.owner {
                return None;
            }
            let mut watched = Vec::new();
            for (end, info) in self.rules.ends.iter().enumerate() {
                let body = &info.condition.body;
                for &player in info.players.iter().filter(|&&player| changes.concern(self.rules, body, player)) {
                    scene.me = player;
                    scene.stuck = Some(false);
                    if matches!(scene.value(body)?, Ex::C32(0)) {
                        continue;
                    }
                    let check = self.check(&mut scene, *owner, player, body)?;
                    watched.push(Watched { end, player, check });
                }
            }
            let (kind, from_hand) = (kind.index(), *from_hand);
            fillings.push(Filling { owner: *owner, kind, from_hand, watched, others, present });
        }
        // Chains from an edge only grow.
        let chains = |filling: &Filling| filling.watched.iter().any(|watched| watched.check.rows().is_none());
        let changed = fillings.iter().any(|filling| filling.others.is_some());
        let unknown = changed && self.memory.words > 1 && fillings.iter().any(chains);
        (!unknown).then_some(fillings)
    }

    fn check(&self, scene: &mut Scene<'_, 'r>, owner: Player, player: Player, end: &Expr) -> Option<Check> {
        let parts = if end.op == Op::Or { &end.args[..] } else { std::slice::from_ref(end) };
        let rows: Option<Vec<_>> = parts.iter().map(|part| self.row_of(player, part)).collect();
        let rows = rows.filter(|_| owner == player);
        let uneven = rows.as_ref().is_some_and(|rows| rows.iter().any(|&(direction, _)| !self.goes_evenly(direction)));
        if self.memory.words == 1 && !has_flood(end) && !uneven {
            return Some(Check::Whole);
        }
        if owner != player {
            return None;
        }
        if let Some(rows) = rows {
            return Some(Check::Rows(rows));
        }
        let (Op::Any(local), [flood, goal]) = (end.op, &end.args[..]) else { return None };
        let (Op::Flood(compass), [start, within]) = (flood.op, &flood.args[..]) else { return None };
        let from = own_where(scene, start)?;
        if own_where(scene, within)? != scene.all() {
            return None;
        }
        let names = Names::from([(local, Bound::Site(scene.here()))]);
        let goal = scene.condition(&names, goal)?;
        let fixed = goal.words.iter().all(|word| matches!(word, Ex::C64(_)));
        fixed.then_some(Check::Chain(compass, from, goal.within))
    }

    /// The direction of the board in which an end asks for a row of a player's pieces, and how many.
    fn row_of(&self, player: Player, end: &Expr) -> Option<(Direction, u32)> {
        let (Op::Any(local), [set, row]) = (end.op, &end.args[..]) else { return None };
        if set.op != Op::AllSites || row.op != Op::And {
            return None;
        }
        let mut direction = None;
        for (index, part) in row.args.iter().enumerate() {
            let steps = steps_from(part.args.first().filter(|_| part.op == Op::Mine)?, local)?;
            let same = steps.iter().all(|&(step, back)| !back && *direction.get_or_insert(step) == step);
            if steps.len() != index || !same {
                return None;
            }
        }
        Some((self.rules.players[player].seen(direction?), row.args.len() as u32))
    }

    /// Whether a direction of the board leads all sites equally far.
    fn goes_evenly(&self, direction: Direction) -> bool {
        let topology = &self.rules.topology;
        let far = |site: Site| Some(topology.step(direction, site)?.index() as i64 - site.index() as i64);
        let mut distances = topology.sites().filter_map(far);
        distances.next().is_none_or(|first| distances.all(|distance| distance == first))
    }

    /// Lays out scratch memory, and says what stands there from the start.
    fn fill_tables(&self, turns: &[Filling], places: &mut Places) -> Option<Vec<(u32, Vec<u8>)>> {
        let topology = &self.rules.topology;
        let (sites, bytes) = (self.memory.sites, self.memory.set_bytes());
        let mut tables = Vec::new();
        places.order = places.take(sites * 2)?;
        let watched = || turns.iter().flat_map(|turn| &turn.watched);
        for (direction, _) in watched().filter_map(|watched| watched.check.rows()).flatten() {
            if !places.lines.contains_key(direction) {
                let (table, _) = self.lines(*direction)?;
                let at = places.take(sites * 4)?;
                tables.push((at, table.into_iter().flat_map(u32::to_le_bytes).collect()));
                places.lines.insert(*direction, at);
            }
        }
        places.first_row = places.take(0)?;
        for watched in watched() {
            for (direction, _) in watched.check.rows().into_iter().flatten() {
                if !places.rows.contains_key(&(watched.player, *direction)) {
                    let (_, count) = self.lines(*direction)?;
                    let at = places.take(count * 4)?;
                    places.rows.insert((watched.player, *direction), at);
                }
            }
        }
        places.last_row = places.take(0)?;
        places.first_rows = places.take(places.last_row - places.first_row)?;
        for watched in watched() {
            let Check::Chain(compass, from, _) = &watched.check else { continue };
            if places.joins.contains_key(&watched.key()) {
                continue;
            }
            // For each site those from which a step leads to it, and whether a chain can begin there.
            let mut before = vec![vec![0_u64; self.memory.words as usize]; sites as usize];
            for &direction in &self.rules.compasses[*compass] {
                let seen = self.rules.players[watched.player].seen(direction);
                for site in topology.sites() {
                    if let Some(to) = topology.step(seen, site) {
                        before[to.index()][site.index() / 64] |= 1 << (site.index() % 64);
                    }
                }
            }
            let at = places.take(sites * (bytes + 8))?;
            let row = |(site, words): (usize, Vec<u64>)| {
                words.into_iter().chain([u64::from(has(from, site as i64))]).collect::<Vec<_>>()
            };
            let words = before.into_iter().enumerate().flat_map(row);
            tables.push((at, words.flat_map(u64::to_le_bytes).collect()));
            places.joins.insert(watched.key(), at);
        }
        Some(tables)
    }

    /// The lines of a direction: for each site 32 times the number of its line and its place on it; and how many there are.
    fn lines(&self, direction: Direction) -> Option<(Vec<u32>, u32)> {
        let topology = &self.rules.topology;
        let mut before = vec![0; self.memory.sites as usize];
        for to in topology.sites().filter_map(|site| topology.step(direction, site)) {
            before[to.index()] += 1;
        }
        let mut table = vec![u32::MAX; before.len()];
        let mut count = 0;
        for first in topology.sites().filter(|first| before[first.index()] == 0) {
            let line = std::iter::successors(Some(first), |&site: &Site| topology.step(direction, site));
            for (place, site) in line.enumerate() {
                if place >= LONGEST || before[site.index()] > 1 {
                    return None;
                }
                table[site.index()] = count * LONGEST as u32 + place as u32;
            }
            count += 1;
        }
        // What is left goes round in circles.
        table.iter().all(|&line| line != u32::MAX).then_some((table, count))
    }

    fn fill_games(&self, body: &mut Body, games: V, limit: V, turns: &[Filling], places: &Places) -> Option<()> {
        let pieces = self.pieces(body);
        let random = random::take(body);
        let (made, code, left) = (body.local(Ty::I32), body.local(Ty::I32), body.local(Ty::I32));
        let (over, passes, skipped) = (body.label(), body.bind(0), body.bind(0));
        let words = self.memory.words;
        // What an edge is joined to is the same for all turns of a player.
        let variables = |body: &mut Body| (0..words).map(|_| body.local(Ty::I64)).collect();
        let reached: Reached = places.joins.keys().map(|&key| (key, variables(body))).collect();
        let play = Play { pieces, random, limit, made, code, passes, skipped, over };
        let rows = places.last_row - places.first_row;
        let empty = self.lay_out(body, &play, turns, places);
        let joined = self.joined(body, &play, turns, &reached)?;
        let mut written = None;
        body.count(0, games, |body, _, _| {
            self.refill(body);
            self.take_up(body, &play.pieces);
            for (key, words) in &reached {
                words.iter().zip(&joined[key]).for_each(|(&word, &first)| body.set(word, first));
            }
            if rows > 0 {
                body.push(Low::Copy(places.first_row.into(), places.first_rows.into(), rows.into()));
            }
            body.set(made, 0);
            body.set(skipped, self.cell(self.memory.known.turn));
            body.set(left, empty);
            body.open_block();
            written = self.fill_round(body, &play, (left, empty), turns, places, &reached);
            let mut statements = body.close_block();
            let again = body.label();
            statements.push(Low::Go(again));
            body.push(Low::Block(over, vec![Low::Loop(again, statements)]));
            self.count_lean_game(body, &play);
        });
        random::leave(body, &play.random);
        if !self.needs_sets(turns, &reached) {
            let mut scene = self.scene(body, &play.pieces, &self.rules.schedule.turns[0]);
            self.recall(&mut scene, &play, empty, turns, places);
        }
        self.leave_pieces(body, &play.pieces);
        written
    }

    /// Whether the sets of the pieces are kept while a game is played; otherwise they are made at its end.
    fn needs_sets(&self, turns: &[Filling], reached: &Reached) -> bool {
        self.memory.words == 1 || !reached.is_empty() || turns.iter().any(|filling| filling.others.is_some())
    }

    fn fill_round(
        &self,
        body: &mut Body,
        play: &Play,
        (left, empty): (V, V),
        turns: &[Filling],
        places: &Places,
        reached: &Reached,
    ) -> Option<()> {
        let over = |body: &mut Body, end: i32| {
            body.set(play.code, end);
            body.go(play.over);
        };
        let needs_sets = self.needs_sets(turns, reached);
        for (index, (turn, filling)) in self.rules.schedule.turns.iter().zip(turns).enumerate() {
            let done = body.label();
            body.open_block();
            if index + 1 < turns.len() {
                // The first round begins with the turn of the state.
                body.when(play.skipped, |body| {
                    body.set(play.skipped, play.skipped - 1);
                    body.go(done);
                });
            }
            let mut scene = self.scene(body, &play.pieces, turn);
            let (others, total) = self.others(&mut scene, turn, filling, left)?;
            scene.body.open_block();
            if !needs_sets {
                self.recall(&mut scene, play, empty, turns, places);
            }
            self.end_stuck_games(&mut scene, play.passes, &over)?;
            over(scene.body, STUCK);
            let full = scene.body.close_block();
            scene.body.push(Low::If(total.eqz(), full, Vec::new()));
            if filling.others.is_some() {
                // Where the board is full nothing was asked after the step before.
                scene.body.open_block();
                self.end_open_games(&mut scene, &Changes::all(self.rules), &over)?;
                let statements = scene.body.close_block();
                scene.body.push(Low::If(left.eqz(), statements, Vec::new()));
            }
            play.stop_at_limit(scene.body);

            let number = random::draw(scene.body, &play.random, total);
            if let Some(changes) = &filling.others {
                scene.body.open_block();
                scene.body.set(number, number - left);
                self.make_other(&mut scene, play, &others, number)?;
                self.note_all(&mut scene, turns, left, places);
                scene.body.open_block();
                self.end_open_games(&mut scene, changes, &over)?;
                let statements = scene.body.close_block();
                scene.body.push(Low::If(left.into(), statements, Vec::new()));
                scene.body.go(done);
                let statements = scene.body.close_block();
                scene.body.push(Low::If(number.ge_s(left), statements, Vec::new()));
            }
            let at = scene.body.bind(number * 2 + places.order);
            let site = scene.body.bind(at.load(Width::U16, 0));
            scene.body.set(left, left - 1);
            let last = scene.body.bind(left * 2 + places.order);
            scene.body.store(Width::U16, at, 0, last.load(Width::U16, 0));
            scene.body.store(Width::U16, last, 0, site);
            scene.body.set(play.made, play.made + 1);

            let lanes = if needs_sets { Some(self.site_set(&mut scene, site)) } else { None };
            if let Some(lanes) = &lanes {
                scene.put(lanes, filling.owner.index(), filling.kind);
            }
            if filling.from_hand {
                let count = scene.pieces.hands.as_ref()?[filling.owner.index()][filling.kind];
                scene.body.set(count, count - 1);
            }
            let rows = self.note_in_rows(scene.body, filling, site, places);

            // Where the board is full all ends are asked in their order.
            scene.body.open_block();
            scene.stuck = Some(false);
            for watched in &filling.watched {
                scene.me = watched.player;
                let holds = match &watched.check {
                    Check::Whole => scene.value(&self.rules.ends[watched.end].condition.body)?,
                    Check::Rows(wanted) => {
                        let found =
                            wanted.iter().map(|(direction, count)| in_a_row(scene.body, rows[direction], *count));
                        let found = found.reduce(|a, b| a | b)?;
                        scene.body.bind(found).into()
                    }
                    Check::Chain(compass, _, goal) => {
                        let (joins, reached) = (places.joins[&watched.key()], &reached[&watched.key()]);
                        self.join(&mut scene, (*compass, goal, joins), reached, site, lanes.as_ref()?)?
                    }
                };
                let number = (watched.end * self.rules.players.len() + watched.player.index()) as i32;
                scene.body.when(holds, |body| over(body, number));
            }
            let statements = scene.body.close_block();
            scene.body.push(Low::If(left.into(), statements, Vec::new()));
            let statements = body.close_block();
            body.push(Low::Block(done, statements));
        }
        Some(())
    }

    /// Writes the empty sites, then the others, where the order of the sites is drawn, and the pieces that stand there into their
    /// lines; gives the number of empty sites.
    fn lay_out(&self, body: &mut Body, play: &Play, turns: &[Filling], places: &Places) -> V {
        let rows = places.last_row - places.first_row;
        if rows > 0 {
            body.push(Low::Clear(places.first_row.into(), rows.into()));
        }
        self.take_up(body, &play.pieces);
        let (empty, taken) = (body.bind(0), body.bind(self.memory.sites as i32));
        body.count(0, self.memory.sites as i32, |body, site, _| {
            let owner = body.bind(self.owner(site + 1));
            body.either(
                owner,
                |body| {
                    body.set(taken, taken - 1);
                    body.store(Width::U16, taken * 2 + places.order, 0, site);
                    let mut noted = Vec::new();
                    for filling in turns.iter().filter(|_| rows > 0) {
                        if !noted.contains(&filling.owner) {
                            noted.push(filling.owner);
                            body.when(owner.eq(filling.owner.index() as i32 + 1), |body| {
                                self.note_in_rows(body, filling, site, places);
                            });
                        }
                    }
                },
                |body| {
                    body.store(Width::U16, empty * 2 + places.order, 0, site);
                    body.set(empty, empty + 1);
                },
            );
        });
        if rows > 0 {
            body.push(Low::Copy(places.first_rows.into(), places.first_row.into(), rows.into()));
        }
        empty
    }

    /// What pieces join with the edge at the start.
    fn joined(&self, body: &mut Body, play: &Play, turns: &[Filling], reached: &Reached) -> Option<Reached> {
        let mut joined = Reached::new();
        for (turn, filling) in self.rules.schedule.turns.iter().zip(turns) {
            for watched in &filling.watched {
                let Check::Chain(compass, from, _) = &watched.check else { continue };
                if !reached.contains_key(&watched.key()) || joined.contains_key(&watched.key()) {
                    continue;
                }
                let mut scene = self.scene(body, &play.pieces, turn);
                let own = scene.standing(|owner, _| owner == watched.player.index());
                let first = scene.meet(&own, &Set::fixed(from.clone()));
                let words: Vec<V> = first.words.iter().map(|word| scene.body.bind(word.clone())).collect();
                scene.spread(*compass, &words, &first, &own)?;
                joined.insert(watched.key(), words);
            }
        }
        Some(joined)
    }

    /// The steps of a turn that put no piece on the board, and how many steps it has with those that do.
    fn others(&self, scene: &mut Scene<'_, 'r>, turn: &Turn, filling: &Filling, left: V) -> Option<(Vec<Way<'r>>, V)> {
        if filling.others.is_none() {
            return Some((Vec::new(), left));
        }
        scene.present = filling.present;
        let others: Vec<Way<'r>> = self.ways(scene, turn)?.into_iter().filter(|way| !fills(way)).collect();
        let (_, total) = self.totals(scene, &others);
        let total = scene.body.bind(total + left);
        Some((others, total))
    }

    /// Makes the step of a number among those of some ways.
    fn make_other(&self, scene: &mut Scene<'_, 'r>, play: &Play, ways: &[Way<'r>], number: V) -> Option<()> {
        let made = scene.body.label();
        scene.body.open_block();
        for way in ways {
            let count = way.emission.lanes.count();
            let count = scene.body.bind(count);
            scene.body.open_block();
            let lanes = self.nth_site(scene, &way.emission.lanes, number);
            self.make(scene, way, &lanes)?;
            scene.body.go(made);
            let statements = scene.body.close_block();
            scene.body.push(Low::If(number.lt_s(count), statements, Vec::new()));
            scene.body.set(number, number - count);
        }
        let statements = scene.body.close_block();
        scene.body.push(Low::Block(made, statements));
        scene.body.set(play.made, play.made + 1);
        Some(())
    }

    /// Finds out anew which pieces stand on which lines.
    fn note_all(&self, scene: &mut Scene<'_, 'r>, turns: &[Filling], left: V, places: &Places) {
        if places.first_row == places.last_row {
            return;
        }
        let bytes = places.last_row - places.first_row;
        scene.body.push(Low::Clear(places.first_row.into(), bytes.into()));
        let place = scene.body.bind(left);
        scene.body.open_block();
        let site = scene.body.bind((place * 2 + places.order).load(Width::U16, 0));
        let here = self.site_set(scene, site);
        for (index, filling) in turns.iter().enumerate() {
            if turns[..index].iter().any(|before| before.owner == filling.owner) {
                continue;
            }
            let own = scene.standing(|owner, _| owner == filling.owner.index());
            let own = scene.meet(&own, &here).some();
            scene.body.open_block();
            self.note_in_rows(scene.body, filling, site, places);
            let statements = scene.body.close_block();
            scene.body.push(Low::If(own, statements, Vec::new()));
        }
        scene.body.set(place, place + 1);
        let statements = scene.body.close_block();
        scene.body.repeat_while(place.lt_s(self.memory.sites as i32), |body, _| {
            statements.into_iter().for_each(|statement| body.push(statement));
        });
    }

    /// Puts all pieces of the game into the sets, turn by turn in the order in which they were drawn.
    fn recall(&self, scene: &mut Scene<'_, 'r>, play: &Play, empty: V, turns: &[Filling], places: &Places) {
        // The first round begins with the turn of the state.
        let number = scene.body.bind(Ex::from(0) - self.cell(self.memory.known.turn));
        scene.body.open_block();
        for filling in turns {
            scene.body.open_block();
            let at = (empty - number - 1) * 2 + places.order;
            let site = scene.body.bind(at.load(Width::U16, 0));
            let lanes = self.site_set(scene, site);
            scene.put(&lanes, filling.owner.index(), filling.kind);
            let statements = scene.body.close_block();
            scene.body.push(Low::If(number.lt_u(play.made), statements, Vec::new()));
            scene.body.set(number, number + 1);
        }
        let statements = scene.body.close_block();
        scene.body.repeat_while(number.lt_s(play.made), |body, _| {
            statements.into_iter().for_each(|statement| body.push(statement));
        });
    }

    /// The set of one site, counted from 0.
    fn site_set(&self, scene: &mut Scene<'_, 'r>, site: V) -> Set {
        let bit = scene.body.bind(c64(1) << site.extend());
        let all = scene.all();
        let words = match all.len() {
            1 => vec![bit.into()],
            count => (0..count).map(|index| select(site.shr_u(6).eq(index as i32), bit, c64(0))).collect(),
        };
        scene.held(words, all)
    }

    /// Adds a piece to the lines through its site, and gives those for each direction.
    fn note_in_rows(&self, body: &mut Body, filling: &Filling, site: V, places: &Places) -> BTreeMap<Direction, V> {
        let mut rows = BTreeMap::new();
        for (direction, &table) in &places.lines {
            let Some(&row) = places.rows.get(&(filling.owner, *direction)) else { continue };
            let line = body.bind((site * 4 + table).load(Width::I32, 0));
            let at = body.bind((line.shr_u(5) << 2) + row);
            let bits = body.bind(at.load(Width::I32, 0) | (Ex::from(1) << line));
            body.store(Width::I32, at, 0, bits);
            rows.insert(*direction, bits);
        }
        rows
    }

    /// Adds a piece to the chains from the edge, if it joins one, and says whether one reaches the goal then.
    fn join(
        &self,
        scene: &mut Scene<'_, 'r>,
        (compass, goal, joins): (Compass, &Bits, u32),
        reached: &[V],
        site: V,
        lanes: &Set,
    ) -> Option<Ex> {
        let bytes = self.memory.set_bytes();
        let record = scene.body.bind(site * (bytes + 8) + joins);
        let mut touches = record.load(Width::I64, bytes);
        for (index, &word) in reached.iter().enumerate() {
            touches = touches | (record.load(Width::I64, index as u32 * 8) & word);
        }
        let found = scene.body.bind(0);
        scene.body.open_block();
        for (&word, lanes) in reached.iter().zip(&lanes.words) {
            scene.body.set(word, word | lanes.clone());
        }
        let me = scene.me;
        let own = scene.standing(|owner, _| owner == me.index());
        scene.spread(compass, reached, lanes, &own)?;
        let goal = Set::fixed(goal.clone());
        let known = Set { words: reached.iter().map(|&word| word.into()).collect(), within: scene.all() };
        let there = scene.meet(&known, &goal).some();
        scene.body.set(found, there);
        let statements = scene.body.close_block();
        scene.body.push(Low::If(touches.ne(c64(0)), statements, Vec::new()));
        Some(found.into())
    }
}

impl Watched {
    fn key(&self) -> (usize, Player) {
        (self.end, self.player)
    }
}

impl Check {
    fn rows(&self) -> Option<&[(Direction, u32)]> {
        if let Self::Rows(rows) = self { Some(rows) } else { None }
    }
}

/// Whether a way puts a piece on any empty site.
fn fills(way: &Way<'_>) -> bool {
    way.emission.wherever_empty && way.emission.queue.iter().any(|queued| matches!(queued.deed, Deed::Put(..)))
}

/// Whether all pieces stay where they are.
fn stays(emission: &Emission) -> bool {
    let stays = |deed: &Deed| matches!(deed, Deed::Retype(..) | Deed::Reown(..) | Deed::Flip(_));
    emission.queue.iter().all(|queued| queued.always && stays(&queued.deed))
}

fn has_flood(expr: &Expr) -> bool {
    matches!(expr.op, Op::Flood(_)) || expr.args.iter().any(has_flood)
}

/// The fixed sites of which a set has those where own pieces stand.
fn own_where(scene: &mut Scene<'_, '_>, set: &Expr) -> Option<Bits> {
    let (Op::Where(local), [all, condition]) = (set.op, &set.args[..]) else { return None };
    let parts = if condition.op == Op::And { &condition.args[..] } else { std::slice::from_ref(condition) };
    let own = |part: &&Expr| part.op == Op::Mine && part.args[0].op == Op::Local(local);
    if all.op != Op::AllSites || !parts.iter().any(|part| own(&part)) {
        return None;
    }
    let names = Names::from([(local, Bound::Site(scene.here()))]);
    let mut sites = Set::fixed(scene.all());
    for part in parts.iter().filter(|part| !own(part)) {
        let met = scene.condition(&names, part)?;
        if !met.words.iter().all(|word| matches!(word, Ex::C64(_))) {
            return None;
        }
        sites = scene.meet(&sites, &met);
    }
    Some(sites.within)
}

/// Whether so many bits of a word stand next to each other.
fn in_a_row(body: &mut Body, bits: V, count: u32) -> Ex {
    let (mut row, mut length) = (bits, 1);
    while length < count {
        let more = length.min(count - length);
        row = body.bind(Ex::from(row) & row.shr_u(more as i32));
        length += more;
    }
    row.ne(0)
}
