//! Why a step is legal, or is not.
//!
//! The rules of the piece are run once more, and what became of each run is told as data; whoever shows it to people has the
//! rules' sources and draws their lines beside it.

use std::fmt::Write as _;

use dagaz_base::Origin;
use dagaz_board::Site;
use dagaz_ir::{Kind, MoveType, Player, RuleId, Rules, Trigger};

use crate::executor::{Executor, Fault, Outcome, Situation};
use crate::history::History;
use crate::interpreter::{Ending, Interpreter, Removal, Value};
use crate::state::State;
use crate::step::{Step, StepRule};

/// Which steps are asked about: those between two sites. Without `from` drops, without `to` all steps from the site,
/// without both all of the turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Question {
    /// Where they start.
    pub from: Option<Site>,
    /// Where they end.
    pub to: Option<Site>,
    /// The kind that is dropped, when it must be one.
    pub dropped: Option<Kind>,
}

/// What is to be said about the steps of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// Why there can be no such step whatever the rules of the piece say. The rest is empty then, unless the game is over:
    /// of a player who is stuck one wants to know what holds him.
    pub obstacle: Option<Obstacle>,
    /// The legal ones.
    pub legal: Vec<Step>,
    /// The ones that rules make and that are not legal.
    pub removed: Vec<(Step, Removal)>,
    /// The runs of rules that made such a step, looked at the site where it would end, or lead there when nothing stops
    /// them.
    pub runs: Vec<RuleRun>,
}

/// Why no rule was even asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// The game is over.
    GameOver(Outcome),
    /// The move that was begun must go on with the piece on this site.
    MustGoOn(Site),
    /// No piece stands there.
    EmptySite(Site),
    /// The piece there is not one that may be moved in this turn.
    NotYours {
        /// Whose it is.
        owner: Player,
        /// Whose pieces are moved.
        turn: Player,
    },
    /// Pieces of this kind have no rules, or none of the move type that the turn or the chain asks for.
    NoRules(Option<MoveType>),
    /// No piece that can be dropped is in hand, or none of the kind.
    EmptyHand(Option<Kind>),
}

/// One run of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleRun {
    /// The rule.
    pub rule: RuleId,
    /// The site that it was run for; none for a rule that is run once a turn.
    pub site: Option<Site>,
    /// How many of the steps it made.
    pub made: usize,
    /// The condition that ended it, or the part of it that is asked about, when one did; its origin, when it has one.
    pub stopped: Option<Option<Origin>>,
}

/// Why there is, or is not, such a step.
pub fn explain(
    engine: &Interpreter,
    state: &State,
    history: &dyn History,
    question: Question,
) -> Result<Explanation, Fault> {
    let Question { from, to, .. } = question;
    let rules = engine.rules();
    let mut explanation = Explanation { obstacle: None, legal: Vec::new(), removed: Vec::new(), runs: Vec::new() };
    explanation.obstacle = obstacle(engine, state, history, question)?;
    let over = matches!(explanation.obstacle, Some(Obstacle::GameOver(_)));
    if explanation.obstacle.is_some() && !over {
        return Ok(explanation);
    }
    let everything = from.is_none() && to.is_none();
    let of_kind =
        |rule: RuleId| from.is_some() || question.dropped.is_none_or(|kind| rules.rules[rule].kind == Some(kind));
    let concerned = |step: &Step| {
        let between = everything || step.from == from && (to.is_none() || step.to == to);
        between && !matches!(step.rule, StepRule::Rule(rule) if !of_kind(rule))
    };
    let removed = &mut explanation.removed;
    explanation.legal = engine.logged_steps(state, history, &mut |step, removal| {
        if concerned(&step) {
            removed.push((step, removal));
        }
    })?;
    explanation.legal.retain(|step| !over && concerned(step));
    for run in engine.runs(state) {
        let trigger = rules.rules[run.rule].trigger;
        let (is_drop, of_turn) = (trigger == Trigger::Drop, trigger == Trigger::Turn);
        let site = if is_drop { to } else { from };
        let apart = !everything && !of_turn && (run.site != site || is_drop == from.is_some());
        if apart || !of_kind(run.rule) {
            continue;
        }
        let trace = engine.trace(state, run, to)?;
        let made = trace.steps.iter().filter(|step| concerned(step)).count();
        let owner = engine.turn(state).owner;
        let could = |to| {
            let in_reach = |from| engine.reaches(run.rule, owner, from, to);
            trace.looked_at.contains(&to) || run.site.is_some_and(in_reach)
        };
        let placeless = |step: &Step| step.from.is_none() && step.to.is_none();
        let apart = of_turn && !trace.steps.is_empty() && trace.steps.iter().all(placeless);
        let near = is_drop || of_turn && !apart || to.is_none_or(could);
        let mut told = |stopped| explanation.runs.push(RuleRun { rule: run.rule, site: run.site, made, stopped });
        if made == 0 && !trace.stops.is_empty() {
            trace.stops.into_iter().for_each(|origin| told(Some(origin)));
        } else if made > 0 || near {
            told(match trace.ending {
                Ending::Stopped(origin) => Some(origin),
                Ending::Ran | Ending::Hit => None,
            });
        }
    }
    if !everything && explanation.runs.iter().any(|run| run.made > 0) {
        // Where one rule leads there, why the others do not is beside the point.
        explanation.runs.retain(|run| run.made > 0);
    }
    Ok(explanation)
}

