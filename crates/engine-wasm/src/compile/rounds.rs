//! Rules of the turn that walk from each site of a set, and are run for one of these sites only when it is drawn: with a number below
//! the length of the longest line, which tells the step among those from there, or that another draw is needed. The list of all
//! steps is as good where few sites are left, and is taken where some walk makes more steps than that.

use dagaz_ir::{Emit, Expr, Local, Next, Op, Pass, Rule, RuleId, Stmt, StmtKind, Trigger, View};

use crate::low::{Body, Ex, Fun, Global, Ty, V, Width, c64, pick};

use super::Compiler;
use super::program::{Mode, Setting};

/// How many draws are made at least before all steps are listed: one more for every four sites. For how many turns no draw is made
/// after that. How many rules there may be.
const DRAWS: i32 = 32;
const REST: i32 = 16;
const MOST_RULES: usize = 16;

/// Such rules, and what is known of a turn.
#[derive(Clone, Debug)]
pub(super) struct Rounds {
    /// What runs each of them for a site.
    runs: Vec<Fun>,
    /// Where their sets lie, and how many sites each has.
    place: Global,
    left: Global,
    count: Fun,
    /// For how many turns all steps are listed without a draw.
    rest: Global,
    /// How many steps a site has at most.
    most: i32,
}

impl Compiler<'_> {
    /// Defines what plays rules so, where all are such.
    pub(super) fn count_rounds(&mut self) {
        let rules: Option<Vec<(RuleId, usize)>> =
            self.rules.rules.iter().map(|(id, rule)| Some((id, walking_round(rule)?))).collect();
        let typed = self.rules.schedule.turns.iter().any(|turn| turn.move_type.is_some());
        let other = self.counted.is_some() || self.staged.is_some() || self.chains.is_some();
        let plain = self.can_draw() && !typed && !other && self.rules.policy.pass == Pass::Never;
        let stages = &self.rules.stages;
        let unprepared = stages.before_move.is_none() && stages.before_step.is_none();
        let most = self.lines.values().flatten().max().copied();
        let (Some(rules), Some(most)) = (rules.filter(|rules| !rules.is_empty() && rules.len() <= MOST_RULES), most)
        else {
            return;
        };
        if !plain || !unprepared || !self.rules.policy.filters.is_empty() || most == 0 {
            return;
        }
        let mut module = std::mem::take(&mut self.module);
        let mut global = || module.global(Ty::I32, 0, None);
        let (place, left, rest) = (global(), global(), global());
        let bytes = self.memory.set_bytes();
        let numbers = rules.len() as u32 * bytes;
        let count = module.function("count sites of rounds", &[], None, |body, _| {
            let me = body.bind(self.me());
            let total = body.bind(0);
            for (index, &(id, at)) in rules.iter().enumerate() {
                let rule = &self.rules.rules[id];
                let StmtKind::For(_, set, _) = &rule.body[at].kind else { unreachable!("the statement is a loop") };
                let number = numbers + index as u32 * 4;
                body.store(Width::I32, place, number, 0);
                let locals = rule.locals.values().collect();
                let setting = Setting { mode: Mode::Ask, locals, tentative: false, queueless: false, of_piece: false };
                self.write_program(body, me, &setting, |code| {
                    code.guarded(|code| {
                        code.block(&rule.body[..at]);
                        let set = code.set(set);
                        let found = code.deliver(&set, place + index as u32 * bytes, place + number);
                        code.body.set(total, total + found);
                    });
                });
            }
            body.set_global(left, total);
        });
        let runs = rules.iter().map(|&(id, at)| self.round(&mut module, id, at)).collect();
        self.module = module;
        self.rounds = Some(Rounds { runs, place, left, count, rest, most: most as i32 });
    }

    /// Room for the sets.
    pub(super) fn reserve_rounds(&self, body: &mut Body) {
        if let Some(rounds) = &self.rounds {
            let size = rounds.runs.len() as u32 * (self.memory.set_bytes() + 4);
            body.set_global(rounds.rest, 0);
            body.set_global(rounds.place, self.ask(self.functions.reserve, [size.into()]));
        }
    }

    /// Draws a site, and one of the steps from it: gives whether a move was made.
    pub(super) fn draw_round(&self, body: &mut Body, rounds: &Rounds, below: Fun, attempt: Fun) {
        let globals = &self.globals;
        let bytes = self.memory.set_bytes();
        let count = rounds.runs.len() as u32;
        body.when(rounds.rest, |body| {
            body.set_global(rounds.rest, rounds.rest - 1);
            body.give(0);
        });
        body.call(rounds.count, vec![]);
        body.when(Ex::from(rounds.left).le_s(rounds.most), |body| body.give(0));
        let me = body.bind(self.me());
        let saved = self.save(body, &[globals.index, globals.arena]);
        let listed = body.bind(globals.index);
        let draws = body.bind(Ex::from(rounds.left).shr_u(2) + DRAWS);
        let run = |body: &mut Body, number: V, site: V| {
            body.set_global(globals.emitted, 0);
            self.by_number(body, number, 0, count, &|body, number| {
                body.call(rounds.runs[number as usize], vec![me.into(), site.into()]);
            });
        };
        let size = |number: V| (number * 4 + rounds.place).load(Width::I32, count * bytes);
        body.repeat_while(draws, |body, _| {
            self.tick(body);
            body.set(draws, draws - 1);
            let number = body.bind(self.ask(below, [rounds.left * rounds.most]));
            let wanted = body.bind(Ex::binary(crate::low::Binary::RemU, number, rounds.most) * 4 + listed);
            body.set(number, Ex::binary(crate::low::Binary::DivS, number, rounds.most));
            let rule = body.bind(0);
            let here = body.bind(size(rule));
            body.repeat_while(number.ge_s(here), |body, _| {
                body.set(number, number - here);
                body.set(rule, rule + 1);
                body.set(here, size(rule));
            });
            let set = body.bind(rule * bytes + rounds.place);
            let (_, site) = self.nth(body, set, number);
            run(body, rule, site);
            let end = body.bind(globals.index);
            body.when((end - listed).gt_s(rounds.most * 4), |body| body.give(0));
            body.when(wanted.lt_s(end), |body| {
                let step = body.bind(wanted.load(Width::I32, 0));
                // The same step may be made before it, by this rule or by one before it.
                let (again, at, other) = (body.bind(0), body.bind(listed), body.bind(0));
                let compare = |body: &mut Body, end: Ex| {
                    body.repeat_while(at.ne(end), |body, _| {
                        self.tick(body);
                        let same = self.ask(self.functions.same, [at.load(Width::I32, 0), step.into()]);
                        body.set(again, again | same);
                        body.set(at, at + 4);
                    });
                };
                compare(body, wanted.into());
                body.repeat_while(again.eqz() & other.lt_s(rule), |body, _| {
                    let word = body.bind(other * bytes + rounds.place + (site - 1).shr_u(6) * 8);
                    let bit = word.load(Width::I64, 0).shr_u((site - 1).extend()) & c64(1);
                    body.when(bit.ne(c64(0)), |body| {
                        body.set(at, globals.index);
                        run(body, other, site);
                        let end = body.bind(globals.index);
                        compare(body, end.into());
                    });
                    body.set(other, other + 1);
                });
                let made = pick(again, 0, self.ask(attempt, [step.into()]));
                body.when(made, |body| body.give(1));
            });
            self.restore(body, &saved);
        });
        body.set_global(rounds.rest, REST);
        body.give(0);
    }
}

