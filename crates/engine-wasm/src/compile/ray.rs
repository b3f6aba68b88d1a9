//! Rays as sets: all that lies in a direction from each site is in a table, and the first obstacle on the way is a bit of a word.
//!
//! That is so where a direction always leads to sites of higher numbers, or always of lower ones, and means the same to all
//! players; other rays are walked.

use std::collections::BTreeSet;

use dagaz_board::{Direction, Site, SiteSet};
use dagaz_ir::{Expr, Op, Rules};

use crate::low::{Ex, V, Width, c64, select};

use super::program::Code;
use super::set::{SMALL, Words, complement};

/// How many bytes the table of rays may take.
const LARGEST: u64 = 1 << 20;

/// The rays of a game that are known as sets.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rays {
    /// What rules call the direction, and whether the way leads to higher numbers.
    directions: Vec<(Direction, bool)>,
    /// Where the table lies: for each site number, and for each of the directions, all that lies there.
    pub(crate) base: u32,
}

impl Rays {
    /// The rays that rules ask for, on boards whose sets have so many words.
    pub(crate) fn of(rules: &Rules, words: u64) -> Self {
        let mut asked = BTreeSet::new();
        super::each_op(rules, &mut |op| {
            if let Op::Ray(direction) = op {
                asked.insert(direction);
            }
        });
        let order = |direction: Direction| {
            let mut seen = rules.players.values().map(|player| player.seen(direction));
            let first = seen.next()?;
            let topology = &rules.topology;
            let goes = |up: bool| {
                let ordered = |site: Site| topology.step(first, site).is_none_or(|to| to != site && (to > site) == up);
                topology.sites().all(ordered)
            };
            let up = if goes(true) { true } else { goes(false).then_some(false)? };
            seen.all(|other| other == first).then_some((direction, up))
        };
        let small = words <= u64::from(SMALL);
        let directions = asked.into_iter().filter(|_| small).filter_map(order).collect();
        let rays = Self { directions, base: 0 };
        if rays.bytes(rules.topology.site_count() as u64, words) > LARGEST { Self::default() } else { rays }
    }

    /// How many bytes the table takes.
    pub(crate) fn bytes(&self, sites: u64, words: u64) -> u64 {
        (sites + 1) * self.directions.len() as u64 * words * 8
    }

    /// The table; there is nothing in any direction from nowhere.
    pub(crate) fn table(&self, rules: &Rules, words: usize) -> Vec<u8> {
        let mut bytes = vec![0; self.directions.len() * words * 8];
        for site in rules.topology.sites() {
            for &(direction, _) in &self.directions {
                bytes.extend(crate::memory::set_bytes(&full(rules, direction, site), words));
            }
        }
        bytes
    }

    /// The place of a direction in the table, and whether it leads to higher numbers.
    fn row(&self, direction: Direction) -> Option<(u32, bool)> {
        let place = self.directions.iter().position(|&(other, _)| other == direction)?;
        Some((place as u32, self.directions[place].1))
    }
}

/// All that lies in a direction, as the first player sees it.
fn full(rules: &Rules, direction: Direction, start: Site) -> SiteSet {
    let seen = rules.players.values().next().map_or(direction, |player| player.seen(direction));
    let mut found = SiteSet::empty(rules.topology.site_count());
    let mut site = start;
    while let Some(next) = rules.topology.step(seen, site) {
        found.insert(next);
        site = next;
    }
    found
}

impl Code<'_, '_> {
    /// A ray, or a union of rays from one site through one set, where it is known how they lie.
    pub(super) fn rays(&mut self, expr: &Expr) -> Option<Words> {
        let mut parts = Vec::new();
        united(expr, &mut parts);
        let first = parts.first()?;
        let rows = parts.iter().map(|part| match part.op {
            Op::Ray(direction) if part.args == first.args => self.compiler.memory.rays.row(direction),
            _ => None,
        });
        let rows: Vec<(u32, bool)> = rows.collect::<Option<_>>()?;
        let start = self.bound(&first.args[0]);
        let through = self.set(&first.args[1]);
        let Words::Locals(through) = through else { return None };
        Some(self.united_rays(start, &through, &rows))
    }

    fn united_rays(&mut self, start: V, through: &[V], rows: &[(u32, bool)]) -> Words {
        let memory = &self.compiler.memory;
        let (bytes, base) = (memory.set_bytes(), memory.rays.base);
        let site_bytes = memory.rays.directions.len() as u32 * bytes;
        let body = &mut *self.body;
        let at = body.bind(start * site_bytes);
        let blocked: Vec<V> = through.iter().map(|&word| body.bind(complement(word.into()))).collect();
        let found: Vec<V> = through.iter().map(|_| body.bind(c64(0))).collect();
        for &(row, up) in rows {
            let word = |index: usize| at.load(Width::I64, base + row * bytes + index as u32 * 8);
            let lines: Vec<V> = (0..through.len()).map(|index| body.bind(word(index))).collect();
            let blocks: Vec<V> =
                lines.iter().zip(&blocked).map(|(&line, &blocked)| body.bind(line & blocked)).collect();
            let last = through.len() - 1;
            // What stood in the way so far.
            let mut before: Option<Ex> = None;
            for step in 0..=last {
                let index = if up { step } else { last - step };
                let block = blocks[index];
                // The bits up to the first obstacle, itself included; all of them where there is none.
                let reached = match up {
                    true => block ^ (block - c64(1)),
                    false => c64(u64::MAX) << ((block | c64(1)).clz() ^ c64(63)),
                };
                let part = lines[index] & reached;
                let part = match before.clone() {
                    Some(before) => select(before.eqz(), part, c64(0)),
                    None => part,
                };
                body.set(found[index], found[index] | part);
                before = Some(before.map_or(block.into(), |before| before | block));
            }
        }
        for (&found, &through) in found.iter().zip(through) {
            body.set(found, found & through);
        }
        Words::Locals(found)
    }
}

/// The sets that a union is of.
pub(super) fn united<'e>(expr: &'e Expr, parts: &mut Vec<&'e Expr>) {
    match expr.op {
        Op::Union => expr.args.iter().for_each(|arg| united(arg, parts)),
        _ => parts.push(expr),
    }
}
