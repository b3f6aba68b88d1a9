//! The words of one step in a saved game, read with the names of the game.
//!
//! ```text
//! Type from - to       a piece goes; `x` for `-` when something stood on `to`; once for each piece that goes
//! Owner Type site      a piece is dropped or made
//! x site               a capture elsewhere
//! = Type               the last piece that went becomes another kind; `= Type on site…` names the sites
//! = Owner              the same for its owner
//! flip site…           the pieces change sides
//! @ site number value  an attribute is set, numbered as in `numbered_attributes`
//! Pass                 nothing else
//! ```
//!
//! The words are not set apart from names: a site may be called `x`, and two lists may stand side by side. So the
//! reader tries the forms in this order, and at each place takes the first from which all words can be read.

use dagaz_board::Site;
use dagaz_ir::{Field, Kind, Player, Rules, Scope};

use crate::names::Names;

/// What the words of one step say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Moved {
    /// The number of the move type that must come next, from 1, when the step leaves its move unfinished.
    pub partial: Option<usize>,
    /// What happens, in order; nothing for a pass.
    pub items: Vec<Item>,
}

/// One thing that happens.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are the words of the form, in the module's description")]
pub enum Item {
    /// A piece goes.
    Displace { kind: Kind, from: Site, to: Site },
    /// A piece is dropped or made.
    Put { owner: Player, kind: Kind, site: Site },
    /// A piece is captured where the mover does not go.
    Capture { site: Site },
    /// Pieces become another kind; without sites the last that went or was put.
    Retype { kind: Kind, sites: Vec<Site> },
    /// Pieces become another player's; without sites the last that went or was put.
    Reown { owner: Player, sites: Vec<Site> },
    /// Pieces become the next player's.
    Flip { sites: Vec<Site> },
    /// An attribute is set, by its number in the whole game.
    Attribute { site: Site, number: usize, value: i32 },
}

/// Why words are no step.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ItemsError {
    /// There are none.
    #[error("there are no words")]
    Empty,
    /// The number after `partial` is none.
    #[error("`partial` needs the number of a move type, and not `{word}`")]
    Partial {
        /// The word.
        word: String,
    },
    /// Nothing that may stand there starts with this word.
    #[error("word {place}, `{word}`, starts nothing that the names of this game allow")]
    Word {
        /// Which word, from 1.
        place: usize,
        /// The word.
        word: String,
    },
}

/// Reads the words of one step.
pub fn items(text: &str, names: &Names) -> Result<Moved, ItemsError> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let (partial, words, before) = match words.as_slice() {
        [] => return Err(ItemsError::Empty),
        ["Pass"] => return Ok(Moved::default()),
        ["partial", number, rest @ ..] if !rest.is_empty() => {
            let number = number.parse().map_err(|_| ItemsError::Partial { word: (*number).to_owned() })?;
            (Some(number), rest, 2)
        }
        all => (None, all, 0),
    };
    let reader = Reader { words, names };
    let readable = reader.readable();
    if !readable[0] {
        let place = reader.furthest();
        return Err(ItemsError::Word { place: before + place + 1, word: words[place].to_owned() });
    }
    let (mut items, mut start) = (Vec::new(), 0);
    while start < words.len() {
        let leads_on = |&(_, end): &(Form, usize)| readable[end];
        let (form, end) = reader.forms(start).find(leads_on).expect("from here all words can be read");
        items.push(reader.item(form, start, end).expect("a form was found for its names"));
        start = end;
    }
    Ok(Moved { partial, items })
}

/// The form of an item.
#[derive(Clone, Copy, PartialEq)]
enum Form {
    Displace,
    Put,
    Capture,
    Attribute,
    Flip,
    Retype,
    Reown,
}

struct Reader<'a> {
    words: &'a [&'a str],
    names: &'a Names<'a>,
}

impl<'a> Reader<'a> {
    /// For each place, whether all words from there on can be read.
    fn readable(&self) -> Vec<bool> {
        let mut readable = vec![false; self.words.len() + 1];
        readable[self.words.len()] = true;
        for start in (0..self.words.len()).rev() {
            readable[start] = self.forms(start).any(|(_, end)| readable[end]);
        }
        readable
    }

