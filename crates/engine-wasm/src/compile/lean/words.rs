//! Sets of sites as words in local variables, and what rules ask of them, for one player and one turn, which are fixed: where a
//! step leads is a shift by a fixed number of bits then, and a zone is a number.

use std::collections::BTreeMap;

use dagaz_base::Id;
use dagaz_board::{Direction, Site, SiteSet};
use dagaz_ir::{Compass, Expr, Local, Op, Player, Type};

use crate::compile::Compiler;
use crate::compile::lean::place::Place;
use crate::compile::set::shifted_words;
use crate::low::{Body, Ex, V, c64, pick, select};

/// How many operations on words a game may take: with more the code would be larger than it is worth.
const MOST_WORK: usize = 12_000;

/// A fixed set of sites.
pub(super) type Bits = Vec<u64>;

/// A set of sites that is computed: its words, each of which costs nothing to name, and the sites that can be in it at all.
#[derive(Clone, Debug)]
pub(super) struct Set {
    pub(super) words: Vec<Ex>,
    pub(super) within: Bits,
}

/// What the locals of a program are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    Site(Place),
    Number(i32),
    /// A truth value for each site that everything is said of.
    Truth(Vec<V>),
}

pub(super) type Names = BTreeMap<Local, Bound>;

/// The pieces: for each owner and kind the words of a set; and for each how many wait off the board.
#[derive(Clone, Debug)]
pub(super) struct Pieces {
    pub(super) sets: Vec<Vec<Vec<V>>>,
    pub(super) hands: Option<Vec<Vec<V>>>,
}

impl Pieces {
    /// All variables, in an order of their own.
    pub(super) fn variables(&self) -> Vec<V> {
        let hands = self.hands.iter().flatten().flatten().copied();
        self.sets.iter().flatten().flatten().copied().chain(hands).collect()
    }

    /// The same with other variables, in that order.
    pub(super) fn with(&self, variables: &[V]) -> Self {
        let mut pieces = self.clone();
        let places = pieces.sets.iter_mut().flatten().flatten();
        let places = places.chain(pieces.hands.iter_mut().flatten().flatten());
        places.zip(variables).for_each(|(place, &variable)| *place = variable);
        pieces
    }

    pub(super) fn copy_to(&self, body: &mut Body, other: &Self) {
        self.variables().into_iter().zip(other.variables()).for_each(|(from, to)| body.set(to, from));
    }
}

/// What is asked, of what.
pub(super) struct Scene<'a, 'r> {
    pub(super) compiler: &'a Compiler<'r>,
    pub(super) body: &'a mut Body,
    pub(super) pieces: &'a Pieces,
    pub(super) me: Player,
    pub(super) to_move: Player,
    /// Whether the player to move has no move, where that is known.
    pub(super) stuck: Option<bool>,
    /// How many times this state has stood, now included.
    pub(super) stood: Ex,
    /// An owner who surely has a piece on the board before the step, where one is known.
    pub(super) present: Option<Player>,
    /// The sites that matter: what is said of others need not be right.
    pub(super) relevant: Bits,
    /// What is known of these.
    pub(super) facts: Vec<Fact>,
    /// Operations so far.
    pub(super) work: usize,
}

/// Whether a condition on a place is true for all sites that matter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fact {
    pub(super) op: Op,
    pub(super) place: Place,
    pub(super) holds: bool,
}

impl Set {
    pub(super) fn fixed(bits: Bits) -> Self {
        Self { words: bits.iter().map(|&word| c64(word)).collect(), within: bits }
    }

    /// Whether it is known to have no site.
    pub(super) fn is_empty(&self) -> bool {
        self.within.iter().all(|&word| word == 0)
    }

    /// Whether it has a site.
    pub(super) fn some(&self) -> Ex {
        if self.is_empty() {
            return 0.into();
        }
        let all = self.words.iter().cloned().reduce(|a, b| a | b);
        all.expect("a set has a word").ne(c64(0))
    }

