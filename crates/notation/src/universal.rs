//! Universal notation: a step by its sites, its rule and the rule's arguments, whatever it does besides.
//!
//! ```text
//! e2 - e4 pawn-double n      from - to rule arguments…
//! e4 x d5 pawn-capture nw    the same, capturing what stands on `to`
//! e7 - e8 pawn-push n Queen  the chosen kind comes last
//! G19 drop-to-empty Stone    nothing moves: to rule arguments… kind
//! a1 - b1 sideways e 3       numbers and sites that were chosen besides come last of all
//! roll 5                     a rule that concerns the turn as a whole: rule arguments… chosen
//! + g5 - e3 checker-jump nw  the same turn goes on after this step
//! +                          ends a chain that could go on
//! pass                       passes the turn
//! b1 - c3 leap #2            the second of several legal steps with that text
//! ```
//!
//! Kinds often share the rules by which they are dropped, so the kind follows, unless the word before it is its name
//! already: `b1 Star` of a rule without a name of its own, `G19 drop-to-empty White Stone` of one with the arguments
//! `White Stone`. So a step is named alike in every state, whatever else is legal there.
//!
//! A whole move may be written by the sites that its piece comes to, `a1c3e5`; it is never written so by us.
//!
//! The `+` in front informs the reader of a record and distinguishes nothing: it may be left out. Steps are read by
//! comparison with the legal ones, so names may contain any characters.

mod named;
mod path;

use dagaz_engine::{Executor, Fault, NoHistory, Parameter, State, Step, StepRule};
use dagaz_ir::{Known, Rule, Rules, Trigger};

pub use named::{Named, named};

/// What may stand between two sites.
const SIGNS: [&str; 3] = ["", "-", "x"];

/// The text of one legal step. `steps` are all legal steps of the state, among which the text is unique.
pub fn write(executor: &dyn Executor, state: &State, steps: &[Step], step: &Step) -> Result<String, Fault> {
    let writer = Writer::new(executor, state);
    let core = writer.core(step);
    let same_before =
        steps.iter().take_while(|&other| other != step).filter(|other| writer.core(other) == core).count();
    Ok(writer.goes_on(step)? + &numbered(core, same_before))
}

/// The texts of all legal steps, in their order.
pub fn write_all(executor: &dyn Executor, state: &State, steps: &[Step]) -> Result<Vec<String>, Fault> {
    let writer = Writer::new(executor, state);
    let marks: Vec<String> = steps.iter().map(|step| writer.goes_on(step)).collect::<Result<_, _>>()?;
    Ok(marks.into_iter().zip(writer.unique(steps)).map(|(mark, text)| mark + &text).collect())
}

/// The text of the steps of one move, which begin in this state.
pub fn write_move(executor: &dyn Executor, state: &State, steps: &[Step]) -> Result<String, Fault> {
    let (mut state, mut texts) = (state.clone(), Vec::new());
    for step in steps {
        texts.push(write(executor, &state, &executor.steps(&state, &NoHistory)?, step)?);
        executor.apply(&mut state, step)?;
    }
    Ok(texts.join("; "))
}

/// Finds the steps of one move that a text means: a step as [`read`] finds it, or else all of them by their sites, such
/// as `a1c3e5`, `a1-c3-e5` or `a1xc3xe5`.
pub fn read_move(executor: &dyn Executor, state: &State, steps: &[Step], text: &str) -> Result<Vec<Step>, ReadError> {
    let error = match read(executor, state, steps, text) {
        Ok(step) => return Ok(vec![step.clone()]),
        Err(error @ ReadError::Illegal { .. }) => error,
        Err(error) => return Err(error),
    };
    let squeezed: String = text.split_whitespace().collect();
    let mut moves = path::moves(executor, state, steps, &squeezed)?;
    if moves.len() > 1 {
        let candidates = moves.iter().map(|steps| write_move(executor, state, steps)).collect::<Result<_, _>>()?;
        return Err(ReadError::Ambiguous { text: text.to_owned(), candidates });
    }
    moves.pop().ok_or(error)
}

/// Finds the legal step that a text means.
///
/// The whole text always will do; so will anything shorter that only one legal step has: `e2 - e4`, `e2-e4`, `e2e4`,
/// `e2 e4`, `e7e8 Queen`, `e7e8q`, `Stone G19`, or the last site alone.
pub fn read<'s>(executor: &dyn Executor, state: &State, steps: &'s [Step], text: &str) -> Result<&'s Step, ReadError> {
    let writer = Writer::new(executor, state);
    let texts = writer.unique(steps);
    let words: Vec<&str> = text.split_whitespace().collect();
    let marked = matches!(words.as_slice(), ["+", _, ..]);
    for bare in [words.as_slice(), &words[usize::from(marked)..]] {
        let wanted = bare.join(" ");
        if let Some(index) = texts.iter().position(|text| *text == wanted) {
            return Ok(&steps[index]);
        }
    }
    let squeezed: String = words.concat();
    // The mark comes second: a site may be called so.
    for squeezed in
        [Some(squeezed.as_str()), squeezed.strip_prefix('+')].into_iter().flatten().filter(|text| !text.is_empty())
    {
        for level in Level::ALL {
            let fits: Vec<usize> =
                (0..steps.len()).filter(|&index| level.fits(&writer, &steps[index], squeezed)).collect();
            match fits.as_slice() {
                [] => {}
                &[index] => return Ok(&steps[index]),
                many => {
                    let candidates = many.iter().map(|&index| texts[index].clone()).collect();
                    return Err(ReadError::Ambiguous { text: text.to_owned(), candidates });
                }
            }
        }
    }
    Err(ReadError::Illegal { text: text.to_owned(), candidates: writer.near(steps, texts, &squeezed) })
}

