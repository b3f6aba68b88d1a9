//! Which moves can change whether a piece that may not be attacked is attacked: those that take a piece from certain sites or put one
//! on certain others, which is seen by one look at all that could strike it. The others leave the answer as it is, and need not be
//! tried.
//!
//! This is about moves that take one piece of the mover from one site and put it on another, or one from his hand on the board.

use dagaz_base::Id;
use dagaz_ir::strikes::Strike;
use dagaz_ir::{Expr, Kind, Local, MoveType, Op};

use crate::low::{Body, Ex, Fun, Global, Label, Module, Stmt as Low, Ty, V, Width, c64, pick, select};

use super::Compiler;
use super::program::Code;
use super::set::SMALL;

/// An invariant: none of the mover's pieces of some kinds may be attacked.
#[derive(Clone, Debug)]
pub(super) struct Guard {
    /// It is not asked of players of whom one of these is true.
    unless: Vec<Expr>,
    kinds: Vec<Kind>,
    of: Option<MoveType>,
}

/// What finds the sites that matter.
#[derive(Clone, Debug)]
pub(super) struct Watch {
    /// The kinds of pieces that may not be attacked.
    pub(super) kinds: Vec<Kind>,
    /// Gives whether some such piece is attacked now, and writes the sets.
    pub(super) look: Fun,
    /// A piece that goes from one of these sites may change that; so may one that comes to one of the others: words of sets.
    pub(super) from: Vec<Global>,
    pub(super) to: Vec<Global>,
    /// Whether a piece that comes to some site can be an attack: behind an obstacle, or as a condition of it.
    pub(super) opens: bool,
    /// Whether it can be one by nothing but that it came there last.
    pub(super) recent: bool,
}

