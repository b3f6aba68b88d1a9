//! Translates expressions: numbers and truth values as an `i32`, sites as their numbers.

use dagaz_base::Id;
use dagaz_ir::{Expr, Field, Op, Player, Scope};

use crate::low::{Binary, Ex, Stmt as Low, V, Width, pick, select};

use super::Compiler;
use super::effects::{code, on_field};
use super::ends::asked_for_none;
use super::program::{Code, Mode, Slot};

impl Code<'_, '_> {
    /// The value of an expression that is no set and no effect.
    pub(super) fn value(&mut self, expr: &Expr) -> Ex {
        let args = &expr.args;
        if let Some(met) = self.met(expr) {
            return met;
        }
        match expr.op {
            Op::Local(local) => match self.slots[local.index()] {
                Slot::One(variable) => variable.into(),
                Slot::Set(_) => unreachable!("the verifier types expressions"),
            },
            Op::Int(value) => value.into(),
            Op::Bool(value) => i32::from(value).into(),
            Op::Kind(kind) => (kind.index() as i32 + 1).into(),
            Op::Player(player) => (player.index() as i32 + 1).into(),
            Op::Site(site) => (site.index() as i32 + 1).into(),
            Op::Nowhere => 0.into(),
            Op::Me => self.me.into(),
            Op::ToMove => self.compiler.turn_part(0),
            Op::LastMover => match self.mode {
                Mode::End => self.compiler.globals.last_mover.into(),
                Mode::Stage => self.compiler.turn_part(0),
                Mode::List(_) | Mode::Hit(_) | Mode::Make | Mode::Ask => 0.into(),
            },
            Op::Add => self.two(args, Binary::Add),
            Op::Subtract => self.two(args, Binary::Sub),
            Op::Multiply => self.two(args, Binary::Mul),
            Op::Divide => {
                let (dividend, divisor) = (self.bound(&args[0]), self.bound(&args[1]));
                // The least number divided by -1 wraps around.
                let negated = Ex::from(0) - dividend;
                let quotient = Ex::binary(Binary::DivS, dividend, divisor);
                pick(divisor.eqz(), 0, pick(divisor.eq(-1), negated, quotient))
            }
            Op::Remainder => {
                let (dividend, divisor) = (self.bound(&args[0]), self.bound(&args[1]));
                pick((divisor + 1).lt_u(2), 0, Ex::binary(Binary::RemS, dividend, divisor))
            }
            Op::Least | Op::Greatest => {
                let (a, b) = (self.bound(&args[0]), self.bound(&args[1]));
                let first = if expr.op == Op::Least { a.le_s(b) } else { a.ge_s(b) };
                select(first, a, b)
            }
            Op::Pick => {
                let condition = self.value(&args[0]);
                let (yes, no) = (self.inside(&args[1]), self.inside(&args[2]));
                pick(condition, yes, no)
            }
            Op::Equal | Op::Same => {
                if let (Mode::End, Some(number)) = (self.mode, asked_for_none(expr)) {
                    return self.is_none(number);
                }
                if args[0].op == Op::Repetitions && matches!((self.mode, args[1].op), (Mode::End, Op::Int(_))) {
                    let number = self.bound(&args[1]);
                    let often = self.compiler.stood_as_often(number);
                    let exactly = self.value(&args[0]).eq(number);
                    return pick(often, exactly, 0);
                }
                self.two(args, Binary::Eq)
            }
            Op::Less => self.two(args, Binary::LtS),
            Op::AtMost if args[1].op == Op::Repetitions && matches!(self.mode, Mode::End) => {
                let least = self.bound(&args[0]);
                self.compiler.stood_as_often(least)
            }
            Op::AtMost => self.two(args, Binary::LeS),
            Op::And => self.chain(args, true),
            Op::Or => self.chain(args, false),
            Op::Not => self.value(&args[0]).eqz(),
            Op::Truth => self.value(&args[0]),
            Op::OrElse => {
                let first = self.bound(&args[0]);
                let second = self.inside(&args[1]);
                pick(first, first, second)
            }
            Op::Numbered => {
                let number = self.bound(&args[0]);
                select((number - 1).lt_u(self.compiler.memory.sites), number, 0)
            }
            Op::Number => self.value(&args[0]),
            Op::Step(direction) | Op::StepBack(direction) => {
                let back = matches!(expr.op, Op::StepBack(_));
                let site = self.value(&args[0]);
                self.step(direction, back, site)
            }
            Op::OnBoard => self.value(&args[0]).ne(0),
            Op::InZone(zone) => {
                let (row, stride) = self.compiler.memory.zone_row(zone);
                let site = self.value(&args[0]);
                (self.me * stride + row + site).load(Width::U8, 0)
            }
            Op::InZoneOf(zone) => {
                let (row, stride) = self.compiler.memory.zone_row(zone);
                let (site, player) = (self.bound(&args[0]), self.bound(&args[1]));
                let inside = (player * stride + row + site).load(Width::U8, 0);
                pick((player - 1).lt_u(self.compiler.memory.players), inside, 0)
            }
            Op::Read(field) => {
                let site = self.value(&args[0]);
                self.compiler.at(field, site)
            }
            Op::ReadNow(field) => {
                let site = self.bound(&args[0]);
                self.read_now(field, site)
            }
            Op::Get(field) => {
                let place = self.compiler.memory.fields[field];
                let count = place.count * place.stride;
                match self.value(&args[0]) {
                    Ex::C32(index) => match u32::try_from(index) {
                        Ok(index) if index < count => self.compiler.word(place.base + index * 4),
                        _ => 0.into(),
                    },
                    index => {
                        let index = self.body.bind(index);
                        pick(index.lt_u(count), (index * 4).load(Width::I32, place.base), 0)
                    }
                }
            }
            Op::Empty => {
                let site = self.bound(&args[0]);
                self.compiler.owner(site).eqz() & site.ne(0)
            }
            Op::Mine => {
                let site = self.value(&args[0]);
                self.compiler.owner(site).eq(self.me)
            }
            Op::Friend => self.related(&args[0], 1),
            Op::Enemy => self.related(&args[0], 2),
            Op::Neutral => self.related(&args[0], 4),
            Op::Height => {
                let site = self.value(&args[0]);
                self.compiler.ask(self.compiler.functions.height, [site])
            }
            Op::OwnerBelow | Op::KindBelow => {
                let (site, level) = (self.bound(&args[0]), self.bound(&args[1]));
                let kind = i32::from(expr.op == Op::KindBelow);
                self.compiler.ask(self.compiler.functions.below, [site.into(), level.into(), kind.into()])
            }
            Op::Attacked(_) | Op::Defended(_) if matches!(self.mode, Mode::Hit(_)) => 0.into(),
            Op::Attacked(of) => {
                let site = self.bound(&args[0]);
                let asked = self.compiler.functions.attacked[&of];
                pick(site, self.compiler.ask(asked, [self.me.into(), site.into()]), 0)
            }
            Op::Defended(of) => {
                let site = self.bound(&args[0]);
                let apart = if self.of_piece { self.first_site() } else { 0.into() };
                let asked = self.compiler.functions.defended[&of];
                pick(site, self.compiler.ask(asked, [self.me.into(), site.into(), apart]), 0)
            }
            Op::Contains => {
                let set = self.set(&args[0]);
                let site = self.bound(&args[1]);
                self.contains(&set, site)
            }
            Op::First => {
                let set = self.set(&args[0]);
                self.first(&set)
            }
            Op::Count => {
                let set = self.set(&args[0]);
                self.count(&set)
            }
            Op::Any(local) => self.quantified(local, args, true),
            Op::Every(local) => self.quantified(local, args, false),
            Op::Sum(local) => self.sum(local, args),
            Op::Repetitions => self.past(0),
            Op::BoardRepetitions => self.past(1),
            Op::FirstStood => self.past(2),
            Op::Replies => match self.mode {
                Mode::Stage => self.compiler.ask(self.compiler.functions.replies, []),
                _ => 1.into(),
            },
            Op::MovesMade => match self.mode {
                Mode::End => self.compiler.globals.moves.into(),
                Mode::Stage => self.compiler.moves_made(),
                Mode::List(_) | Mode::Hit(_) | Mode::Make | Mode::Ask => 0.into(),
            },
            Op::MoveCount => match self.mode {
                Mode::End => self.compiler.ask(self.compiler.functions.move_count, []),
                _ => 0.into(),
            },
            Op::Captured => {
                let (owner, kind) = (self.bound(&args[0]), self.bound(&args[1]));
                let globals = &self.compiler.globals;
                let (from, to) = match (self.mode, self.tentative) {
                    (Mode::End, _) => (globals.last_from.into(), globals.last_to.into()),
                    (Mode::Stage, Some(mark)) => (globals.step_captures.into(), mark.captures.into()),
                    (Mode::Stage, None) => (globals.step_captures.into(), globals.captures.into()),
                    (Mode::List(_) | Mode::Hit(_) | Mode::Make | Mode::Ask, _) => return 0.into(),
                };
                self.compiler.ask(self.compiler.functions.captured, [from, to, owner.into(), kind.into()])
            }
            _ => panic!("the verifier types expressions: `{}` is no value", expr.op.name()),
        }
    }

