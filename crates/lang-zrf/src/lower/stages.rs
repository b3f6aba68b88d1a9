//! What surrounds a move: its stages, and the conditions that hold after every move.

use std::collections::{BTreeMap, BTreeSet};

use dagaz_base::IdMap;
use dagaz_ir::{Function, Invariant, Program, Stages, Type};

use crate::lower::Lowering;
use crate::lower::block::{Asks, BlockLowering, short};
use crate::syntax::{Form, Node};

impl Lowering<'_> {
    /// Reads the stages.
    pub(crate) fn stages(&mut self) -> Stages {
        Stages {
            before_move: self.stage("before-move"),
            before_step: self.stage("before-step"),
            after_step: self.stage("after-step"),
            after_move: self.stage("after-move"),
        }
    }

    fn stage(&mut self, name: &str) -> Option<Program> {
        let sections = self.sections;
        let form = sections.get(name)?;
        let steps = form.rest();
        let bounds = if name == "after-move" { bounds(steps) } else { Vec::new() };
        let mut block = BlockLowering::surrounding(self, form, &[]);
        let bounds = bounds.into_iter().map(|name| block.declare(name, Type::Int)).collect();
        if name == "after-move" {
            block.asks = Asks::AfterMove;
        }
        let mut body = Vec::new();
        block.begin(&mut body);
        block.steps(steps, &mut body);
        Some(Program { locals: block.into_locals(), bounds, body, origin: Some(form.origin) })
    }

    /// The conditions that hold after every move: `(verify …)` in a game.
    pub(crate) fn laws(&mut self) -> Vec<Invariant> {
        let sections = self.sections;
        let mut laws = Vec::new();
        for form in &sections.laws {
            for condition in form.rest() {
                let mut block = BlockLowering::asking(self, IdMap::new(), Asks::Step, condition.origin);
                let body = block.condition(condition);
                let condition_function = Function { locals: block.into_locals(), body };
                laws.push(Invariant {
                    name: short(condition),
                    condition: condition_function,
                    origin: Some(condition.origin),
                });
            }
        }
        laws
    }
}

/// The names that keep their values from move to move: given a value by `let`, but not before all else that mentions them and
/// in every case.
fn bounds(steps: &[Form]) -> Vec<&str> {
    let (mut given, mut seen, mut first) = (Vec::new(), BTreeSet::new(), BTreeMap::new());
    for (index, step) in steps.iter().enumerate() {
        words(step, &mut |word| _ = first.entry(word).or_insert(index));
        lets(step, &mut |name| {
            if seen.insert(name) {
                given.push(name);
            }
        });
    }
    given.retain(|&name| !surely_given(&steps[first[name]], name));
    given
}

/// Whether the step gives the name a value that does not depend on the name.
fn surely_given(step: &Form, name: &str) -> bool {
    let Some([head, variable, value]) = step.list() else { return false };
    let mut mentioned = false;
    words(value, &mut |word| mentioned |= word == name);
    head.symbol() == Some("let") && variable.symbol() == Some(name) && !mentioned
}

/// The names that the form gives values to.
fn lets<'f>(form: &'f Form, see: &mut impl FnMut(&'f str)) {
    let Some(items) = form.list() else { return };
    if let [head, name, _] = items
        && head.symbol() == Some("let")
        && let Some(name) = name.symbol()
    {
        see(name);
    }
    items.iter().for_each(|item| lets(item, see));
}

/// All words of the form.
fn words<'f>(form: &'f Form, see: &mut impl FnMut(&'f str)) {
    match &form.node {
        Node::Symbol(word) => see(word),
        Node::List(items) => items.iter().for_each(|item| words(item, see)),
        Node::Text(_) => {}
    }
}
