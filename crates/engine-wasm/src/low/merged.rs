//! Functions that differ in numbers alone are one function, which is given the numbers. Rules come in directions, and for kinds of
//! pieces that move alike, so that most of what is written is the same again; what turns it into machine code need not see it again.
//!
//! A function that is given numbers is a little slower than one that knows them.

use std::collections::BTreeMap;

use super::Module;
use super::piece::{Item, Piece, SPARE};

/// How many bytes a function must have at least: smaller ones are cheaper than their calls would become.
const SMALLEST: usize = 100;

/// How many groups of functions that are alike a function is tried in, of those that were made last.
const TRIES: usize = 4;

/// What became of a function.
#[derive(Clone, Debug, Default)]
pub(super) enum Merged {
    /// It stands for itself alone.
    #[default]
    Alone,
    /// It stands for others too: which added parameter stands for the constant in each gap, and its own numbers.
    Leads { parameters: Vec<Option<u32>>, numbers: Vec<i32> },
    /// Another one is called instead, with these numbers.
    Follows { leader: usize, numbers: Vec<i32> },
}

impl Merged {
    /// The numbers with which it is called.
    pub(super) fn numbers(&self) -> &[i32] {
        match self {
            Self::Alone => &[],
            Self::Leads { numbers, .. } | Self::Follows { numbers, .. } => numbers,
        }
    }

    /// Which of the parameters that were added stands for the constant in a gap.
    pub(super) fn parameter(&self, gap: usize) -> Option<u32> {
        match self {
            Self::Leads { parameters, .. } => parameters[gap],
            Self::Alone | Self::Follows { .. } => None,
        }
    }
}

/// Functions that are alike, and the gaps that have had the same constants in each of them.
struct Cluster {
    members: Vec<usize>,
    /// For each gap, the class of those that always were filled alike.
    classes: Vec<usize>,
    /// For each class whether it was ever filled otherwise than in the first member.
    varies: Vec<bool>,
}

/// What becomes of the functions of a module, apart from those that are of no use.
pub(super) fn merged(module: &Module, used: &[bool]) -> Vec<Merged> {
    let mut alike: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for (index, (signature, piece)) in module.signatures.iter().zip(&module.bodies).enumerate() {
        if let Some(piece) = piece
            && used[index]
            && !signature.exported
            && piece.bytes.len() >= SMALLEST
        {
            let key = (&signature.params[..], signature.result, piece.without_constants());
            alike.entry(key).or_default().push(index);
        }
    }
    let mut merged = vec![Merged::Alone; used.len()];
    for members in alike.into_values().filter(|members| members.len() > 1) {
        let mut clusters: Vec<Cluster> = Vec::new();
        for member in members {
            let constants = constants(module, member);
            let grown = clusters.iter_mut().rev().take(TRIES).any(|cluster| {
                let leader = self::constants(module, cluster.members[0]);
                cluster.grow(member, &constants, &leader)
            });
            if !grown {
                clusters.push(Cluster::new(member, &constants));
            }
        }
        clusters
            .iter()
            .filter(|cluster| cluster.members.len() > 1)
            .for_each(|cluster| cluster.tell(module, &mut merged));
    }
    merged
}

/// What fills each gap of a function, nothing where it is no constant.
fn constants(module: &Module, function: usize) -> Vec<Option<i32>> {
    module.bodies[function].iter().flat_map(|piece| &piece.items).map(|(_, item)| item.constant()).collect()
}

impl Piece {
    fn without_constants(&self) -> Self {
        let items = self.items.iter().map(|&(at, item): &(u32, Item)| (at, item.with(0))).collect();
        Self { items, ..self.clone() }
    }
}

impl Cluster {
    fn new(member: usize, constants: &[Option<i32>]) -> Self {
        let (classes, count) = classes(constants.iter().copied());
        Self { members: vec![member], classes, varies: vec![false; count] }
    }

    /// Takes a function in, unless it would need too many parameters then.
    fn grow(&mut self, member: usize, constants: &[Option<i32>], leader: &[Option<i32>]) -> bool {
        let (classes, count) = classes(self.classes.iter().copied().zip(constants));
        let mut varies = vec![false; count];
        for (gap, &class) in classes.iter().enumerate() {
            varies[class] |= self.varies[self.classes[gap]] || constants[gap] != leader[gap];
        }
        let fits = varies.iter().filter(|&&varies| varies).count() <= SPARE as usize;
        if fits {
            self.members.push(member);
            (self.classes, self.varies) = (classes, varies);
        }
        fits
    }