    /// The value in a local, to be used twice.
    pub(super) fn bound(&mut self, expr: &Expr) -> V {
        let value = self.value(expr);
        match value {
            Ex::Local(local) if matches!(expr.op, Op::Me) => local,
            value => self.body.bind(value),
        }
    }

    /// A value that may not be computed: what it needs is done only when it is.
    fn inside(&mut self, expr: &Expr) -> Ex {
        let (statements, value) = self.apart(|code| code.value(expr));
        if statements.is_empty() { value } else { Ex::After(statements, Box::new(value)) }
    }

    fn two(&mut self, args: &[Expr], op: Binary) -> Ex {
        let left = self.value(&args[0]);
        let (statements, right) = self.apart(|code| code.value(&args[1]));
        // What the right side does must not come before the left side is read.
        let left = if statements.is_empty() { left } else { self.body.bind(left).into() };
        statements.into_iter().for_each(|statement| self.body.push(statement));
        Ex::binary(op, left, right)
    }

    /// Conditions in order, up to the first that decides.
    fn chain(&mut self, args: &[Expr], all: bool) -> Ex {
        let mut parts: Vec<(Vec<Low>, Ex)> = args.iter().map(|arg| self.apart(|code| code.value(arg))).collect();
        let Some((statements, last)) = parts.pop() else { return i32::from(all).into() };
        let after = |statements: Vec<Low>, value: Ex| {
            if statements.is_empty() { value } else { Ex::After(statements, Box::new(value)) }
        };
        let mut value = after(statements, last);
        while let Some((statements, part)) = parts.pop() {
            // What costs less than a branch is computed at any rate.
            let cheap = value.cost().is_some_and(|cost| cost <= 6);
            let joined = match (all, cheap) {
                (true, true) => part & value,
                (false, true) => part | value,
                (true, false) => pick(part, value, 0),
                (false, false) => pick(part, 1, value),
            };
            value = after(statements, joined);
        }
        value
    }

