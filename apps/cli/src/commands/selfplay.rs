//! `dagaz selfplay`: agents play, and statistics are kept.
//!
//! Each game has a seed of its own, made of the seed and its number, and results are added up in the order of the
//! numbers: how many threads there are changes nothing but the time.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io::Write as _;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

use anyhow::{Context as _, bail};
use dagaz_arena::{Quality, Sample, expected, hundredths, persons};
use dagaz_base::random::mix;
use dagaz_base::{Id as _, IdMap};
use dagaz_board::Site;
use dagaz_engine::{History as _, Line, Outcome, Share, Situation};
use dagaz_ir::{Player, Role, Rules};
use dagaz_notation::record::Ply;
use dagaz_notation::universal;
use dagaz_play::PlayError;
use dagaz_search::Score;
use serde_json::{Map, Value, json};

use crate::answer::{Answer, Out, tell};
use crate::args::Selfplay;
use crate::files::NewFile;
use crate::game::Game;
use crate::records::{self, Format};
use crate::seats::{self, Moment, Seat};
use crate::{progress, report, words};

pub(crate) fn run(args: &Selfplay, out: &mut Out) -> anyhow::Result<Answer> {
    let game = Game::load(&args.game, args.executor)?;
    game.located(match_up(args, &game, out))
}

fn match_up(args: &Selfplay, game: &Game, out: &mut Out) -> anyhow::Result<Answer> {
    // Wrong agents are found before the first game.
    seats::of_agents(game, &args.agents)?;
    if args.agents.iter().any(dagaz_search::AgentSpec::depends_on_time) {
        tell("note: an agent with a time limit plays differently on every run; limit it by nodes or depth instead");
    }
    if let Some(path) = &args.out
        && let Ok(Format::Zsg | Format::Json) = Format::of(path)
    {
        let lines = path.with_extension("jsonl");
        bail!("`{}` would hold one game, and `--out` keeps one a line: name it `{}`", path.display(), lines.display());
    }
    if let Some(path) = &args.report {
        report::Format::of(path)?;
    }
    let mut file = args.out.as_deref().map(NewFile::create).transpose()?;
    let mut statistics = Statistics::new(game);
    let mut samples = Vec::new();
    let bar = progress::bar(args.games, "games");
    play_all(args, game, |mut played| {
        bar.inc(1);
        statistics.add(game, &played);
        samples.extend(played.sample.take());
        match (&mut file, &played.record) {
            (Some(file), Some(record)) => Ok(file.write_all(record.as_bytes())?),
            _ => Ok(()),
        }
    })?;
    bar.finish_and_clear();
    if let Some(file) = file {
        file.finish()?;
    }
    if let Some(path) = &args.report {
        let subject = report::Subject {
            game: &game.name,
            variant: game.variant.as_deref(),
            agents: args.agents.iter().map(ToString::to_string).collect(),
            games: args.games,
            seed: args.seed,
        };
        report::write(path, &subject, &Quality::of(&samples, game.rules().topology.site_count()))?;
    }
    if out.json {
        out.value(&statistics.value(args, game))?;
    } else {
        statistics.print(args, game, out)?;
    }
    Ok(Answer::Yes)
}

/// One game.
struct Played {
    moves: usize,
    /// Nothing when the game was not over in time.
    outcome: Option<Outcome>,
    /// As a line of the file, where one is wanted.
    record: Option<String>,
    /// What a report wants to know, where there is one.
    sample: Option<Sample>,
}

