//! The laws of the representation, and who breaks them.
//!
//! Front ends and passes must keep the laws, executors may rely on them: rules that pass are laid out and run without
//! a panic. Nothing here changes rules.

mod programs;
mod tables;
mod walks;

use std::fmt;

use dagaz_base::{Id, IdMap, Origin};

use crate::rules::Rules;
use walks::Walks;

/// Checks every law, and lists all breaches.
pub fn verify(rules: &Rules) -> Result<(), Vec<Violation>> {
    let (place, violations, walks) = (Vec::new(), Vec::new(), Walks::default());
    let mut checker = Checker { rules, place, origin: None, walks, violations };
    checker.tables();
    checker.programs();
    if checker.violations.is_empty() { Ok(()) } else { Err(checker.violations) }
}

/// A law that rules break, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{law}: {place}: {detail}")]
pub struct Violation {
    /// The law.
    pub law: Law,
    /// The thing or the statement, as a path from a table down: ``rule 3 `jump` body 0 else 1 condition argument 0``.
    pub place: String,
    /// What is there, and what should be.
    pub detail: String,
    /// Where the nearest thing around it stands in the source.
    pub origin: Option<Origin>,
}

macro_rules! laws {
    ($($(#[doc = $doc:literal])+ $law:ident $name:literal;)+) => {
        /// One law of the representation.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Law {
            $($(#[doc = $doc])+ $law,)+
        }

        impl Law {
            /// All of them.
            pub const ALL: &'static [Law] = &[$(Law::$law),+];

            /// Its name.
            pub fn name(self) -> &'static str {
                match self { $(Law::$law => $name),+ }
            }

            /// What it says.
            pub fn text(self) -> &'static str {
                match self { $(Law::$law => concat!($($doc),+).trim_ascii()),+ }
            }
        }
    };
}

laws! {
    /// Every id is of a thing in its table.
    Ids "ids";
    /// There is at least one player, one site and one turn.
    NotEmpty "not-empty";
    /// Boards, zones and states are no larger than [`limits`](crate::limits) allow.
    Size "size";
    /// Links lead to sites of the board.
    Links "links";
    /// Every player means something by every direction.
    Directions "directions";
    /// Whoever moves is a friend of himself, and nobody is both friend and enemy of one player.
    Friends "friends";
    /// A zone has one set for each player, of the size of the board.
    Zones "zones";
    /// A field starts within its range; a piece field is 0 where no piece stands, and so at the start.
    Ranges "ranges";
    /// The fields that executors use are there, with their scope and memory, and with exactly the values that have a
    /// meaning: `owner`, `kind`, `turn`, `chain`, `chain-type`; `last-from` and `last-to` if they are wanted; and `hand`
    /// if anything goes into hands or comes from there.
    KnownFields "known-fields";
    /// A kind's attributes are piece fields, other than owner and kind, each once, with values in range.
    Attributes "attributes";
    /// The set-up gives values in range to cells that exist; pieces get owner and kind, and attributes that they have.
    Placements "placements";
    /// After every turn comes one of the schedule, from every turn each label leads to one, and neutral players have none.
    Turns "turns";
    /// A rule's first local is a site: the one that it is run for. The first two of a stage, and of a rule's last part, are
    /// sites. No local holds an effect. Parameters of steps are numbers and sites.
    Locals "locals";
    /// Operations have as many arguments as they take, and everything has the type that is needed where it stands.
    Types "types";
    /// The local that goes through the sites of a set is a site, and the one that goes through numbers is a number.
    Bound "bound";
    /// The local with which an expression goes through a set is read in what is asked of each site and nowhere else, and what is
    /// asked does not go through another set with it. No rule is run for it and no bound is kept in it: executors may go
    /// through sets in any way.
    Within "within";
    /// Effects stand in statements of their own, and there nothing else stands. Only the body of a rule makes steps.
    Effects "effects";
    /// Sites read and set piece and site fields; indices get and set the others.
    Scopes "scopes";
    /// Owner and kind of a piece are not set as attributes: there are effects that change them.
    Pieces "pieces";
    /// The past of the state is asked for in ends and after a move alone, how many moves there are in ends; what was
    /// captured neither in the bodies of rules nor where something is concealed.
    History "history";
    /// What is concealed are fields with the same elements, by which the condition's first locals go; whose turn it is and
    /// how a move must go on is never concealed.
    Concealments "concealments";
    /// A rule for pieces or drops has a kind.
    Kinds "kinds";
    /// Statements and expressions nest no deeper than [`limits::NESTING`](crate::limits::NESTING).
    Nesting "nesting";
}

impl fmt::Display for Law {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One part of a place.
#[derive(Clone, Copy)]
enum Part<'r> {
    /// Something of a table, with its name.
    Thing(&'static str, usize, &'r str),
    /// A part that has a word for it.
    Word(&'static str),
    /// One of several.
    Index(usize),
}

impl fmt::Display for Part<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Part::Thing(what, index, name) => write!(f, "{what} {index} `{name}`"),
            Part::Word(word) => f.write_str(word),
            Part::Index(index) => write!(f, "{index}"),
        }
    }
}

struct Checker<'r> {
    rules: &'r Rules,
    place: Vec<Part<'r>>,
    origin: Option<Origin>,
    walks: Walks,
    violations: Vec<Violation>,
}

impl<'r> Checker<'r> {
    /// Checks something at a place below the present one.
    fn at(&mut self, part: Part<'r>, check: impl FnOnce(&mut Self)) {
        self.place.push(part);
        check(self);
        self.place.pop();
    }

    /// The same for something with a place in the source.
    fn from(&mut self, origin: Option<Origin>, part: Part<'r>, check: impl FnOnce(&mut Self)) {
        let outer = self.origin;
        self.origin = origin.or(outer);
        self.at(part, check);
        self.origin = outer;
    }

    fn report(&mut self, law: Law, detail: impl Into<String>) {
        let parts: Vec<_> = self.place.iter().map(ToString::to_string).collect();
        let place = if parts.is_empty() { "rules".to_owned() } else { parts.join(" ") };
        self.violations.push(Violation { law, place, detail: detail.into(), origin: self.origin });
    }

    fn require(&mut self, law: Law, holds: bool, detail: impl FnOnce() -> String) {
        if !holds {
            self.report(law, detail());
        }
    }

    /// The thing of this id; if there is none, that is reported.
    fn get<I: Id, T>(&mut self, map: &'r IdMap<I, T>, id: I) -> Option<&'r T> {
        let thing = map.get(id);
        self.require(Law::Ids, thing.is_some(), || format!("there is no {id:?} among {}", map.len()));
        thing
    }

    fn check_id<I: Id, T>(&mut self, map: &'r IdMap<I, T>, id: I) {
        self.get(map, id);
    }
}