    pub(super) fn count(&self) -> Ex {
        let words = self.words.iter().zip(&self.within).filter(|(_, within)| **within != 0);
        let sum = words.map(|(word, _)| word.clone().popcnt()).reduce(|a, b| a + b);
        sum.map_or(0.into(), Ex::wrap)
    }
}

pub(super) fn both(a: &[u64], b: &[u64]) -> Bits {
    a.iter().zip(b).map(|(a, b)| a & b).collect()
}

pub(super) fn either(a: &[u64], b: &[u64]) -> Bits {
    a.iter().zip(b).map(|(a, b)| a | b).collect()
}

pub(super) fn has(bits: &[u64], site: i64) -> bool {
    usize::try_from(site).is_ok_and(|site| bits.get(site / 64).is_some_and(|word| word >> (site % 64) & 1 == 1))
}

/// The only site that a condition is about, where it names one and no other, and makes no choice among sites.
fn only_site(expr: &Expr) -> Option<Site> {
    let mut sites = Vec::new();
    let about_pieces = |op| matches!(op, Op::Empty | Op::Mine | Op::Friend | Op::Enemy | Op::Neutral | Op::Read(_));
    let open = |part: &Expr| matches!(part.op, Op::Local(_) | Op::AllSites | Op::NoSites | Op::ZoneSites(_));
    fn look(expr: &Expr, sites: &mut Vec<Site>) {
        if let Op::Site(site) = expr.op {
            sites.push(site);
        }
        expr.args.iter().for_each(|arg| look(arg, sites));
    }
    look(expr, &mut sites);
    let first = *sites.first()?;
    let asks = expr.any(&|part| about_pieces(part.op)) && !expr.any(&open);
    (asks && expr.op.result() == Type::Bool && sites.iter().all(|&site| site == first)).then_some(first)
}

/// The same with a local in place of every site of the board that is named.
fn said_of(expr: &Expr, local: Local) -> Expr {
    match expr.op {
        Op::Site(_) => Expr::local(local),
        op => Expr::new(op, expr.args.iter().map(|arg| said_of(arg, local)).collect::<Vec<_>>()),
    }
}

impl<'a, 'r> Scene<'a, 'r> {
    pub(super) fn new(
        compiler: &'a Compiler<'r>,
        body: &'a mut Body,
        pieces: &'a Pieces,
        me: Player,
        to_move: Player,
    ) -> Self {
        let facts = Vec::new();
        let mut scene = Self {
            compiler,
            body,
            pieces,
            me,
            to_move,
            stuck: None,
            stood: 1.into(),
            present: None,
            relevant: Vec::new(),
            facts,
            work: 0,
        };
        scene.relevant = scene.all();
        scene
    }
}

impl Scene<'_, '_> {
    fn words(&self) -> usize {
        self.compiler.memory.words as usize
    }

    pub(super) fn none(&self) -> Bits {
        vec![0; self.words()]
    }

    pub(super) fn all(&self) -> Bits {
        self.chosen_bits(|_| true)
    }

    /// The sites of which something is true.
    pub(super) fn chosen_bits(&self, is: impl Fn(i64) -> bool) -> Bits {
        let mut bits = self.none();
        for site in (0..self.compiler.memory.sites).filter(|&site| is(site.into())) {
            bits[site as usize / 64] |= 1 << (site % 64);
        }
        bits
    }

