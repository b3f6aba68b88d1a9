//! The raw reader: lines of text become cases. It knows no rules, so every name stays a word.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use dagaz_base::{IdMap, id_type};

id_type!(
    /// A position with a name.
    PositionId
);

/// A file of cases.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cases {
    /// The positions; each comes after those that it is made of.
    pub positions: IdMap<PositionId, Position>,
    /// The cases, in the order of the file.
    pub cases: Vec<Case>,
    /// What no case makes use of, in the order of the file: nobody has looked whether it is right.
    pub unused: Vec<Unused>,
}

/// A line that no case makes use of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unused {
    /// The line, from 1.
    pub line: usize,
    /// The position or the variant, as people call it.
    pub what: String,
}

/// A position with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// Its line in the file, from 1.
    pub line: usize,
    /// How it comes about.
    pub set_up: SetUp,
}

/// How a position comes about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SetUp {
    /// It is the start of the game.
    Start,
    /// It is written as FEN.
    Fen(String),
    /// Moves lead to it.
    After {
        /// From where: a position above, or the start.
        from: Option<PositionId>,
        /// The moves, whole or partial.
        moves: Vec<String>,
    },
    /// It is set up by hand.
    Board(Vec<Item>),
}

/// A part of a position that is set up by hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// Pieces on the board.
    Pieces(Pieces),
    /// The player whose turn it is.
    Turn(String),
    /// Pieces off the board.
    Hand(Held),
    /// A cell of the state.
    Set(Value),
}

/// Pieces of one player and kind on the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pieces {
    /// Whose they are.
    pub player: String,
    /// What they are.
    pub kind: String,
    /// Where they stand.
    pub sites: Vec<String>,
}

/// Pieces of one player and kind in his hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// Whose they are.
    pub player: String,
    /// What they are.
    pub kind: String,
    /// How many.
    pub count: i32,
}

/// A cell of the state and what it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// The words of the field's name, and behind them the site, player or number of the element, where it has several.
    pub cell: Vec<String>,
    /// The value; 1 for true.
    pub value: i32,
}

/// Something that must be so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// Its line in the file, from 1.
    pub line: usize,
    /// Its line as it is written.
    pub text: String,
    /// Where the right answer comes from.
    pub source: String,
    /// The title of the variant; the first game without one.
    pub variant: Option<String>,
    /// Of which position; of the start without one.
    pub position: Option<PositionId>,
    /// What must be so there.
    pub claim: Claim,
}

/// What must be so of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// There are so many sequences of moves.
    Perft {
        /// How many moves.
        depth: u32,
        /// How many sequences of them.
        count: u64,
        /// Whether it takes long to count them.
        slow: bool,
    },
    /// There are so many legal moves.
    Count(u64),
    /// These are all legal moves.
    Moves(Vec<String>),
    /// These are among the legal moves.
    Legal(Vec<String>),
    /// These are not.
    Illegal(Vec<String>),
    /// The game has ended so, or not.
    Result(Ending),
    /// These pieces stand on the board, and no others.
    Board(Vec<Pieces>),
    /// So many pieces wait off the board.
    Hand(Held),
    /// A cell of the state holds this.
    Field(Value),
    /// A player sees exactly this on the board.
    Seen {
        /// The player.
        player: String,
        /// What he sees.
        looks: Vec<Look>,
    },
    /// A player does not see these cells of the state, or does.
    Hidden {
        /// The player.
        player: String,
        /// The cells.
        cells: Vec<CellName>,
        /// Whether he does not see them.
        hidden: bool,
    },
}

/// What a player sees on some sites. Sites that are not named he sees empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Look {
    /// Whose piece stands there; nothing where he does not see whether any does.
    pub player: Option<String>,
    /// Which; nothing where he does not see it.
    pub kind: Option<String>,
    /// Where.
    pub sites: Vec<String>,
}

/// What a cell of the state is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CellName {
    /// Where pieces of a player and kind wait.
    Hand {
        /// Whose they are.
        player: String,
        /// What they are.
        kind: String,
    },
    /// The words of a field's name, and behind them its element, as in [`Value::cell`].
    Field(Vec<String>),
}

