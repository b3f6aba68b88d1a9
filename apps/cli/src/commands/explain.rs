//! `dagaz explain`: the engine says why, here it gets its words and its lines of the rules.

use std::collections::BTreeMap;

use anyhow::bail;
use dagaz_base::{Origin, Sources};
use dagaz_board::{Site, Topology};
use dagaz_engine::explain::{Explanation, explain};
use dagaz_engine::{Executor, Step};
use dagaz_notation::universal;
use dagaz_play::Play;
use serde_json::{Value, json};

use crate::answer::{Answer, Out};
use crate::args::Explain;
use crate::board::piece_at;
use crate::game::Game;
use crate::line;

pub(crate) fn run(args: &Explain, out: &mut Out) -> anyhow::Result<Answer> {
    let game = Game::load(&args.game)?;
    let play = line::play_from(&game, &args.from)?;
    let found = Found::of(&game, &play, &args.step)?;
    if out.json {
        out.value(&found.value(&game))?;
    } else {
        found.print(&game, out)?;
    }
    Ok(if found.legal.is_some() { Answer::Yes } else { Answer::No })
}

/// All that is to be said about one text.
struct Found {
    text: String,
    /// The legal step that the text means, if it means one.
    legal: Option<String>,
    /// Legal steps that the text may mean, where it is not clear which.
    meanings: Vec<String>,
    /// Whether there is no other legal step, and then why others are not.
    only: bool,
    others: Vec<(String, usize)>,
    obstacle: Option<String>,
    /// Steps between the same sites that rules make and that are not legal: the step, why, and where it is said.
    removed: Vec<(String, String, Option<Origin>)>,
    /// What became of the rules that could have made it, and where they are.
    runs: Vec<(String, Option<Origin>)>,
}

impl Found {
    fn of(game: &Game, play: &Play, text: &str) -> anyhow::Result<Self> {
        let (engine, state) = (&*game.interpreter, play.state());
        let rules = game.rules();
        let steps = play.legal_steps().map_err(Clone::clone)?;
        let (mut legal, mut meanings) = (None, Vec::new());
        let sites = match universal::read(engine, state, steps, text) {
            Ok(step) => {
                legal = Some((universal::write(engine, state, steps, step)?, step.clone()));
                (step.from, step.to)
            }
            Err(universal::ReadError::Ambiguous { candidates, .. }) => {
                meanings = candidates;
                named_sites(engine, play, text)?
            }
            Err(_) => named_sites(engine, play, text)?,
        };
        let Explanation { obstacle, mut removed, mut runs, .. } =
            explain(engine, state, &play.past(), sites.0, sites.1)?;
        if sites == (None, None) {
            // Passing is no rule's work.
            (removed, runs) = (Vec::new(), Vec::new());
        }
        if let Some((_, step)) = &legal {
            removed.retain(|(other, _)| other.rule == step.rule && other.choice == step.choice);
        }
        let texts = texts_of(engine, play, removed.iter().map(|(step, _)| step))?;
        let removed =
            texts.into_iter().zip(removed).map(|(text, (_, why))| (text, why.text(rules), why.origin(rules))).collect();
        let mut runs: Vec<(String, Option<Origin>)> = match &legal {
            // Of a legal step one wants to know the rule that makes it, not those that do not.
            Some(_) => runs.iter().filter(|run| run.made > 0).map(|run| (run.text(rules), run.origin(rules))).collect(),
            None => runs.iter().map(|run| (run.text(rules), run.origin(rules))).collect(),
        };
        runs.dedup();
        let only = legal.is_some() && steps.len() == 1;
        let others = if only { reasons(game, play)? } else { Vec::new() };
        let mut obstacle = obstacle.map(|obstacle| obstacle.text(rules));
        if sites == (None, None) && legal.is_none() {
            obstacle.get_or_insert_with(|| "the rules do not let a player pass here".to_owned());
        }
        let text = text.to_owned();
        Ok(Self { text, legal: legal.map(|(text, _)| text), meanings, only, others, obstacle, removed, runs })
    }

    fn print(&self, game: &Game, out: &mut Out) -> anyhow::Result<()> {
        match (&self.legal, self.only) {
            (Some(text), true) => out.line(format_args!("{text}: legal, and the only legal move"))?,
            (Some(text), false) => out.line(format_args!("{text}: legal"))?,
            (None, _) if !self.meanings.is_empty() => {
                out.line(format_args!("{}: may mean several legal moves: {}", self.text, self.meanings.join(", ")))?;
            }
            (None, _) => out.line(format_args!("{}: not legal", self.text))?,
        }
        if let Some(obstacle) = &self.obstacle {
            out.line(format_args!("  {obstacle}"))?;
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
        if self.legal.is_none() && self.obstacle.is_none() && self.removed.is_empty() && self.runs.is_empty() {
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
            "obstacle": self.obstacle,
            "removed": removed.collect::<Vec<_>>(),
            "rules": runs.collect::<Vec<_>>(),
        })
    }
}

/// Why the other moves of the turn are not legal, and how many they are.
fn reasons(game: &Game, play: &Play) -> anyhow::Result<Vec<(String, usize)>> {
    let whole = explain(&game.interpreter, play.state(), &play.past(), None, None)?;
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

/// The sites that a text names, as start and end of a step.
fn named_sites(executor: &dyn Executor, play: &Play, text: &str) -> anyhow::Result<(Option<Site>, Option<Site>)> {
    let topology = &play.rules().topology;
    let mut sites = Vec::new();
    for word in text.split_whitespace() {
        sites.extend(sites_in(topology, word));
    }
    match sites.as_slice() {
        [] if text.trim().eq_ignore_ascii_case("pass") || text.trim() == "+" => Ok((None, None)),
        [] => bail!("`{text}` names no site of the board"),
        [only] => {
            let stands = piece_at(executor, play.state(), *only).is_some();
            Ok(if stands { (Some(*only), None) } else { (None, Some(*only)) })
        }
        [from, to, ..] => Ok((Some(*from), Some(*to))),
    }
}

/// The sites of one word: a name, or two with or without a sign between them.
fn sites_in(topology: &Topology, word: &str) -> Vec<Site> {
    if let Some(site) = topology.site(word) {
        return vec![site];
    }
    let parts = word.char_indices().map(|(at, _)| word.split_at(at));
    let pair = |(first, rest): (&str, &str)| {
        let second = rest.strip_prefix(['-', 'x']).unwrap_or(rest);
        Some(vec![topology.site(first)?, topology.site(rest).or_else(|| topology.site(second))?])
    };
    parts.into_iter().find_map(pair).unwrap_or_default()
}
