//! `dagaz convert`.

use anyhow::Context as _;
use serde_json::json;

use crate::answer::{Answer, Out, Refused};
use crate::args::Convert;
use crate::records::{self, Format};

pub(crate) fn run(args: &Convert, out: &mut Out) -> anyhow::Result<Answer> {
    Format::of(&args.output)?;
    let written = records::read_one(&args.input)?;
    let game = written.find_game(&args.input, args.rules.as_deref(), &args.choice, args.executor)?;
    let play = written
        .replay(game.executor.clone())
        .map_err(|error| Refused(format!("`{}` does not fit its rules: {error}", args.input.display())))?;
    records::write(&args.output, &play, &game).with_context(|| format!("`{}`", args.input.display()))?;
    if out.json {
        out.value(&json!({ "output": args.output, "steps": play.steps_made().count() }))?;
    }
    Ok(Answer::Yes)
}