impl fmt::Display for CellName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hand { player, kind } => write!(f, "hand {player} {kind}"),
            Self::Field(words) => f.write_str(&words.join(" ")),
        }
    }
}

/// How a game stands or has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It goes on.
    Open,
    /// Nobody has won or lost.
    Draw,
    /// These players have won, and no others.
    Win(Vec<String>),
    /// Nobody has won, and these players have lost.
    Loss(Vec<String>),
}

/// Why a file of cases cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct ReadError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub reason: Reason,
}

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// It begins with no known word.
    #[error("`{word}` begins no line of cases; these do: {}", FORMS.map(|(word, _)| word).join(", "))]
    Word {
        /// The word.
        word: String,
    },
    /// The rest of it is not understood.
    #[error("this is written `{form}`")]
    Form {
        /// How it is written.
        form: &'static str,
    },
    /// It is a case, and no line above it says where the right answer comes from.
    #[error("each case names its source: a line `; source: …` above it")]
    Source,
    /// It speaks of a position that no line above it names.
    #[error("no line above this one names a position `{name}` of the same variant")]
    Position {
        /// The name.
        name: String,
    },
    /// It gives a name that is taken.
    #[error("the name `{name}` is taken")]
    Taken {
        /// The name.
        name: String,
    },
}

/// How each line is written, by its first word.
const FORMS: [(&str, &str); 14] = [
    ("variant", "variant \"TITLE\""),
    ("position", "position NAME = start | fen FEN | after NAME: MOVE, … | board: PLAYER KIND SITE …; …"),
    ("perft", "perft NAME DEPTH = NUMBER [slow]"),
    ("count", "count NAME = NUMBER"),
    ("moves", "moves NAME = MOVE, …"),
    ("legal", "legal NAME: MOVE, …"),
    ("illegal", "illegal NAME: MOVE, …"),
    ("result", "result NAME = PLAYER wins | PLAYER loses | draw | open"),
    ("board", "board NAME = PLAYER KIND SITE …; …"),
    ("hand", "hand NAME PLAYER KIND = NUMBER"),
    ("field", "field NAME FIELD [SITE] = NUMBER"),
    ("seen", "seen NAME PLAYER = PLAYER KIND SITE …; PLAYER ? SITE …; ? SITE …"),
    ("hidden", "hidden NAME PLAYER: FIELD [SITE] | hand PLAYER KIND, …"),
    ("shown", "shown NAME PLAYER: FIELD [SITE] | hand PLAYER KIND, …"),
];

/// The position that needs no definition.
const START: &str = "start";

/// What a player does not see.
const UNKNOWN: &str = "?";

impl Cases {
    /// Reads a file.
    pub fn read(text: &str) -> Result<Self, ReadError> {
        let mut reader = Reader::default();
        for (index, text) in text.lines().enumerate() {
            let line = index + 1;
            reader.read(line, text.trim()).map_err(|reason| ReadError { line, reason })?;
        }
        reader.find_unused();
        Ok(reader.cases)
    }
}

#[derive(Default)]
struct Reader {
    cases: Cases,
    source: Option<String>,
    variant: Option<String>,
    /// The positions by variant and name.
    names: BTreeMap<(Option<String>, String), PositionId>,
    /// The line that states the variant until the next, and its title, until a case or a position makes use of it.
    stated: Option<(usize, String)>,
}

