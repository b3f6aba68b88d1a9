//! `dagaz replay`.

use dagaz_notation::record::RecordError;
use dagaz_play::Play;
use serde_json::{Value, json};

use crate::answer::{Answer, Out, tell};
use crate::args::Replay;
use crate::{records, words};

pub(crate) fn run(args: &Replay, out: &mut Out) -> anyhow::Result<Answer> {
    let written = records::read(&args.file)?;
    let game = written[0].find_game(&args.file, args.rules.as_deref(), &args.choice, args.executor)?;
    let mut answer = Answer::Yes;
    let mut values = Vec::new();
    for (index, record) in written.iter().enumerate() {
        let name = match written.len() {
            1 => args.file.display().to_string(),
            _ => format!("{}, record {}", args.file.display(), index + 1),
        };
        let replayed = record.replay(game.executor.clone());
        if replayed.is_err() {
            answer = Answer::No;
        }
        if out.json {
            values.push(value(&replayed)?);
            continue;
        }
        match &replayed {
            Ok(play) => out.line(format_args!("{name}: fits, {}", summary(play)?))?,
            Err(error) => tell(format_args!("{name}: {error}")),
        }
    }
    if out.json {
        out.value(&if values.len() == 1 { values.remove(0) } else { Value::Array(values) })?;
    }
    Ok(answer)
}

fn summary(play: &Play) -> anyhow::Result<String> {
    let steps = play.steps_made().count();
    let how = match play.outcome().map_err(Clone::clone)? {
        Some(outcome) => words::outcome(play.rules(), outcome),
        None => format!("unfinished, {} to move", play.rules().players[play.to_move()].name),
    };
    Ok(format!("{steps} steps: {how}"))
}

fn value(replayed: &Result<Play, Box<RecordError>>) -> anyhow::Result<Value> {
    let error = match replayed {
        Ok(play) => {
            let outcome = play.outcome().map_err(Clone::clone)?;
            return Ok(json!({
                "fits": true,
                "steps": play.steps_made().count(),
                "outcome": outcome.map(|outcome| words::outcome_value(play.rules(), outcome)),
            }));
        }
        Err(error) => &**error,
    };
    Ok(match error {
        RecordError::Ply { ply, line, text, reason, .. } => {
            json!({ "fits": false, "ply": ply, "line": line, "text": text, "reason": reason.to_string() })
        }
        RecordError::SetUp { number, reason, .. } => {
            json!({ "fits": false, "set_up": number, "reason": reason.to_string() })
        }
        RecordError::Variation { number, .. } => {
            json!({ "fits": false, "variation": number, "reason": error.to_string() })
        }
    })
}
