//! `dagaz bench`: random playouts on one thread.

use std::time::Instant;

use dagaz_base::Random;
use dagaz_base::random::mix;
use dagaz_engine::{Line, playout};
use serde_json::json;

use crate::answer::{Answer, Out};
use crate::args::Bench;
use crate::game::Game;
use crate::progress;

pub(crate) fn run(args: &Bench, out: &mut Out) -> anyhow::Result<Answer> {
    let game = Game::load(&args.game)?;
    game.located(measure(args, &game, out))
}

fn measure(args: &Bench, game: &Game, out: &mut Out) -> anyhow::Result<Answer> {
    let executor = &*game.executor;
    let bar = progress::counter("playouts");
    let start = Instant::now();
    let (mut playouts, mut moves, mut steps, mut unfinished) = (0_u64, 0_u64, 0_u64, 0_u64);
    while start.elapsed() < args.seconds {
        let (mut state, mut line) = (executor.initial(), Line::new());
        let mut random = Random::new(mix(args.seed ^ mix(playouts)));
        let played = playout(executor, &mut state, &mut line, &mut random, args.max_moves)?;
        playouts += 1;
        steps += played.steps as u64;
        moves += dagaz_engine::History::moves(&line) as u64;
        unfinished += u64::from(played.outcome.is_none());
        bar.inc(1);
    }
    let seconds = start.elapsed().as_secs_f64();
    bar.finish_and_clear();
    let per_second = |count: u64| count as f64 / seconds;
    if out.json {
        out.value(&json!({
            "seconds": seconds,
            "playouts": playouts,
            "moves": moves,
            "steps": steps,
            "unfinished": unfinished,
            "playouts_per_second": per_second(playouts),
            "moves_per_second": per_second(moves),
        }))?;
    } else {
        let cut =
            if unfinished > 0 { format!(", {unfinished} cut after {} steps", args.max_moves) } else { String::new() };
        out.line(format_args!("{playouts} playouts, {moves} moves in {seconds:.2} s{cut}"))?;
        out.line(format_args!("playouts/s {:.1}", per_second(playouts)))?;
        out.line(format_args!("moves/s {:.0}", per_second(moves)))?;
    }
    Ok(Answer::Yes)
}