/// Which statement of a rule of the turn is a loop over sites from each of which it walks, and makes steps that start there: nothing
/// but values stands around it.
fn walking_round(rule: &Rule) -> Option<usize> {
    if rule.trigger != Trigger::Turn || rule.view != View::Before {
        return None;
    }
    let round = rule.body.iter().position(|statement| matches!(statement.kind, StmtKind::For(..)))?;
    let StmtKind::For(site, _, inside) = &rule.body[round].kind else { return None };
    let values = |block: &[Stmt]| block.iter().all(|statement| matches!(statement.kind, StmtKind::Let(..)));
    let around = values(&rule.body[..round]) && values(&rule.body[round + 1..]);
    let emits = |statement: &Stmt| matches!(statement.kind, StmtKind::Emit(_));
    let walks = |statement: &Stmt| match &statement.kind {
        StmtKind::While(_, body) => Stmt::any(body, &emits),
        _ => false,
    };
    let starts = |emit: &Emit| match emit.from.op {
        Op::Local(from) => emit.next == Next::Done && (from == *site || is_site_from_the_start(inside, from, *site)),
        _ => false,
    };
    let elsewhere = |statement: &Stmt| match &statement.kind {
        StmtKind::Emit(emit) => !starts(emit),
        StmtKind::Let(local, _) | StmtKind::For(local, ..) | StmtKind::Range(local, ..) => local == site,
        _ => false,
    };
    (around && Stmt::any(inside, &walks) && !Stmt::any(inside, &elsewhere)).then_some(round)
}

/// Whether a local is the site of a loop from the first statements inside it on.
fn is_site_from_the_start(block: &[Stmt], local: Local, site: Local) -> bool {
    let block = match block {
        [Stmt { kind: StmtKind::Try(inside) | StmtKind::Attempt(inside), .. }] => inside,
        _ => block,
    };
    let sets = |statement: &Stmt| match &statement.kind {
        StmtKind::Let(other, _) | StmtKind::For(other, ..) | StmtKind::Range(other, ..) => *other == local,
        _ => false,
    };
    let values = block.iter().take_while(|statement| matches!(statement.kind, StmtKind::Let(..))).count();
    let (first, rest) = block.split_at(values);
    let given = |statement: &Stmt| matches!(&statement.kind, StmtKind::Let(_, value) if *value == Expr::local(site));
    let mut found = first.iter().filter(|statement| sets(statement));
    found.next().is_some_and(given) && found.next().is_none() && !Stmt::any(rest, &sets)
}
