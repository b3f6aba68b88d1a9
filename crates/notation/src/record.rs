//! A game as it is written: texts, before any rules have judged them; and its replay through the rules.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use dagaz_engine::{Executor, Fault, Outcome, Share, Step};
use dagaz_ir::{Placement, Rules};
use dagaz_play::{Edit, EditError, NodeId, Play, PlayError};

use crate::names::Names;
use crate::universal::{self, listed};

/// The written history of a game: a tree of plies, each with what was written about it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// The game: a name, or the file of its rules.
    pub game: String,
    /// The variant, where the record names one.
    pub variant: Option<String>,
    /// Changes of the starting state, in order.
    pub set_up: Vec<SetUp>,
    /// What was written before the first ply.
    pub comments: Vec<String>,
    /// The main line.
    pub plies: Vec<Ply>,
    /// What might have been played instead: further lines, each starting somewhere in those before it. A flat list, since
    /// variations of variations may be deeper than a stack.
    pub variations: Vec<Variation>,
    /// What each player had of the outcome, by name, in the order in which it was written.
    pub result: Vec<(String, Share)>,
}

/// One step as it is written, or several of one move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ply {
    /// The step.
    pub text: String,
    /// The line of the file, from 1, where there are lines.
    pub line: Option<usize>,
    /// What was written after it.
    pub comments: Vec<String>,
}

/// A line that branches off.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variation {
    /// The ply after which it starts. All plies of a record are numbered from 1, those of the main line first and then
    /// those of each variation in order; 0 is the start.
    pub after: usize,
    /// What is played there.
    pub plies: Vec<Ply>,
}

impl Ply {
    /// A step and nothing else.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }
}

/// One change of the starting state, by names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SetUp {
    /// Takes away what stands on a site.
    Remove(String),
    /// Puts a piece of a player and a kind on a site.
    Place(String, String, String),
    /// Puts this many pieces of a player and a kind in the player's hand.
    Hand(String, String, i32),
    /// Gives a cell of a field a value: field, index, value.
    Cell(String, u32, i32),
}

/// Why a record cannot be replayed, and where.
#[derive(Clone, Debug, thiserror::Error)]
pub enum RecordError {
    /// The starting state cannot be set up.
    #[error("change {number} of the starting state, {set_up:?}: {reason}")]
    SetUp {
        /// Which change, from 1.
        number: usize,
        /// The change.
        set_up: SetUp,
        /// What is wrong.
        reason: SetUpReason,
    },
    /// A variation starts nowhere.
    #[error("variation {number} starts after ply {after}, and only {plies} come before it")]
    Variation {
        /// Which variation, from 1.
        number: usize,
        /// The ply after which it starts.
        after: usize,
        /// How many plies come before it in the record.
        plies: usize,
    },
    /// A ply does not fit.
    #[error("ply {ply}{}: `{text}`: {reason}", at_line(*line))]
    Ply {
        /// Which ply, from 1, counted along its line of play.
        ply: usize,
        /// The line of the file, from 1.
        line: Option<usize>,
        /// The text.
        text: String,
        /// What is wrong.
        reason: Reason,
        /// The game up to there: its cursor is at the state in which the ply does not fit.
        before: Box<Play>,
    },
}

