//! Records as JSON, version 1.
//!
//! ```json
//! {
//!   "format": "dagaz-record",
//!   "version": 1,
//!   "game": "Chess",
//!   "variant": "…",
//!   "setup": [{"remove": "e2"}, {"place": ["White", "Queen", "e2"]},
//!             {"hand": ["White", "Pawn", 2]}, {"cell": ["turn", 0, 1]}],
//!   "comments": ["written before the first step"],
//!   "moves": ["e2 - e4 pawn-double n",
//!             {"move": "e7 - e5 pawn-double n", "comments": ["written after it"]}],
//!   "variations": [{"after": 1, "moves": ["c7 - c5 pawn-double n"]}, {"after": 3, "moves": []}],
//!   "result": {"White": "win", "Black": "loss"}
//! }
//! ```
//!
//! Each entry of `moves` is one step in [universal notation](crate::universal): the text alone, or an object where
//! there is more to say. A variation starts after a step. All steps are numbered from 1, those of the main line first
//! and then those of each variation in order; 0 is the start. A cell is named by field, index and value. Shares of the result are `win`, `draw` and `loss`. Only `format`, `version`, `game`
//! and `moves` must be there; members of any other name are refused, so that nothing is lost in silence.

use dagaz_engine::Share;
use serde_json::{Map, Value, json};

use crate::record::{Ply, Record, SetUp, Variation};

/// The version that is written, and the only one that is read.
pub const VERSION: u64 = 1;

const FORMAT: &str = "dagaz-record";

/// Why a text is no record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JsonError {
    /// It is no JSON.
    #[error("this is no JSON: {0}")]
    Syntax(String),
    /// It is of a version that this program does not know.
    #[error("the record is of version {version}; this program reads version {VERSION}")]
    Version {
        /// The version.
        version: u64,
    },
    /// Some part of it is not what it should be.
    #[error("{path}: expected {expected}")]
    Shape {
        /// Where, such as `moves[3].comments`.
        path: String,
        /// What should be there.
        expected: String,
    },
}

/// The record as JSON, with a line for each step of the main line.
pub fn write(record: &Record) -> String {
    let mut text = serde_json::to_string_pretty(&to_value(record)).expect("a value without maps of odd keys prints");
    text.push('\n');
    text
}

/// The record as a JSON value.
pub fn to_value(record: &Record) -> Value {
    let mut object = Map::new();
    object.insert("format".into(), FORMAT.into());
    object.insert("version".into(), VERSION.into());
    object.insert("game".into(), record.game.as_str().into());
    if let Some(variant) = &record.variant {
        object.insert("variant".into(), variant.as_str().into());
    }
    if !record.set_up.is_empty() {
        object.insert("setup".into(), record.set_up.iter().map(set_up_value).collect());
    }
    if !record.comments.is_empty() {
        object.insert("comments".into(), record.comments.clone().into());
    }
    object.insert("moves".into(), line_value(&record.plies));
    if !record.variations.is_empty() {
        object.insert("variations".into(), record.variations.iter().map(variation_value).collect());
    }
    if !record.result.is_empty() {
        let shares = record.result.iter().map(|(player, share)| (player.clone(), share_name(*share).into()));
        object.insert("result".into(), Value::Object(shares.collect()));
    }
    object.into()
}

fn set_up_value(set_up: &SetUp) -> Value {
    match set_up {
        SetUp::Remove(site) => json!({"remove": site}),
        SetUp::Place(player, kind, site) => json!({"place": [player, kind, site]}),
        SetUp::Hand(player, kind, count) => json!({"hand": [player, kind, count]}),
        SetUp::Cell(field, index, value) => json!({"cell": [field, index, value]}),
    }
}

fn line_value(line: &[Ply]) -> Value {
    line.iter().map(ply_value).collect()
}

fn variation_value(variation: &Variation) -> Value {
    json!({"after": variation.after, "moves": line_value(&variation.plies)})
}

fn ply_value(ply: &Ply) -> Value {
    if ply.comments.is_empty() {
        return ply.text.as_str().into();
    }
    json!({"move": ply.text, "comments": ply.comments})
}

fn share_name(share: Share) -> &'static str {
    match share {
        Share::Loss => "loss",
        Share::Draw => "draw",
        Share::Win => "win",
        Share::None => "none",
    }
}

