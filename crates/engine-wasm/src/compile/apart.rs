//! Which steps lead to states that differ, as what is counted in the end are states: steps that do nothing to the board but take one piece
//! from one site to another, or from the hand on the board, are told apart by the sites and by the kind of the piece in the end.

use std::collections::{BTreeMap, BTreeSet};

use dagaz_base::Id;
use dagaz_board::Direction;
use dagaz_ir::ways::{Way, Ways, routes};
use dagaz_ir::{Expr, Field, Kind, Local, Next, Op, Pass, Program, Rule, RuleId, Scope, Stmt, StmtKind, Trigger};

use super::Compiler;
use super::counted::{begins, ends_apart, excludes};
use super::set::steps_from;

/// The rules whose steps always lead to states that differ, where others can be told from them.
#[derive(Clone, Debug)]
pub(super) struct Apart {
    /// The kinds that the moved piece can have in the end.
    plain: BTreeMap<RuleId, Vec<Kind>>,
    /// The kinds of the pieces that such steps take elsewhere, and of those that come from the hand.
    pub(super) moved: BTreeSet<Kind>,
    pub(super) dropped: BTreeSet<Kind>,
    /// All other rules.
    pub(super) odd: BTreeSet<RuleId>,
}

impl Apart {
    /// The kinds that a piece can have in the end which a step of the rule moves; nothing when its steps do something else.
    pub(super) fn kinds(&self, rule: RuleId) -> Option<&[Kind]> {
        self.plain.get(&rule).map(Vec::as_slice)
    }
}

