//! Which pieces a rule may make steps for, as sets: only for these it is run where its steps are listed. What is asked is what the
//! rule begins with: conditions on the piece's site; or a run along a line of empty sites, and where it must end for the
//! rule to go on, which the board alone decides.

use std::collections::{BTreeMap, BTreeSet};

use dagaz_base::Id;
use dagaz_board::{Direction, Site};
use dagaz_ir::ways::gate;
use dagaz_ir::{Expr, Local, Op, Player, Rule, RuleId, Stmt, StmtKind, Trigger, View};

use crate::low::{Body, Ex, Ty, V, c64, select};

use super::Compiler;
use super::program::Code;
use super::set::Words;

/// What a rule begins with.
enum Gate {
    Conditions(Vec<Expr>),
    /// A run through empty sites, and for each player the sites where it can end.
    Run(Direction, Vec<u64>),
}

/// For rules of pieces the sites of those for which they are run.
pub(super) type Gates = BTreeMap<RuleId, V>;

impl<'r> Compiler<'r> {
    /// Computes the gates of all rules that are not left out, where boards have one word.
    pub(super) fn gates(&self, body: &mut Body, me: V, wanted: &dyn Fn(RuleId) -> bool) -> Gates {
        if self.memory.words > 1 {
            return Gates::new();
        }
        let known: Vec<(RuleId, &Rule, Gate)> = self
            .rules
            .rules
            .iter()
            .filter(|&(id, rule)| rule.trigger == Trigger::Piece && wanted(id))
            .filter_map(|(id, rule)| Some((id, rule, self.gate(rule)?)))
            .collect();
        let gates: Gates = known.iter().map(|(id, ..)| (*id, body.local(Ty::I64))).collect();
        if known.is_empty() {
            return gates;
        }
        self.with_sites(body, me, |code| {
            let mut pieces = BTreeMap::new();
            for (id, rule, gate) in &known {
                let kind = rule.kind.map_or(0, |kind| kind.index() as u32 + 1);
                let from = pieces.entry(kind).or_insert_with(|| code.pieces(kind)).clone();
                let starts = match gate {
                    Gate::Conditions(conditions) => {
                        conditions.iter().map(|condition| code.candidates(condition)).collect::<Vec<_>>()
                    }
                    Gate::Run(direction, ends) => vec![self.run_ups(code, *direction, ends)],
                };
                let words = [&from].into_iter().chain(&starts).map(|set| match set {
                    Words::Locals(words) => Ex::from(words[0]),
                    Words::At(_) => unreachable!("sets of one word are locals"),
                });
                let word = words.reduce(|a, b| a & b).unwrap_or(c64(0));
                code.body.set(gates[id], word);
            }
        });
        gates
    }

    /// The sites from which a run leads to the end of a line that is one of some.
    fn run_ups(&self, code: &mut Code<'_, 'r>, direction: Direction, ends: &[u64]) -> Words {
        let mut wanted: Ex = c64(ends[0]);
        for (index, &own) in ends.iter().enumerate().skip(1) {
            wanted = match own == ends[0] {
                true => wanted,
                false => select(code.me.eq(index as i32 + 1), c64(own), wanted),
            };
        }
        let empty = Expr::new(Op::Empty, [Expr::local(Local::from_index(0))]);
        let empty = code.candidates(&empty);
        let Words::Locals(empty) = &empty else { unreachable!("sets of one word are locals") };
        let reached = code.body.bind(wanted.clone());
        let wanted = code.body.bind(wanted);
        for _ in 0..self.lines[direction].unwrap_or(0) {
            let open = Words::Locals(vec![code.body.bind(reached & empty[0])]);
            let before = code.turned(direction, false, &open, true).expect("a line of one shift");
            let Words::Locals(before) = before else { unreachable!("sets of one word are locals") };
            code.body.set(reached, wanted | before[0]);
        }
        Words::Locals(vec![reached])
    }

