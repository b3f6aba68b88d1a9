//! `dagaz match`: agents play against each other, and the result says how sure it is.
//!
//! What a game is follows from its number; which games there are follows from the log. So a match that was stopped, by
//! Ctrl-C or by anything else, goes on where it was, and ends as if nothing had happened.

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use anyhow::{Context as _, bail};
use dagaz_arena::{
    Adjudication, Clock, Contest, Duel, Finished, Log, Openings, Pairing, Reply, Scheme, Turn, Verdict, finished_line,
    persons, play,
};
use dagaz_base::random::mix;
use serde_json::{Value, json};

use crate::answer::{Answer, Out, tell};
use crate::args::Match;
use crate::contestants::{Contestant, Limits, Seated};
use crate::game::Game;
use crate::{files, pgn, progress, records, signals, words};

/// How many bytes a log or a file of openings may have.
const MOST_BYTES: usize = 1 << 30;

pub(crate) fn run(args: &Match, out: &mut Out) -> anyhow::Result<Answer> {
    let game = Game::load(&args.game, args.executor)?;
    let plan = Plan::new(args, &game)?;
    game.located(plan.run(args, out))
}

/// A match that can be played.
struct Plan<'a> {
    game: &'a Game,
    contestants: Vec<Contestant>,
    pairing: Pairing,
    openings: Openings,
    adjudication: Adjudication,
    heading: Value,
}

