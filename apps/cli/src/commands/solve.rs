//! `dagaz solve`: what a game is worth when nobody errs, a proof of it, and the check of a proof.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use dagaz_engine::{Executor, Move, State};
use dagaz_ir::{Player, Role};
use dagaz_notation::universal;
use dagaz_play::Play;
use dagaz_search::solve::{self, BadProof, Measure, Progress, Proof, Solution, Solver, Space, Unsolvable};
use indicatif::ProgressBar;
use serde_json::{Value, json};

use crate::answer::{Answer, Out, Refused, tell};
use crate::args::{ChoiceArgs, ExecutorName, FromArgs, GameArgs, Solve};
use crate::game::Game;
use crate::{files, line, progress, signals, words};

/// No proof file is larger.
const LARGEST: usize = 1 << 30;
/// Choices that a proof may have: each takes about so many bytes of memory, and of the file.
const CHOICE: usize = 64;
/// Bytes that a state takes while all are enumerated.
const STATE: usize = 256;

pub(crate) fn run(args: &Solve, out: &mut Out) -> anyhow::Result<Answer> {
    if let Some(proof) = &args.verify {
        return check(args, proof, out);
    }
    let Some(name) = &args.game else { bail!("which game? `dagaz solve GAME`, or `dagaz solve --verify FILE`") };
    let game = Game::load(&GameArgs { game: name.clone(), choice: args.choice.clone() }, args.executor)?;
    game.located(find(args, &game, out))
}

fn find(args: &Solve, game: &Game, out: &mut Out) -> anyhow::Result<Answer> {
    let play = line::play_from(game, &args.from)?;
    let watch = Watch::new(args.seconds);
    let memory = args.memory.saturating_mul(1 << 20);
    // A file that cannot be written is found out before the work.
    let proof_file = args.proof.as_deref().map(files::NewFile::create).transpose()?;
    match search(args, game, &play, memory, &watch) {
        Ok((solution, proof)) => {
            report(game, &play, &solution, out)?;
            if let Some(mut file) = proof_file.filter(|_| proof.is_some() || solution.value().is_some()) {
                let Some(proof) = proof else {
                    return Err(Refused("the proof would need more memory than `--memory` allows".to_owned()).into());
                };
                std::io::Write::write_all(&mut file, written(args, game, &proof).as_bytes())?;
                file.finish()?;
            }
            Ok(if solution.value().is_some() { Answer::Yes } else { Answer::No })
        }
        Err(Unsolvable::Circles) if args.proof.is_none() => enumerate(game, &play, memory, &watch, out),
        Err(Unsolvable::Fault(fault)) => Err(fault.into()),
        Err(reason) => Err(Refused(format!("{} is not solved: {reason}", game.name)).into()),
    }
}

/// The value, as far as it was found, and its proof, where one is wanted and has room.
fn search(
    args: &Solve,
    game: &Game,
    play: &Play,
    memory: usize,
    watch: &Watch,
) -> Result<(Solution, Option<Proof>), Unsolvable> {
    let past = play.past();
    let bar = progress::counter("states");
    let mut look = |progress: &Progress| watch.goes_on(&bar, play, solve::measure(play.rules()), progress);
    let mut solver = Solver::new(&*game.executor, play.state(), &past, args.search.method(), memory, &mut look)?;
    let solution = solver.solve()?;
    let proof = match args.proof.is_some() && solution.value().is_some() {
        true => solver.prove(memory / CHOICE)?,
        false => None,
    };
    bar.finish_and_clear();
    Ok((solution, proof))
}

/// Ends the work at Ctrl-C or after a time.
struct Watch {
    stop: Arc<AtomicBool>,
    deadline: Option<Instant>,
}

impl Watch {
    fn new(seconds: Option<Duration>) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        signals::instead({
            let stop = stop.clone();
            move || stop.store(true, Ordering::Relaxed)
        });
        Self { stop, deadline: seconds.map(|seconds| Instant::now() + seconds) }
    }

    fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    fn goes_on(&self, bar: &ProgressBar, play: &Play, measure: Measure, progress: &Progress) -> bool {
        bar.set_position(progress.nodes);
        if let Some(known) = bounds(play, measure, progress) {
            bar.set_message(format!("states; {known}"));
        }
        !self.is_over()
    }
}