/// Why a text means no legal step. Candidates are texts of legal steps.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// No legal step has that text, or a longer form of it.
    #[error("`{text}` is not a legal move here{}", listed("; legal", candidates))]
    Illegal {
        /// The text.
        text: String,
        /// Legal steps that have a site in common with it; when there are none, all legal steps.
        candidates: Vec<String>,
    },
    /// Several legal steps have a longer form of it.
    #[error("`{text}` may mean several moves{}", listed(":", candidates))]
    Ambiguous {
        /// The text.
        text: String,
        /// Those steps, or whole moves.
        candidates: Vec<String>,
    },
    /// The rules could not be run to the end of the move.
    #[error(transparent)]
    Fault(#[from] Fault),
}

impl ReadError {
    /// The legal steps to choose from.
    pub fn candidates(&self) -> &[String] {
        match self {
            ReadError::Illegal { candidates, .. } | ReadError::Ambiguous { candidates, .. } => candidates,
            ReadError::Fault(_) => &[],
        }
    }
}

/// Some of the candidates, for a message of one line.
pub(crate) fn listed(intro: &str, candidates: &[String]) -> String {
    const SHOWN: usize = 8;
    if candidates.is_empty() {
        return String::new();
    }
    let shown: Vec<String> = candidates.iter().take(SHOWN).map(|text| format!("`{text}`")).collect();
    let more = match candidates.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{intro} {}{more}", shown.join(", "))
}

fn numbered(core: String, same_before: usize) -> String {
    if same_before == 0 { core } else { format!("{core} #{}", same_before + 1) }
}

/// How much of its text a step may be known by. Earlier levels win.
#[derive(Clone, Copy)]
enum Level {
    /// Its sites, with its rule or its choice as far as they are given.
    Sites,
    /// Its last site, with its choice as far as it is given.
    Last,
}

impl Level {
    const ALL: [Level; 2] = [Level::Sites, Level::Last];

    /// Whether the step has a form of this level equal to the text, which is without blanks.
    fn fits(self, writer: &Writer, step: &Step, text: &str) -> bool {
        match step.rule {
            StepRule::Pass => text.eq_ignore_ascii_case("pass"),
            // Who declines to go on may say that he passes.
            StepRule::Stop => text.eq_ignore_ascii_case("pass") || text == "+",
            StepRule::Rule(_) => {
                self.heads(writer, step)
                    .iter()
                    .any(|head| text.strip_prefix(head.as_str()).is_some_and(|rest| writer.is_tail(step, rest)))
                    || self.whole(writer, step).iter().any(|form| form == text)
            }
        }
    }

    /// What a text of this level may start with.
    fn heads(self, writer: &Writer, step: &Step) -> Vec<String> {
        let name = |site| writer.rules.topology.site_name(site);
        match (self, step.from.map(name), step.to.map(name)) {
            (Level::Sites, Some(from), Some(to)) => SIGNS.map(|sign| format!("{from}{sign}{to}")).into(),
            (Level::Sites, Some(from), None) => vec![from.to_owned()],
            (Level::Last, _, Some(to)) => vec![to.to_owned()],
            _ => Vec::new(),
        }
    }

    /// Other whole texts of this level: a piece that comes from the hand may be named.
    fn whole(self, writer: &Writer, step: &Step) -> Vec<String> {
        let StepRule::Rule(rule) = step.rule else { return Vec::new() };
        let rule = &writer.rules.rules[rule];
        match (self, step.to) {
            (Level::Sites, Some(to)) if rule.trigger == Trigger::Drop => {
                let kind = rule.kind.map_or("", |kind| &writer.rules.kinds[kind].name);
                let to = writer.rules.topology.site_name(to);
                vec![format!("{kind}{to}"), format!("{kind}@{to}"), format!("{to}{kind}")]
            }
            _ => Vec::new(),
        }
    }
}

/// What is needed to write the steps of one state.
struct Writer<'a> {
    executor: &'a dyn Executor,
    rules: &'a Rules,
    known: Known,
    state: &'a State,
}

impl<'a> Writer<'a> {
    fn new(executor: &'a dyn Executor, state: &'a State) -> Self {
        Self { executor, rules: executor.rules(), known: executor.layout().known, state }
    }

