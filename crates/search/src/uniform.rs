//! The agent that plays at random.

use dagaz_base::Random;
use dagaz_engine::{Move, Situation};

use crate::agent::{Agent, Ask, Choice, NoChoice};
use crate::walk::Walk;

/// Chooses each step uniformly among the legal ones. Moves of several steps are therefore not uniform among moves.
#[derive(Clone, Copy, Debug, Default)]
pub struct Uniform;

impl Agent for Uniform {
    fn name(&self) -> String {
        "random".to_owned()
    }

    fn choose(&self, ask: &Ask<'_>) -> Result<Choice, NoChoice> {
        let mut random = Random::new(ask.seed);
        let mut walk = Walk::new(ask);
        let mut chosen = Move::default();
        while let Situation::Open(mut steps) = walk.situation()? {
            let step = steps.swap_remove(random.below(steps.len()));
            let ended = walk.make(&step)?;
            chosen.steps.push(step);
            if ended {
                break;
            }
        }
        if chosen.steps.is_empty() {
            return Err(NoChoice::Over);
        }
        Ok(Choice { line: vec![chosen.clone()], chosen, score: None, nodes: 0, depth: 0 })
    }
}
