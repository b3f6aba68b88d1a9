//! Slides as sets: where all pieces of a kind that slide in a direction can end, and where the one started that ends on a site.
//!
//! A set is filled along the lines of a board in as many rounds as the length of the longest line has binary digits (Kogge and Stone).

use dagaz_base::{Id, IdMap};
use dagaz_board::Direction;
use dagaz_ir::slides::Slide;
use dagaz_ir::ways::Way;
use dagaz_ir::{Expr, Local, Op, Rules};

use crate::low::{Body, Ex, V, Width, c64};

use super::Compiler;
use super::program::Code;
use super::set::{Words, shifted_words};

/// The ways of a slide that have the same effects: those that end on the way, and those that end where it stops.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sliding<'w> {
    pub(super) slide: &'w Slide,
    pub(super) passes: Option<&'w Slide>,
    pub(super) stops: Option<&'w Slide>,
}

impl<'w> Sliding<'w> {
    /// A slide alone.
    pub(super) fn of(slide: &'w Slide) -> Self {
        let (passes, stops) = if slide.stops { (None, Some(slide)) } else { (Some(slide), None) };
        Self { slide, passes, stops }
    }

    /// Both together, when they are two parts of one slide.
    pub(super) fn joined(a: &'w Way, b: &'w Way) -> Option<Self> {
        let (passes, stops) = (a.slide.as_ref()?, b.slide.as_ref()?);
        let same = a.conditions == b.conditions && a.made == b.made && a.choice == b.choice && a.from == b.from;
        let parts = passes.direction == stops.direction && passes.through == stops.through && passes.hops == stops.hops;
        let both = !passes.stops && stops.stops && same && parts && a.parameters == b.parameters;
        both.then_some(Self { slide: passes, passes: Some(passes), stops: Some(stops) })
    }
}

/// For each direction the most steps that a line has, as any player sees it; nothing when some line has no end, or when a step
/// cannot be taken back.
pub(super) fn lines(rules: &Rules) -> IdMap<Direction, Option<u32>> {
    let topology = &rules.topology;
    let opposites = topology.opposites();
    let longest = |seen: Direction| {
        let back = opposites[seen]?;
        let mut longest = 0;
        for start in topology.sites() {
            let (mut site, mut steps) = (start, 0);
            while let Some(next) = topology.step(seen, site) {
                if topology.step(back, next) != Some(site) || steps > topology.site_count() {
                    return None;
                }
                (site, steps) = (next, steps + 1);
            }
            longest = longest.max(steps);
        }
        Some(longest as u32)
    };
    let of_all = |direction: Direction| {
        let each = rules.players.values().map(|player| longest(player.seen(direction)));
        each.collect::<Option<Vec<u32>>>()?.into_iter().max()
    };
    topology.directions().map(of_all).collect()
}

impl Compiler<'_> {
    /// Whether the ends of the slides that begin so are known as a set: all sites of a line move alike, each step can be taken back,
    /// and no line leads back to where it began.
    pub(super) fn slides_as_set(&self, way: &Way) -> bool {
        let Some(slide) = &way.slide else { return false };
        let end = Local::from_index(1);
        let plain = slide.hops.is_empty() || slide.through == [Expr::new(Op::Empty, [Expr::local(end)])];
        let lifted = slide.through.iter().all(|condition| self.is_lifted(condition, end));
        plain
            && lifted
            && way.to == Expr::local(end)
            && self.shifts[slide.direction][0]
                .as_ref()
                .is_some_and(|shifts| shifts.iter().all(|shift| shift.0.len() == 1))
            && self.counts_by_player()
            && self.lines[slide.direction].is_some()
    }

    /// Whether sets are counted by a function for each player.
    pub(super) fn counts_by_player(&self) -> bool {
        self.memory.players <= 2
    }

    /// Where a slide started that ends on a site, behind so many obstacles: the table of steps back is given.
    pub(super) fn walked_back(&self, body: &mut Body, row: V, end: V, hops: usize) -> V {
        let site = body.bind(end);
        for _ in 0..=hops {
            body.repeat(|body, out| {
                body.set(site, (row + site * 2).load(Width::U16, 0));
                body.when(self.owner(site).ne(0) | site.eqz(), |body| body.go(out));
            });
        }
        site
    }
}

impl Code<'_, '_> {
    /// The ends of all slides that start from the sites of a set.
    pub(super) fn slid(&mut self, from: &Words, sliding: Sliding<'_>) -> Words {
        let slide = sliding.slide;
        let end = Local::from_index(1);
        let all = self.all_sites();
        let free: Vec<Words> = slide.through.iter().filter_map(|condition| self.lift(end, condition)).collect();
        let free = self.within(all, free);
        let mut start = from.clone();
        for hop in &slide.hops {
            let (_, reached) = self.passed(slide.direction, &start, &free);
            start = self.meeting(end, reached, hop);
        }
        let (passed, reached) = self.passed(slide.direction, &start, &free);
        let passed = sliding.passes.map(|slide| self.meeting(end, passed, &slide.ends));
        let stopped = sliding.stops.map(|slide| self.meeting(end, reached, &slide.ends));
        match (passed, stopped) {
            (Some(a), Some(b)) => self.built(&|word| word(&a) | word(&b)),
            (Some(set), None) | (None, Some(set)) => set,
            (None, None) => unreachable!("a slide ends"),
        }
    }

    /// The free sites that are passed from a start on, and those that lie one step from it or from them.
    fn passed(&mut self, direction: Direction, start: &Words, free: &Words) -> (Words, Words) {
        let compiler = self.compiler;
        let first = self.shifted(start, direction);
        let mut passed = self.built(&|word| word(&first) & word(free));
        let shifts = compiler.shifts[direction][0].as_ref().expect("lines move alike where slides are sets");
        let shift = &shifts[self.player.expect("slides are counted for each player") as usize - 1].0[0];
        let steps = compiler.lines[direction].expect("lines end where slides are sets");
        // The sites to which a step leads that are free.
        let masks = shifted_words(&shift.movable.iter().map(|&word| c64(word)).collect::<Vec<_>>(), shift.by);
        let mut open = self.each_word(|index, word| word(free, index) & masks[index].clone());
        let mut by = shift.by;
        let mut covered = 1;
        while covered < steps {
            let (before, further) = (passed.clone(), self.moved(&passed, by));
            passed = self.built(&|word| word(&before) | (word(&open) & word(&further)));
            covered *= 2;
            if covered < steps {
                let (before, further) = (open.clone(), self.moved(&open, by));
                open = self.built(&|word| word(&before) & word(&further));
            }
            by *= 2;
        }
        let next = self.shifted(&passed, direction);
        (passed, self.built(&|word| word(&first) | word(&next)))
    }

    /// The bits of a small set moved by so many places.
    fn moved(&mut self, set: &Words, by: i64) -> Words {
        let Words::Locals(words) = set else { unreachable!("slides are sets on small boards") };
        let moved = shifted_words(&words.iter().map(|&word| word.into()).collect::<Vec<Ex>>(), by);
        Words::Locals(moved.into_iter().map(|word| self.body.bind(word)).collect())
    }

    /// A small set made word by word.
    fn each_word(&mut self, of: impl Fn(usize, &dyn Fn(&Words, usize) -> Ex) -> Ex) -> Words {
        let word = |set: &Words, index: usize| match set {
            Words::Locals(words) => words[index].into(),
            Words::At(_) => unreachable!("slides are sets on small boards"),
        };
        let count = self.compiler.memory.words as usize;
        Words::Locals((0..count).map(|index| self.body.bind(of(index, &word))).collect())
    }
}
