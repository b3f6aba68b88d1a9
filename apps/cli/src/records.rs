//! Records of games as files, by their endings.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, bail};
use dagaz_engine::{Executor, Outcome};
use dagaz_notation::record::{Ply, RecordError};
use dagaz_notation::zsg::{self, Save};
use dagaz_notation::{Record, json, record};
use dagaz_play::Play;

use crate::answer::tell;
use crate::args::{ChoiceArgs, ExecutorName};
use crate::bundled;
use crate::files;
use crate::game::{Game, Source};

/// A format of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// Zillions' saved games.
    Zsg,
    /// Our own.
    Json,
    /// The same, one record a line.
    JsonLines,
}

/// A record before any rules have judged it.
pub(crate) enum Written {
    /// A saved game of Zillions.
    Zsg(Save),
    /// One of our own.
    Json(Record),
}

impl Format {
    /// The format that a file's ending says.
    pub(crate) fn of(path: &Path) -> anyhow::Result<Self> {
        match path.extension().and_then(|ending| ending.to_str()).map(str::to_lowercase).as_deref() {
            Some("zsg") => Ok(Self::Zsg),
            Some("json") => Ok(Self::Json),
            Some("jsonl") => Ok(Self::JsonLines),
            _ => bail!("`{}` is in no known format of records; there are `.zsg`, `.json` and `.jsonl`", path.display()),
        }
    }
}

/// How many bytes a file of records may have: a great many games, and no device without an end.
const MOST_BYTES: usize = 256 << 20;

/// All records of a file: at least one.
pub(crate) fn read(path: &Path) -> anyhow::Result<Vec<Written>> {
    let context = || format!("`{}` is no record", path.display());
    match Format::of(path)? {
        Format::Zsg => Ok(vec![Written::Zsg(zsg::read(&files::read(path, MOST_BYTES)?).with_context(context)?)]),
        Format::Json => {
            Ok(vec![Written::Json(json::read(&files::read_text(path, MOST_BYTES)?).with_context(context)?)])
        }
        Format::JsonLines => {
            let mut records = Vec::new();
            let text = files::read_text(path, MOST_BYTES)?;
            for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
                let Some(line) = in_match(line) else { continue };
                let record = json::read(&line).with_context(|| format!("line {}", index + 1)).with_context(context)?;
                records.push(Written::Json(record));
            }
            if records.is_empty() {
                bail!("`{}` holds no record", path.display());
            }
            Ok(records)
        }
    }
}

/// The record of a line, which may be wrapped up in the log of a match. Nothing for the log's heading.
fn in_match(line: &str) -> Option<Cow<'_, str>> {
    let value: serde_json::Value = serde_json::from_str(line).unwrap_or_default();
    match value.get("record") {
        Some(record) => Some(record.to_string().into()),
        None if value["format"] == "dagaz-match" => None,
        None => Some(line.into()),
    }
}

/// The one record of a file.
pub(crate) fn read_one(path: &Path) -> anyhow::Result<Written> {
    let mut records = read(path)?;
    if records.len() > 1 {
        bail!("`{}` holds {} records, and one is wanted", path.display(), records.len());
    }
    records.pop().with_context(|| format!("`{}` holds no record", path.display()))
}

impl Written {
    /// The game, as the record names it.
    fn game(&self) -> &str {
        match self {
            Self::Zsg(save) => save.rules_name(),
            Self::Json(record) => &record.game,
        }
    }

    fn variant(&self) -> Option<&str> {
        match self {
            Self::Zsg(save) => save.variant.as_deref(),
            Self::Json(record) => record.variant.as_deref(),
        }
    }

    /// Plays it through the rules.
    pub(crate) fn replay(&self, executor: Arc<dyn Executor>) -> Result<Play, Box<RecordError>> {
        match self {
            Self::Zsg(save) => save.replay(executor).map_err(Box::new),
            Self::Json(record) => record::replay(record, executor).map_err(Box::new),
        }
    }