/// Plays all games, and hands them over in the order of their numbers.
fn play_all(args: &Selfplay, game: &Game, mut take: impl FnMut(Played) -> anyhow::Result<()>) -> anyhow::Result<()> {
    let threads = match args.threads {
        0 => thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    };
    let (next, stop) = (AtomicU64::new(0), AtomicBool::new(false));
    thread::scope(|scope| {
        // Bounded, so that games do not pile up when they are written more slowly than played.
        let (sender, receiver) = mpsc::sync_channel(64);
        for _ in 0..threads.min(usize::try_from(args.games).unwrap_or(usize::MAX)) {
            let (sender, next, stop) = (sender.clone(), &next, &stop);
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= args.games || sender.send((number, play_one(args, game, number))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let result = in_order(receiver, &mut take);
        stop.store(true, Ordering::Relaxed);
        result
    })
}

fn in_order(
    games: mpsc::Receiver<(u64, anyhow::Result<Played>)>,
    take: &mut impl FnMut(Played) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let (mut waiting, mut wanted) = (BTreeMap::new(), 0);
    for (number, played) in games {
        waiting.insert(number, played);
        while let Some(played) = waiting.remove(&wanted) {
            take(played.with_context(|| format!("game {}", wanted + 1))?)?;
            wanted += 1;
        }
    }
    Ok(())
}

/// Keeps no more of a game than its rules may ask about, and its record where that is wanted: games are long, and states
/// may be large.
fn play_one(args: &Selfplay, game: &Game, number: u64) -> anyhow::Result<Played> {
    let seats = seats::of_agents(game, &args.agents)?;
    let seed = mix(args.seed ^ mix(number));
    let executor = &*game.executor;
    let (mut state, mut line, mut made) = (executor.initial(), Line::new(), 0);
    let (mut chosen, mut plies) = (VecDeque::new(), Vec::new());
    let mut observed = args.report.is_some().then(|| Observed::new(game.rules()));
    let outcome = loop {
        let steps = match executor.situation(&state, &line)? {
            Situation::Over(outcome) => break Some(outcome),
            Situation::Open(_) if chosen.is_empty() && line.moves() >= args.max_moves => break None,
            Situation::Open(steps) => steps,
        };
        let mover = executor.to_move(&state);
        if chosen.is_empty() {
            let moment = Moment { executor, state: &state, history: &line, made };
            match &seats[mover] {
                Seat::Engine(engine) => {
                    let choice = engine.choose(&moment, seed)?;
                    if let Some(observed) = &mut observed {
                        observed.decision(mover, steps.len(), choice.score);
                    }
                    chosen.extend(choice.chosen.steps);
                }
                Seat::Chance => chosen.extend(seats::roll(&moment, &steps, seed)),
                Seat::Person | Seat::Nobody => bail!("nobody plays {}", game.rules().players[mover].name),
            }
        }
        let step = chosen.pop_front().context("nothing was chosen")?;
        if !steps.contains(&step) {
            return Err(PlayError::Illegal { step: Box::new(step) }.into());
        }
        if args.out.is_some() {
            plies.push(Ply::new(universal::write(executor, &state, &steps, &step)?));
        }
        if let Some(observed) = &mut observed {
            observed.sites.extend([step.from, step.to].into_iter().flatten());
        }
        let before = state.keys();
        let undo = executor.apply(&mut state, &step)?;
        line.push(before, mover, &undo);
        made += 1;
    };
    let record = args.out.as_ref().map(|_| records::one_line(&records::of_plies(plies, outcome.as_ref(), game)));
    let sample = observed.map(|observed| observed.sample(line.moves(), outcome.as_ref()));
    Ok(Played { moves: line.moves(), outcome, record, sample })
}

/// What a report wants to know of a game while it is played.
struct Observed {
    persons: Vec<Player>,
    choices: Vec<usize>,
    lead: Vec<f64>,
    sites: BTreeSet<Site>,
}

impl Observed {
    fn new(rules: &Rules) -> Self {
        Self { persons: persons(rules), choices: Vec::new(), lead: Vec::new(), sites: BTreeSet::new() }
    }

    fn decision(&mut self, mover: Player, choices: usize, score: Option<Score>) {
        self.choices.push(choices);
        if let (&[first, _], Some(score)) = (self.persons.as_slice(), score) {
            let own = expected(hundredths(score).into());
            self.lead.push(if mover == first { own } else { 1.0 - own });
        }
    }

    fn sample(self, moves: usize, outcome: Option<&Outcome>) -> Sample {
        let half = |player: &Player, outcome: &Outcome| match outcome.shares[player.index()] {
            Share::Win => 2,
            Share::Draw => 1,
            Share::Loss | Share::None => 0,
        };
        let halves = outcome.map(|outcome| self.persons.iter().map(|player| half(player, outcome)).collect());
        Sample { halves, moves, choices: self.choices, lead: self.lead, visited: self.sites.len() }
    }
}

/// What is known of all games.
struct Statistics {
    games: u64,
    unfinished: u64,
    players: IdMap<Player, Shares>,
    /// How often each end of the rules came about, in the order of the rules; the last is that nobody could move.
    ends: Vec<u64>,
    total_moves: u64,
    least_moves: usize,
    most_moves: usize,
}

#[derive(Clone, Copy, Default)]
struct Shares {
    wins: u64,
    draws: u64,
    losses: u64,
}

impl Statistics {
    fn new(game: &Game) -> Self {
        Self {
            games: 0,
            unfinished: 0,
            players: IdMap::filled(game.rules().players.len(), Shares::default()),
            ends: vec![0; game.rules().ends.len() + 1],
            total_moves: 0,
            least_moves: usize::MAX,
            most_moves: 0,
        }
    }

    fn add(&mut self, game: &Game, played: &Played) {
        self.games += 1;
        self.total_moves += played.moves as u64;
        self.least_moves = self.least_moves.min(played.moves);
        self.most_moves = self.most_moves.max(played.moves);
        let Some(outcome) = &played.outcome else {
            self.unfinished += 1;
            return;
        };
        self.ends[outcome.end.unwrap_or(game.rules().ends.len())] += 1;
        for (player, share) in self.players.ids().zip(&outcome.shares) {
            let shares = &mut self.players[player];
            match share {
                Share::Win => shares.wins += 1,
                Share::Draw => shares.draws += 1,
                Share::Loss => shares.losses += 1,
                Share::None => {}
            }
        }
    }

    /// Players who had a part in some outcome, or could have.
    fn persons<'a>(&'a self, game: &'a Game) -> impl Iterator<Item = (&'a str, Shares)> {
        let persons = game.rules().players.iter().filter(|(_, info)| info.role == Role::Person);
        persons.map(|(player, info)| (info.name.as_str(), self.players[player]))
    }

    /// Each end that came about, with its number of games.
    fn ends<'a>(&'a self, game: &'a Game) -> impl Iterator<Item = (String, u64)> {
        let counted = self.ends.iter().enumerate().filter(|(_, count)| **count > 0);
        counted.map(|(index, &count)| {
            let end = (index < game.rules().ends.len()).then_some(index);
            (words::end(game.rules(), &Outcome { shares: Vec::new(), scores: None, end }).to_owned(), count)
        })
    }

    fn mean_moves(&self) -> f64 {
        if self.games == 0 { 0.0 } else { self.total_moves as f64 / self.games as f64 }
    }

    fn print(&self, args: &Selfplay, game: &Game, out: &mut Out) -> anyhow::Result<()> {
        let agents: Vec<String> = args.agents.iter().map(ToString::to_string).collect();
        out.line(format_args!(
            "{}: {}, seed {}, {}",
            game.name,
            words::counted(self.games as usize, "game"),
            args.seed,
            agents.join(" against ")
        ))?;
        let width = self.persons(game).map(|(name, _)| name.chars().count()).max().unwrap_or(0);
        let share = |count: u64| 100.0 * count as f64 / self.games.max(1) as f64;
        for (name, shares) in self.persons(game) {
            let Shares { wins, draws, losses } = shares;
            out.line(format_args!("{name:width$}  {wins} won ({:.1} %), {draws} drawn, {losses} lost", share(wins)))?;
        }
        if self.games > 0 {
            let (mean, least, most) = (self.mean_moves(), self.least_moves, self.most_moves);
            out.line(format_args!("moves: mean {mean:.1}, least {least}, most {most}"))?;
        }
        for (end, count) in self.ends(game) {
            out.line(format_args!("{count} by {end}"))?;
        }
        if self.unfinished > 0 {
            out.line(format_args!("{} unfinished after {} moves", self.unfinished, args.max_moves))?;
        }
        Ok(())
    }

    fn value(&self, args: &Selfplay, game: &Game) -> Value {
        let players: Map<String, Value> = self
            .persons(game)
            .map(|(name, Shares { wins, draws, losses })| {
                (name.to_owned(), json!({ "wins": wins, "draws": draws, "losses": losses }))
            })
            .collect();
        let mut ends: Map<String, Value> = Map::new();
        for (end, count) in self.ends(game) {
            let before = ends.get(&end).and_then(Value::as_u64).unwrap_or(0);
            ends.insert(end, (before + count).into());
        }
        let least = if self.games == 0 { 0 } else { self.least_moves };
        json!({
            "game": game.name,
            "variant": game.variant,
            "agents": args.agents.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "seed": args.seed,
            "games": self.games,
            "unfinished": self.unfinished,
            "players": players,
            "moves": { "mean": self.mean_moves(), "min": least, "max": self.most_moves },
            "ends": ends,
        })
    }
}