impl Compiler<'_> {
    /// What is known so; nothing where steps are not moves, or where stages could change the board.
    pub(super) fn apart(&self) -> Option<Apart> {
        let (rules, stages) = (self.rules, &self.rules.stages);
        let quiet = [&stages.after_step, &stages.after_move].into_iter().flatten().all(is_quiet);
        let before = stages.before_move.is_some() || stages.before_step.is_some();
        let stands = self.memory.known.stack.is_none() && rules.policy.pass == Pass::Never;
        if before || !quiet || !stands || !self.can_draw() || !self.knows_friends() {
            return None;
        }
        // Of each rule its ways, and the kinds that pieces become by them.
        let known: Vec<_> = rules
            .rules
            .iter()
            .map(|(id, rule)| {
                let found = routes(rule).and_then(|found| {
                    let kinds = found.ways.iter().map(|way| self.becomes(rule, way)).collect::<Option<Vec<_>>>()?;
                    Some((found, kinds.concat()))
                });
                (id, found)
            })
            .collect();
        let plain: Vec<(RuleId, &Ways)> =
            known.iter().filter_map(|(id, found)| Some((*id, &found.as_ref()?.0))).collect();
        for (at, &(a, first)) in plain.iter().enumerate() {
            for &(b, second) in &plain[at..] {
                let (one, other) = (&rules.rules[a], &rules.rules[b]);
                let alike = (one.trigger, one.kind) == (other.trigger, other.kind);
                let mut pairs = first.ways.iter().enumerate().flat_map(|(index, way)| {
                    let rest = if a == b { index + 1 } else { 0 };
                    second.ways[rest..].iter().map(move |other| (way, other))
                });
                if alike && !pairs.all(|(way, next)| self.lead_apart((one, way), (other, next))) {
                    return None;
                }
            }
        }
        let of = |trigger: Trigger| {
            let rules = plain.iter().map(|&(id, _)| &rules.rules[id]);
            rules.filter(|rule| rule.trigger == trigger).filter_map(|rule| rule.kind).collect()
        };
        let (moved, dropped) = (of(Trigger::Piece), of(Trigger::Drop));
        let odd = known.iter().filter(|(_, found)| found.is_none()).map(|(id, _)| *id).collect();
        let plain = known.into_iter().filter_map(|(id, found)| Some((id, found?.1))).collect();
        Some(Apart { plain, moved, dropped, odd })
    }

    /// Whether no stage refuses a step of the rule: what it asks is about fields that such a step leaves as they are at the start of a
    /// turn.
    pub(super) fn is_accepted(&self, rule: &Rule) -> bool {
        let stages = || [&self.rules.stages.after_step, &self.rules.stages.after_move].into_iter().flatten();
        let sets = |field: Field| {
            let sets = |stmt: &Stmt| matches!(&stmt.kind, StmtKind::Effect(effect) if effect.op == Op::Set(field));
            Stmt::any(&rule.body, &sets) || stages().any(|stage| Stmt::any(&stage.body, &sets))
        };
        let fails = |stmt: &Stmt| match &stmt.kind {
            StmtKind::Verify(condition) => self.truth_at_start(condition, &sets) != Some(true),
            _ => false,
        };
        !stages().any(|stage| Stmt::any(&stage.body, &fails))
    }

    /// Whether a condition is true, as far as fields decide that which start anew with each turn.
    fn truth_at_start(&self, condition: &Expr, sets: &dyn Fn(Field) -> bool) -> Option<bool> {
        let truth = |arg: &Expr| self.truth_at_start(arg, sets);
        let number = |arg: &Expr| match arg.op {
            Op::Int(number) => Some(number),
            Op::Get(field) if !sets(field) => self.started(field),
            _ => None,
        };
        let args = &condition.args;
        match condition.op {
            Op::Bool(value) => Some(value),
            Op::Not => Some(!truth(&args[0])?),
            Op::Equal => Some(number(&args[0])? == number(&args[1])?),
            Op::And | Op::Or => {
                let decides = condition.op == Op::Or;
                if args.iter().any(|arg| truth(arg) == Some(decides)) {
                    return Some(decides);
                }
                args.iter().all(|arg| truth(arg) == Some(!decides)).then_some(!decides)
            }
            _ => None,
        }
    }

    /// What a field is at the start of each turn, if it starts anew.
    pub(super) fn started(&self, field: Field) -> Option<i32> {
        let info = &self.rules.fields[field];
        (info.transient && info.scope == Scope::Global).then_some(info.initial)
    }

    /// Whether everybody is his own friend and nobody his own enemy.
    fn knows_friends(&self) -> bool {
        self.rules.players.iter().all(|(id, info)| info.friends.contains(&id) && !info.enemies.contains(&id))
    }

    /// The kinds, one of which the piece has that a way puts on the site where it ends: when it does nothing else to the board but to
    /// take it there, from its start or from the hand, and there is surely no piece of the player's before.
    fn becomes(&self, rule: &Rule, way: &Way) -> Option<Vec<Kind>> {
        let (kind, known) = (rule.kind?, &self.memory.known);
        let here = Expr::local(Local::from_index(0));
        let drops = match rule.trigger {
            Trigger::Piece => false,
            Trigger::Drop => true,
            Trigger::AnyPiece | Trigger::Turn => return None,
        };
        let slides = way.slide.is_some();
        let from = if drops { way.from.op == Op::Nowhere } else { way.from == here };
        let plain = rule.then.is_none() && way.parameters == 0 && way.next == Next::Done && from;
        if !plain || drops && (way.to != here || slides) || !drops && way.to == here {
            return None;
        }
        let steps = steps_from(&way.to, Local::from_index(0));
        let alike = |&(direction, back): &(Direction, bool)| self.shifts[direction][usize::from(back)].is_some();
        if !slides && !steps.is_some_and(|steps| steps.iter().all(alike)) {
            return None;
        }
        let mut kinds = vec![kind];
        // What stood where it goes may come to its start, if it is captured there: so it is turned round before it goes to a hand.
        let (mut goes, mut swaps, mut taken) = (0, false, false);
        for effect in way.made.as_ref()? {
            let args = &effect.args;
            let at = |place: &Expr| is_at(&args[0], place);
            match effect.op {
                Op::Move if !drops && args[0] == here && args[1] == way.to => goes += 1,
                Op::Move if !drops && args[0] == way.to && args[1] == here && !swaps => swaps = true,
                Op::Drop if drops && args[0] == here && args[1].op == Op::Me && args[2].op == Op::Kind(kind) => {
                    goes += 1;
                }
                Op::Retype if !drops && at(&way.to) => {
                    let Op::Kind(kind) = args[1].op else { return None };
                    if args[0] == way.to {
                        kinds.clear();
                    }
                    kinds.push(kind);
                }
                Op::Set(_) => {}
                Op::SetAt(field) if at(&way.to) && field != known.owner && field != known.kind => {}
                Op::Capture if !drops && args[0] == here => taken = true,
                Op::Retype | Op::Reown | Op::Flip | Op::SetAt(_) | Op::Capture if !drops && at(&here) => {}
                _ => return None,
            }
        }
        let mut conditions: Vec<&Expr> = way.conditions.iter().collect();
        if let Some(slide) = &way.slide {
            conditions.extend(&slide.ends);
            conditions.extend(slide.through.iter().filter(|_| !slide.stops));
        }
        let says = |op: Op| Expr::new(op, [way.to.clone()]);
        let holds = |expr: Expr| conditions.contains(&&expr);
        let empty = holds(says(Op::Empty));
        let free = empty || holds(says(Op::Enemy)) || {
            let apart = holds(says(Op::Friend).negated()) || holds(says(Op::Mine).negated());
            apart && (slides || holds(says(Op::OnBoard)))
        };
        (goes == 1 && (taken || !swaps) && if drops { empty } else { free }).then_some(kinds)
    }

    /// Whether steps of two ways of pieces of one kind lead to different states: from different starts they do.
    fn lead_apart(&self, (rule, a): (&Rule, &Way), (other, b): (&Rule, &Way)) -> bool {
        let slides = a.slide.as_ref().zip(b.slide.as_ref()).is_some_and(|(a, b)| a.differs(b));
        let begins = begins(a, b, rule.trigger).is_some() || begins(b, a, rule.trigger).is_some();
        let kinds = self.becomes(rule, a).zip(self.becomes(other, b));
        let becomes = kinds.is_some_and(|(a, b)| !a.iter().any(|kind| b.contains(kind)));
        slides
            || begins
            || becomes
            || excludes(a, b)
            || stands(a, b)
            || stands(b, a)
            || ends_apart(a, b)
            || self.end_elsewhere(a, b)
    }
}

