//! Questions about attacks, answered by sets: for each target a table says from where pieces of a kind may strike it, and whether
//! there is such a piece is one look. What lies between it and the target, on the line of a slide, is another.
//!
//! Rules whose strikes are not known so are run, for the pieces within their reach.

use dagaz_base::Id;
use dagaz_board::SiteSet;
use dagaz_ir::strikes::{Strike, Strikes, strikes};
use dagaz_ir::{Expr, MoveType, Op, RuleId, Rules};

use crate::low::{Binary, Body, Ex, Stmt as Low, V, Width, c64, pick};
use crate::memory::set_bytes;

use super::Compiler;
use super::program::Code;

/// How many bytes the tables may take: larger games run their rules.
const BUDGET: usize = 1 << 20;

/// How the rules strike, and the tables about it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Struck {
    strikes: Vec<Strike>,
    /// The rules that are run.
    pub(crate) others: Vec<RuleId>,
    /// For each strike, player and target the starts; then for each two sites on a line what lies between them.
    pub(crate) tables: Vec<u8>,
    /// Where the second part begins.
    between: u32,
}

impl Struck {
    /// What is known of the rules that are asked.
    pub(crate) fn of(rules: &Rules, asked: &[RuleId]) -> Self {
        let none = || Self { others: asked.to_vec(), ..Self::default() };
        let sites = rules.topology.site_count();
        let words = sites.div_ceil(64).max(1);
        let row = sites * words * 8;
        // Each strike is seen at least once for each player.
        if row * rules.players.len() > BUDGET {
            return none();
        }
        let Strikes { strikes, others, directions } = strikes(rules, asked);
        let slides = !directions.is_empty();
        let between = strikes.len() * rules.players.len() * row;
        if between + if slides { sites * row } else { 0 } > BUDGET {
            return none();
        }
        let mut tables = Vec::new();
        for strike in &strikes {
            let starts = strike.starts.values().flatten();
            starts.for_each(|starts| tables.extend(set_bytes(starts, words)));
        }
        if slides {
            let Some(lines) = lines(rules, &directions) else { return none() };
            lines.iter().for_each(|between| tables.extend(set_bytes(between, words)));
        }
        Self { strikes, others, tables, between: between as u32 }
    }

    /// How the rules strike.
    pub(super) fn strikes(&self) -> &[Strike] {
        &self.strikes
    }

    /// Where the sets of what lies between two sites begin in the tables.
    pub(super) fn between(&self) -> u32 {
        self.between
    }
}

/// For each target and start what lies between them, on a line of one of the directions; nothing when two lines join the same sites.
fn lines(rules: &Rules, directions: &[dagaz_board::Direction]) -> Option<Vec<SiteSet>> {
    let topology = &rules.topology;
    let count = topology.site_count();
    let mut between: Vec<Option<SiteSet>> = vec![None; count * count];
    for &direction in directions {
        for start in topology.sites() {
            let mut passed = SiteSet::empty(count);
            let mut site = start;
            while let Some(next) = topology.step(direction, site) {
                let place = &mut between[next.index() * count + start.index()];
                if next == start || place.is_some() {
                    return None;
                }
                *place = Some(passed.clone());
                passed.insert(next);
                site = next;
            }
        }
    }
    Some(between.into_iter().map(|between| between.unwrap_or_else(|| SiteSet::empty(count))).collect())
}