/// What is wrong with a change of the starting state.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetUpReason {
    /// A name that the rules do not have.
    #[error("there is no {what} `{name}`")]
    Unknown {
        /// What it should be the name of.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// The state cannot be changed like that.
    #[error(transparent)]
    Edit(#[from] EditError),
}

/// What is wrong with a ply.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// It is not legal.
    #[error("not legal here{}", listed("; legal", candidates))]
    Illegal {
        /// Legal steps that come close to it, in universal notation.
        candidates: Vec<String>,
    },
    /// It may mean several legal steps.
    #[error("it may mean several moves{}", listed(":", candidates))]
    Ambiguous {
        /// Those steps, in universal notation.
        candidates: Vec<String>,
    },
    /// A legal step goes the same way and does something else.
    #[error("the legal move `{step}` does something else: {}", differences.join("; "))]
    Unlike {
        /// The step, in universal notation.
        step: String,
        /// What stands where after it, and what should.
        differences: Vec<String>,
    },
    /// It is no step in this format.
    #[error("{what}")]
    Unreadable {
        /// What is wrong.
        what: String,
    },
    /// The game was over before.
    #[error("the game is over")]
    Over {
        /// How it ended.
        outcome: Outcome,
    },
    /// The rules could not be run to their end.
    #[error(transparent)]
    Fault(#[from] Fault),
}

impl From<universal::ReadError> for Reason {
    fn from(error: universal::ReadError) -> Self {
        match error {
            universal::ReadError::Illegal { candidates, .. } => Reason::Illegal { candidates },
            universal::ReadError::Ambiguous { candidates, .. } => Reason::Ambiguous { candidates },
            universal::ReadError::Fault(fault) => Reason::Fault(fault),
        }
    }
}

fn at_line(line: Option<usize>) -> String {
    line.map(|line| format!(" (line {line})")).unwrap_or_default()
}

/// Replays a record in universal notation. The cursor of the result is at the end of the main line.
pub fn replay(record: &Record, executor: Arc<dyn Executor>) -> Result<Play, RecordError> {
    replay_with(record, executor, |play, steps, ply| {
        Ok(universal::read_move(&**play.executor(), play.state(), steps, &ply.text)?)
    })
}

/// Replays a record whose texts `resolve` knows how to read: given the game so far and its legal steps, it finds what
/// a ply means: most often one step.
pub fn replay_with(
    record: &Record,
    executor: Arc<dyn Executor>,
    mut resolve: impl FnMut(&Play, &[Step], &Ply) -> Result<Vec<Step>, Reason>,
) -> Result<Play, RecordError> {
    let mut play = start(record, executor)?;
    let root = play.cursor();
    for comment in &record.comments {
        play.comment(root, comment.as_str());
    }
    let mut reached = vec![Reached { node: root, depth: 0 }];
    run(&mut play, &mut reached, 0, &record.plies, &mut resolve)?;
    let end = play.cursor();
    for (index, variation) in record.variations.iter().enumerate() {
        let &Variation { after, ref plies } = variation;
        let missing = || RecordError::Variation { number: index + 1, after, plies: reached.len() - 1 };
        play.jump(reached.get(after).ok_or_else(missing)?.node);
        run(&mut play, &mut reached, after, plies, &mut resolve)?;
    }
    play.jump(end);
    Ok(play)
}

/// Where a ply led, and how many plies led there.
struct Reached {
    node: NodeId,
    depth: usize,
}

/// Plays a line after the ply of this number, which led to the cursor.
fn run(
    play: &mut Play,
    reached: &mut Vec<Reached>,
    after: usize,
    plies: &[Ply],
    resolve: &mut impl FnMut(&Play, &[Step], &Ply) -> Result<Vec<Step>, Reason>,
) -> Result<(), RecordError> {
    for (ply, depth) in plies.iter().zip(reached[after].depth + 1..) {
        if let Err(reason) = make(play, ply, resolve) {
            let (text, before) = (ply.text.clone(), Box::new(play.clone()));
            return Err(RecordError::Ply { ply: depth, line: ply.line, text, reason, before });
        }
        for comment in &ply.comments {
            play.comment(play.cursor(), comment.as_str());
        }
        reached.push(Reached { node: play.cursor(), depth });
    }
    Ok(())
}

/// The game before its first ply.
fn start(record: &Record, executor: Arc<dyn Executor>) -> Result<Play, RecordError> {
    let rules = executor.rules().clone();
    let names = Names::of(&rules);
    let mut edits = Vec::new();
    let fail = |index: usize, reason| {
        Err(RecordError::SetUp { number: index + 1, set_up: record.set_up[index].clone(), reason })
    };
    let mut state = executor.initial();
    for (index, set_up) in record.set_up.iter().enumerate() {
        let edit = match set_up.resolve(&names) {
            Ok(edit) => edit,
            Err(reason) => return fail(index, reason),
        };
        if let Err(error) = edit.apply(&rules, executor.layout(), &mut state) {
            return fail(index, error.into());
        }
        edits.push(edit);
    }
    Ok(Play::from_edits(executor, edits).expect("edits that were made once can be made again"))
}

fn make(
    play: &mut Play,
    ply: &Ply,
    resolve: &mut impl FnMut(&Play, &[Step], &Ply) -> Result<Vec<Step>, Reason>,
) -> Result<(), Reason> {
    if let Some(outcome) = play.outcome().map_err(Clone::clone)? {
        return Err(Reason::Over { outcome: outcome.clone() });
    }
    let steps = play.legal_steps().map_err(Clone::clone)?;
    for step in resolve(play, steps, ply)? {
        play.play(&step).map_err(|error| match error {
            PlayError::Illegal { .. } => Reason::Illegal { candidates: Vec::new() },
            PlayError::Over { outcome, .. } => Reason::Over { outcome },
            PlayError::Fault(fault) => Reason::Fault(fault),
        })?;
    }
    Ok(())
}

impl SetUp {
    /// The edit that it means.
    pub fn resolve(&self, names: &Names) -> Result<Edit, SetUpReason> {
        let unknown = |what, name: &str| SetUpReason::Unknown { what, name: name.to_owned() };
        let site = |name: &str| names.site(name).ok_or_else(|| unknown("site", name));
        let kind = |name: &str| names.kind(name).ok_or_else(|| unknown("kind of piece", name));
        let player = |name: &str| names.player(name).ok_or_else(|| unknown("player", name));
        let field = |name: &str| names.field(name).ok_or_else(|| unknown("field", name));
        Ok(match self {
            SetUp::Remove(at) => Edit::Remove(site(at)?),
            SetUp::Place(owner, piece, at) => Edit::Place(Placement::Piece(player(owner)?, kind(piece)?, site(at)?)),
            SetUp::Hand(owner, piece, count) => Edit::Place(Placement::Hand(player(owner)?, kind(piece)?, *count)),
            SetUp::Cell(name, index, value) => Edit::Place(Placement::Cell(field(name)?, *index, *value)),
        })
    }

    /// The edit by names.
    pub fn of(edit: Edit, rules: &Rules) -> Self {
        let site = |site| rules.topology.site_name(site).to_owned();
        match edit {
            Edit::Remove(at) => SetUp::Remove(site(at)),
            Edit::Place(Placement::Piece(owner, kind, at)) => {
                SetUp::Place(rules.players[owner].name.clone(), rules.kinds[kind].name.clone(), site(at))
            }
            Edit::Place(Placement::Hand(owner, kind, count)) => {
                SetUp::Hand(rules.players[owner].name.clone(), rules.kinds[kind].name.clone(), count)
            }
            Edit::Place(Placement::Cell(field, index, value)) => {
                SetUp::Cell(rules.fields[field].name.clone(), index, value)
            }
        }
    }
}

impl Record {
    /// The record of a game with all its branches, in universal notation. The result is that of the main line: the
    /// line of first children.
    pub fn of(play: &Play) -> Result<Self, Fault> {
        let rules = play.rules();
        let mut end = play.root();
        while let Some(&child) = play.node(end).children.first() {
            end = child;
        }
        let situation = play.executor().situation(&play.node(end).state, &play.past_of(end))?;
        let result = match situation {
            dagaz_engine::Situation::Over(outcome) => result(rules, &outcome),
            dagaz_engine::Situation::Open(_) => Vec::new(),
        };
        let mut lines = lines(play)?.into_iter();
        Ok(Self {
            game: rules.name.clone(),
            variant: None,
            set_up: play.edits().iter().map(|&edit| SetUp::of(edit, rules)).collect(),
            comments: play.node(play.root()).comments.clone(),
            plies: lines.next().unwrap_or_default().plies,
            variations: lines.collect(),
            result,
        })
    }
}

/// How a game has ended, as a record says it: the players with a part in it, and their shares.
pub fn result(rules: &Rules, outcome: &Outcome) -> Vec<(String, Share)> {
    let shares = rules.players.values().zip(&outcome.shares).filter(|(_, share)| **share != Share::None);
    shares.map(|(player, share)| (player.name.clone(), *share)).collect()
}

/// All lines of a game in the order in which a record has them, the main line first.
fn lines(play: &Play) -> Result<Vec<Variation>, Fault> {
    let mut numbers = BTreeMap::from([(play.root(), 0)]);
    let mut lines = Vec::new();
    // Where lines start: the state, and the first step's node.
    let mut starts: VecDeque<(NodeId, NodeId)> = VecDeque::new();
    starts.extend(play.node(play.root()).children.first().map(|&first| (play.root(), first)));
    while let Some((parent, first)) = starts.pop_front() {
        let mut line = Variation { after: numbers[&parent], plies: Vec::new() };
        let (mut here, mut next) = (parent, Some(first));
        while let Some(child) = next {
            line.plies.push(ply(play, here, child)?);
            numbers.insert(child, numbers.len());
            let siblings = &play.node(here).children;
            if siblings[0] == child {
                starts.extend(siblings[1..].iter().map(|&other| (here, other)));
            }
            (here, next) = (child, play.node(child).children.first().copied());
        }
        lines.push(line);
    }
    Ok(lines)
}

/// What is written of the step from a node to its child.
fn ply(play: &Play, node: NodeId, child: NodeId) -> Result<Ply, Fault> {
    let (executor, state) = (&**play.executor(), &play.node(node).state);
    let made = play.node(child).made.as_ref().expect("a child was made by a step");
    let text = universal::write(executor, state, &executor.steps(state, &play.past_of(node))?, &made.step)?;
    Ok(Ply { text, line: None, comments: play.node(child).comments.clone() })
}