/// Whether a piece stands for one way where the other finds none.
fn stands(a: &Way, b: &Way) -> bool {
    let empty = b.conditions.iter().filter(|condition| condition.op == Op::Empty);
    empty.map(|condition| &condition.args).any(|place| {
        let piece = |condition: &Expr| matches!(condition.op, Op::Enemy | Op::Friend | Op::Mine | Op::Neutral);
        a.conditions.iter().any(|condition| piece(condition) && condition.args == *place)
    })
}

/// Whether a stage does nothing but ask, and set fields that belong to no site.
fn is_quiet(stage: &Program) -> bool {
    let loud = |stmt: &Stmt| match &stmt.kind {
        StmtKind::Let(..) | StmtKind::If(..) | StmtKind::Verify(_) => false,
        StmtKind::Effect(effect) => !matches!(effect.op, Op::Set(_)),
        _ => true,
    };
    stage.bounds.is_empty() && !Stmt::any(&stage.body, &loud)
}

/// Whether an effect is on a place, or on none.
fn is_at(target: &Expr, place: &Expr) -> bool {
    let guarded = || {
        let number = target.args.first().filter(|_| target.op == Op::Numbered)?;
        let [_, site, none] = &number.args[..] else { return None };
        let picks = number.op == Op::Pick && site.op == Op::Number && site.args[0] == *place;
        Some(picks && none.op == Op::Int(0))
    };
    target == place || guarded() == Some(true)
}
