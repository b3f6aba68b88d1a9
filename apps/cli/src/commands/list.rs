//! `dagaz list`.

use dagaz_ir::Role;
use serde_json::json;

use crate::answer::{Answer, Out};
use crate::bundled;
use crate::game::Source;

pub(crate) fn run(out: &mut Out) -> anyhow::Result<Answer> {
    let mut rows = Vec::new();
    for game in bundled::all() {
        let source = Source::Bundled(game);
        let (language, compiled) = (source.language()?, source.compile(None)?);
        // A game that does not compile is listed all the same: `dagaz check` says what is wrong with it.
        let players: Vec<String> = compiled.game.map_or_else(Vec::new, |game| {
            let players = game.rules.players.values().filter(|player| player.role == Role::Person);
            players.map(|player| player.name.clone()).collect()
        });
        rows.push((game, players, language));
    }
    if out.json {
        let value = |(game, players, language): &(bundled::Bundled, Vec<String>, &str)| json!({ "name": game.name, "family": game.family, "players": players, "language": language });
        out.value(&rows.iter().map(value).collect())?;
        return Ok(Answer::Yes);
    }
    let name_width = rows.iter().map(|(game, ..)| game.name.len()).max().unwrap_or(0);
    let family_width = rows.iter().map(|(game, ..)| game.family.len()).max().unwrap_or(0);
    for (game, players, language) in &rows {
        let (name, family) = (game.name, game.family);
        out.line(format_args!("{name:name_width$}  {family:family_width$}  {}  {language}", players.len()))?;
    }
    Ok(Answer::Yes)
}
