//! The state that `--position` and `--after` lead to.

use anyhow::Context as _;
use dagaz_engine::Step;
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

/// Makes the steps of a text. They need not be separated: at each point the longest text that is a legal step is one.
/// Numbers of moves, such as `12.`, are skipped.
fn play_words(play: &mut Play, text: &str) -> anyhow::Result<()> {
    let words: Vec<&str> = text.split_whitespace().filter(|word| !is_number(word)).collect();
    let mut rest = words.as_slice();
    while !rest.is_empty() {
        let (step, length) = longest_step(play, rest)?;
        play.play(&step)?;
        rest = &rest[length..];
    }
    Ok(())
}

fn longest_step(play: &Play, words: &[&str]) -> anyhow::Result<(Step, usize)> {
    let steps = play.legal_steps().map_err(Clone::clone)?;
    if let Some(outcome) = play.outcome().map_err(Clone::clone)? {
        let how = crate::words::outcome(play.rules(), outcome);
        return Err(Refused(format!("`{}` cannot be played: the game is over: {how}", words.join(" "))).into());
    }
    for length in (1..=words.len()).rev() {
        let text = words[..length].join(" ");
        if let Ok(step) = universal::read(&**play.executor(), play.state(), steps, &text) {
            return Ok((step.clone(), length));
        }
    }
    let number = play.steps_made().count() + 1;
    match universal::read(&**play.executor(), play.state(), steps, &words.join(" ")) {
        Ok(_) => unreachable!("the whole text was tried"),
        Err(error) => Err(Refused(format!("step {number}: {error}")).into()),
    }
}

fn is_number(word: &str) -> bool {
    word.strip_suffix('.').is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
}