    fn bits_of(&self, set: &SiteSet) -> Bits {
        let bytes = crate::memory::set_bytes(set, self.words());
        bytes.chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().expect("eight bytes"))).collect()
    }

    /// A set whose words are in variables, so that naming them costs nothing.
    pub(super) fn held(&mut self, words: Vec<Ex>, within: Bits) -> Set {
        let hold = |(word, &within): (Ex, &u64)| match word {
            _ if within == 0 => c64(0),
            Ex::C64(_) | Ex::Local(_) => word,
            word => {
                self.work += 1;
                self.body.bind(word).into()
            }
        };
        let words = words.into_iter().zip(&within).map(hold).collect();
        Set { words, within }
    }

    pub(super) fn meet(&mut self, a: &Set, b: &Set) -> Set {
        let words = a.words.iter().zip(&b.words).map(|(a, b)| a.clone() & b.clone()).collect();
        self.held(words, both(&a.within, &b.within))
    }

    pub(super) fn join(&mut self, a: &Set, b: &Set) -> Set {
        let words = a.words.iter().zip(&b.words).map(|(a, b)| a.clone() | b.clone()).collect();
        self.held(words, either(&a.within, &b.within))
    }

    pub(super) fn complement(&mut self, set: &Set) -> Set {
        let all = self.all();
        let words: Vec<Ex> = set
            .words
            .iter()
            .zip(&all)
            .map(|(word, &all)| match word {
                Ex::C64(word) => c64(!*word as u64 & all),
                word => word.clone() ^ c64(all),
            })
            .collect();
        let known = |(word, &all): (&Ex, &u64)| if let Ex::C64(word) = word { *word as u64 } else { all };
        let within = words.iter().zip(&all).map(known).collect();
        self.held(words, within)
    }

    fn without(&mut self, a: &Set, b: &Set) -> Set {
        let rest = self.complement(b);
        self.meet(a, &rest)
    }

    /// The set where a number is not 0, else none.
    pub(super) fn if_so(&mut self, bits: Bits, condition: Ex) -> Set {
        match condition {
            Ex::C32(0) => Set::fixed(self.none()),
            Ex::C32(_) => Set::fixed(bits),
            condition => {
                let condition = self.body.bind(condition);
                let words = bits.iter().map(|&word| select(condition, c64(word), c64(0))).collect();
                self.held(words, bits)
            }
        }
    }

    /// Gives up when the code becomes too large.
    fn affordable(&self) -> Option<()> {
        (self.work < MOST_WORK).then_some(())
    }

    /// The site that everything is said of.
    pub(super) fn here(&self) -> Place {
        Place::shifted(0, &self.all())
    }

    pub(super) fn nowhere(&self) -> Place {
        Place::nowhere()
    }

    /// One step further.
    pub(super) fn step(&self, place: &Place, direction: Direction, back: bool) -> Option<Place> {
        let shift = &self.compiler.shifts[direction][usize::from(back)].as_ref()?[self.me.index()];
        let step = shift.0.iter().fold(Place::nowhere(), |step, part| step.or(part.by, &part.movable));
        Some(place.then(&step))
    }

    pub(super) fn place(&mut self, names: &Names, expr: &Expr) -> Option<Place> {
        let place = self.path(names, expr)?;
        Some(self.plain(place))
    }

    /// A place that is at one distance wherever it matters is there.
    pub(super) fn plain(&self, place: Place) -> Place {
        let everywhere = place.distance_from(&self.relevant).filter(|_| self.relevant != self.none());
        everywhere.map_or(place, |by| Place::shifted(by, &self.all()))
    }

    /// The sites from which a place is on the board.
    fn from(&self, place: &Place) -> Bits {
        self.chosen_bits(|site| place.of(site).is_some())
    }

    fn path(&mut self, names: &Names, expr: &Expr) -> Option<Place> {
        let args = &expr.args;
        match expr.op {
            Op::Nowhere => Some(self.nowhere()),
            Op::Local(local) => match names.get(&local)? {
                Bound::Site(place) => Some(place.clone()),
                Bound::Number(_) | Bound::Truth(_) => None,
            },
            Op::Step(direction) | Op::StepBack(direction) => {
                let place = self.place(names, &args[0])?;
                self.step(&place, direction, matches!(expr.op, Op::StepBack(_)))
            }
            Op::OrElse => {
                let first = self.place(names, &args[0])?;
                if first.is_on_board_from(&self.all()) {
                    return Some(first);
                }
                let second = self.place(names, &args[1])?;
                if first == self.nowhere() { Some(second) } else { (first == second).then_some(first) }
            }
            _ => None,
        }
    }

    /// The sites whose place is in a set.
    fn seen_from(&mut self, place: &Place, set: &Set) -> Set {
        let part = |(by, from): (i64, &Bits)| {
            let words = shifted_words(&set.words, -by);
            words.into_iter().zip(from).map(|(word, &from)| word & c64(from)).collect()
        };
        let words = self.joined(place.parts().map(part).collect());
        let within = self.chosen_bits(|site| place.of(site).is_some_and(|there| has(&set.within, there)));
        self.held(words, within)
    }

    /// The places of the sites of a set.
    pub(super) fn sent_to(&mut self, place: &Place, set: &Set) -> Set {
        let mut parts = Vec::new();
        let mut within = self.none();
        for (by, from) in place.parts() {
            let able = self.meet(set, &Set::fixed(from.clone()));
            within = either(&within, &self.chosen_bits(|site| has(&able.within, site - by)));
            parts.push(shifted_words(&able.words, by));
        }
        let words = self.joined(parts);
        self.held(words, within)
    }

    /// The words of what is in any of some sets.
    fn joined(&self, sets: Vec<Vec<Ex>>) -> Vec<Ex> {
        let join = |a: Vec<Ex>, b: Vec<Ex>| a.into_iter().zip(b).map(|(a, b)| a | b).collect();
        sets.into_iter().reduce(join).unwrap_or_else(|| vec![c64(0); self.words()])
    }

    /// Where pieces of some owners and kinds stand.
    pub(super) fn standing(&mut self, is: impl Fn(usize, usize) -> bool) -> Set {
        let pieces = self.pieces;
        let mut words = vec![c64(0); self.words()];
        for (owner, kinds) in pieces.sets.iter().enumerate() {
            for (_, set) in kinds.iter().enumerate().filter(|&(kind, _)| is(owner, kind)) {
                words = words.into_iter().zip(set).map(|(word, &own)| word | own).collect();
            }
        }
        let all = self.all();
        self.held(words, all)
    }

    /// Takes away what stands on some sites, of some owners and kinds.
    pub(super) fn take(&mut self, sites: &Set, is: impl Fn(usize, usize) -> bool) {
        let rest: Vec<Ex> = sites.words.iter().map(|word| word.clone() ^ c64(u64::MAX)).collect();
        let rest = self.held(rest, vec![u64::MAX; sites.words.len()]);
        for (owner, kinds) in self.pieces.sets.iter().enumerate() {
            for (_, set) in kinds.iter().enumerate().filter(|&(kind, _)| is(owner, kind)) {
                for (index, &word) in set.iter().enumerate().filter(|&(index, _)| sites.within[index] != 0) {
                    self.body.set(word, word & rest.words[index].clone());
                }
            }
        }
    }

    /// Puts pieces on some sites.
    pub(super) fn put(&mut self, sites: &Set, owner: usize, kind: usize) {
        for (index, &word) in self.pieces.sets[owner][kind].iter().enumerate() {
            self.body.set(word, word | sites.words[index].clone());
        }
    }

    /// Gives the pieces on some sites other owners and kinds.
    pub(super) fn change(&mut self, sites: &Set, to: impl Fn(usize, usize) -> (usize, usize)) {
        let mut changed = Vec::new();
        for (owner, kinds) in self.pieces.sets.iter().enumerate() {
            for (kind, set) in kinds.iter().enumerate().filter(|&(kind, _)| to(owner, kind) != (owner, kind)) {
                let words = set.iter().zip(&sites.words).map(|(&word, site)| word & site.clone()).collect();
                let set = self.held(words, sites.within.clone());
                changed.push((set, (owner, kind)));
            }
        }
        for (set, (owner, kind)) in &changed {
            self.take(set, |of, own| (of, own) == (*owner, *kind));
        }
        for (set, (owner, kind)) in changed {
            let (owner, kind) = to(owner, kind);
            self.put(&set, owner, kind);
        }
    }

    fn empty(&mut self) -> Set {
        let taken = self.standing(|_, _| true);
        self.complement(&taken)
    }

    /// The first site of a set, as a set of its own.
    pub(super) fn first(&mut self, set: &Set) -> Set {
        let mut none_before: Option<Ex> = None;
        let mut words = Vec::new();
        for word in &set.words {
            let lowest = word.clone() & (c64(0) - word.clone());
            words.push(match &none_before {
                None => lowest,
                Some(none) => select(none.clone(), lowest, c64(0)),
            });
            let none = word.clone().eq(c64(0));
            let none = none_before.map_or(none.clone(), |before| before & none);
            none_before = Some(self.body.bind(none).into());
        }
        self.held(words, set.within.clone())
    }

    /// Whether all pieces of an owner are in a set.
    pub(super) fn has_all_of(&self, owner: Player, set: &Expr) -> bool {
        let (Op::Where(local), [all, condition]) = (set.op, &set.args[..]) else { return false };
        let info = &self.compiler.rules.players[self.me];
        let of_here = |part: &Expr| part.args.first().is_some_and(|site| site.op == Op::Local(local));
        let holds = |part: &Expr| match part.op {
            Op::Not => part.args[0].op == Op::Empty && of_here(&part.args[0]),
            Op::Mine => owner == self.me && of_here(part),
            Op::Friend => info.friends.contains(&owner) && of_here(part),
            Op::Enemy => info.enemies.contains(&owner) && of_here(part),
            _ => false,
        };
        let parts = if condition.op == Op::And { &condition.args[..] } else { std::slice::from_ref(condition) };
        all.op == Op::AllSites && parts.iter().all(holds)
    }

    fn owned(&mut self, is: impl Fn(Player) -> bool) -> Set {
        self.standing(|owner, _| is(Player::from_index(owner)))
    }

    /// The sites for which a condition is true.
    pub(super) fn condition(&mut self, names: &Names, expr: &Expr) -> Option<Set> {
        self.affordable()?;
        let args = &expr.args;
        let rules = self.compiler.rules;
        let me = self.me;
        match expr.op {
            Op::Not => {
                let set = self.condition(names, &args[0])?;
                Some(self.complement(&set))
            }
            Op::And | Op::Or => {
                if expr.op == Op::And
                    && let Some(set) = self.row(names, args)
                {
                    return Some(set);
                }
                let all = if expr.op == Op::And { self.all() } else { self.none() };
                let mut joined = Set::fixed(all);
                for arg in args {
                    if expr.op == Op::And && joined.is_empty() {
                        break;
                    }
                    let set = self.condition(names, arg)?;
                    joined = if expr.op == Op::And { self.meet(&joined, &set) } else { self.join(&joined, &set) };
                }
                Some(joined)
            }
            Op::Local(local) => match names.get(&local)? {
                Bound::Truth(words) => {
                    Some(Set { words: words.iter().map(|&word| word.into()).collect(), within: self.all() })
                }
                Bound::Site(_) | Bound::Number(_) => None,
            },
            Op::Empty | Op::Mine | Op::Friend | Op::Enemy | Op::Neutral | Op::OnBoard | Op::InZone(_) => {
                let place = self.place(names, &args[0])?;
                if let Some(holds) = self.known(expr.op, &place) {
                    return Some(Set::fixed(if holds { self.all() } else { self.none() }));
                }
                let info = &rules.players[me];
                let (friends, enemies) = (&info.friends, &info.enemies);
                let set = match expr.op {
                    Op::Empty => self.empty(),
                    Op::Mine => self.owned(|owner| owner == me),
                    Op::Friend => self.owned(|owner| friends.contains(&owner)),
                    Op::Enemy => self.owned(|owner| enemies.contains(&owner)),
                    Op::Neutral => self.owned(|owner| !friends.contains(&owner) && !enemies.contains(&owner)),
                    Op::InZone(zone) => self.zone(zone),
                    _ => return Some(Set::fixed(self.from(&place))),
                };
                Some(self.seen_from(&place, &set))
            }
            Op::Contains => {
                let place = self.place(names, &args[1])?;
                let set = self.set(names, &args[0])?;
                Some(self.seen_from(&place, &set))
            }
            Op::Same => {
                let (a, b) = (self.place(names, &args[0])?, self.place(names, &args[1])?);
                Some(Set::fixed(self.chosen_bits(|site| a.of(site) == b.of(site))))
            }
            Op::Equal => match args.iter().position(|arg| matches!(arg.op, Op::Read(_))) {
                Some(read) => self.reads(names, &args[read], &args[1 - read]),
                None => self.everywhere(expr),
            },
            _ => self.everywhere(expr),
        }
    }

    /// The sites from which on own pieces stand in a row: two in a row of two are a row of four.
    fn row(&mut self, names: &Names, parts: &[Expr]) -> Option<Set> {
        if parts.len() < 3 || parts.iter().any(|part| part.op != Op::Mine) {
            return None;
        }
        let places: Option<Vec<Place>> = parts.iter().map(|part| self.place(names, &part.args[0])).collect();
        let places = places?;
        let last = self.from(&places[places.len() - 1]);
        let step = &places[1];
        let even = places[0].distance_from(&last) == Some(0)
            && places.windows(2).all(|pair| pair[0].then(step).limited_to(&last) == pair[1].limited_to(&last));
        if !even || *step == self.here() {
            return None;
        }
        let me = self.me;
        let own = self.owned(|owner| owner == me);
        let (mut row, mut length) = (own, 1);
        while length < places.len() {
            let more = length.min(places.len() - length);
            // What lies beyond the board is taken out at last.
            let further = match places[more].distance_from(&last) {
                Some(by) => shifted_words(&row.words, -by),
                None => self.seen_from(&places[more], &row).words,
            };
            let joined = row.words.into_iter().zip(further).map(|(word, other)| word & other).collect();
            row = self.held(joined, row.within);
            length += more;
        }
        let words = row.words.into_iter().zip(&last).map(|(word, &last)| word & c64(last)).collect();
        Some(self.held(words, last))
    }

    /// Whether it is known that a condition on a place is true.
    fn known(&self, op: Op, place: &Place) -> Option<bool> {
        let info = &self.compiler.rules.players[self.me];
        let apart = !info.friends.iter().any(|friend| info.enemies.contains(friend));
        let own = info.friends.contains(&self.me);
        let mut facts = self.facts.iter().filter(|fact| fact.place == *place);
        facts.find_map(|fact| match (fact.op, op) {
            (known, asked) if known == asked => Some(fact.holds),
            _ if !fact.holds => None,
            (Op::Empty, Op::Mine | Op::Friend | Op::Enemy | Op::Neutral) => Some(false),
            (Op::Mine | Op::Friend | Op::Enemy | Op::Neutral, Op::Empty) => Some(false),
            (Op::Enemy, Op::Friend) | (Op::Friend, Op::Enemy) if apart => Some(false),
            (Op::Enemy, Op::Mine) | (Op::Mine, Op::Enemy) if apart && own => Some(false),
            (Op::Mine, Op::Friend) if own => Some(true),
            _ => None,
        })
    }

    /// A condition that is true for all sites or for none.
    fn everywhere(&mut self, expr: &Expr) -> Option<Set> {
        let value = self.value(expr)?;
        let all = self.all();
        Some(self.if_so(all, value))
    }

    fn zone(&mut self, zone: dagaz_board::Zone) -> Set {
        let info = &self.compiler.rules.zones[zone];
        let bits = info.sites.get(self.me).map_or_else(|| self.none(), |sites| self.bits_of(sites));
        Set::fixed(bits)
    }

    /// The sites whose owner or kind is a number.
    fn reads(&mut self, names: &Names, read: &Expr, value: &Expr) -> Option<Set> {
        let Op::Read(field) = read.op else { return None };
        let known = self.compiler.memory.known;
        let Ex::C32(number) = self.value(value)? else { return None };
        let place = self.place(names, &read.args[0])?;
        let set = match usize::try_from(number) {
            // Nowhere has number 0, too.
            Ok(0) if field == known.owner || field == known.kind => {
                let taken = self.standing(|_, _| true);
                let taken = self.seen_from(&place, &taken);
                return Some(self.complement(&taken));
            }
            Ok(number) if field == known.owner => self.standing(|owner, _| owner + 1 == number),
            Ok(number) if field == known.kind => self.standing(|_, kind| kind + 1 == number),
            Err(_) if field == known.owner || field == known.kind => Set::fixed(self.none()),
            _ => return None,
        };
        Some(self.seen_from(&place, &set))
    }

    /// A set of sites that does not depend on a site.
    pub(super) fn set(&mut self, names: &Names, expr: &Expr) -> Option<Set> {
        self.affordable()?;
        let args = &expr.args;
        match expr.op {
            Op::AllSites => Some(Set::fixed(self.all())),
            Op::NoSites => Some(Set::fixed(self.none())),
            Op::ZoneSites(zone) => Some(self.zone(zone)),
            Op::Union | Op::Intersection | Op::Difference => {
                let (a, b) = (self.set(names, &args[0])?, self.set(names, &args[1])?);
                Some(match expr.op {
                    Op::Union => self.join(&a, &b),
                    Op::Intersection => self.meet(&a, &b),
                    _ => self.without(&a, &b),
                })
            }
            Op::Where(local) => self.chosen(names, local, args),
            Op::Shift(direction) => {
                let set = self.set(names, &args[0])?;
                let place = self.step(&self.here(), direction, false)?;
                Some(self.sent_to(&place, &set))
            }
            Op::Neighbours(compass) => {
                let set = self.set(names, &args[0])?;
                self.neighbours(compass, &set)
            }
            Op::Flood(compass) => {
                let (start, within) = (self.set(names, &args[0])?, self.set(names, &args[1])?);
                self.flood(compass, &start, &within)
            }
            _ => None,
        }
    }

    /// The sites of a set for which a condition is true.
    fn chosen(&mut self, names: &Names, local: Local, args: &[Expr]) -> Option<Set> {
        let set = self.set(names, &args[0])?;
        let inside = Names::from([(local, Bound::Site(self.here()))]);
        // Everything is said of the members of the set for a while.
        let outer = (std::mem::replace(&mut self.relevant, set.within.clone()), std::mem::take(&mut self.facts));
        let condition = self.condition(&inside, &args[1]);
        (self.relevant, self.facts) = outer;
        Some(self.meet(&set, &condition?))
    }

    pub(super) fn neighbours(&mut self, compass: Compass, set: &Set) -> Option<Set> {
        let mut found = Set::fixed(self.none());
        for &direction in &self.compiler.rules.compasses[compass] {
            let place = self.step(&self.here(), direction, false)?;
            let shifted = self.sent_to(&place, set);
            found = self.join(&found, &shifted);
        }
        Some(found)
    }

    /// What can be reached from a set through another: as many waves as it takes.
    fn flood(&mut self, compass: Compass, start: &Set, within: &Set) -> Option<Set> {
        let first = self.meet(start, within);
        let found: Vec<V> = first.words.iter().map(|word| self.body.bind(word.clone())).collect();
        self.spread(compass, &found, &first, within)?;
        Some(Set { words: found.into_iter().map(Ex::from).collect(), within: self.all() })
    }

    /// Adds to a set that is closed but for some of its sites what can be reached from these through another.
    pub(super) fn spread(&mut self, compass: Compass, found: &[V], fresh: &Set, within: &Set) -> Option<()> {
        let wave: Vec<V> = fresh.words.iter().map(|word| self.body.bind(word.clone())).collect();
        let (again, out) = (self.body.label(), self.body.label());
        self.body.open_block();
        let all = self.all();
        let now = Set { words: wave.iter().map(|&word| word.into()).collect(), within: all.clone() };
        let done = now.some().eqz();
        self.body.when(done, |body| body.go(out));
        self.compiler.tick(self.body);
        let next = self.neighbours(compass, &now);
        if let Some(next) = &next {
            let known = Set { words: found.iter().map(|&word| word.into()).collect(), within: all };
            let next = self.meet(next, within);
            let next = self.without(&next, &known);
            for (index, word) in next.words.into_iter().enumerate() {
                self.body.set(wave[index], word);
                self.body.set(found[index], found[index] | wave[index]);
            }
        }
        self.body.go(again);
        let statements = self.body.close_block();
        self.body.push(crate::low::Stmt::Block(out, vec![crate::low::Stmt::Loop(again, statements)]));
        next.map(|_| ())
    }

    /// Whether a condition on one site of the board is true: it is said of that site as of any other.
    fn at_site(&mut self, expr: &Expr, site: Site) -> Option<Ex> {
        let local = Local::from_index(0);
        let names = Names::from([(local, Bound::Site(self.here()))]);
        let site = site.index() as i64;
        let only = self.chosen_bits(|other| other == site);
        let outer = (std::mem::replace(&mut self.relevant, only), std::mem::take(&mut self.facts));
        let condition = self.condition(&names, &said_of(expr, local));
        (self.relevant, self.facts) = outer;
        let word = condition?.words.swap_remove(site as usize / 64);
        Some(word.shr_u(c64(site as u64 % 64)).wrap() & 1)
    }

    /// A number or a truth value that does not depend on a site.
    pub(super) fn value(&mut self, expr: &Expr) -> Option<Ex> {
        self.affordable()?;
        let args = &expr.args;
        let names = Names::new();
        if let Some(site) = only_site(expr) {
            return self.at_site(expr, site);
        }
        match expr.op {
            Op::Int(number) => Some(number.into()),
            Op::Bool(truth) => Some(i32::from(truth).into()),
            Op::Kind(kind) => Some((kind.index() as i32 + 1).into()),
            Op::Player(player) => Some((player.index() as i32 + 1).into()),
            Op::Me => Some((self.me.index() as i32 + 1).into()),
            Op::ToMove => Some((self.to_move.index() as i32 + 1).into()),
            Op::Repetitions => Some(self.stood.clone()),
            Op::Equal if args.iter().any(|arg| arg.op == Op::MoveCount) => {
                let zero = args.iter().any(|arg| arg.op == Op::Int(0));
                let stuck = self.stuck?;
                zero.then(|| i32::from(stuck).into())
            }
            Op::Add | Op::Subtract | Op::Multiply | Op::Equal | Op::Less | Op::AtMost => {
                let (a, b) = (self.value(&args[0])?, self.value(&args[1])?);
                Some(match expr.op {
                    Op::Add => a + b,
                    Op::Subtract => a - b,
                    Op::Multiply => a * b,
                    Op::Equal => a.eq(b),
                    Op::Less => a.lt_s(b),
                    _ => a.le_s(b),
                })
            }
            Op::And | Op::Or => {
                let (neutral, decisive) = if expr.op == Op::And { (1, 0) } else { (0, 1) };
                let mut parts: Vec<Ex> = Vec::new();
                for arg in args {
                    match self.value(arg)? {
                        Ex::C32(truth) if truth == decisive => return Some(decisive.into()),
                        Ex::C32(_) => {}
                        part => parts.push(part),
                    }
                }
                let join = |a: Ex, b: Ex| if neutral == 1 { a & b } else { a | b };
                Some(parts.into_iter().map(Ex::truth).reduce(join).unwrap_or(neutral.into()))
            }
            Op::Not => Some(self.value(&args[0])?.eqz()),
            Op::Truth => self.value(&args[0]),
            Op::Pick => {
                let condition = self.value(&args[0])?;
                let (yes, no) = (self.value(&args[1])?, self.value(&args[2])?);
                Some(pick(condition, yes, no))
            }
            Op::Count => Some(self.set(&names, &args[0])?.count()),
            Op::Any(local) => Some(self.chosen(&names, local, args)?.some()),
            Op::Every(local) => {
                let negated = [args[0].clone(), args[1].clone().negated()];
                Some(self.chosen(&names, local, &negated)?.some().eqz())
            }
            _ => None,
        }
    }
}