impl Compiler<'_> {
    /// Gives 1 when a piece of the player is known to strike the target, other than one on the target or on `apart`.
    pub(super) fn give_struck(&self, body: &mut Body, of: Option<MoveType>, [player, target, apart]: [V; 3]) {
        let memory = &self.memory;
        let bytes = memory.set_bytes();
        let row = memory.sites * bytes;
        let own: Vec<V> = (0..memory.words)
            .map(|word| body.bind((player * bytes).load(Width::I64, memory.owner_sets + word * 8)))
            .collect();
        let place = body.bind(player * row + target * bytes);
        let mut when: [Vec<usize>; 3] = Default::default();
        for (index, strike) in self.struck.strikes.iter().enumerate() {
            if of.is_none() || strike.move_type == of {
                when[strike.on_occupied().map_or(2, usize::from)].push(index);
            }
        }
        let [on_empty, on_occupied, on_any] = when;
        let look = |body: &mut Body, indices: &[usize]| {
            indices.iter().for_each(|&index| self.look_for(body, index, (player, target, apart), &own, place));
        };
        look(body, &on_any);
        body.either(self.owner(target), |body| look(body, &on_occupied), |body| look(body, &on_empty));
    }

    /// Gives 1 when there is a strike of this index. The player's pieces are given, and where his table for the target lies in a strike's.
    fn look_for(&self, body: &mut Body, index: usize, (player, target, apart): (V, V, V), own: &[V], place: V) {
        let memory = &self.memory;
        let (bytes, strike) = (memory.set_bytes(), &self.struck.strikes[index]);
        let row = memory.sites * bytes;
        let kind = strike.kind.index() as u32 + 1;
        let table = memory.struck + index as u32 * memory.players * row;
        let table = table as i32 - (row + bytes) as i32;
        let starts: Vec<V> = (0..memory.words)
            .map(|word| {
                let of_kind = Ex::from(0).load(Width::I64, memory.kind_sets + kind * bytes + word * 8);
                let from = (place + (table + word as i32 * 8)).load(Width::I64, 0);
                let mut set = of_kind & own[word as usize] & from;
                if !self.functions.defended.is_empty() {
                    let here = Ex::from(apart).ne(0) & (apart - 1).shr_u(6).eq(word as i32);
                    let bit = c64(1) << (apart - 1).extend();
                    set = pick(here, set.clone() & Ex::binary(Binary::Xor, bit, c64(u64::MAX)), set);
                }
                body.bind(set)
            })
            .collect();
        let some = starts.iter().map(|&word| Ex::from(word)).reduce(|a, b| a | b).expect("a set has a word");
        body.when(some.ne(c64(0)), |body| {
            self.with_sites(body, player, |code| {
                code.at(target.into(), 0.into());
                let targets = strike.targets.iter().map(|all| Expr::new(Op::And, all.clone())).collect::<Vec<_>>();
                let possible = code.value(&Expr::new(Op::Or, targets));
                let (inside, ()) = code.apart(|code| code.strike(strike, target, &starts));
                code.body.push(Low::If(possible, inside, Vec::new()));
            });
        });
    }
}

impl Code<'_, '_> {
    /// Gives 1 when a piece on one of the starts strikes the target, which may be struck.
    fn strike(&mut self, strike: &Strike, target: V, starts: &[V]) {
        if strike.asked.is_empty() && strike.slide.is_none() {
            return self.body.give(1);
        }
        let compiler = self.compiler;
        let memory = &compiler.memory;
        for (word, &rest) in starts.iter().enumerate() {
            let (again, out) = (self.body.label(), self.body.label());
            let (mut inside, ()) = self.apart(|code| {
                code.body.when(Ex::from(rest).eq(c64(0)), |body| body.go(out));
                compiler.tick(code.body);
                let start = code.body.bind(rest.ctz().wrap() + (word as i32 * 64 + 1));
                code.body.set(rest, rest & (rest - c64(1)));
                code.at(start.into(), 0.into());
                let free = strike.slide.map_or(1.into(), |line| {
                    let pair = (target - 1) * memory.sites + start - 1;
                    let place = code.body.bind(pair * memory.set_bytes());
                    let between = memory.struck + compiler.struck.between;
                    let taken = (0..memory.words).map(|word| {
                        let empty = Ex::from(0).load(Width::I64, memory.owner_sets + word * 8);
                        let occupied = Ex::binary(Binary::Xor, empty, c64(u64::MAX));
                        place.load(Width::I64, between + word * 8) & occupied
                    });
                    match line.hops {
                        0 => taken.reduce(|a, b| a | b).expect("a set has a word").eq(c64(0)),
                        hops => {
                            let count = taken.map(Ex::popcnt).reduce(|a, b| a + b).expect("a set has a word");
                            count.wrap().eq(hops as i32)
                        }
                    }
                });
                let (statements, ()) = code.apart(|code| {
                    let asked = code.value(&Expr::new(Op::And, strike.asked.clone()));
                    code.body.when(asked, |body| body.give(1));
                });
                code.body.push(Low::If(free, statements, Vec::new()));
            });
            inside.push(Low::Go(again));
            self.body.push(Low::Block(out, vec![Low::Loop(again, inside)]));
        }
    }
}