    /// The first word that starts nothing, by the reading that comes furthest.
    fn furthest(&self) -> usize {
        let mut reached = vec![false; self.words.len() + 1];
        reached[0] = true;
        for start in 0..self.words.len() {
            if reached[start] {
                self.forms(start).for_each(|(_, end)| reached[end] = true);
            }
        }
        (0..self.words.len()).rev().find(|&start| reached[start]).unwrap_or(0)
    }

    /// All forms that may start here, and where each ends. Of a list of sites the longest comes first.
    fn forms(&self, start: usize) -> impl Iterator<Item = (Form, usize)> {
        use Form::{Attribute, Capture, Displace, Flip, Put, Reown, Retype};
        let word = |ahead: usize| self.words.get(start + ahead).copied().unwrap_or_default();
        let sites = |ahead: usize| {
            let first = (start + ahead).min(self.words.len());
            let count = self.words[first..].iter().take_while(|word| self.names.site(word).is_some()).count();
            first..first + count
        };
        let becomes = match word(1) {
            name if self.names.kind(name).is_some() => Some(Retype),
            name if self.names.player(name).is_some() => Some(Reown),
            _ => None,
        };
        let (listed, bare) = match word(0) {
            "flip" => (Some((Flip, sites(1))), None),
            "=" if word(2) == "on" => (becomes.map(|form| (form, sites(3))), becomes),
            "=" => (None, becomes),
            _ => (None, None),
        };
        let listed = listed.into_iter().flat_map(|(form, sites)| sites.rev().map(move |last| (form, last + 1)));
        [(Displace, 4), (Put, 3), (Capture, 2), (Attribute, 4)]
            .into_iter()
            .map(move |(form, length)| (form, start + length))
            .filter(move |&(form, end)| end <= self.words.len() && self.item(form, start, end).is_some())
            .chain(listed)
            .chain(bare.map(|form| (form, start + 2)))
    }

    /// The item of this form in these words, when they are that.
    fn item(&self, form: Form, start: usize, end: usize) -> Option<Item> {
        let words = &self.words[start..end];
        let site = |index: usize| self.names.site(words[index]);
        let sites = |from: usize| {
            words.get(from..).unwrap_or_default().iter().filter_map(|word| self.names.site(word)).collect()
        };
        Some(match form {
            Form::Displace if matches!(words[2], "-" | "x") => {
                Item::Displace { kind: self.names.kind(words[0])?, from: site(1)?, to: site(3)? }
            }
            Form::Put => {
                Item::Put { owner: self.names.player(words[0])?, kind: self.names.kind(words[1])?, site: site(2)? }
            }
            Form::Capture if words[0] == "x" => Item::Capture { site: site(1)? },
            Form::Attribute if words[0] == "@" => {
                Item::Attribute { site: site(1)?, number: words[2].parse().ok()?, value: words[3].parse().ok()? }
            }
            Form::Flip => Item::Flip { sites: sites(1) },
            Form::Retype => Item::Retype { kind: self.names.kind(words[1])?, sites: sites(3) },
            Form::Reown => Item::Reown { owner: self.names.player(words[1])?, sites: sites(3) },
            Form::Displace | Form::Capture | Form::Attribute => return None,
        })
    }
}

/// The attributes in the order of their numbers. Zillions counts all declarations of a game from the last to the first,
/// every name where it is met first, and rules have their fields in that order. Found from records: in Gwangsanghui
/// `is-traitor?` is 2 and `is-intruder?` 0, in Ko Shogi `enemy-pass?` is 4, in Yonin Shogi `South` is 3.
pub(super) fn numbered_attributes(rules: &Rules) -> Vec<Field> {
    let known = rules.known();
    let fields = rules.fields.iter().filter(|(_, info)| info.scope == Scope::Piece).map(|(field, _)| field);
    fields.filter(|&field| field != known.owner && field != known.kind).collect()
}
