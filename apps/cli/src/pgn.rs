//! The games of a match as a file in PGN.

use std::io::Write as _;
use std::path::Path;

use anyhow::Context as _;
use dagaz_arena::Finished;
use dagaz_notation::fen::Fen;
use dagaz_notation::{record, san};

use crate::files::NewFile;
use crate::game::Game;

/// A file that appears when the match is over.
pub(crate) struct Writer<'a> {
    game: &'a Game,
    file: NewFile<'a>,
}

impl<'a> Writer<'a> {
    /// Starts a file, for a game that has FEN.
    pub(crate) fn create(path: &'a Path, game: &'a Game) -> anyhow::Result<Self> {
        Fen::new(&*game.executor).context("PGN is for games that have FEN")?;
        Ok(Self { game, file: NewFile::create(path)? })
    }

    /// Adds a game; the agents are those on the seats.
    pub(crate) fn add(&mut self, finished: &Finished, agents: &[String]) -> anyhow::Result<()> {
        let Some(record) = &finished.record else { return Ok(()) };
        let play = record::replay(record, self.game.executor.clone())?;
        let result = match finished.halves.as_slice() {
            [2, 0] => "1-0",
            [0, 2] => "0-1",
            _ => "1/2-1/2",
        };
        let [white, black] = agents else { return Ok(()) };
        let round = (finished.number + 1).to_string();
        let title = self.game.variant.as_ref().unwrap_or(&self.game.texts.title);
        let tags = [
            ("Event", "dagaz match"),
            ("Site", "?"),
            ("Date", "????.??.??"),
            ("Round", &round),
            ("White", white),
            ("Black", black),
            ("Result", result),
            ("Variant", title),
            ("Termination", &finished.by),
        ];
        Ok(self.file.write_all(san::pgn(&play, &tags, result)?.as_bytes())?)
    }

    /// Completes the file.
    pub(crate) fn finish(self) -> anyhow::Result<()> {
        self.file.finish()
    }
}