/// All states of a game in which play can go round in circles.
fn enumerate(game: &Game, play: &Play, memory: usize, watch: &Watch, out: &mut Out) -> anyhow::Result<Answer> {
    let past = play.past();
    let bar = progress::counter("states");
    let mut look = |count: usize| {
        bar.set_position(count as u64);
        !watch.is_over()
    };
    let found = solve::enumerate(&*game.executor, play.state(), &past, memory / STATE, &mut look);
    bar.finish_and_clear();
    let space = match found {
        Ok(Some(space)) => space,
        Ok(None) => {
            tell("note: stopped before all states were found");
            return Ok(Answer::No);
        }
        Err(Unsolvable::Fault(fault)) => return Err(fault.into()),
        Err(reason) => return Err(Refused(format!("{} is not solved: {reason}", game.name)).into()),
    };
    print_space(game, play, &space, out)?;
    Ok(Answer::Yes)
}

fn print_space(game: &Game, play: &Play, space: &Space, out: &mut Out) -> anyhow::Result<()> {
    let first = space.standings[0];
    let value = outcome(play, i32::from(first.value));
    let counts = [1, 0, -1].map(|value| space.count(value));
    let mover = &game.rules().players[play.to_move()].name;
    if out.json {
        out.value(&json!({
            "game": game.name,
            "variant": game.variant,
            "to_move": mover,
            "measure": "outcome",
            "value": first.value,
            "result": value,
            "moves": first.distance,
            "states": space.standings.len(),
            "wins": counts[0],
            "draws": counts[1],
            "losses": counts[2],
            "longest": space.longest(),
        }))?;
        return Ok(());
    }
    out.line(match first.distance {
        Some(moves) if first.value != 0 => format!("{value} in {}", words::counted(moves as usize, "move")),
        _ => value,
    })?;
    out.line(format_args!(
        "{} can be reached: {mover} wins {}, draws {}, loses {}; a decided game is over after {} at most",
        words::counted(space.standings.len(), "state"),
        counts[0],
        counts[1],
        counts[2],
        words::counted(space.longest() as usize, "move")
    ))?;
    Ok(())
}

fn report(game: &Game, play: &Play, solution: &Solution, out: &mut Out) -> anyhow::Result<()> {
    let texts = texts(&*game.executor, play.state(), &solution.line)?;
    let Progress { nodes, low, high, .. } = solution.progress;
    let known = bounds(play, solution.measure, &solution.progress);
    if out.json {
        let result = solution.value().map(|value| in_words(play, solution.measure, value));
        out.value(&json!({
            "game": game.name,
            "variant": game.variant,
            "to_move": game.rules().players[play.to_move()].name,
            "measure": if solution.measure == Measure::Margin { "margin" } else { "outcome" },
            "value": solution.value(),
            "low": low,
            "high": high,
            "result": result,
            "line": texts,
            "states": nodes,
        }))?;
        return Ok(());
    }
    match solution.value() {
        Some(value) => out.line(in_words(play, solution.measure, value))?,
        None => out.line(known.unwrap_or_else(|| "nothing is known yet".to_owned()))?,
    }
    if !texts.is_empty() {
        out.line(format_args!("line: {}", texts.join("; ")))?;
    }
    tell(format_args!("{} looked at", words::counted(nodes as usize, "state")));
    Ok(())
}

/// The moves of a line as they are written.
pub(super) fn texts(executor: &dyn Executor, state: &State, moves: &[Move]) -> anyhow::Result<Vec<String>> {
    let (mut state, mut texts) = (state.clone(), Vec::new());
    for made in moves {
        texts.push(universal::write_move(executor, &state, &made.steps)?);
        for step in &made.steps {
            executor.apply(&mut state, step)?;
        }
    }
    Ok(texts)
}

/// The player to move, and his adversary if there is one.
fn players(play: &Play) -> (Player, Option<Player>) {
    let me = play.to_move();
    let persons = play.rules().players.iter().filter(|(_, info)| info.role == Role::Person);
    (me, persons.map(|(player, _)| player).find(|&player| player != me))
}

fn outcome(play: &Play, value: i32) -> String {
    let (me, other) = players(play);
    let name = |player: Player| &play.rules().players[player].name;
    match (value, other) {
        (0, _) => "draw".to_owned(),
        (1.., _) => format!("{} wins", name(me)),
        (_, Some(other)) => format!("{} wins", name(other)),
        (_, None) => format!("{} loses", name(me)),
    }
}

