//! `dagaz moves`.

use dagaz_engine::Situation;
use dagaz_notation::universal;
use serde_json::json;

use crate::answer::{Answer, Out, tell};
use crate::args::Moves;
use crate::game::Game;
use crate::sight::Hidden;
use crate::{line, words};

pub(crate) fn run(args: &Moves, out: &mut Out) -> anyhow::Result<Answer> {
    let game = Game::load(&args.game, args.executor)?;
    game.located(list(args, &game, out))
}

fn list(args: &Moves, game: &Game, out: &mut Out) -> anyhow::Result<Answer> {
    let play = line::play_from(game, &args.from)?;
    let rules = play.rules();
    let to_move = &rules.players[play.to_move()].name;
    let hidden = Hidden::of(&*game.executor, &game.executor.seen_by(play.state(), play.to_move())?);
    match play.situation().map_err(Clone::clone)? {
        Situation::Over(outcome) if out.json => {
            out.value(&json!({
                "to_move": null, "moves": [], "hidden": null, "outcome": words::outcome_value(rules, outcome)
            }))?;
        }
        Situation::Over(outcome) => tell(format_args!("the game is over: {}", words::outcome(rules, outcome))),
        Situation::Open(steps) => {
            let texts = universal::write_all(&*game.executor, play.state(), steps)?;
            if out.json {
                out.value(&json!({
                    "to_move": to_move, "moves": texts, "hidden": hidden.value(), "outcome": null
                }))?;
            } else {
                for text in texts {
                    out.line(text)?;
                }
                if let Some(hidden) = hidden.text() {
                    tell(format_args!("note: {to_move} does not see {hidden}"));
                }
            }
        }
    }
    Ok(Answer::Yes)
}
