//! What the rules of a game allow a search to do: read off the rules, once for a question.

use dagaz_ir::progress::never_repeats;
use dagaz_ir::{Block, End, Expr, Field, Op, Pass, Program, Role, Rules, Stmt, Verdict};

/// What a state's value depends on, besides the state that repetitions know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Identity {
    /// On nothing.
    State,
    /// On where the last step went, which is forgotten with the next: so on what is legal now.
    Steps,
    /// On all that is remembered.
    Memory,
}

/// What the rules allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Nature {
    /// What equal states have in common.
    pub(super) identity: Identity,
    /// Whether a state that comes back may be taken for a draw: it can come back, and if the rules say anything of that,
    /// then that it is one.
    pub(super) repetition_draws: bool,
    /// Whether two persons move by turns, one turn each.
    pub(super) alternates: bool,
}

impl Nature {
    pub(super) fn of(rules: &Rules) -> Self {
        Self {
            identity: identity(rules),
            repetition_draws: !never_repeats(rules) && repetition_draws(rules),
            alternates: alternates(rules),
        }
    }
}

/// Two persons, a turn each, nothing that turns on how often one moves.
fn alternates(rules: &Rules) -> bool {
    let turns = &rules.schedule.turns;
    let person = |index: usize| rules.players[turns[index].player].role == Role::Person;
    let plain = |index: usize| {
        let next = turns[index].next;
        turns[index].move_type.is_none() && turns[index].player != turns[next].player && person(index)
    };
    rules.policy.pass != Pass::Always && turns.len() == 2 && (0..2).all(plain)
}

fn identity(rules: &Rules) -> Identity {
    let known = rules.known();
    let last = |field: Field| Some(field) == known.last_from || Some(field) == known.last_to;
    let reads = |test: &dyn Fn(Field) -> bool| {
        anywhere(rules, &|op| matches!(op, Op::Get(field) | Op::Read(field) | Op::ReadNow(field) if test(*field)))
    };
    if reads(&|field| rules.fields[field].memory && !last(field)) || anywhere(rules, &|op| is_past(op)) {
        Identity::Memory
    } else if reads(&last) {
        Identity::Steps
    } else {
        Identity::State
    }
}

/// Questions about the last move, which no state remembers.
fn is_past(op: &Op) -> bool {
    matches!(op, Op::Captured)
}

fn repetition_draws(rules: &Rules) -> bool {
    let asks = |op: &Op| matches!(op, Op::Repetitions | Op::BoardRepetitions | Op::FirstStood);
    let harmless = |end: &End| end.result == Verdict::Draw || !end.condition.body.any(&|part| asks(&part.op));
    let programs =
        [&rules.stages.before_move, &rules.stages.before_step, &rules.stages.after_step, &rules.stages.after_move];
    let in_programs = programs.into_iter().flatten().any(|program| in_block(&program.body, &asks))
        || rules.rules.values().any(|rule| in_block(&rule.body, &asks) || in_program(rule.then.as_ref(), &asks));
    rules.ends.iter().all(harmless) && !in_programs
}

/// Whether an operation that passes the test stands anywhere in the rules.
fn anywhere(rules: &Rules, test: &dyn Fn(&Op) -> bool) -> bool {
    let stages = &rules.stages;
    let programs = [&stages.before_move, &stages.before_step, &stages.after_step, &stages.after_move];
    let expression = |body: &Expr| body.any(&|part| test(&part.op));
    programs.into_iter().any(|program| in_program(program.as_ref(), test))
        || rules.rules.values().any(|rule| in_block(&rule.body, test) || in_program(rule.then.as_ref(), test))
        || rules.invariants.iter().any(|invariant| expression(&invariant.condition.body))
        || rules.ends.iter().any(|end| {
            let scored = matches!(&end.result, Verdict::Score(function) if expression(&function.body));
            scored || expression(&end.condition.body)
        })
}

fn in_program(program: Option<&Program>, test: &dyn Fn(&Op) -> bool) -> bool {
    program.is_some_and(|program| in_block(&program.body, test))
}

fn in_block(block: &Block, test: &dyn Fn(&Op) -> bool) -> bool {
    let in_expression = |expression: &&Expr| expression.any(&|part| test(&part.op));
    Stmt::any(block, &|stmt| stmt.expressions().iter().any(in_expression))
}