/// Reads a record.
pub fn read(text: &str) -> Result<Record, JsonError> {
    let value: Value = serde_json::from_str(text).map_err(|error| JsonError::Syntax(error.to_string()))?;
    from_value(&value)
}

/// Reads a record that is a JSON value already.
pub fn from_value(value: &Value) -> Result<Record, JsonError> {
    let root = At { path: String::new(), value };
    let format = root.member("format")?;
    if format.text()? != FORMAT {
        return Err(format.expected(&format!("`{FORMAT}`")));
    }
    let version = root.member("version")?;
    let version = version.value.as_u64().ok_or_else(|| version.expected("a version number"))?;
    if version != VERSION {
        return Err(JsonError::Version { version });
    }
    root.only(&["format", "version", "game", "variant", "setup", "comments", "moves", "variations", "result"])?;
    Ok(Record {
        game: root.member("game")?.text()?.to_owned(),
        variant: root.optional("variant").map(|at| at.text().map(str::to_owned)).transpose()?,
        set_up: root.list("setup", set_up)?,
        comments: root.list("comments", |at| at.text().map(str::to_owned))?,
        plies: root.member("moves")?.each(ply)?,
        variations: root.list("variations", variation)?,
        result: root.optional("result").map_or_else(|| Ok(Vec::new()), |at| result(&at))?,
    })
}

fn set_up(at: &At) -> Result<SetUp, JsonError> {
    at.only(&["remove", "place", "hand", "cell"])?;
    let members = at.object()?;
    let (Some(name), 1) = (members.keys().next(), members.len()) else {
        return Err(at.expected("one of `remove`, `place`, `hand` and `cell`"));
    };
    let change = at.member(name)?;
    if name == "remove" {
        return Ok(SetUp::Remove(change.text()?.to_owned()));
    }
    let parts = change.each(|part| Ok(part.clone()))?;
    let [first, second, third] = parts.as_slice() else { return Err(change.expected("a list of three")) };
    Ok(match name.as_str() {
        "place" => SetUp::Place(first.text()?.to_owned(), second.text()?.to_owned(), third.text()?.to_owned()),
        "hand" => SetUp::Hand(first.text()?.to_owned(), second.text()?.to_owned(), third.number()?),
        _ => SetUp::Cell(first.text()?.to_owned(), second.number()?, third.number()?),
    })
}

fn ply(at: &At) -> Result<Ply, JsonError> {
    if let Value::String(text) = at.value {
        return Ok(Ply::new(text.as_str()));
    }
    if !at.value.is_object() {
        return Err(at.expected("a step: a string or an object"));
    }
    at.only(&["move", "comments"])?;
    Ok(Ply {
        text: at.member("move")?.text()?.to_owned(),
        line: None,
        comments: at.list("comments", |at| at.text().map(str::to_owned))?,
    })
}

fn variation(at: &At) -> Result<Variation, JsonError> {
    at.only(&["after", "moves"])?;
    let after = at.member("after")?;
    let after = after
        .value
        .as_u64()
        .and_then(|number| usize::try_from(number).ok())
        .ok_or_else(|| after.expected("a number of a step"))?;
    Ok(Variation { after, plies: at.member("moves")?.each(ply)? })
}

fn result(at: &At) -> Result<Vec<(String, Share)>, JsonError> {
    let share = |(player, _): (&String, &Value)| {
        let share = at.member(player)?;
        Ok((
            player.clone(),
            match share.text()? {
                "win" => Share::Win,
                "draw" => Share::Draw,
                "loss" => Share::Loss,
                "none" => Share::None,
                _ => return Err(share.expected("`win`, `draw` or `loss`")),
            },
        ))
    };
    at.object()?.iter().map(share).collect()
}

/// A value and where it stands.
#[derive(Clone)]
struct At<'a> {
    path: String,
    value: &'a Value,
}

impl<'a> At<'a> {
    fn expected(&self, expected: &str) -> JsonError {
        let path = if self.path.is_empty() { "the record".to_owned() } else { self.path.clone() };
        JsonError::Shape { path, expected: expected.to_owned() }
    }

