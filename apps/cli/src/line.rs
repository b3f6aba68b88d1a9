//! The state that `--position` and `--after` lead to.

use anyhow::{Context as _, bail};
use dagaz_engine::Step;
use dagaz_ir::Rules;
use dagaz_notation::fen::Fen;
use dagaz_notation::universal;
use dagaz_play::Play;

use crate::answer::Refused;
use crate::args::FromArgs;
use crate::game::Game;

/// The game after what the arguments say was played.
pub(crate) fn play_from(game: &Game, from: &FromArgs) -> anyhow::Result<Play> {
    let mut play = match &from.position {
        None => Play::new(game.executor.clone()),
        Some(position) => at_position(game, position)?,
    };
    for text in &from.after {
        for part in text.split(';').map(str::trim).filter(|part| !part.is_empty()) {
            play_words(&mut play, part)?;
        }
    }
    Ok(play)
}

fn at_position(game: &Game, position: &str) -> anyhow::Result<Play> {
    let context = || format!("the position `{position}`");
    let fen = Fen::new(&*game.executor).with_context(context)?;
    Ok(Play::from_state(game.executor.clone(), fen.read(position).with_context(context)?.state))
}

/// Makes the steps of a text. They need not be separated: at each point the longest text that means legal steps is taken.
/// Numbers of moves, such as `12.`, are skipped.
fn play_words(play: &mut Play, text: &str) -> anyhow::Result<()> {
    let words: Vec<&str> = text.split_whitespace().filter(|word| !is_number(word)).collect();
    let mut rest = words.as_slice();
    while !rest.is_empty() {
        let (steps, length) = longest(play, rest)?;
        for step in &steps {
            play.play(step)?;
        }
        rest = &rest[length..];
    }
    Ok(())
}

fn longest(play: &Play, words: &[&str]) -> anyhow::Result<(Vec<Step>, usize)> {
    let steps = play.legal_steps().map_err(Clone::clone)?;
    if let Some(outcome) = play.outcome().map_err(Clone::clone)? {
        let how = crate::words::outcome(play.rules(), outcome);
        return Err(Refused(format!("`{}` cannot be played: the game is over: {how}", words.join(" "))).into());
    }
    let mut refused = None;
    for length in (1..=words.len()).rev() {
        let text = words[..length].join(" ");
        match universal::read_move(&**play.executor(), play.state(), steps, &text) {
            Ok(steps) => return Ok((steps, length)),
            Err(error) => refused = refused.or(Some(error)),
        }
    }
    let (number, text) = (play.steps_made().count() + 1, words.join(" "));
    if !is_readable(play.rules(), &text) {
        bail!("step {number}: `{text}` names no site of the board");
    }
    let error = refused.expect("at least the whole text was tried");
    Err(Refused(format!("step {number}: {error}")).into())
}

/// Whether a text says something that may be legal or not: it names a site, or needs none.
pub(crate) fn is_readable(rules: &Rules, text: &str) -> bool {
    let needs_none = ["pass", "+"].iter().any(|word| text.trim().eq_ignore_ascii_case(word));
    needs_none || !universal::named(rules, text).sites.is_empty()
}

fn is_number(word: &str) -> bool {
    word.strip_suffix('.').is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
}