    /// The step's text, which other steps may have too.
    fn core(&self, step: &Step) -> String {
        let rule = match step.rule {
            StepRule::Pass => return "pass".to_owned(),
            StepRule::Stop => return "+".to_owned(),
            StepRule::Rule(rule) => &self.rules.rules[rule],
        };
        let name = |site| self.rules.topology.site_name(site);
        let mut words: Vec<&str> = Vec::new();
        words.extend(step.from.map(name));
        if let Some(to) = step.to {
            if step.from.is_some() {
                words.push(if self.captures_there(step) { "x" } else { "-" });
            }
            words.push(name(to));
        }
        words.push(&rule.name);
        words.extend(rule.arguments.iter().map(String::as_str));
        words.extend(self.dropped(rule));
        words.extend(step.choice.map(|kind| self.rules.kinds[kind].name.as_str()));
        let parameters: Vec<String> = step.parameters.iter().map(|parameter| self.parameter(*parameter)).collect();
        words.extend(parameters.iter().map(String::as_str));
        words.join(" ")
    }

    fn parameter(&self, parameter: Parameter) -> String {
        match parameter {
            Parameter::Int(number) => number.to_string(),
            Parameter::Site(Some(site)) => self.rules.topology.site_name(site).to_owned(),
            Parameter::Site(None) => "-".to_owned(),
        }
    }

    /// The kind that the rule drops, where the words before it do not end with its name.
    fn dropped(&self, rule: &Rule) -> Option<&'a str> {
        let kind = &self.rules.kinds[rule.kind?].name;
        let before = rule.arguments.last().unwrap_or(&rule.name);
        (rule.trigger == Trigger::Drop && before != kind).then_some(kind.as_str())
    }

    /// Whether the step captures on its last site by going there.
    fn captures_there(&self, step: &Step) -> bool {
        use dagaz_engine::Effect::{Copy, Move};
        let Some(to) = step.to else { return false };
        let occupied = self.state.get(self.executor.layout().at(self.known.owner, to)) != 0;
        let arrives =
            |effect: &_| matches!(effect, Move { from, to: end } | Copy { from, to: end } if *end == to && *from != to);
        let leaves = |effect: &_| matches!(effect, Move { from, .. } if *from == to);
        occupied && step.effects.iter().any(arrives) && !step.effects.iter().any(leaves)
    }

    /// The texts of all steps, each unique.
    fn unique(&self, steps: &[Step]) -> Vec<String> {
        let mut seen = std::collections::BTreeMap::<String, usize>::new();
        let number = |step| {
            let core = self.core(step);
            let count = seen.entry(core.clone()).or_default();
            *count += 1;
            numbered(core, *count - 1)
        };
        steps.iter().map(number).collect()
    }

    /// The mark in front of a step after which its move goes on. Where a site is called like the mark, there is none.
    fn goes_on(&self, step: &Step) -> Result<String, Fault> {
        if self.rules.topology.site("+").is_some() {
            return Ok(String::new());
        }
        let goes_on = step.chain.is_some() && !self.executor.apply(&mut self.state.clone(), step)?.ends_move;
        Ok(if goes_on { "+ ".to_owned() } else { String::new() })
    }

    /// Whether `rest`, which is without blanks, may follow the sites in the step's text.
    fn is_tail(&self, step: &Step, rest: &str) -> bool {
        let StepRule::Rule(rule) = step.rule else { return false };
        let rule = &self.rules.rules[rule];
        let choice = step.choice.map_or("", |kind| &self.rules.kinds[kind].name);
        let said = rule.name.clone() + &rule.arguments.concat();
        let named = said.clone() + self.dropped(rule).unwrap_or_default();
        let starts_choice = |text: &str| {
            choice.get(..text.len()).is_some_and(|start| start.eq_ignore_ascii_case(text)) && !text.is_empty()
        };
        let chosen: String = step.parameters.iter().map(|&parameter| self.parameter(parameter)).collect();
        let rest = if chosen.is_empty() { rest } else { rest.strip_suffix(&chosen).unwrap_or(rest) };
        rest.is_empty()
            || rest == named
            || rest == said
            || rest == rule.name
            || starts_choice(rest.strip_prefix('=').unwrap_or(rest))
            || rest.strip_prefix(&rule.name).is_some_and(starts_choice)
            || rest.strip_prefix(&said).is_some_and(starts_choice)
            || rest.strip_prefix(&named).is_some_and(starts_choice)
    }

    /// The texts of the steps that have a site in common with `text`; when there are none, all texts.
    fn near(&self, steps: &[Step], texts: Vec<String>, text: &str) -> Vec<String> {
        let mentions = |site: Option<_>| site.is_some_and(|site| text.contains(self.rules.topology.site_name(site)));
        let shares = |step: &Step| mentions(step.from) || mentions(step.to);
        if !steps.iter().any(shares) {
            return texts;
        }
        steps.iter().zip(texts).filter(|(step, _)| shares(step)).map(|(_, text)| text).collect()
    }
}
