//! A whole move by the sites that its piece comes to, as draughts people write it: `a1c3e5`, `a1-c3-e5`, `a1xc3xe5`.
//!
//! Names of sites may begin alike, and no signs need stand between them: the legal steps decide where one ends.

use std::collections::VecDeque;

use dagaz_engine::{Executor, Fault, NoHistory, State, Step};

use super::{SIGNS, Writer};

/// So many steps are tried: many more than it takes to read a move of any game that people play.
const MOST_TRIED: usize = 1000;

/// The beginning of a move, the state after it, and what is left of the text.
struct Way<'t> {
    steps: Vec<Step>,
    state: State,
    rest: &'t str,
}

/// The moves of several steps that a text without blanks means, which begin with one of these; of those that lead to the
/// same state the first. Its last site may be followed by what may follow the sites of a step.
pub(super) fn moves(
    executor: &dyn Executor,
    state: &State,
    steps: &[Step],
    text: &str,
) -> Result<Vec<Vec<Step>>, Fault> {
    let name = |site| executor.rules().topology.site_name(site);
    let mut ways = VecDeque::from([Way { steps: Vec::new(), state: state.clone(), rest: text }]);
    let mut whole: Vec<Way> = Vec::new();
    let mut tried = 0;
    while let Some(way) = ways.pop_front() {
        let goes_on = !way.steps.is_empty();
        let legal = if goes_on { &executor.steps(&way.state, &NoHistory)? } else { steps };
        for step in legal {
            let (Some(from), Some(to)) = (step.from, step.to) else { continue };
            let Some(rest) = way.rest.strip_prefix(if goes_on { "" } else { name(from) }) else { continue };
            for rest in SIGNS.iter().filter_map(|sign| rest.strip_prefix(sign)?.strip_prefix(name(to))) {
                let ends = goes_on && Writer::new(executor, &way.state).is_tail(step, rest);
                if !ends && (rest.is_empty() || step.chain.is_none()) {
                    continue;
                }
                tried += 1;
                if tried > MOST_TRIED {
                    return Ok(Vec::new());
                }
                let mut state = way.state.clone();
                let undo = executor.apply(&mut state, step)?;
                let steps = [way.steps.as_slice(), std::slice::from_ref(step)].concat();
                if !ends {
                    ways.extend((!undo.ends_move).then_some(Way { steps, state, rest }));
                } else if whole.iter().all(|other| other.state != state) {
                    whole.push(Way { steps, state, rest });
                }
            }
        }
    }
    Ok(whole.into_iter().map(|way| way.steps).collect())
}