    /// The game that it belongs to: the one that is asked for, or the one that it names, which may lie beside it.
    pub(crate) fn find_game(
        &self,
        path: &Path,
        rules: Option<&str>,
        choice: &ChoiceArgs,
        executor: ExecutorName,
    ) -> anyhow::Result<Game> {
        let source = match rules {
            Some(rules) => Source::find(rules)?,
            None => self.find_source(path)?,
        };
        if choice.variant.is_some() {
            return Game::load_from(&source, choice, executor);
        }
        let entries = source.read()?.menu().len();
        // Zillions always writes a title, also where there is nothing to choose.
        let named = self.variant().filter(|_| entries > 1).map(str::to_owned);
        let game = Game::load_from(&source, &ChoiceArgs { variant: named }, executor)?;
        if let Some(note) = self.variant().and_then(|named| other_variant(named, &game)) {
            tell(note);
        }
        Ok(game)
    }

    /// What is to be said when the record names another game or variant than this one.
    pub(crate) fn other_game(&self, game: &Game) -> Option<String> {
        let (named, name) = (self.game(), file_name(game));
        let titled = || game.menu.iter().any(|item| plain(&item.title) == plain(stem(named)));
        if plain(stem(named)) != plain(stem(&name)) && !titled() {
            return Some(format!("note: the record is of the game `{named}`, and this is `{name}`"));
        }
        let default = || Some(game.menu.iter().find(|item| item.default)?.title.as_str());
        other_variant(self.variant().or_else(default)?, game)
    }

    fn find_source(&self, path: &Path) -> anyhow::Result<Source> {
        let game = self.game();
        let beside = path.with_file_name(game);
        if !game.is_empty() && beside != path && beside.is_file() {
            return Source::find(&beside.display().to_string());
        }
        let wanted = plain(stem(game));
        if let Some(found) = bundled::all().find(|bundled| plain(bundled.name) == wanted) {
            return Ok(Source::Bundled(found));
        }
        for source in bundled::all().map(Source::Bundled) {
            if source.read()?.menu().iter().any(|item| plain(&item.title) == wanted) {
                return Ok(source);
            }
        }
        bail!("`{}` is of the game `{game}`, which is not bundled; give it with `--rules`", path.display())
    }
}

fn other_variant(named: &str, game: &Game) -> Option<String> {
    let title = game.variant.as_ref().unwrap_or(&game.texts.title);
    (plain(named) != plain(title))
        .then(|| format!("note: the record is of the variant `{named}`, and this is `{title}`"))
}

/// A name without its ending.
fn stem(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// A name without what people write in different ways.
fn plain(name: &str) -> String {
    name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The record of a game, named so that it is found again.
pub(crate) fn record(play: &Play, game: &Game) -> anyhow::Result<Record> {
    Ok(Record { game: file_name(game), variant: game.variant.clone(), ..Record::of(play)? })
}

/// The same record, named so that its game is found again.
pub(crate) fn named(record: Record, game: &Game) -> Record {
    Record { game: file_name(game), variant: game.variant.clone(), ..record }
}

/// The record of a game from its start, of which only the texts are left.
pub(crate) fn of_plies(plies: Vec<Ply>, outcome: Option<&Outcome>, game: &Game) -> Record {
    let result = outcome.map_or_else(Vec::new, |outcome| record::result(game.rules(), outcome));
    Record { game: file_name(game), variant: game.variant.clone(), plies, result, ..Record::default() }
}

/// Writes a game to a file, in the format that its ending says.
pub(crate) fn write(path: &Path, play: &Play, game: &Game) -> anyhow::Result<()> {
    let bytes = match Format::of(path)? {
        Format::Zsg => {
            let name = file_name(game);
            let rules_file = if name.contains('.') { name } else { format!("{name}.zrf") };
            let variant = game.variant.as_deref().unwrap_or(&game.texts.title);
            let text = zsg::write(play, zsg::Heading { rules_file: &rules_file, variant })?;
            zsg::encode(&text).into_owned()
        }
        Format::Json => json::write(&record(play, game)?).into_bytes(),
        Format::JsonLines => one_line(&record(play, game)?).into_bytes(),
    };
    files::write(path, &bytes)
}

/// A record as one line of a file of many.
pub(crate) fn one_line(record: &Record) -> String {
    format!("{}\n", json::to_value(record))
}

/// A bundled name as it is, of a path the last part.
fn file_name(game: &Game) -> String {
    Path::new(&game.name).file_name().map_or_else(|| game.name.clone(), |name| name.to_string_lossy().into_owned())
}