    fn object(&self) -> Result<&'a Map<String, Value>, JsonError> {
        self.value.as_object().ok_or_else(|| self.expected("an object"))
    }

    fn text(&self) -> Result<&'a str, JsonError> {
        self.value.as_str().ok_or_else(|| self.expected("a string"))
    }

    fn number<T: TryFrom<i64>>(&self) -> Result<T, JsonError> {
        let number = self.value.as_i64().and_then(|number| T::try_from(number).ok());
        number.ok_or_else(|| self.expected("a whole number of 32 bits"))
    }

    fn optional(&self, name: &str) -> Option<At<'a>> {
        let dot = if self.path.is_empty() { "" } else { "." };
        let value = self.value.get(name)?;
        Some(At { path: format!("{}{dot}{name}", self.path), value })
    }

    fn member(&self, name: &str) -> Result<At<'a>, JsonError> {
        self.object()?;
        self.optional(name).ok_or_else(|| self.expected(&format!("a member `{name}`")))
    }

    /// Refuses members of any other name.
    fn only(&self, names: &[&str]) -> Result<(), JsonError> {
        match self.object()?.keys().find(|name| !names.contains(&name.as_str())) {
            Some(name) => Err(self.expected(&format!("no member `{name}`"))),
            None => Ok(()),
        }
    }

    fn each<T>(&self, read: impl Fn(&At<'a>) -> Result<T, JsonError>) -> Result<Vec<T>, JsonError> {
        let items = self.value.as_array().ok_or_else(|| self.expected("a list"))?;
        let item = |(index, value)| read(&At { path: format!("{}[{index}]", self.path), value });
        items.iter().enumerate().map(item).collect()
    }

    /// The items of a list that may be missing.
    fn list<T>(&self, name: &str, read: impl Fn(&At<'a>) -> Result<T, JsonError>) -> Result<Vec<T>, JsonError> {
        self.optional(name).map_or_else(|| Ok(Vec::new()), |at| at.each(read))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Record {
        let line = vec![Ply::new("c7 - c5 push"), Ply { comments: vec!["why".into()], ..Ply::new("+") }];
        Record {
            game: "Chess".into(),
            variant: Some("960".into()),
            set_up: vec![
                SetUp::Remove("e2".into()),
                SetUp::Place("White".into(), "Queen".into(), "e2".into()),
                SetUp::Hand("White".into(), "Pawn".into(), 2),
                SetUp::Cell("turn".into(), 0, -1),
            ],
            comments: vec!["a \"quoted\" word".into()],
            plies: vec![Ply::new("e2 - e4 push"), Ply::new("e7 - e5 push")],
            variations: vec![Variation { after: 1, plies: line }],
            result: vec![("White".into(), Share::Win), ("Black".into(), Share::Loss)],
        }
    }

    #[test]
    fn what_is_written_reads_back() {
        assert_eq!(read(&write(&sample())), Ok(sample()));
        let least = Record { game: "Go".into(), ..Record::default() };
        assert_eq!(read(&write(&least)), Ok(least));
    }

    #[test]
    fn faults_name_their_place() {
        let message = |text: &str| read(text).expect_err("a fault").to_string();
        let head = r#""format": "dagaz-record", "version": 1, "game": "Go""#;
        assert_eq!(message("[]"), "the record: expected an object");
        assert_eq!(message(r#"{"format": "sgf"}"#), "format: expected `dagaz-record`");
        assert_eq!(
            message(r#"{"format": "dagaz-record", "version": 2}"#),
            "the record is of version 2; this program reads version 1"
        );
        assert_eq!(message(&format!("{{{head}}}")), "the record: expected a member `moves`");
        assert_eq!(
            message(&format!(r#"{{{head}, "moves": [], "variations": [{{"after": 0, "moves": [1]}}]}}"#)),
            "variations[0].moves[0]: expected a step: a string or an object"
        );
        assert_eq!(
            message(&format!(r#"{{{head}, "moves": [], "clock": 1}}"#)),
            "the record: expected no member `clock`"
        );
        assert_eq!(
            message(&format!(r#"{{{head}, "moves": [], "setup": [{{"hand": ["W", "P", 5000000000]}}]}}"#)),
            "setup[0].hand[2]: expected a whole number of 32 bits"
        );
    }
}