impl Reader {
    fn read(&mut self, line: usize, text: &str) -> Result<(), Reason> {
        if let Some(comment) = text.strip_prefix(';') {
            if let Some(source) = comment.trim().strip_prefix("source:") {
                self.source = Some(source.trim().to_owned()).filter(|source| !source.is_empty());
            }
            return Ok(());
        }
        let (mut word, mut rest) = first_word(text);
        let form = |word: &str| FORMS.iter().find(|form| form.0 == word).map(|form| form.1);
        let mut variant = self.variant.clone();
        if word == "variant" {
            let form = Reason::Form { form: FORMS[0].1 };
            variant = match rest {
                "" => None,
                _ => {
                    let (title, behind) = rest.strip_prefix('"').and_then(|rest| rest.split_once('"')).ok_or(form)?;
                    rest = behind.trim_start();
                    Some(title.to_owned())
                }
            };
            if rest.is_empty() {
                self.drop_stated();
                self.stated = variant.clone().map(|title| (line, title));
                self.variant = variant;
                return Ok(());
            }
            (word, rest) = first_word(rest);
        }
        if word.is_empty() {
            return Ok(());
        }
        let form = form(word).ok_or_else(|| Reason::Word { word: word.to_owned() })?;
        if variant == self.variant {
            self.stated = None;
        }
        match word {
            "position" => self.position(line, variant, rest, form),
            _ => {
                let source = self.source.clone().ok_or(Reason::Source)?;
                let (name, claim) = claim(word, rest).ok_or(Reason::Form { form })?;
                let position = self.named(&variant, name)?;
                self.cases.cases.push(Case { line, text: text.to_owned(), source, variant, position, claim });
                Ok(())
            }
        }
    }

    fn position(&mut self, line: usize, variant: Option<String>, text: &str, form: &'static str) -> Result<(), Reason> {
        let form = || Reason::Form { form };
        let (name, text) = text.split_once('=').ok_or_else(form)?;
        let (name, text) = (name.trim(), text.trim());
        if name.is_empty() || name.contains(char::is_whitespace) {
            return Err(form());
        }
        let set_up = match (first_word(text), text.split_once(':')) {
            (("start", ""), _) => SetUp::Start,
            (("fen", fen), _) if !fen.is_empty() => SetUp::Fen(fen.to_owned()),
            (("after", _), Some((head, moves))) => {
                let (_, from) = first_word(head);
                SetUp::After { from: self.named(&variant, from.trim_end())?, moves: list(moves) }
            }
            (_, Some((head, items))) if head.trim_end() == "board" => {
                SetUp::Board(parts(items, ';').map(item).collect::<Option<_>>().ok_or_else(form)?)
            }
            _ => return Err(form()),
        };
        let id = self.cases.positions.push(Position { line, set_up });
        if name == START || self.names.insert((variant, name.to_owned()), id).is_some() {
            return Err(Reason::Taken { name: name.to_owned() });
        }
        Ok(())
    }

    /// Nothing more can make use of the variant that is stated.
    fn drop_stated(&mut self) {
        if let Some((line, title)) = self.stated.take() {
            self.cases.unused.push(Unused { line, what: format!("the variant `{title}`") });
        }
    }

    /// Nothing more can make use of anything.
    fn find_unused(&mut self) {
        self.drop_stated();
        let mut used: BTreeSet<PositionId> = self.cases.cases.iter().filter_map(|case| case.position).collect();
        for (id, position) in self.cases.positions.iter().rev() {
            if let (true, SetUp::After { from: Some(from), .. }) = (used.contains(&id), &position.set_up) {
                used.insert(*from);
            }
        }
        let unused = self.names.iter().filter(|(_, id)| !used.contains(id)).map(|((_, name), &id)| Unused {
            line: self.cases.positions[id].line,
            what: format!("the position `{name}`"),
        });
        self.cases.unused.extend(unused);
        self.cases.unused.sort_by_key(|unused| unused.line);
    }

    fn named(&self, variant: &Option<String>, name: &str) -> Result<Option<PositionId>, Reason> {
        match self.names.get(&(variant.clone(), name.to_owned())) {
            None if name == START => Ok(None),
            None => Err(Reason::Position { name: name.to_owned() }),
            some => Ok(some.copied()),
        }
    }
}

