//! Who plays which player, and how agents and chance make their moves.

use std::time::Instant;

use anyhow::{Context as _, bail};
use dagaz_arena::persons;
use dagaz_base::random::mix;
use dagaz_base::{IdMap, Random};
use dagaz_engine::{Executor, History, State, Step};
use dagaz_ir::{Player, Role, Rules};
use dagaz_play::Play;
use dagaz_search::{Agent, AgentSpec, Ask, Choice, NoChoice};

use crate::game::Game;

/// A moment of a game, as far as those who move must know it.
pub(crate) struct Moment<'a> {
    pub(crate) executor: &'a dyn Executor,
    pub(crate) state: &'a State,
    pub(crate) history: &'a dyn History,
    /// How many steps were made before.
    pub(crate) made: usize,
}

impl<'a> Moment<'a> {
    /// Where a game stands, whose past this is.
    pub(crate) fn of(play: &'a Play, history: &'a dyn History) -> Self {
        Self { executor: &**play.executor(), state: play.state(), history, made: play.steps_made().count() }
    }

    /// Of a game's seed, one for this moment.
    fn seed(&self, seed: u64) -> u64 {
        mix(seed ^ mix(self.made as u64))
    }
}

/// An agent and its limits.
pub(crate) struct Engine {
    /// As it was written.
    pub(crate) spec: AgentSpec,
    agent: Box<dyn Agent>,
}

impl Engine {
    /// The agent of this description.
    fn new(spec: AgentSpec, game: &Game) -> anyhow::Result<Self> {
        Ok(Self { spec, agent: game.agent(spec)? })
    }

    /// Who plays against a person who says nothing about it, and gives hints.
    pub(crate) fn usual(game: &Game) -> anyhow::Result<Self> {
        Self::new(if game.rules().concealments.is_empty() { OPPONENT } else { BLIND_OPPONENT }.parse()?, game)
    }

    /// The agent's move. Here is the clock that the core does not have.
    pub(crate) fn choose(&self, at: &Moment<'_>, seed: u64) -> Result<Choice, NoChoice> {
        let deadline = self.spec.time.map(|time| Instant::now() + time);
        let keep_going = || deadline.is_none_or(|deadline| Instant::now() < deadline);
        self.agent.choose(&Ask {
            executor: at.executor,
            state: at.state,
            history: at.history,
            budget: self.spec.budget,
            keep_going: &keep_going,
            seed: at.seed(seed),
        })
    }
}

/// Whoever moves for a player.
pub(crate) enum Seat {
    /// A person.
    Person,
    /// An agent.
    Engine(Engine),
    /// Chance.
    Chance,
    /// Nobody: the player has no turn.
    Nobody,
}

/// Seats for games without persons: one agent for everybody, or one for each player in order.
pub(crate) fn of_agents(game: &Game, specs: &[AgentSpec]) -> anyhow::Result<IdMap<Player, Seat>> {
    let rules = game.rules();
    let persons = persons(rules);
    if specs.len() != 1 && specs.len() != persons.len() {
        bail!(
            "{} has {} players and {} agents; give one for everybody, or one each",
            rules.name,
            persons.len(),
            specs.len()
        );
    }
    let seat = |player: Player| match persons.iter().position(|&person| person == player) {
        Some(index) => Engine::new(specs[index % specs.len()], game).map(Seat::Engine),
        None => Ok(empty_seat(rules, player)),
    };
    rules.players.ids().map(seat).collect()
}

/// Seats for a game with a person, as `dagaz play --agent` describes them.
pub(crate) fn of_texts(game: &Game, texts: &[String]) -> anyhow::Result<IdMap<Player, Seat>> {
    let rules = game.rules();
    let persons = persons(rules);
    let mut seats: IdMap<Player, Option<Seat>> = IdMap::new();
    for _ in rules.players.ids() {
        seats.push(None);
    }
    let (named, plain): (Vec<_>, Vec<_>) =
        texts.iter().map(|text| (named_player(rules, text), text)).partition(|(n, _)| n.is_some());
    for (found, text) in &named {
        let Some((player, spec)) = found else { continue };
        if seats[*player].is_some() {
            bail!("`{text}`: the player has an agent already");
        }
        seats[*player] = Some(seat(spec, game)?);
    }
    let free: Vec<Player> = persons.iter().copied().filter(|&player| seats[player].is_none()).collect();
    match plain.as_slice() {
        // Whoever is not named is a person; without any agent the first is, and an engine plays the others.
        [] => {
            for (index, &player) in free.iter().enumerate() {
                let is_person = index == 0 || !named.is_empty();
                seats[player] = Some(if is_person { Seat::Person } else { Seat::Engine(Engine::usual(game)?) });
            }
        }
        [(_, one)] if free.len() > 1 => {
            for (index, &player) in free.iter().enumerate() {
                seats[player] = Some(if index == 0 { Seat::Person } else { seat(one, game)? });
            }
        }
        many if many.len() == free.len() => {
            for ((_, text), &player) in many.iter().zip(&free) {
                seats[player] = Some(seat(text, game)?);
            }
        }
        many => bail!("{} agents for {} players; give one for all but you, or one each", many.len(), free.len()),
    }
    let mut seated = IdMap::new();
    for player in rules.players.ids() {
        seated.push(seats[player].take().unwrap_or_else(|| empty_seat(rules, player)));
    }
    Ok(seated)
}

/// Who plays against a person who says nothing about it.
const OPPONENT: &str = "alphabeta:time=500ms";
/// The same where players do not see everything: who does not look.
const BLIND_OPPONENT: &str = "mcts:time=500ms";

fn seat(text: &str, game: &Game) -> anyhow::Result<Seat> {
    if text.eq_ignore_ascii_case("person") {
        return Ok(Seat::Person);
    }
    let spec: AgentSpec = text.parse().with_context(|| format!("`{text}`"))?;
    Ok(Seat::Engine(Engine::new(spec, game)?))
}

/// The player and the agent of `PLAYER=AGENT`; nothing when it is only an agent.
fn named_player<'t>(rules: &Rules, text: &'t str) -> Option<(Player, &'t str)> {
    let (name, spec) = text.split_once('=')?;
    let player = rules.players.position(|player| player.name.eq_ignore_ascii_case(name.trim()))?;
    (rules.players[player].role == Role::Person).then_some((player, spec.trim()))
}

fn empty_seat(rules: &Rules, player: Player) -> Seat {
    if rules.players[player].role == Role::Random { Seat::Chance } else { Seat::Nobody }
}

/// The step of chance: each legal one is equally likely.
pub(crate) fn roll(at: &Moment<'_>, steps: &[Step], seed: u64) -> Option<Step> {
    Random::new(at.seed(seed)).choose(steps).cloned()
}