impl Compiler<'_> {
    /// The invariants, if all are such; nothing when some is something else.
    fn guards(&self) -> Option<Vec<Guard>> {
        let all = self.rules.invariants.iter().map(|invariant| self.guard(&invariant.condition.body));
        Some(all.collect::<Option<Vec<_>>>()?.into_iter().flatten().collect())
    }

    fn guard(&self, condition: &Expr) -> Option<Vec<Guard>> {
        let args = &condition.args;
        match condition.op {
            Op::Bool(true) => Some(Vec::new()),
            Op::And => Some(args.iter().map(|arg| self.guard(arg)).collect::<Option<Vec<_>>>()?.concat()),
            Op::Or => {
                let (unless, rest): (Vec<&Expr>, Vec<&Expr>) = args.iter().partition(|arg| is_of_player(arg));
                let [only] = rest[..] else { return None };
                let mut guards = self.guard(only)?;
                guards.iter_mut().for_each(|guard| guard.unless.extend(unless.iter().copied().cloned()));
                Some(guards)
            }
            Op::Not => {
                let Op::Any(local) = args[0].op else { return None };
                let mut said = Said::default();
                self.said_of_set(&args[0].args[0], &mut said)?;
                self.said_of(&args[0].args[1], local, &mut said)?;
                let Said { mine: true, kinds: Some(kinds), of: Some(of) } = said else { return None };
                Some(vec![Guard { unless: Vec::new(), kinds, of }])
            }
            _ => None,
        }
    }

    fn said_of_set(&self, set: &Expr, said: &mut Said) -> Option<()> {
        match set.op {
            Op::AllSites => Some(()),
            Op::Where(local) => {
                self.said_of_set(&set.args[0], said)?;
                self.said_of(&set.args[1], local, said)
            }
            _ => None,
        }
    }

    /// Takes in what a condition says of a site.
    fn said_of(&self, condition: &Expr, local: Local, said: &mut Said) -> Option<()> {
        let site = Expr::local(local);
        let is_here = |expr: &Expr| expr.args[..] == [site.clone()];
        match condition.op {
            Op::And => condition.args.iter().try_for_each(|arg| self.said_of(arg, local, said)),
            Op::Or if condition.args.len() == 1 => self.said_of(&condition.args[0], local, said),
            Op::Mine if is_here(condition) => {
                said.mine = true;
                Some(())
            }
            Op::Not if condition.args[0].op == Op::Empty && is_here(&condition.args[0]) => Some(()),
            Op::Attacked(of) if is_here(condition) && said.of.is_none() => {
                said.of = Some(of);
                Some(())
            }
            Op::Equal | Op::Or if said.kinds.is_none() => {
                let alternatives =
                    if condition.op == Op::Or { &condition.args[..] } else { std::slice::from_ref(condition) };
                let kind = |alternative: &Expr| {
                    let [a, b] = &alternative.args[..] else { return None };
                    let is_kind = |read: &Expr| read.op == Op::Read(self.memory.known.kind) && is_here(read);
                    match (alternative.op, a.op, b.op) {
                        (Op::Equal, _, Op::Kind(kind)) if is_kind(a) => Some(kind),
                        (Op::Equal, Op::Kind(kind), _) if is_kind(b) => Some(kind),
                        _ => None,
                    }
                };
                said.kinds = Some(alternatives.iter().map(kind).collect::<Option<Vec<_>>>()?);
                Some(())
            }
            _ => None,
        }
    }

    /// What finds the sites that matter to the invariants, if it is known of all of them.
    pub(super) fn watch(&self, module: &mut Module) -> Option<Watch> {
        let guards = self.guards()?;
        if self.memory.words > SMALL || self.memory.known.stack.is_some() {
            return None;
        }
        for guard in &guards {
            let asked = |of: Option<MoveType>| guard.of.is_none() || guard.of == of;
            if self.struck.others.iter().any(|&id| asked(self.rules.rules[id].move_type)) {
                return None;
            }
            for strike in self.strikes_of(guard) {
                self.reads(strike.asked.iter().chain(strike.targets.iter().flatten()))?;
            }
        }
        let words = self.memory.words;
        let mut sets = || (0..words).map(|_| module.global(Ty::I64, 0, None)).collect::<Vec<_>>();
        let (from, to) = (sets(), sets());
        let (mut opens, mut recent) = (false, false);
        for strike in guards.iter().flat_map(|guard| self.strikes_of(guard)) {
            let reads = self.reads(strike.asked.iter().chain(strike.targets.iter().flatten()))?;
            recent |= reads.recent;
            opens |= strike.slide.is_some_and(|line| line.hops > 0) || !reads.places.is_empty() && !reads.recent;
        }
        // Of one adversary, and one site where such a piece stands.
        let mut watch_one = |guard: &Guard| {
            module.function("watch one", &[Ty::I32, Ty::I32], Some(Ty::I32), |body, params| {
                for (index, strike) in self.struck.strikes().iter().enumerate() {
                    if self.strikes_of(guard).any(|other| std::ptr::eq(other, strike)) {
                        self.watch_strikes(body, index, (params[0], params[1]), (&from, &to));
                    }
                }
                body.give(0);
            })
        };
        let ones: Vec<Fun> = guards.iter().map(&mut watch_one).collect();
        let look = module.function("watch", &[], Some(Ty::I32), |body, _| {
            from.iter().chain(&to).for_each(|&word| body.set_global(word, c64(0)));
            let me = body.bind(self.me());
            for (guard, &one) in guards.iter().zip(&ones) {
                self.watch_guard(body, guard, me, one);
            }
            body.give(0);
        });
        let mut kinds: Vec<Kind> = guards.iter().flat_map(|guard| guard.kinds.iter().copied()).collect();
        kinds.sort_unstable();
        kinds.dedup();
        Some(Watch { kinds, look, from, to, opens, recent })
    }

    fn strikes_of<'s>(&'s self, guard: &'s Guard) -> impl Iterator<Item = &'s Strike> {
        let asked = |strike: &&Strike| guard.of.is_none() || strike.move_type == guard.of;
        // What may not be attacked stands there.
        self.struck.strikes().iter().filter(asked).filter(|strike| strike.on_occupied() != Some(false))
    }

    /// What conditions on a site read; nothing when it is more than pieces, and where the last step was made.
    fn reads<'e>(&self, conditions: impl IntoIterator<Item = &'e Expr>) -> Option<Reads> {
        let mut reads = Reads::default();
        conditions.into_iter().try_for_each(|condition| self.read_by(condition, &mut reads))?;
        Some(reads)
    }

    fn read_by(&self, condition: &Expr, reads: &mut Reads) -> Option<()> {
        let args = &condition.args;
        match condition.op {
            Op::Empty | Op::Mine | Op::Friend | Op::Enemy | Op::Neutral | Op::Read(_) | Op::OnBoard | Op::InZone(_) => {
                let piece = |field| self.rules.fields[field].scope == dagaz_ir::Scope::Piece;
                if matches!(condition.op, Op::Read(field) if !piece(field)) {
                    return None;
                }
                let fixed = matches!(condition.op, Op::OnBoard | Op::InZone(_));
                reads.place(&args[0], fixed)
            }
            Op::Same => {
                reads.recent = true;
                reads.place(self.recent(condition)?, false)
            }
            Op::Not | Op::And | Op::Or | Op::Equal | Op::Truth => {
                args.iter().try_for_each(|arg| self.read_by(arg, reads))
            }
            Op::Bool(_) | Op::Kind(_) | Op::Player(_) | Op::Int(_) | Op::Me => Some(()),
            _ => None,
        }
    }

    /// The place of which a condition says that the last step ended or began there.
    fn recent<'e>(&self, condition: &'e Expr) -> Option<&'e Expr> {
        let known = &self.memory.known;
        // Drops begin nowhere, where other places may be too.
        let drops = self.rules.rules.values().any(|rule| rule.trigger == dagaz_ir::Trigger::Drop);
        let is_last = |place: &Expr| {
            let number = place.args.first().filter(|_| place.op == Op::Numbered)?;
            let Op::Get(field) = number.op else { return None };
            let last = known.last_to == Some(field) || known.last_from == Some(field) && !drops;
            Some(last && number.args[..] == [Expr::int(0)])
        };
        match &condition.args[..] {
            [place, last] | [last, place] if condition.op == Op::Same && is_last(last) == Some(true) => Some(place),
            _ => None,
        }
    }

    /// A condition as it is after a step that begins and ends elsewhere.
    fn elsewhere(&self, condition: &Expr) -> Expr {
        if self.recent(condition).is_some() {
            return Expr::leaf(Op::Bool(false));
        }
        let args: Vec<Expr> = condition.args.iter().map(|arg| self.elsewhere(arg)).collect();
        Expr::new(condition.op, args)
    }

    /// Looks at all that could strike a piece that an invariant guards. Gives 1 when one does, and then only what could change that.
    fn watch_guard(&self, body: &mut Body, guard: &Guard, me: V, one: Fun) {
        let memory = &self.memory;
        let bytes = memory.set_bytes();
        let asked = body.bind(1);
        self.with_sites(body, me, |code| {
            for condition in &guard.unless {
                let holds = code.value(condition);
                code.body.set(asked, Ex::from(asked) & holds.eqz());
            }
        });
        for word in 0..memory.words {
            let of_kinds = guard.kinds.iter().map(|kind| {
                let row = memory.kind_sets + (kind.index() as u32 + 1) * bytes;
                Ex::from(0).load(Width::I64, row + word * 8)
            });
            let own = (me * bytes).load(Width::I64, memory.owner_sets + word * 8);
            let royal = own & of_kinds.reduce(|a, b| a | b).unwrap_or(c64(0));
            let rest = body.bind(select(asked, royal, c64(0)));
            body.repeat_while(Ex::from(rest).ne(c64(0)), |body, _| {
                self.tick(body);
                let target = body.bind(rest.ctz().wrap() + (word as i32 * 64 + 1));
                body.set(rest, rest & (rest - c64(1)));
                let (row, stride) = memory.relation_row();
                for player in 1..=memory.players {
                    let enemy = (me * stride + row + player).load(Width::U8, 0) & 2;
                    let attacked = self.ask(one, [(player as i32).into(), target.into()]);
                    body.when(pick(enemy, attacked, 0), |body| body.give(1));
                }
            });
        }
    }

    /// The same for the strikes of one index.
    fn watch_strikes(&self, body: &mut Body, index: usize, (player, target): (V, V), sets: (&[Global], &[Global])) {
        let memory = &self.memory;
        let bytes = memory.set_bytes();
        let strike = &self.struck.strikes()[index];
        let kind = strike.kind.index() as u32 + 1;
        let row = memory.sites * bytes;
        let table = (memory.struck + index as u32 * memory.players * row) as i32 - (row + bytes) as i32;
        let place = body.bind(player * row + target * bytes);
        let starts: Vec<V> = (0..memory.words)
            .map(|word| {
                let of_kind = Ex::from(0).load(Width::I64, memory.kind_sets + kind * bytes + word * 8);
                let own = (player * bytes).load(Width::I64, memory.owner_sets + word * 8);
                body.bind(of_kind & own & (place + (table + word as i32 * 8)).load(Width::I64, 0))
            })
            .collect();
        let some = starts.iter().map(|&word| Ex::from(word)).reduce(|a, b| a | b).expect("a set has a word");
        body.when(some.ne(c64(0)), |body| {
            self.with_sites(body, player, |code| {
                code.at(target.into(), 0.into());
                let about_target = self.reads(strike.targets.iter().flatten()).expect("it was asked before").places;
                let targets = strike.targets.iter().map(|all| Expr::new(Op::And, all.clone())).collect::<Vec<_>>();
                let possible = code.value(&self.elsewhere(&Expr::new(Op::Or, targets)));
                let possible = code.body.bind(possible);
                let beside = code.sites_at(&about_target);
                for (word, &rest) in starts.iter().enumerate() {
                    let (again, out) = (code.body.label(), code.body.label());
                    let (mut inside, ()) = code.apart(|code| {
                        code.body.when(Ex::from(rest).eq(c64(0)), |body| body.go(out));
                        self.tick(code.body);
                        let start = code.body.bind(rest.ctz().wrap() + (word as i32 * 64 + 1));
                        code.body.set(rest, rest & (rest - c64(1)));
                        code.at(start.into(), 0.into());
                        code.watch_start(strike, (start, target), (possible, &beside), sets, again);
                    });
                    inside.push(Low::Go(again));
                    code.body.push(Low::Block(out, vec![Low::Loop(again, inside)]));
                }
            });
        });
    }
}

