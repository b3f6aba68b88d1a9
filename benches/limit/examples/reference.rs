//! Plays a rules file at random by the reference interpreter, and prints what the games came to, as `Known::random` has it.
//!
//! Whole moves are drawn, each as likely as every other, as the programs for one game do it. Passes at the end of a game
//! do not count: the rules of reversi end some games with them.

#![allow(clippy::print_stdout, reason = "a tool of the command line speaks on standard output")]

use std::sync::Arc;

use anyhow::{Context, Result};
use clap::Parser;
use dagaz_base::Random;
use dagaz_engine::{Executor, Interpreter, Line, Share, Situation, StepRule, whole_moves};
use dagaz_lang_zrf::{Settings, compile};
use dagaz_limit::{End, Tally, Winner};

#[derive(Parser)]
struct Arguments {
    /// The rules file, such as games/draughts/english/english.zrf
    rules: String,
    /// The title of a variant
    #[arg(long)]
    variant: Option<String>,
    /// How many games
    #[arg(long, default_value_t = 1000)]
    games: u64,
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

fn main() -> Result<()> {
    let Arguments { rules, variant, games, seed } = Arguments::parse();
    let bytes = std::fs::read(&rules).with_context(|| format!("cannot read {rules}"))?;
    let settings = Settings { variant, ..Settings::default() };
    let compiled = compile(&rules, &bytes, &mut |_: &str| None, &settings);
    let game = compiled.game.with_context(|| format!("{rules} is not accepted: see `dagaz check {rules}`"))?;
    let executor = Interpreter::new(Arc::new(game.rules));
    let mut random = Random::new(seed);
    let mut tally = Tally::default();
    for _ in 0..games {
        tally.count(play(&executor, &mut random)?);
    }
    println!("{rules}: {:#?}\nlength {:?}", tally, tally.length());
    Ok(())
}

fn play(executor: &Interpreter, random: &mut Random) -> Result<End> {
    let (mut state, mut line) = (executor.initial(), Line::new());
    let (mut plies, mut passes) = (0, 0);
    loop {
        if let Situation::Over(outcome) = executor.situation(&state, &line)? {
            let won = |player: usize| outcome.shares.get(player) == Some(&Share::Win);
            let winner = [(won(0), Winner::First), (won(1), Winner::Second)].into_iter().find(|(won, _)| *won);
            return Ok(End { plies: plies - passes, winner: winner.map_or(Winner::Nobody, |(_, winner)| winner) });
        }
        let moves = whole_moves(executor, &state, &line)?;
        let drawn = random.choose(&moves).context("an open game has a move")?;
        for step in &drawn.steps {
            let (before, mover) = (state.keys(), executor.to_move(&state));
            let undo = executor.apply(&mut state, step)?;
            line.push(before, mover, &undo);
        }
        plies += 1;
        passes = if drawn.steps.iter().all(|step| step.rule == StepRule::Pass) { passes + 1 } else { 0 };
    }
}