fn in_words(play: &Play, measure: Measure, value: i32) -> String {
    match measure {
        Measure::Margin if value != 0 => format!("{} by {}", outcome(play, value), value.abs()),
        _ => outcome(play, value),
    }
}

/// What is known of a value that is not.
fn bounds(play: &Play, measure: Measure, progress: &Progress) -> Option<String> {
    let at = |bound: &str, value: i32| format!("at {bound} {}", in_words(play, measure, value));
    let parts = [progress.low.map(|low| at("least", low)), progress.high.map(|high| at("most", high))];
    let known: Vec<String> = parts.into_iter().flatten().collect();
    (!known.is_empty()).then(|| format!("for {}: {}", play.rules().players[play.to_move()].name, known.join(", ")))
}

/// The first line of a proof.
const HEAD: &str = "dagaz proof 1";

/// A proof with what it is about.
fn written(args: &Solve, game: &Game, proof: &Proof) -> String {
    let mut text = format!("{HEAD}\ngame: {}\n", game.name);
    let from = &args.from;
    let lines = [("variant", game.variant.as_deref()), ("position", from.position.as_deref())];
    let after = from.after.iter().map(|moves| ("after", Some(moves.as_str())));
    for (key, value) in lines.into_iter().chain(after) {
        if let Some(value) = value {
            text.push_str(&format!("{key}: {}\n", value.replace('\n', " ")));
        }
    }
    format!("{text}\n{proof}")
}

/// Checks a proof by the reference interpreter.
fn check(args: &Solve, path: &Path, out: &mut Out) -> anyhow::Result<Answer> {
    let text = files::read_text(path, LARGEST)?;
    let cannot = || format!("`{}` is no proof", path.display());
    let (head, body) = text.split_once("\n\n").with_context(cannot)?;
    let mut lines = head.lines();
    if lines.next() != Some(HEAD) {
        bail!("{}: it does not begin with `{HEAD}`", cannot());
    }
    let (mut name, mut choice, mut from) = (args.game.clone(), args.choice.clone(), FromArgs::default());
    for line in lines {
        let (key, value) = line.split_once(": ").with_context(cannot)?;
        match key {
            "game" => _ = name.get_or_insert_with(|| value.to_owned()),
            "variant" => _ = choice.variant.get_or_insert_with(|| value.to_owned()),
            "position" => from.position = Some(value.to_owned()),
            "after" => from.after.push(value.to_owned()),
            _ => bail!("{}: it has `{key}`", cannot()),
        }
    }
    let name = name.with_context(cannot)?;
    let game =
        Game::load(&GameArgs { game: name, choice: ChoiceArgs { variant: choice.variant } }, ExecutorName::Interp)?;
    let play = line::play_from(&game, &from)?;
    let proof = Proof::read(body, head.lines().count() + 2).with_context(cannot)?;
    game.located(judge(&game, &play, &proof, args, out))
}

fn judge(game: &Game, play: &Play, proof: &Proof, args: &Solve, out: &mut Out) -> anyhow::Result<Answer> {
    let watch = Watch::new(args.seconds);
    let bar = progress::counter("states");
    let mut keep_going = |states: u64| {
        bar.set_position(states);
        !watch.is_over()
    };
    let verified = solve::verify(proof, &*game.executor, play.state(), &play.past(), &mut keep_going);
    bar.finish_and_clear();
    let progress = Progress { nodes: 0, low: Some(proof.low), high: Some(proof.high), full: 0 };
    let claim = match proof.low == proof.high {
        true => in_words(play, proof.measure, proof.low),
        false => bounds(play, proof.measure, &progress).unwrap_or_default(),
    };
    match verified {
        Ok(verified) if out.json => {
            out.value(&json!({ "game": game.name, "claim": claim, "proven": true, "states": verified.states, "reason": null }))?;
        }
        Ok(verified) => out.line(format_args!(
            "{}: {claim}; the proof holds, {} checked",
            game.name,
            words::counted(verified.states as usize, "state")
        ))?,
        Err(BadProof::Unsolvable(Unsolvable::Fault(fault))) => return Err(fault.into()),
        Err(reason) => {
            if out.json {
                out.value(&json!({
                    "game": game.name, "claim": claim, "proven": false, "states": Value::Null, "reason": reason.to_string()
                }))?;
            }
            return Err(Refused(format!("{}: {claim} is not proven: {reason}", game.name)).into());
        }
    }
    Ok(Answer::Yes)
}