    /// Whether a rule begins with a run along a line whose end the board decides.
    pub(super) fn runs_up(&self, rule: &Rule) -> bool {
        matches!(self.gate(rule), Some(Gate::Run(..)))
    }

    fn gate(&self, rule: &Rule) -> Option<Gate> {
        if let Some((direction, ends)) = run_up(rule)
            && self.lines[direction].is_some()
            && self.shifts[direction][0].is_some()
        {
            let players = self.rules.players.ids();
            let sets = players.map(|player| self.sites_where(player, &ends)).collect();
            return Some(Gate::Run(direction, sets));
        }
        let conditions = gate(rule);
        (!conditions.is_empty()).then_some(Gate::Conditions(conditions))
    }

    /// The sites of which all conditions are true that the board decides.
    fn sites_where(&self, player: Player, conditions: &[Expr]) -> u64 {
        let sites = self.rules.topology.sites();
        let holds =
            |site: Site| conditions.iter().all(|condition| self.decided(player, site, condition) != Some(false));
        sites.filter(|&site| holds(site)).fold(0, |set, site| set | 1 << site.index())
    }

    fn decided(&self, player: Player, site: Site, condition: &Expr) -> Option<bool> {
        match condition.op {
            Op::Not => self.decided(player, site, &condition.args[0]).map(|holds| !holds),
            Op::OnBoard => self.place(player, site, &condition.args[0]).map(|place| place.is_some()),
            _ => None,
        }
    }

    /// Where a place lies as seen from a site, if the board decides that.
    fn place(&self, player: Player, site: Site, place: &Expr) -> Option<Option<Site>> {
        match place.op {
            Op::Local(_) => Some(Some(site)),
            Op::Step(direction) => {
                let seen = self.rules.players[player].seen(direction);
                let from = self.place(player, site, &place.args[0])?;
                Some(from.and_then(|from| self.rules.topology.step(seen, from)))
            }
            _ => None,
        }
    }
}

/// Whether a piece's bit is in its gate.
pub(super) fn lets_pass(gate: V, site: V) -> Ex {
    Ex::from(gate).shr_u((site - 1).extend()).wrap() & 1
}

/// The direction of a run with which a rule begins, from its piece through empty sites as far as they go, and what must be true of
/// its end, said of local 0, as far as that can be said.
fn run_up(rule: &Rule) -> Option<(Direction, Vec<Expr>)> {
    if rule.view != View::Before || rule.trigger != Trigger::Piece {
        return None;
    }
    let here = Expr::local(Local::from_index(0));
    let mut values: BTreeMap<Local, Expr> = BTreeMap::from([(Local::from_index(0), here.clone())]);
    let mut statements = rule.body.iter();
    let (direction, walker) = loop {
        match &statements.next()?.kind {
            StmtKind::Let(local, _) if local.index() == 0 => return None,
            StmtKind::Let(local, value) => {
                let value = said(value, &values).unwrap_or_else(|| value.clone());
                values.insert(*local, value);
            }
            StmtKind::While(condition, inside) => break runs(condition, inside, &values)?,
            _ => return None,
        }
    };
    // From here on local 0 is the end of the run, and nothing else is known of sites.
    values.retain(|_, value| matches!(value.op, Op::Bool(_)));
    values.insert(walker, here);
    let mut ends = Vec::new();
    follow(statements.as_slice(), values, &mut ends);
    Some((direction, ends))
}

/// The locals of a rule that are sets of empty sites and the piece's own, and nothing else, once they are anything.
pub(super) fn open_sets(rule: &Rule) -> BTreeSet<Local> {
    fn lets<'s>(block: &'s [Stmt], found: &mut Vec<(Local, &'s Expr)>) {
        for statement in block {
            if let StmtKind::Let(local, value) = &statement.kind {
                found.push((*local, value));
            }
            statement.blocks().into_iter().for_each(|inside| lets(inside, found));
        }
    }
    let here = Local::from_index(0);
    let mut found = Vec::new();
    lets(&rule.body, &mut found);
    let mut values = BTreeMap::from([(here, Expr::local(here))]);
    let mut open = BTreeSet::new();
    for statement in &rule.body {
        // What is said of other locals holds up to the first branch only.
        let StmtKind::Let(local, value) = &statement.kind else { break };
        let Some(value) = said(value, &values) else { continue };
        if found.iter().filter(|(other, _)| other == local).count() == 1 && is_open(&value) {
            open.insert(*local);
        }
        values.insert(*local, value);
    }
    open
}

