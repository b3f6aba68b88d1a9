//! `dagaz explain`: the engine says why, here it gets its words and its lines of the rules.

use std::collections::BTreeMap;

use anyhow::bail;
use dagaz_base::{Origin, Sources};
use dagaz_board::Site;
use dagaz_engine::{Executor, Question, Removal, Step, explain};
use dagaz_notation::universal;
use dagaz_play::Play;
use serde_json::{Value, json};

use crate::answer::{Answer, Out};
use crate::args::Explain;
use crate::board::piece_at;
use crate::game::Game;
use crate::line;

pub(crate) fn run(args: &Explain, out: &mut Out) -> anyhow::Result<Answer> {
    let game = Game::load(&args.game, args.executor)?;
    game.located(answer(args, &game, out))
}

fn answer(args: &Explain, game: &Game, out: &mut Out) -> anyhow::Result<Answer> {
    let play = line::play_from(game, &args.from)?;
    let found = Found::of(game, &play, &args.step)?;
    if out.json {
        out.value(&found.value(game))?;
    } else {
        found.print(game, out)?;
    }
    Ok(if found.legal.is_some() { Answer::Yes } else { Answer::No })
}

/// How many legal moves are shown instead of one that is not legal.
const SHOWN: usize = 8;

/// All that is to be said about one text.
pub(super) struct Found {
    text: String,
    /// The legal steps that the text means, if it means some.
    legal: Option<String>,
    /// Legal moves that the text may mean, where it is not clear which.
    meanings: Vec<String>,
    /// Whether there is no other legal move, and then why others are not.
    only: bool,
    others: Vec<(String, usize)>,
    /// Legal steps that the text begins with; the rest is about what follows.
    begun: String,
    obstacle: Option<String>,
    /// Legal steps between the same sites, by another rule or with another choice.
    instead: Vec<String>,
    /// Steps between the same sites that rules make and that are not legal: the step, why, and where it is said.
    removed: Vec<(String, String, Option<Origin>)>,
    /// What became of the rules that could have made it, and where they are.
    runs: Vec<(String, Option<Origin>)>,
}

impl Found {
    /// What is to be said here.
    pub(super) fn of(game: &Game, play: &Play, text: &str) -> anyhow::Result<Self> {
        let (engine, state, rules) = (&*game.interpreter, play.state(), game.rules());
        let mut along = Along { play: play.clone(), made: Vec::new(), only: true };
        let (mut legal, mut meanings) = (None, Vec::new());
        let question = match universal::read_move(engine, state, play.legal_steps().map_err(Clone::clone)?, text) {
            Ok(mut steps) => {
                legal = Some((universal::write_move(engine, state, &steps)?, steps.pop().expect("a move has steps")));
                steps.into_iter().try_for_each(|step| along.make(step))?;
                let step = &legal.as_ref().expect("it was just found").1;
                Question { from: step.from, to: step.to, dropped: None }
            }
            Err(error) => {
                if let universal::ReadError::Ambiguous { candidates, .. } = error {
                    meanings = candidates;
                }
                along.question(text)?
            }
        };
        let mut about = explain(engine, along.play.state(), &along.play.past(), question)?;
        let passes = question == Question::default();
        if passes {
            // Passing is no rule's work.
            (about.removed, about.runs) = (Vec::new(), Vec::new());
        }
        if let Some((_, step)) = &legal {
            about.removed.retain(|(other, _)| other.rule == step.rule && other.choice == step.choice);
            // Of a legal step one wants to know the rule that makes it, not those that do not.
            about.runs.retain(|run| run.made > 0);
        }
        let mut obstacle = match along.ended() {
            Some(site) => Some(format!("the move ends on {}", rules.topology.site_name(site))),
            None => about.obstacle.map(|obstacle| obstacle.text(rules)),
        };
        if passes && legal.is_none() {
            obstacle.get_or_insert_with(|| "the rules do not let a player pass here".to_owned());
        }
        let mut instead = Vec::new();
        if legal.is_none() && meanings.is_empty() {
            let named = universal::named(rules, text);
            if !named.has_rule(rules) {
                let unknown = format!("the game has no rule, and no piece to choose, `{}`", named.rule.join(" "));
                obstacle.get_or_insert(unknown);
            }
            if along.ended().is_none() && !passes {
                instead = texts_of(engine, &along.play, about.legal.iter())?;
            }
        }
        if !instead.is_empty() {
            // Nothing holds up who only has to say it otherwise.
            (about.removed, about.runs) = (Vec::new(), Vec::new());
        }
        let texts = texts_of(engine, &along.play, about.removed.iter().map(|(step, _)| step))?;
        let why = |(text, (_, why)): (String, (Step, Removal))| (text, why.text(rules), why.origin(rules));
        let mut runs: Vec<_> = about.runs.iter().map(|run| (run.text(rules), run.origin(rules))).collect();
        runs.dedup();
        let only = legal.is_some() && along.only && along.play.legal_steps().map_err(Clone::clone)?.len() == 1;
        Ok(Self {
            text: text.to_owned(),
            begun: if legal.is_some() { String::new() } else { universal::write_move(engine, state, &along.made)? },
            legal: legal.map(|(text, _)| text),
            meanings,
            only,
            others: if only { reasons(game, play)? } else { Vec::new() },
            obstacle,
            instead,
            removed: texts.into_iter().zip(about.removed).map(why).collect(),
            runs,
        })
    }