fn obstacle(
    engine: &Interpreter,
    state: &State,
    history: &dyn History,
    Question { from, to, dropped }: Question,
) -> Result<Option<Obstacle>, Fault> {
    if let Situation::Over(outcome) = engine.situation(state, history)? {
        return Ok(Some(Obstacle::GameOver(outcome)));
    }
    let turn = engine.turn(state);
    let chain = engine.chain(state);
    let runs = engine.runs(state);
    // A rule of the turn may move anything.
    if runs.iter().any(|run| run.site.is_none()) {
        return Ok(None);
    }
    if let Some(site) = chain
        && (from.is_some() || to.is_some())
        && from != Some(site)
    {
        return Ok(Some(Obstacle::MustGoOn(site)));
    }
    let wanted = if chain.is_some() { engine.chain_type(state) } else { turn.move_type };
    let Some(from) = from else {
        let drops = runs
            .iter()
            .map(|run| &engine.rules().rules[run.rule])
            .any(|rule| rule.trigger == Trigger::Drop && dropped.is_none_or(|kind| rule.kind == Some(kind)));
        return Ok((to.is_some() && !drops).then_some(Obstacle::EmptyHand(dropped)));
    };
    Ok(match engine.piece(state, from) {
        None => Some(Obstacle::EmptySite(from)),
        Some(_) if runs.iter().any(|run| run.site == Some(from)) => None,
        Some(piece) if chain.is_none() && piece.owner != turn.owner => {
            Some(Obstacle::NotYours { owner: piece.owner, turn: turn.owner })
        }
        Some(_) => Some(Obstacle::NoRules(wanted)),
    })
}

impl Obstacle {
    /// What is to be said to people.
    pub fn text(&self, rules: &Rules) -> String {
        let site = |site| rules.topology.site_name(site);
        match self {
            Self::GameOver(outcome) => match outcome.end {
                Some(end) => format!("the game is over: {}", rules.ends[end].name),
                None => "the game is over: the player to move has no move".to_owned(),
            },
            Self::MustGoOn(at) => format!("the piece on {} must go on", site(*at)),
            Self::EmptySite(at) => format!("no piece stands on {}", site(*at)),
            Self::NotYours { owner, turn } => {
                let name = |player: Player| &rules.players[player].name;
                format!("the piece is {}'s, and it is {}'s pieces that move", name(*owner), name(*turn))
            }
            Self::NoRules(None) => "pieces of this kind do not move".to_owned(),
            Self::NoRules(Some(class)) => format!("the piece has no moves of the type {}", rules.move_types[*class]),
            Self::EmptyHand(kind) => {
                let what = kind.map_or("piece", |kind| &rules.kinds[kind].name);
                format!("no {what} that can be dropped is in hand")
            }
        }
    }
}

impl Removal {
    /// What is to be said to people.
    pub fn text(&self, rules: &Rules) -> String {
        let list = |numbers: &[i64]| numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        match self {
            Self::Priority { first: Some(class) } => {
                format!("a move of the type {} is possible and comes first", rules.move_types[*class])
            }
            Self::Priority { first: None } => "another move comes first".to_owned(),
            Self::Duplicate => "another rule makes the same step".to_owned(),
            Self::Null => "it changes nothing".to_owned(),
            Self::Invariant { invariant } => format!("it breaks a law: {}", rules.invariants[*invariant].name),
            Self::Stage { stage, .. } => format!("a condition of `{stage}` is false"),
            Self::Bounds { bounds, better, .. } => {
                let site = |site: Option<Site>| site.map_or("", |site| rules.topology.site_name(site));
                let first = better.map_or_else(
                    || "no move is accepted".to_owned(),
                    |(from, to)| format!("{} comes first", [site(from), site(to)].join("-").trim_matches('-')),
                );
                let name = |bound| rules.stages.after_move.as_ref().map_or("", |stage| &stage.locals[bound].name);
                let held = bounds.iter().filter(|(_, own, best)| own != best).map(|(bound, own, best)| {
                    format!("{} is {} here and {} there", name(*bound), number(own), number(best))
                });
                let held: Vec<_> = std::iter::once(first).chain(held).collect();
                held.join("; ")
            }
            Self::Captures { own, best } => format!("it captures {}, and another {}", list(own), list(best)),
        }
    }

    /// The lines of the rules that say so.
    pub fn origin(&self, rules: &Rules) -> Option<Origin> {
        match self {
            Self::Invariant { invariant } => rules.invariants[*invariant].origin,
            Self::Stage { origin, .. } | Self::Bounds { origin, .. } => *origin,
            Self::Priority { .. } | Self::Duplicate | Self::Null | Self::Captures { .. } => None,
        }
    }
}

/// A bound as people read it.
fn number(value: &Value) -> i32 {
    match value {
        Value::Int(number) => *number,
        Value::Bool(truth) => i32::from(*truth),
        Value::Site(site) => i32::from(site.is_some()),
        Value::Set(set) => set.len() as i32,
    }
}

impl RuleRun {
    /// What is to be said to people.
    pub fn text(&self, rules: &Rules) -> String {
        let rule = &rules.rules[self.rule];
        let mut text = rule.name.clone();
        if let Some(kind) = rule.kind {
            let _ = write!(text, " of {}", rules.kinds[kind].name);
        }
        if !rule.arguments.is_empty() {
            let _ = write!(text, " ({})", rule.arguments.join(" "));
        }
        text += match (self.made, self.stopped) {
            (0, Some(_)) => " stops at a condition that is false",
            (0, None) => " makes no such step",
            (1, _) => " makes the step",
            _ => " makes the step in several ways",
        };
        text
    }

    /// The line of the rules that speaks of it: the condition that was false, or else the rule.
    pub fn origin(&self, rules: &Rules) -> Option<Origin> {
        let rule = rules.rules[self.rule].origin;
        if self.made == 0 { self.stopped.flatten().or(rule) } else { rule }
    }
}
