//! Who plays in a match: our own agents and other people's programs.

use std::fmt;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use dagaz_arena::{Clock, Reply, Turn};
use dagaz_search::{Agent, AgentSpec, Ask, Budget};

use crate::game::Game;
use crate::outside::{Allowance, Outside, Program, Said};

/// A player, as a person writes it.
#[derive(Clone, Debug)]
pub(crate) struct Contestant {
    kind: Kind,
    /// Whether the text says how much it may use.
    limited: bool,
}

#[derive(Clone, Debug)]
enum Kind {
    Own(AgentSpec),
    Program(Program),
}

/// What all players of a match are allowed who do not say it themselves.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Limits {
    pub(crate) time: Option<Duration>,
    pub(crate) nodes: Option<u64>,
}

impl FromStr for Contestant {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if Program::is_one(text) {
            let program: Program = text.parse()?;
            let limited = program.time.is_some() || program.budget != Budget::default();
            return Ok(Self { kind: Kind::Program(program), limited });
        }
        let spec: AgentSpec = text.parse().with_context(|| format!("`{text}`"))?;
        let limited = ["time", "nodes", "depth"].iter().any(|limit| text.contains(&format!("{limit}=")));
        Ok(Self { kind: Kind::Own(spec), limited })
    }
}

impl fmt::Display for Contestant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Own(spec) => spec.fmt(f),
            Kind::Program(program) => program.fmt(f),
        }
    }
}

impl Contestant {
    /// The same under the limits of a match, unless it has its own. A clock is a limit as well.
    pub(crate) fn under(mut self, limits: Limits, clock: bool) -> Self {
        if self.limited || (limits.time.is_none() && limits.nodes.is_none() && !clock) {
            return self;
        }
        let (time, budget) = match &mut self.kind {
            Kind::Own(spec) => (&mut spec.time, &mut spec.budget),
            Kind::Program(program) => (&mut program.time, &mut program.budget),
        };
        *time = limits.time;
        budget.nodes = limits.nodes;
        self
    }

    /// Whether its moves depend on how fast the machine is, or on a program of which nothing is known.
    pub(crate) fn depends_on_time(&self) -> bool {
        match &self.kind {
            Kind::Own(spec) => spec.depends_on_time(),
            Kind::Program(program) => program.budget == Budget::default(),
        }
    }

    /// Whoever plays for it.
    pub(crate) fn seat(&self, game: &Game) -> anyhow::Result<Seated> {
        Ok(match &self.kind {
            Kind::Own(spec) => {
                let agent = game.agent(*spec)?;
                Seated::Own { time: spec.time, budget: spec.budget, agent }
            }
            Kind::Program(program) => Seated::Program {
                time: program.time,
                budget: program.budget,
                outside: Box::new(Outside::new(program, game)),
            },
        })
    }
}

/// A player at the board. It may play any number of games, one after another.
pub(crate) enum Seated {
    Own { time: Option<Duration>, budget: Budget, agent: Box<dyn Agent> },
    Program { time: Option<Duration>, budget: Budget, outside: Box<Outside> },
}

impl Seated {
    /// Sees whether it can play at all.
    pub(crate) fn check(&mut self) -> anyhow::Result<()> {
        match self {
            Self::Own { .. } => Ok(()),
            Self::Program { outside, .. } => outside.check(),
        }
    }

    /// A new game starts.
    pub(crate) fn new_game(&mut self) {
        if let Self::Program { outside, .. } = self {
            outside.new_game();
        }
    }

    /// Its answer. `stop` ends everything.
    pub(crate) fn answer(
        &mut self,
        turn: &Turn<'_>,
        clock: Option<&Clock>,
        stop: &AtomicBool,
    ) -> anyhow::Result<Reply> {
        match self {
            Self::Own { time, budget, agent } => {
                let share = clock.map(|clock| clock.share(turn.seat));
                let deadline = [*time, share].into_iter().flatten().min().map(|time| Instant::now() + time);
                let in_time = || deadline.is_none_or(|deadline| Instant::now() < deadline);
                let choice = agent.choose(&Ask {
                    executor: turn.executor,
                    state: turn.state,
                    history: turn.history,
                    budget: *budget,
                    keep_going: &|| in_time() && !stop.load(Ordering::Relaxed),
                    seed: turn.seed,
                })?;
                Ok(Reply::Move { steps: choice.chosen.steps, score: choice.score })
            }
            Self::Program { time, budget, outside } => {
                let allowance = Allowance { clock, time: *time, budget: *budget };
                Ok(match outside.choose(turn, &allowance) {
                    Ok(Said::Move { steps, score }) => Reply::Move { steps, score },
                    Ok(Said::Resigns) => Reply::Forfeit("resigned".to_owned()),
                    Err(trouble) => Reply::Forfeit(trouble.to_string()),
                })
            }
        }
    }
}