/// What conditions on a site read.
#[derive(Debug, Default)]
struct Reads {
    /// Other sites, said of that one.
    places: Vec<Expr>,
    /// Whether they ask where the last step was made.
    recent: bool,
}

impl Reads {
    fn place(&mut self, place: &Expr, fixed: bool) -> Option<()> {
        let here = Expr::local(Local::from_index(0));
        let mut site = place;
        while let Op::Step(_) | Op::StepBack(_) = site.op {
            site = &site.args[0];
        }
        if site != place && !fixed && !self.places.contains(place) {
            self.places.push(place.clone());
        }
        (*site == here).then_some(())
    }
}

/// What was found of an invariant.
#[derive(Default)]
struct Said {
    mine: bool,
    kinds: Option<Vec<Kind>>,
    of: Option<Option<MoveType>>,
}

/// Whether a condition is about the player alone.
fn is_of_player(condition: &Expr) -> bool {
    let plain = matches!(
        condition.op,
        Op::Me | Op::Player(_) | Op::Int(_) | Op::Bool(_) | Op::Equal | Op::Not | Op::And | Op::Or
    );
    plain && condition.args.iter().all(is_of_player)
}

impl Code<'_, '_> {
    /// The sites of places that are said of the first local, as it is now.
    fn sites_at(&mut self, places: &[Expr]) -> Vec<V> {
        let sites = places.iter().map(|place| {
            let site = self.value(place);
            self.body.bind(site)
        });
        sites.collect()
    }