    pub(super) fn step(&mut self, direction: dagaz_board::Direction, back: bool, site: Ex) -> Ex {
        let memory = &self.compiler.memory;
        (self.me * memory.step_player() + memory.step_row(direction, back) + site * 2).load(Width::U16, 0)
    }

    fn related(&mut self, arg: &Expr, mask: i32) -> Ex {
        let (row, stride) = self.compiler.memory.relation_row();
        let site = self.value(arg);
        let relation = (self.me * stride + row + self.compiler.owner(site)).load(Width::U8, 0);
        (relation & mask).ne(0)
    }

    fn read_now(&mut self, field: Field, site: V) -> Ex {
        let compiler = self.compiler;
        let read = compiler.at(field, site);
        let start = self.queue;
        let what = on_field(code::SET_AT, field);
        let queued = compiler.ask(compiler.functions.queued, [what.into(), site.into(), start.into(), read.clone()]);
        let known = &compiler.memory.known;
        match compiler.rules.fields[field].scope {
            Scope::Piece if field == known.owner || field == known.kind => read,
            Scope::Piece => {
                let has = pick(compiler.owner(site), compiler.has_attribute(field, compiler.kind(site)), 0);
                pick(has, queued, read)
            }
            _ => pick(site, queued, read),
        }
    }

    /// What the first local is, by which the piece is known that asks.
    fn first_site(&self) -> Ex {
        match self.slots.first() {
            Some(&Slot::One(local)) => local.into(),
            _ => 0.into(),
        }
    }

    fn past(&mut self, which: i32) -> Ex {
        let functions = &self.compiler.functions;
        if !self.compiler.hashing {
            // Nothing stands twice: this is the first time.
            let moves: Ex = self.compiler.globals.moves.into();
            return match self.mode {
                Mode::End if which == 2 => moves,
                Mode::Stage if which == 2 => pick(self.compiler.globals.past, moves + 1, 1),
                _ => i32::from(which < 2 || matches!(self.mode, Mode::Stage)).into(),
            };
        }
        match self.mode {
            Mode::End if which == 2 => self.compiler.ask(functions.first, [0.into()]),
            Mode::End => self.compiler.ask(functions.occurrences, [which.into()]),
            Mode::Stage => self.compiler.ask(functions.after, [which.into()]),
            Mode::List(_) | Mode::Hit(_) | Mode::Make | Mode::Ask => i32::from(which < 2).into(),
        }
    }