/// An expression without locals but the first one.
fn said(expr: &Expr, values: &BTreeMap<Local, Expr>) -> Option<Expr> {
    match expr.op {
        Op::Local(local) => values.get(&local).cloned(),
        Op::Where(local) => {
            let mut inside = values.clone();
            inside.insert(local, Expr::local(local));
            let args = [said(&expr.args[0], values)?, said(&expr.args[1], &inside)?];
            Some(Expr::new(expr.op, args))
        }
        op => {
            let args = expr.args.iter().map(|arg| said(arg, values)).collect::<Option<Vec<_>>>()?;
            Some(Expr::new(op, args))
        }
    }
}

/// The direction of a loop that walks from the piece through empty sites, and the local that walks.
fn runs(condition: &Expr, inside: &[Stmt], values: &BTreeMap<Local, Expr>) -> Option<(Direction, Local)> {
    let [step, checks @ ..] = inside else { return None };
    let StmtKind::Let(walker, next) = &step.kind else { return None };
    let at = Expr::local(*walker);
    let Op::Step(direction) = next.op else { return None };
    let further = Expr::new(Op::Step(direction), [at.clone()]);
    let starts = values.get(walker).is_some_and(|value| value.op == Op::Local(Local::from_index(0)));
    let checked = checks.iter().all(
        |check| matches!(&check.kind, StmtKind::Verify(on_board) if *on_board == Expr::new(Op::OnBoard, [at.clone()])),
    );
    let open = match (condition.op, &condition.args[..]) {
        (Op::Empty, [site]) => *site == further,
        (Op::Contains, [set, site]) => *site == further && said(set, values).is_some_and(|set| is_open(&set)),
        _ => false,
    };
    (*next == further && starts && checked && open).then_some((direction, *walker))
}

/// Whether a set has no sites but empty ones and the piece's own, which no line comes back to.
fn is_open(set: &Expr) -> bool {
    match (set.op, &set.args[..]) {
        (Op::NoSites, _) => true,
        (Op::Union, [a, b]) => is_open(a) && is_open(b),
        (Op::With, [set, site]) => is_open(set) && site.op == Op::Local(Local::from_index(0)),
        (Op::Where(local), [_, condition]) if local.index() != 0 => {
            let empty = |part: &Expr| part.op == Op::Empty && part.args[0].op == Op::Local(local);
            empty(condition) || condition.op == Op::And && condition.args.iter().any(empty)
        }
        _ => false,
    }
}

/// Collects what must be true on the way through statements, up to where they part.
fn follow(block: &[Stmt], mut values: BTreeMap<Local, Expr>, ends: &mut Vec<Expr>) {
    for statement in block {
        match &statement.kind {
            StmtKind::Let(local, value) => match said(value, &values) {
                Some(value) => _ = values.insert(*local, value),
                None => _ = values.remove(local),
            },
            StmtKind::Verify(condition) => ends.extend(said(condition, &values)),
            StmtKind::If(condition, then, otherwise) => {
                let fails = |block: &[Stmt]| match block.first().map(|first| &first.kind) {
                    Some(StmtKind::Verify(condition)) => {
                        said(condition, &values).is_some_and(|condition| condition.op == Op::Bool(false))
                    }
                    _ => false,
                };
                if !fails(then) || !otherwise.is_empty() {
                    return;
                }
                ends.extend(said(condition, &values).map(Expr::negated));
            }
            _ => return,
        }
    }
}