    /// The sites that matter to the strike of a piece on the first local.
    fn watch_start(
        &mut self,
        strike: &Strike,
        (start, target): (V, V),
        (possible, beside): (V, &[V]),
        (from, to): (&[Global], &[Global]),
        next: Label,
    ) {
        let compiler = self.compiler;
        let memory = &compiler.memory;
        let words = memory.words as usize;
        let about_start = compiler.reads(&strike.asked).expect("it was asked before").places;
        // Where nothing else is read, a strike that is impossible stays so.
        if beside.is_empty() && about_start.is_empty() {
            self.body.when(possible.eqz(), |body| body.go(next));
        }
        let apart = self.body.bind(0);
        let between: Vec<V> = match strike.slide {
            None => Vec::new(),
            Some(line) => {
                let pair = (target - 1) * memory.sites + start - 1;
                let place = self.body.bind(pair * memory.set_bytes());
                let row = memory.struck + compiler.struck.between();
                let between: Vec<V> =
                    (0..words as u32).map(|word| self.body.bind(place.load(Width::I64, row + word * 8))).collect();
                let taken = between.iter().enumerate().map(|(word, &between)| {
                    let empty = Ex::from(0).load(Width::I64, memory.owner_sets + word as u32 * 8);
                    Ex::from(between) & Ex::binary(crate::low::Binary::Xor, empty, c64(u64::MAX))
                });
                let count = taken.map(Ex::popcnt).reduce(|a, b| a + b).expect("a set has a word").wrap();
                self.body.set(apart, count - line.hops as i32);
                // One piece more or less does not make the number right.
                self.body.when((apart + 1).ge_u(3), |body| body.go(next));
                between
            }
        };
        let mut near = self.sites_at(&about_start);
        near.extend(beside);
        let near: Vec<V> = (0..words)
            .map(|word| {
                let bit = |&site: &V| {
                    let here = site.ne(0) & (site - 1).shr_u(6).eq(word as i32);
                    select(here, c64(1) << (site - 1).extend(), c64(0))
                };
                let all = near.iter().map(bit).reduce(|a, b| a | b).unwrap_or(c64(0));
                self.body.bind(all)
            })
            .collect();
        let asked = self.value(&compiler.elsewhere(&Expr::new(Op::And, strike.asked.clone())));
        let strikes = self.body.bind(pick(apart.eqz() & possible, asked, 0));
        let line = |word: usize| between.get(word).map_or(c64(0), |&word| word.into());
        let hops = strike.slide.map_or(0, |line| line.hops);
        self.body.when(strikes, |body| {
            for word in 0..words {
                let here = (start - 1).shr_u(6).eq(word as i32);
                let own = select(here, c64(1) << (start - 1).extend(), c64(0));
                let leaves = if hops > 0 { line(word) } else { c64(0) };
                body.set_global(from[word], leaves | near[word]);
                body.set_global(to[word], own | line(word) | near[word]);
            }
            body.give(1);
        });
        for word in 0..words {
            // One too many: one may go. One too few: one may come.
            let leaves = select(apart.eq(1), line(word), c64(0)) | near[word];
            self.body.set_global(from[word], Ex::from(from[word]) | leaves);
            if hops > 0 || !about_start.is_empty() || !beside.is_empty() {
                let comes = select(apart.eq(-1), line(word), c64(0)) | near[word];
                self.body.set_global(to[word], Ex::from(to[word]) | comes);
            }
        }
    }
}
