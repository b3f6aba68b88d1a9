//! Positions: a game that is brought to the place that a case speaks of.

use std::sync::Arc;

use dagaz_base::Id;
use dagaz_engine::{Executor, Layout};
use dagaz_ir::{Placement, Rules};
use dagaz_notation::fen::Fen;
use dagaz_play::{Edit, EditError, Play};

use crate::cells::Lookup;
use crate::judge::Failure;
use crate::read::{Cases, Item, PositionId, SetUp};
use crate::whole;

/// The game at a position; at the start without one.
pub(crate) fn play(cases: &Cases, at: Option<PositionId>, executor: &Arc<dyn Executor>) -> Result<Play, Failure> {
    // A loop rather than a recursion: each position of a long file may come after the one before.
    let mut lines = Vec::new();
    let mut root = at.map(|id| &cases.positions[id]);
    while let Some(position) = root
        && let SetUp::After { from, moves } = &position.set_up
    {
        lines.push((position.line, moves));
        root = from.map(|id| &cases.positions[id]);
    }
    let mut play = match root {
        None => Play::new(executor.clone()),
        Some(position) => {
            let line = position.line;
            rooted(&position.set_up, executor).map_err(|reason| Failure::Unknown { line, reason })?
        }
    };
    for (line, moves) in lines.into_iter().rev() {
        for text in moves {
            whole::make(&mut play, text)?.map_err(|reason| Failure::Position { line, reason })?;
        }
    }
    Ok(play)
}

fn rooted(set_up: &SetUp, executor: &Arc<dyn Executor>) -> Result<Play, String> {
    match set_up {
        SetUp::Fen(text) => {
            let fen = Fen::new(&**executor).map_err(|error| error.to_string())?;
            let position = fen.read(text).map_err(|error| error.to_string())?;
            Ok(Play::from_state(executor.clone(), position.state))
        }
        SetUp::Board(items) => {
            let edits = edits(executor.rules(), executor.layout(), items)?;
            Play::from_edits(executor.clone(), edits).map_err(|error| told(executor.rules(), &error))
        }
        SetUp::Start | SetUp::After { .. } => Ok(Play::new(executor.clone())),
    }
}

/// An empty board and empty hands first, then the pieces, then what else is said: a new piece has its kind's attributes.
fn edits(rules: &Rules, layout: &Layout, items: &[Item]) -> Result<Vec<Edit>, String> {
    let lookup = Lookup::new(rules, layout);
    let mut edits: Vec<Edit> = rules.topology.sites().map(Edit::Remove).collect();
    if layout.known.hand.is_some() {
        let hands = rules.players.ids().flat_map(|player| rules.kinds.ids().map(move |kind| (player, kind)));
        edits.extend(hands.map(|(player, kind)| Edit::Place(Placement::Hand(player, kind, 0))));
    }
    let mut standing = Vec::new();
    for item in items {
        let Item::Pieces(pieces) = item else { continue };
        for (player, kind, site) in lookup.pieces(pieces)? {
            if standing.contains(&site) && layout.known.stack.is_none() {
                return Err(format!("two pieces stand on `{}`", rules.topology.site_name(site)));
            }
            standing.push(site);
            edits.push(Edit::Place(Placement::Piece(player, kind, site)));
        }
    }
    for item in items {
        let (field, index, value) = match item {
            Item::Pieces(_) => continue,
            Item::Turn(name) => (layout.known.turn, 0, turn(rules, &lookup, name)?),
            Item::Hand(held) => {
                let (hand, index) = lookup.hand(held)?;
                (hand, index, held.count)
            }
            Item::Set(value) => {
                let (field, index) = lookup.cell(&value.cell)?;
                if layout.piece_fields().contains(&field) && !standing.iter().any(|site| site.index() == index) {
                    return Err(format!("no piece stands where `{}` is set", rules.fields[field].name));
                }
                (field, index, value.value)
            }
        };
        edits.push(Edit::Place(Placement::Cell(field, index as u32, value)));
    }
    Ok(edits)
}

/// The first turn of a player.
fn turn(rules: &Rules, lookup: &Lookup<'_>, name: &str) -> Result<i32, String> {
    let player = lookup.player(name)?;
    let turn = rules.schedule.turns.iter().position(|turn| turn.player == player);
    turn.map(|turn| turn as i32).ok_or_else(|| format!("`{name}` never moves"))
}

fn told(rules: &Rules, error: &EditError) -> String {
    match *error {
        EditError::OutOfRange { field, low, high, value } => {
            format!("`{}` holds {low} to {high}, not {value}", rules.fields[field].name)
        }
        _ => error.to_string(),
    }
}