    fn tell(&self, module: &Module, merged: &mut [Merged]) {
        let mut next = 0..;
        let parameters: Vec<Option<u32>> =
            self.varies.iter().map(|&varies| varies.then(|| next.next()).flatten()).collect();
        let added = parameters.iter().flatten().count() as u32;
        for &member in &self.members {
            let mut numbers = vec![0; added as usize];
            for (constant, &class) in constants(module, member).into_iter().zip(&self.classes) {
                if let (Some(parameter), Some(constant)) = (parameters[class], constant) {
                    numbers[parameter as usize] = constant;
                }
            }
            merged[member] = if member == self.members[0] {
                Merged::Leads { parameters: self.classes.iter().map(|&class| parameters[class]).collect(), numbers }
            } else {
                Merged::Follows { leader: self.members[0], numbers }
            };
        }
    }
}

/// Numbers what is equal alike, from 0 on, and says how many numbers there are.
fn classes<T: Ord>(of: impl Iterator<Item = T>) -> (Vec<usize>, usize) {
    let mut known = BTreeMap::new();
    let classes = of
        .map(|key| {
            let next = known.len();
            *known.entry(key).or_insert(next)
        })
        .collect();
    (classes, known.len())
}

#[cfg(test)]
mod tests {
    use wasmtime::{Engine, Instance, Module as Code, Store};

    use super::*;
    use crate::low::{Body, Ex, Stmt, Ty, V, Width};

    /// A function that is large enough, and computes something from its argument, numbers and memory.
    fn write(body: &mut Body, argument: V, numbers: [i32; 3]) {
        let sum = body.bind(0);
        for _ in 0..12 {
            body.store(Width::I32, argument * 4, numbers[0] as u32, Ex::from(argument) + numbers[1]);
            let back = (argument * 4).load(Width::I32, numbers[0] as u32);
            body.set(sum, Ex::from(sum) * numbers[2] + back);
        }
        body.give(sum);
    }

    /// A module in which functions with these numbers are called one after the other.
    fn module(all: &[[i32; 3]]) -> Module {
        let mut module = Module::default();
        let functions: Vec<_> = all
            .iter()
            .map(|&numbers| {
                module.function("part", &[Ty::I32], Some(Ty::I32), |body, params| write(body, params[0], numbers))
            })
            .collect();
        module.function("of no use", &[], None, |body, _| body.push(Stmt::Trap));
        let whole = module.function("whole", &[Ty::I32], Some(Ty::I32), |body, params| {
            let sum = body.bind(0);
            for &function in &functions {
                body.set(sum, Ex::from(sum) * 31 + Ex::Call(function, vec![params[0].into()], Ty::I32));
            }
            body.give(sum);
        });
        module.export(whole);
        module
    }

    fn run(bytes: &[u8], argument: i32) -> i32 {
        let engine = Engine::default();
        let code = Code::new(&engine, bytes).unwrap();
        let mut store = Store::new(&engine, ());
        let instance = Instance::new(&mut store, &code, &[]).unwrap();
        instance.get_typed_func::<i32, i32>(&mut store, "whole").unwrap().call(&mut store, argument).unwrap()
    }

    /// How many functions stand in a module.
    fn functions(module: &Module) -> usize {
        let used = super::super::called::used(module);
        let merged = merged(module, &used);
        used.iter().zip(&merged).filter(|(used, merged)| **used && !matches!(merged, Merged::Follows { .. })).count()
    }

    #[test]
    fn functions_that_differ_in_numbers_are_one() {
        let module = module(&[[64, 5, 3], [128, 7, 3], [64, 7, 3], [256, -1, 3], [64, 5, 3]]);
        let (apart, merged) = (module.encode(1, 1, false).unwrap(), module.encode(1, 1, true).unwrap());
        assert!(merged.len() * 2 < apart.len(), "{} and {}", merged.len(), apart.len());
        assert_eq!(functions(&module), 2);
        for argument in [0, 1, 7, 1000] {
            assert_eq!(run(&merged, argument), run(&apart, argument));
        }
    }

    #[test]
    fn functions_that_need_too_many_numbers_stay_apart() {
        let mut module = Module::default();
        let mut part = |first: i32, count: i32| {
            module.function("part", &[], Some(Ty::I32), |body, _| {
                let sum = body.bind(0);
                (0..40).for_each(|index| body.set(sum, Ex::from(sum) * 3 + (first + index % count)));
                body.give(sum);
            })
        };
        let parts = [part(0, 40), part(100, 40), part(0, 20), part(100, 20)];
        let whole = module.function("whole", &[Ty::I32], Some(Ty::I32), |body, _| {
            let sum = body.bind(0);
            parts.iter().for_each(|&part| body.set(sum, Ex::from(sum) * 5 + Ex::Call(part, vec![], Ty::I32)));
            body.give(sum);
        });
        module.export(whole);
        // The first two differ in 40 numbers, the others from the second in more; the last two differ in 20.
        assert_eq!(functions(&module), 4);
        assert_eq!(run(&module.encode(1, 1, true).unwrap(), 0), run(&module.encode(1, 1, false).unwrap(), 0));
    }
}