impl<'a> Plan<'a> {
    /// Finds out all that may be wrong before the first game.
    fn new(args: &Match, game: &'a Game) -> anyhow::Result<Self> {
        let limits = Limits { time: args.time.map(|time| time.0), nodes: args.nodes };
        let parse = |text: &String| -> anyhow::Result<Contestant> {
            Ok(text.parse::<Contestant>()?.under(limits, args.clock.is_some()))
        };
        let contestants: Vec<Contestant> = args.agents.iter().map(parse).collect::<Result<_, _>>()?;
        for contestant in &contestants {
            contestant.seat(game)?.check()?;
        }
        if args.clock.is_some() || contestants.iter().any(Contestant::depends_on_time) {
            tell(
                "note: who plays by time plays differently on every run; limit agents by nodes or depth to have the same games again",
            );
        }
        if args.resume && args.out.as_deref().is_some_and(is_pgn) {
            bail!("PGN does not hold all of a match: `--resume` needs a file `.jsonl`");
        }
        let scheme = if args.gauntlet { Scheme::Gauntlet } else { Scheme::RoundRobin };
        let seats = persons(game.rules()).len();
        let pairing = Pairing::new(scheme, contestants.len(), seats)?;
        if args.sprt.is_some() && (contestants.len(), seats) != (2, 2) {
            bail!("a sequential test is for two agents in a game for two players");
        }
        let openings = match (&args.openings, args.random_plies) {
            (Some(path), _) => {
                let positions = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("epd"));
                let openings = Openings::read(&files::read_text(path, MOST_BYTES)?, positions);
                let openings = openings.with_context(|| format!("`{}`", path.display()))?;
                openings.check(&*game.executor).with_context(|| format!("`{}`", path.display()))?;
                openings
            }
            (None, None | Some(0)) => Openings::Start,
            (None, Some(plies)) => Openings::Random(plies),
        };
        let adjudication = Adjudication { draw: args.draw, resign: args.resign, max_moves: Some(args.max_moves) };
        let heading = heading(args, game, &contestants, &openings);
        Ok(Self { game, contestants, pairing, openings, adjudication, heading })
    }

    fn run(&self, args: &Match, out: &mut Out) -> anyhow::Result<Answer> {
        let mut contest = Contest::new(self.pairing.clone(), self.contestants.len(), args.games, args.sprt);
        let (mut log, mut pgn) = (None, None);
        match args.out.as_deref() {
            Some(path) if is_pgn(path) => pgn = Some(pgn::Writer::create(path, self.game)?),
            Some(path) => log = Some(self.open_log(path, args, &mut contest)?),
            None => {}
        }
        let known = contest.counted().count();
        if known > 0 {
            tell(format_args!("resumed after {}", words::counted(known, "game")));
        }
        let stop: Arc<AtomicBool> = Arc::default();
        let stopped = stop.clone();
        signals::instead(move || stopped.store(true, Ordering::Relaxed));
        let bar = progress::bar(args.games, "games");
        bar.set_position(known as u64);
        self.play_all(args, &contest.missing(), &stop, |game| {
            if contest.is_over() {
                return Ok(false);
            }
            if let Some(log) = &mut log {
                log.write_all(finished_line(&game).as_bytes())?;
            }
            if let Some(pgn) = &mut pgn {
                let names: Vec<String> = game.agents.iter().map(|&agent| self.contestants[agent].to_string()).collect();
                pgn.add(&game, &names)?;
            }
            contest.add(game);
            bar.inc(1);
            bar.set_message(self.headline(&contest));
            Ok(!contest.is_over())
        })?;
        bar.finish_and_clear();
        if let Some(pgn) = pgn {
            pgn.finish()?;
        }
        if out.json {
            out.value(&self.value(args, &contest))?;
        } else {
            self.print(&contest, out)?;
        }
        if !contest.is_over() {
            let hint = if log.is_some() { "; `--resume` goes on" } else { "" };
            tell(format_args!("stopped: {} of {} games{hint}", contest.counted().count(), args.games));
            return Ok(Answer::No);
        }
        Ok(if contest.verdict() == Some(Verdict::Weaker) { Answer::No } else { Answer::Yes })
    }

    /// The log, behind what it holds already.
    fn open_log(&self, path: &Path, args: &Match, contest: &mut Contest) -> anyhow::Result<File> {
        let cannot = || format!("cannot write `{}`", path.display());
        let mut file =
            File::options().read(true).write(true).create(true).truncate(false).open(path).with_context(cannot)?;
        let mut text = String::new();
        file.read_to_string(&mut text).with_context(cannot)?;
        if !text.is_empty() && !args.resume {
            bail!("`{}` is there already; `--resume` goes on with the match that it holds", path.display());
        }
        let known = Log::read(&text, &self.heading, &self.pairing).with_context(|| format!("`{}`", path.display()))?;
        file.set_len(known.length as u64).with_context(cannot)?;
        file.seek(SeekFrom::End(0)).with_context(cannot)?;
        if known.length == 0 {
            writeln!(file, "{}", self.heading).with_context(cannot)?;
        }
        known.games.into_iter().for_each(|game| contest.add(game));
        Ok(file)
    }

    /// Plays the games of these numbers, several at once, and hands each over when it is over, as long as `take` says so.
    fn play_all(
        &self,
        args: &Match,
        numbers: &[u64],
        stop: &AtomicBool,
        mut take: impl FnMut(Finished) -> anyhow::Result<bool>,
    ) -> anyhow::Result<()> {
        let threads = args.concurrency.clamp(1, 1024).min(numbers.len());
        let next = AtomicUsize::new(0);
        thread::scope(|scope| {
            let (sender, receiver) = mpsc::sync_channel(threads.max(1));
            for _ in 0..threads {
                let (sender, next) = (sender.clone(), &next);
                scope.spawn(move || {
                    let mut seated: Vec<Option<Seated>> = self.contestants.iter().map(|_| None).collect();
                    while !stop.load(Ordering::Relaxed) {
                        let Some(&number) = numbers.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
                        let played = self
                            .play_one(args, number, &mut seated, stop)
                            .with_context(|| format!("game {}", number + 1));
                        let go_on = matches!(played, Ok(Some(_)));
                        let heard = played.transpose().is_some_and(|played| sender.send(played).is_ok());
                        if !go_on || !heard {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            let result = receiver.iter().try_for_each(|game| match game.and_then(&mut take) {
                Ok(true) => Ok(()),
                Ok(false) => Err(None),
                Err(error) => Err(Some(error)),
            });
            // Whoever still plays need not finish, and whoever waits to hand a game over is let go.
            if result.is_err() {
                stop.store(true, Ordering::Relaxed);
            }
            drop(receiver);
            result.or_else(|error| error.map_or(Ok(()), Err))
        })
    }

    fn play_one(
        &self,
        args: &Match,
        number: u64,
        seated: &mut [Option<Seated>],
        stop: &AtomicBool,
    ) -> anyhow::Result<Option<Finished>> {
        let seating = self.pairing.game(number);
        // An agent on two seats is two players.
        let mut twice = Vec::new();
        for (seat, &agent) in seating.agents.iter().enumerate() {
            if seated[agent].is_none() {
                seated[agent] = Some(self.contestants[agent].seat(self.game)?);
            }
            let again = seating.agents[..seat].contains(&agent);
            twice.push(if again { Some(self.contestants[agent].seat(self.game)?) } else { None });
        }
        twice.iter_mut().chain(seated.iter_mut()).flatten().for_each(Seated::new_game);
        let mut clock = args.clock.map(|control| Clock::new(control, seating.agents.len()));
        let executor = &*self.game.executor;
        let opening = self.openings.opening(executor, args.seed, seating.opening)?;
        let seed = mix(args.seed ^ mix(number));
        let mut answer = |turn: &Turn<'_>| -> anyhow::Result<Reply> {
            let agent = seating.agents[turn.seat];
            let player = twice[turn.seat].as_mut().or(seated[agent].as_mut()).context("somebody sits there")?;
            let started = std::time::Instant::now();
            let reply = player.answer(turn, clock.as_ref(), stop)?;
            let used = started.elapsed();
            if stop.load(Ordering::Relaxed) {
                return Ok(Reply::Abandon);
            }
            let in_time = clock.as_mut().is_none_or(|clock| clock.spend(turn.seat, used));
            Ok(if in_time || matches!(reply, Reply::Forfeit(_)) {
                reply
            } else {
                Reply::Forfeit("out of time".to_owned())
            })
        };
        let Some(played) = play(executor, &opening, seed, &self.adjudication, &mut answer)? else { return Ok(None) };
        let record = records::named(played.record, self.game);
        let (agents, halves) = (seating.agents, played.halves);
        Ok(Some(Finished { number, agents, halves, by: played.by, moves: played.moves, record: Some(record) }))
    }

    /// A line that says how it stands.
    fn headline(&self, contest: &Contest) -> String {
        let table = contest.table();
        if self.contestants.len() != 2 {
            let leader =
                table.ratings(self.pairing.set_size()).into_iter().enumerate().max_by(|a, b| a.1.0.total_cmp(&b.1.0));
            return leader.map_or_else(String::new, |(agent, (elo, error))| {
                format!("{} leads, {}", self.contestants[agent], with_error(elo, error))
            });
        }
        let Some(duel) = table.duel(0, 1) else { return "games".to_owned() };
        let mut text = format!("+{} ={} -{}", duel.better, duel.equal, duel.worse);
        if let Some(estimate) = duel.estimate(self.pairing.set_size()) {
            text += &format!(", Elo {}", interval(estimate.elo, estimate.low, estimate.high));
        }
        if let Some((sprt, llr)) = contest.test() {
            let (low, high) = sprt.bounds();
            text += &format!(", LLR {llr:.2} ({low:.2}, {high:.2})");
        }
        text
    }

    fn print(&self, contest: &Contest, out: &mut Out) -> anyhow::Result<()> {
        let (table, set) = (contest.table(), self.pairing.set_size());
        let names: Vec<String> = self.contestants.iter().map(ToString::to_string).collect();
        let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let games = words::counted(contest.counted().count(), "game");
        out.line(format_args!("{}: {games}", self.game.name))?;
        let ratings = table.ratings(set);
        let mut order: Vec<usize> = (0..names.len()).collect();
        if names.len() > 2 {
            order.sort_by(|&a, &b| ratings[b].0.total_cmp(&ratings[a].0));
        }
        for agent in order {
            let standing = table.standings()[agent];
            let elo = if names.len() > 2 {
                format!("  Elo {}", with_error(ratings[agent].0, ratings[agent].1))
            } else {
                String::new()
            };
            out.line(format_args!(
                "{:width$}  {:>6} of {}  +{} ={} -{}{elo}",
                names[agent],
                standing.points(),
                standing.games,
                standing.wins,
                standing.draws,
                standing.losses,
            ))?;
        }
        if names.len() == 2
            && let Some(duel) = table.duel(0, 1)
        {
            self.print_duel(contest, duel, out)?;
        }
        for (by, count) in ends(contest) {
            out.line(format_args!("{count} by {by}"))?;
        }
        Ok(())
    }

    fn print_duel(&self, contest: &Contest, duel: &Duel, out: &mut Out) -> anyhow::Result<()> {
        if let Some(estimate) = duel.estimate(self.pairing.set_size()) {
            out.line(format_args!(
                "Elo of the first: {} (95 %), superior with {:.1} %",
                interval(estimate.elo, estimate.low, estimate.high),
                100.0 * estimate.superiority
            ))?;
        }
        if self.pairing.set_size() == 2 {
            out.line(format_args!(
                "pairs with 0, ½, 1, 1½, 2 points: {}",
                duel.pairs().map(|count| count.to_string()).join(", ")
            ))?;
        }
        if let Some((sprt, llr)) = contest.test() {
            let (low, high) = sprt.bounds();
            let verdict = match contest.verdict() {
                Some(Verdict::Stronger) => "H1 is accepted",
                Some(Verdict::Weaker) => "H0 is accepted",
                None => "undecided",
            };
            out.line(format_args!(
                "SPRT of Elo {} against {}: LLR {llr:.2} ({low:.2}, {high:.2}), {verdict}",
                sprt.elo0, sprt.elo1
            ))?;
        }
        Ok(())
    }

    fn value(&self, args: &Match, contest: &Contest) -> Value {
        let (table, set) = (contest.table(), self.pairing.set_size());
        let ratings = table.ratings(set);
        let agents: Vec<Value> = self
            .contestants
            .iter()
            .zip(table.standings())
            .enumerate()
            .map(|(index, (contestant, standing))| {
                json!({
                    "agent": contestant.to_string(),
                    "games": standing.games,
                    "points": standing.points(),
                    "wins": standing.wins,
                    "draws": standing.draws,
                    "losses": standing.losses,
                    "elo": finite(ratings[index].0),
                    "error": finite(ratings[index].1),
                })
            })
            .collect();
        let duels: Vec<Value> = table
            .duels()
            .map(|((one, other), duel)| {
                let estimate = duel.estimate(set);
                json!({
                    "agents": [one, other],
                    "better": duel.better,
                    "equal": duel.equal,
                    "worse": duel.worse,
                    "pairs": (set == 2).then(|| duel.pairs()),
                    "score": estimate.map(|estimate| estimate.score),
                    "elo": estimate.and_then(|estimate| finite(estimate.elo)),
                    "low": estimate.and_then(|estimate| finite(estimate.low)),
                    "high": estimate.and_then(|estimate| finite(estimate.high)),
                    "superiority": estimate.map(|estimate| estimate.superiority),
                })
            })
            .collect();
        let test = contest.test().map(|(sprt, llr)| {
            json!({
                "elo0": sprt.elo0,
                "elo1": sprt.elo1,
                "alpha": sprt.alpha,
                "beta": sprt.beta,
                "llr": llr,
                "bounds": [sprt.bounds().0, sprt.bounds().1],
                "accepted": contest.verdict().map(|verdict| if verdict == Verdict::Stronger { "H1" } else { "H0" }),
            })
        });
        json!({
            "game": self.game.name,
            "variant": self.game.variant,
            "seed": args.seed,
            "games": contest.counted().count(),
            "complete": contest.is_over(),
            "agents": agents,
            "duels": duels,
            "sprt": test,
            "ends": ends(contest).into_iter().map(|(by, count)| (by, count.into())).collect::<serde_json::Map<_, _>>(),
        })
    }
}

/// What makes a match this match: everything on which its games depend.
fn heading(args: &Match, game: &Game, contestants: &[Contestant], openings: &Openings) -> Value {
    let opening = match openings {
        Openings::Start => json!("start"),
        Openings::Random(plies) => json!({ "random": plies }),
        Openings::List(list) => list.iter().map(|written| json!([written.position, written.moves])).collect(),
    };
    Log::heading(&[
        ("game", game.name.as_str().into()),
        ("variant", game.variant.clone().into()),
        ("agents", contestants.iter().map(ToString::to_string).collect::<Vec<_>>().into()),
        ("gauntlet", args.gauntlet.into()),
        ("seed", args.seed.into()),
        ("openings", opening),
        ("clock", args.clock.map(|clock| clock.to_string()).into()),
        ("draw", args.draw.map(|rule| json!([rule.from, rule.count, rule.score])).into()),
        ("resign", args.resign.map(|rule| json!([rule.count, rule.score])).into()),
        ("max_moves", args.max_moves.into()),
    ])
}

/// How often games ended in each way.
fn ends(contest: &Contest) -> std::collections::BTreeMap<String, u64> {
    let mut ends = std::collections::BTreeMap::new();
    for game in contest.counted() {
        *ends.entry(game.by.clone()).or_default() += 1;
    }
    ends
}

fn is_pgn(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("pgn"))
}

/// JSON has no infinite numbers.
fn finite(number: f64) -> Option<f64> {
    Some(number).filter(|number| number.is_finite())
}

fn signed(elo: f64) -> String {
    match elo {
        f64::INFINITY => "+∞".to_owned(),
        f64::NEG_INFINITY => "-∞".to_owned(),
        // Nought has no sign of its own.
        _ => format!("{:+}", elo.round() as i64),
    }
}

fn with_error(elo: f64, error: f64) -> String {
    if error.is_finite() { format!("{} ± {error:.0}", signed(elo)) } else { signed(elo) }
}

fn interval(elo: f64, low: f64, high: f64) -> String {
    format!("{} [{}, {}]", signed(elo), signed(low), signed(high))
}