/// The name of the position and what is claimed of it.
fn claim<'a>(word: &str, text: &'a str) -> Option<(&'a str, Claim)> {
    let sign = if matches!(word, "legal" | "illegal" | "hidden" | "shown") { ':' } else { '=' };
    let (head, said) = text.split_once(sign)?;
    let (said, head) = (said.trim(), head.split_whitespace().collect::<Vec<_>>());
    let (&name, about) = head.split_first()?;
    let claim = match (word, about) {
        ("perft", [depth]) => {
            let (count, slow) = first_word(said);
            let slow = matches!(slow, "slow").then_some(true).or(slow.is_empty().then_some(false))?;
            Claim::Perft { depth: depth.parse().ok()?, count: count.parse().ok()?, slow }
        }
        ("count", []) => Claim::Count(said.parse().ok()?),
        ("moves", []) => Claim::Moves(list(said)),
        ("legal", []) if !said.is_empty() => Claim::Legal(list(said)),
        ("illegal", []) if !said.is_empty() => Claim::Illegal(list(said)),
        ("result", []) => Claim::Result(ending(said)?),
        ("board", []) => Claim::Board(parts(said, ';').map(pieces).collect::<Option<_>>()?),
        ("hand", [player, kind]) => Claim::Hand(held(player, kind, said)?),
        ("field", [_, ..]) => Claim::Field(value(about, said)?),
        ("seen", [player]) => {
            let looks = parts(said, ';').map(look).collect::<Option<_>>()?;
            Claim::Seen { player: (*player).to_owned(), looks }
        }
        ("hidden" | "shown", [player]) if !said.is_empty() => Claim::Hidden {
            player: (*player).to_owned(),
            cells: parts(said, ',').map(cell_name).collect(),
            hidden: word == "hidden",
        },
        _ => return None,
    };
    Some((name, claim))
}

fn ending(text: &str) -> Option<Ending> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let (&verb, players) = words.split_last()?;
    let players: Vec<String> = players.iter().map(ToString::to_string).collect();
    match (verb, players.is_empty()) {
        ("open", true) => Some(Ending::Open),
        ("draw", true) => Some(Ending::Draw),
        ("win" | "wins", false) => Some(Ending::Win(players)),
        ("lose" | "loses", false) => Some(Ending::Loss(players)),
        _ => None,
    }
}

fn item(text: &str) -> Option<Item> {
    let words: Vec<&str> = text.split_whitespace().collect();
    Some(match words.as_slice() {
        ["turn", player] => Item::Turn((*player).to_owned()),
        ["hand", player, kind, count] => Item::Hand(held(player, kind, count)?),
        ["set", cell @ .., number] if !cell.is_empty() => Item::Set(value(cell, number)?),
        _ => Item::Pieces(pieces(text)?),
    })
}

fn pieces(text: &str) -> Option<Pieces> {
    let mut words = text.split_whitespace().map(str::to_owned);
    let (player, kind, sites) = (words.next()?, words.next()?, words.collect::<Vec<_>>());
    (!sites.is_empty()).then_some(Pieces { player, kind, sites })
}

fn look(text: &str) -> Option<Look> {
    let known = |word: &str| (word != UNKNOWN).then(|| word.to_owned());
    let mut words = text.split_whitespace();
    let player = known(words.next()?);
    let kind = match player {
        Some(_) => known(words.next()?),
        None => None,
    };
    let sites: Vec<String> = words.map(str::to_owned).collect();
    (!sites.is_empty()).then_some(Look { player, kind, sites })
}

fn cell_name(text: &str) -> CellName {
    let words: Vec<&str> = text.split_whitespace().collect();
    match words.as_slice() {
        ["hand", player, kind] => CellName::Hand { player: (*player).to_owned(), kind: (*kind).to_owned() },
        words => CellName::Field(words.iter().map(ToString::to_string).collect()),
    }
}

fn held(player: &str, kind: &str, count: &str) -> Option<Held> {
    Some(Held { player: player.to_owned(), kind: kind.to_owned(), count: count.parse().ok()? })
}

fn value(cell: &[&str], text: &str) -> Option<Value> {
    let value = match text {
        "true" => 1,
        "false" => 0,
        number => number.parse().ok()?,
    };
    Some(Value { cell: cell.iter().map(ToString::to_string).collect(), value })
}

fn list(text: &str) -> Vec<String> {
    parts(text, ',').map(str::to_owned).collect()
}

fn parts(text: &str, sign: char) -> impl Iterator<Item = &str> {
    text.split(sign).map(str::trim).filter(|part| !part.is_empty())
}

/// The first word of a text and what follows it.
fn first_word(text: &str) -> (&str, &str) {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (word, rest.trim_start())
}
