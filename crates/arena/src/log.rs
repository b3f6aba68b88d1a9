//! The log of a match: what it is, on the first line, and then a finished game a line, in whatever order they ended.
//!
//! ```text
//! {"format":"dagaz-match","version":1,"game":"chess","agents":["alphabeta:depth=3","mcts:nodes=900"],"seed":1,…}
//! {"game":1,"agents":[1,0],"points":[2,0],"by":"checkmate","moves":57,"record":{…}}
//! ```
//!
//! A line that was not finished when the program was ended is the last one, and counts for nothing.

use dagaz_notation::{Record, json};
use serde_json::{Value, json};

use crate::pairing::Pairing;

/// A game that is over.
#[derive(Clone, Debug, PartialEq)]
pub struct Finished {
    /// Its number in the match, from 0.
    pub number: u64,
    /// Who sat on each seat.
    pub agents: Vec<usize>,
    /// What each seat has of it: 2 for a win, 1 for a draw, 0 for a loss.
    pub halves: Vec<u8>,
    /// How it ended.
    pub by: String,
    /// How many moves it had.
    pub moves: usize,
    /// What was played. The table does not need it.
    pub record: Option<Record>,
}

/// What a log holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Log {
    /// What the match is.
    pub heading: Value,
    /// The finished games, without their records.
    pub games: Vec<Finished>,
    /// How many bytes of the text hold whole lines.
    pub length: usize,
}

/// Why a text is no log.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LogError {
    /// It does not start as logs do.
    #[error("this is no log of a match")]
    Foreign,
    /// A line is no game.
    #[error("line {line}: this is no game of a match")]
    Line {
        /// The line, from 1.
        line: usize,
    },
    /// A game of another match.
    #[error("line {line}: game {game} has other players than it would have in this match")]
    Other {
        /// The line, from 1.
        line: usize,
        /// The number of the game.
        game: u64,
    },
    /// The match is another.
    #[error("the log is of another match: its {member} is {found}, and {wanted} is wanted")]
    Match {
        /// The first thing that differs.
        member: String,
        /// What the log says.
        found: String,
        /// What it should say.
        wanted: String,
    },
}

const FORMAT: &str = "dagaz-match";

impl Log {
    /// The first line of a log, of a match that these members describe.
    pub fn heading(members: &[(&str, Value)]) -> Value {
        let mut heading = json!({ "format": FORMAT, "version": 1 });
        for (name, value) in members {
            heading[name] = value.clone();
        }
        heading
    }

    /// Reads a log of this match. An empty text is an empty log.
    pub fn read(text: &str, heading: &Value, pairing: &Pairing) -> Result<Self, LogError> {
        let mut log = Self { heading: heading.clone(), games: Vec::new(), length: 0 };
        for (index, line) in text.split_inclusive('\n').enumerate().filter(|(_, line)| line.ends_with('\n')) {
            let fault = LogError::Line { line: index + 1 };
            let value = serde_json::from_str(line);
            if index == 0 {
                same_match(&value.map_err(|_| LogError::Foreign)?, heading)?;
            } else {
                let game = finished(&value.map_err(|_| fault.clone())?).ok_or(fault)?;
                let seating = pairing.game(game.number);
                if seating.agents != game.agents || game.halves.len() != game.agents.len() {
                    return Err(LogError::Other { line: index + 1, game: game.number });
                }
                log.games.push(game);
            }
            log.length += line.len();
        }
        Ok(log)
    }
}

fn same_match(found: &Value, wanted: &Value) -> Result<(), LogError> {
    if found["format"] != FORMAT {
        return Err(LogError::Foreign);
    }
    let names = |value: &Value| value.as_object().map(|object| object.keys().cloned().collect::<Vec<_>>());
    for member in names(wanted).into_iter().chain(names(found)).flatten() {
        if found[&member] != wanted[&member] {
            let (found, wanted) = (found[&member].to_string(), wanted[&member].to_string());
            return Err(LogError::Match { member, found, wanted });
        }
    }
    Ok(())
}

/// A finished game as a line.
pub fn finished_line(game: &Finished) -> String {
    let mut value = json!({
        "game": game.number,
        "agents": game.agents,
        "points": game.halves,
        "by": game.by,
        "moves": game.moves,
    });
    if let Some(record) = &game.record {
        value["record"] = json::to_value(record);
    }
    format!("{value}\n")
}

fn finished(value: &Value) -> Option<Finished> {
    let numbers = |value: &Value| value.as_array()?.iter().map(Value::as_u64).collect::<Option<Vec<u64>>>();
    Some(Finished {
        number: value["game"].as_u64()?,
        agents: numbers(&value["agents"])?
            .into_iter()
            .map(|agent| usize::try_from(agent).ok())
            .collect::<Option<_>>()?,
        halves: numbers(&value["points"])?
            .into_iter()
            .map(|half| u8::try_from(half).ok().filter(|&half| half <= 2))
            .collect::<Option<_>>()?,
        by: value["by"].as_str()?.to_owned(),
        moves: usize::try_from(value["moves"].as_u64()?).ok()?,
        record: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairing::Scheme;

    fn two() -> Pairing {
        Pairing::new(Scheme::RoundRobin, 2, 2).unwrap()
    }

    fn game(number: u64) -> Finished {
        let agents = two().game(number).agents;
        Finished { number, agents, halves: vec![2, 0], by: "checkmate".into(), moves: 9, record: None }
    }

    #[test]
    fn what_is_written_comes_back_without_the_unfinished_line() {
        let heading = Log::heading(&[("seed", json!(1))]);
        let whole = format!("{heading}\n{}{}", finished_line(&game(3)), finished_line(&game(0)));
        let log = Log::read(&whole, &heading, &two()).unwrap();
        assert_eq!((log.games, log.length), (vec![game(3), game(0)], whole.len()));
        for cut in heading.to_string().len() + 1..whole.len() {
            let log = Log::read(&whole[..cut], &heading, &two()).unwrap();
            assert_eq!(log.length, whole[..cut].rfind('\n').unwrap() + 1);
            assert!(log.games.len() < 2);
        }
        assert_eq!(Log::read("", &heading, &two()).unwrap().games, []);
    }

    #[test]
    fn logs_of_other_matches_are_refused() {
        let heading = Log::heading(&[("seed", json!(1))]);
        let error = |text: &str| Log::read(text, &heading, &two()).unwrap_err().to_string();
        assert_eq!(error("{}\n"), "this is no log of a match");
        let other = Log::heading(&[("seed", json!(2))]);
        assert_eq!(error(&format!("{other}\n")), "the log is of another match: its seed is 2, and 1 is wanted");
        assert_eq!(error(&format!("{heading}\n[]\n")), "line 2: this is no game of a match");
        let turned = Finished { agents: vec![1, 0], ..game(0) };
        let text = format!("{heading}\n{}", finished_line(&turned));
        assert_eq!(error(&text), "line 2: game 0 has other players than it would have in this match");
    }
}
