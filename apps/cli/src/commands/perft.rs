//! `dagaz perft`: what is counted, the engine says.

use cpu_time::ProcessTime;
use dagaz_engine::{Executor, Line, Move, NoHistory, Situation, State, perft_steps, whole_moves};
use dagaz_notation::universal;
use serde_json::{Map, Value, json};

use crate::answer::{Answer, Out};
use crate::args::PerftArgs;
use crate::game::Game;
use crate::{line, progress};

pub(crate) fn run(args: &PerftArgs, out: &mut Out) -> anyhow::Result<Answer> {
    let game = Game::load(&args.game, args.executor)?;
    game.located(count(args, &game, out))
}

fn count(args: &PerftArgs, game: &Game, out: &mut Out) -> anyhow::Result<Answer> {
    let play = line::play_from(game, &args.from)?;
    let parts = first_moves(&*game.executor, play.state(), args.steps)?;
    // What counts is compiled before the clock begins.
    game.executor.count(play.state(), &NoHistory, 0)?;
    let clock = ProcessTime::now();
    let bar = progress::bar(parts.len() as u64, "moves");
    let mut total = u64::from(args.depth == 0);
    let mut divided = Vec::new();
    for first in parts.iter().filter(|_| args.depth > 0) {
        let count = after(&*game.executor, play.state(), first, args)?;
        total += count;
        bar.inc(1);
        if args.divide {
            divided.push((universal::write_move(&*game.executor, play.state(), &first.steps)?, count));
        }
    }
    let seconds = clock.elapsed().as_secs_f64();
    bar.finish_and_clear();
    if out.json {
        let mut value = json!({ "depth": args.depth, "count": total, "seconds": seconds });
        if args.divide {
            let parts: Map<String, Value> = divided.into_iter().map(|(text, count)| (text, count.into())).collect();
            value["divide"] = parts.into();
        }
        out.value(&value)?;
    } else {
        for (text, count) in divided {
            out.line(format_args!("{text}: {count}"))?;
        }
        out.line(total)?;
    }
    Ok(Answer::Yes)
}

/// The first moves, or the first steps as moves that are perhaps unfinished.
fn first_moves(executor: &dyn Executor, state: &State, steps: bool) -> anyhow::Result<Vec<Move>> {
    Ok(match executor.situation(state, &NoHistory)? {
        Situation::Over(_) => Vec::new(),
        Situation::Open(legal) if steps => legal.into_iter().map(|step| Move { steps: vec![step] }).collect(),
        Situation::Open(_) => whole_moves(executor, state, &NoHistory)?,
    })
}

/// How many leaves there are after a first move.
fn after(executor: &dyn Executor, state: &State, first: &Move, args: &PerftArgs) -> anyhow::Result<u64> {
    let (mut state, mut line) = (state.clone(), Line::new());
    make(executor, &mut state, &mut line, first)?;
    let below = args.depth - 1;
    Ok(if args.steps { perft_steps(executor, &state, &line, below)? } else { executor.count(&state, &line, below)? })
}

fn make(executor: &dyn Executor, state: &mut State, line: &mut Line, made: &Move) -> anyhow::Result<()> {
    for step in &made.steps {
        let (before, mover) = (state.keys(), executor.to_move(state));
        let undo = executor.apply(state, step)?;
        line.push(before, mover, &undo);
    }
    Ok(())
}