    /// Tells it to people.
    pub(super) fn print(&self, game: &Game, out: &mut Out) -> anyhow::Result<()> {
        match (&self.legal, self.only) {
            (Some(text), true) => out.line(format_args!("{text}: legal, and the only legal move"))?,
            (Some(text), false) => out.line(format_args!("{text}: legal"))?,
            (None, _) if !self.meanings.is_empty() => {
                out.line(format_args!("{}: may mean several legal moves: {}", self.text, self.meanings.join(", ")))?;
            }
            (None, _) => out.line(format_args!("{}: not legal", self.text))?,
        }
        if !self.begun.is_empty() {
            out.line(format_args!("  legal so far: {}", self.begun))?;
        }
        if let Some(obstacle) = &self.obstacle {
            out.line(format_args!("  {obstacle}"))?;
        }
        if !self.instead.is_empty() {
            let more = self.instead.len().saturating_sub(SHOWN);
            let more = if more == 0 { String::new() } else { format!(" and {more} more") };
            let shown = self.instead.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join(", ");
            out.line(format_args!("  legal there: {shown}{more}"))?;
        }
        for (text, reason, origin) in &self.removed {
            out.line(format_args!("  {text}: {reason}"))?;
            print_origin(*origin, &game.sources, out)?;
        }
        for (reason, count) in &self.others {
            let what = if *count == 1 { "another move is".to_owned() } else { format!("{count} other moves are") };
            out.line(format_args!("  {what} not legal: {reason}"))?;
        }
        for (text, origin) in &self.runs {
            out.line(format_args!("  {text}"))?;
            print_origin(*origin, &game.sources, out)?;
        }
        let silent =
            self.obstacle.is_none() && self.instead.is_empty() && self.removed.is_empty() && self.runs.is_empty();
        if self.legal.is_none() && silent {
            out.line("  no rule of the piece leads there")?;
        }
        Ok(())
    }

    fn value(&self, game: &Game) -> Value {
        let place = |origin: &Option<Origin>| origin.map(|origin| game.sources.location(origin.span));
        let removed = self
            .removed
            .iter()
            .map(|(text, reason, origin)| json!({ "move": text, "reason": reason, "place": place(origin) }));
        let runs = self.runs.iter().map(|(text, origin)| json!({ "text": text, "place": place(origin) }));
        let others = self.others.iter().map(|(reason, count)| json!({ "reason": reason, "count": count }));
        json!({
            "move": self.text,
            "legal": self.legal.is_some(),
            "means": self.legal,
            "may_mean": self.meanings,
            "only": self.only,
            "others": others.collect::<Vec<_>>(),
            "begun": self.begun,
            "obstacle": self.obstacle,
            "instead": self.instead,
            "removed": removed.collect::<Vec<_>>(),
            "rules": runs.collect::<Vec<_>>(),
        })
    }
}

/// Why the other moves of the turn are not legal, and how many they are.
fn reasons(game: &Game, play: &Play) -> anyhow::Result<Vec<(String, usize)>> {
    let whole = explain(&game.interpreter, play.state(), &play.past(), Question::default())?;
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for (_, removal) in &whole.removed {
        *counts.entry(removal.text(game.rules())).or_default() += 1;
    }
    Ok(counts.into_iter().collect())
}

fn texts_of<'s>(
    executor: &dyn Executor,
    play: &Play,
    steps: impl Iterator<Item = &'s Step>,
) -> anyhow::Result<Vec<String>> {
    let steps: Vec<Step> = steps.cloned().collect();
    Ok(universal::write_all(executor, play.state(), &steps)?)
}

/// The lines of the rules, and the macros that brought them there.
fn print_origin(origin: Option<Origin>, sources: &Sources, out: &mut Out) -> anyhow::Result<()> {
    let Some(origin) = origin else { return Ok(()) };
    let text = sources.slice(origin.span).lines().next().unwrap_or_default().trim_end();
    let short: String = text.chars().take(80).collect();
    out.line(format_args!("      {}: {short}", sources.location(origin.span)))?;
    for expansion in sources.backtrace(origin) {
        let place = sources.location(expansion.call.span);
        out.line(format_args!("        in the macro `{}`, used at {place}", expansion.name))?;
    }
    Ok(())
}

/// The game along the steps that a text begins with.
struct Along {
    play: Play,
    made: Vec<Step>,
    /// Whether no other step was legal on the way.
    only: bool,
}

impl Along {
    fn make(&mut self, step: Step) -> anyhow::Result<()> {
        self.only &= self.play.legal_steps().map_err(Clone::clone)?.len() == 1;
        self.play.play(&step)?;
        self.made.push(step);
        Ok(())
    }

    /// Goes along the sites that a text names as long as there are steps, and asks for the next.
    fn question(&mut self, text: &str) -> anyhow::Result<Question> {
        if !line::is_readable(self.play.rules(), text) {
            bail!("`{text}` names no site of the board");
        }
        let named = universal::named(self.play.rules(), text);
        let mut sites = named.sites.as_slice();
        while let &[from, to, _, ..] = sites {
            let goes = |step: &&Step| step.from == Some(from) && step.to == Some(to);
            let Some(step) = self.play.legal_steps().map_err(Clone::clone)?.iter().find(goes).cloned() else { break };
            self.make(step)?;
            sites = &sites[1..];
            if !self.play.in_chain() {
                break;
            }
        }
        Ok(match (sites, named.kind) {
            ([], _) => Question::default(),
            (&[to], Some(kind)) => Question { from: None, to: Some(to), dropped: Some(kind) },
            (&[from], None) if piece_at(&**self.play.executor(), self.play.state(), from).is_some() => {
                Question { from: Some(from), ..Question::default() }
            }
            (&[to], None) => Question { to: Some(to), ..Question::default() },
            (&[from, to, ..], _) => Question { from: Some(from), to: Some(to), dropped: None },
        })
    }

    /// Where the move has ended, when it has.
    fn ended(&self) -> Option<Site> {
        self.made.last().filter(|_| !self.play.in_chain()).and_then(|step| step.to)
    }
}