    /// `(= (count moves) 0)` needs no list of all moves.
    fn is_none(&mut self, number: &Expr) -> Ex {
        match number.op {
            Op::MoveCount => self.compiler.ask(self.compiler.functions.no_moves, []),
            Op::Pick => {
                let condition = self.value(&number.args[0]);
                let [yes, no] = [1, 2].map(|index| {
                    let (statements, value) = self.apart(|code| code.is_none(&number.args[index]));
                    if statements.is_empty() { value } else { Ex::After(statements, Box::new(value)) }
                });
                pick(condition, yes, no)
            }
            _ => self.value(number).eqz(),
        }
    }
}

/// Who is asked about attacks.
impl Compiler<'_> {
    pub(super) fn attacks(&mut self) {
        let mut module = std::mem::take(&mut self.module);
        let functions = self.functions.clone();
        let memory = &self.memory;
        for (&of, &strikes) in &functions.strikes {
            // Whether a piece of the player, other than one on the target or on `apart`, has a step that strikes the target.
            module.define(strikes, |body, params| {
                let (player, target, apart) = (params[0], params[1], params[2]);
                self.give_struck(body, of, [player, target, apart]);
                for (id, rule) in self.rules.rules.iter() {
                    let Some(function) = functions.hits[id.index()] else { continue };
                    if of.is_some() && rule.move_type != of {
                        continue;
                    }
                    let kind = rule.kind.expect("rules for pieces have a kind").index() as u32 + 1;
                    let row = memory.reach_row(id);
                    let bytes = memory.set_bytes();
                    for word in 0..memory.words {
                        let at = |base: u32, index: Ex| (index * bytes).load(Width::I64, base + word * 8);
                        let own = at(memory.owner_sets, player.into());
                        let of_kind = Ex::from(0).load(Width::I64, memory.kind_sets + kind * bytes + word * 8);
                        let mut set = own & of_kind;
                        if let Some((base, stride)) = row {
                            let address = player * stride + target * bytes + (base + word as i32 * 8);
                            set = set & address.load(Width::I64, 0);
                        }
                        let rest = body.bind(set);
                        body.repeat_while(Ex::from(rest).ne(Ex::C64(0)), |body, _| {
                            let from = body.bind(rest.ctz().wrap() + (word as i32 * 64 + 1));
                            body.set(rest, rest & (rest - Ex::C64(1)));
                            let asks = from.ne(target) & from.ne(apart);
                            let hit = self.ask(function, [player.into(), from.into(), target.into()]);
                            self.tick(body);
                            body.when(pick(asks, hit, 0), |body| body.give(1));
                        });
                    }
                }
                body.give(0);
            });
            module.define(functions.attacked[&of], |body, params| {
                let (me, site) = (params[0], params[1]);
                let (row, stride) = memory.relation_row();
                for player in 1..=memory.players {
                    let enemy = (me * stride + row + player).load(Width::U8, 0) & 2;
                    let struck = self.ask(strikes, [player.into(), site.into(), 0.into()]);
                    body.when(pick(enemy, struck, 0), |body| body.give(1));
                }
                body.give(0);
            });
            // If an own piece stands there, as if the first enemy's did.
            module.define(functions.defended[&of], |body, params| {
                let (me, site, apart) = (params[0], params[1], params[2]);
                let enemy = body.bind(self.first_enemy(me));
                let own = self.owner(site).eq(me);
                let turned = body.bind(pick(own, enemy.ne(0), 0));
                let mark = body.bind(self.ask(functions.mark, []));
                body.when(turned, |body| self.write(body, memory.known.owner, site, enemy));
                let struck = body.bind(self.ask(strikes, [me.into(), site.into(), apart.into()]));
                body.call(functions.undo, vec![mark.into()]);
                body.give(struck);
            });
        }
        self.module = module;
    }

    fn first_enemy(&self, me: V) -> Ex {
        let number = |player: Player| player.index() as i32 + 1;
        self.rules.players.iter().fold(0.into(), |otherwise, (player, info)| {
            let enemy = info.enemies.first().map_or(0, |&enemy| number(enemy));
            select(me.eq(number(player)), enemy, otherwise)
        })
    }
}
