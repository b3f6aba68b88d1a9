//! Whether what a case says is so.

use std::collections::BTreeSet;
use std::sync::Arc;

use dagaz_base::Id;
use dagaz_engine::{Executor, Fault, Outcome, Seen, Share};
use dagaz_ir::{Field, Player, Rules};
use dagaz_notation::universal;
use dagaz_play::Play;

use crate::cells::Lookup;
use crate::count::count;
use crate::read::{Case, Cases, CellName, Claim, Ending, Look, Pieces};
use crate::set_up;
use crate::stood::Stood;
use crate::whole::{Meaning, Moves};

/// Why a case does not hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// Something else is so.
    #[error("expected {expected}, found {found}")]
    Differs {
        /// What should be.
        expected: String,
        /// What is.
        found: String,
    },
    /// Of what should be, something is missing, or there is more.
    #[error("{}", [named("missing", missing), named("surplus", surplus)].concat().join("; "))]
    Unequal {
        /// What is missing.
        missing: Vec<String>,
        /// What there is besides.
        surplus: Vec<String>,
    },
    /// The moves that should lead to the position are not legal.
    #[error("the position of line {line} is not reached: {reason}")]
    Position {
        /// The line of the position.
        line: usize,
        /// Why not.
        reason: String,
    },
    /// The rules could not be run to their end.
    #[error("the rules fail: {0}")]
    Fault(#[from] Fault),
    /// The case itself is no good: it speaks of what the rules do not have.
    #[error("line {line}: {reason}")]
    Unknown {
        /// The line of the case, or of its position.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
}

fn named(what: &str, texts: &[String]) -> Vec<String> {
    if texts.is_empty() { Vec::new() } else { vec![format!("{what} {}", texts.join(", "))] }
}

/// Asks whether a case of a file holds for the rules of its variant. While sequences of moves are counted, tells how many
/// more were found.
pub fn judge(
    cases: &Cases,
    case: &Case,
    executor: &Arc<dyn Executor>,
    found: &mut dyn FnMut(u64),
) -> Result<(), Failure> {
    let play = set_up::play(cases, case.position, executor)?;
    let judge = Judge { play: &play, lookup: Lookup::new(executor.rules(), executor.layout()), line: case.line };
    match &case.claim {
        Claim::Perft { depth, count: expected, .. } => equal(expected, &count(&play, *depth, found)?),
        Claim::Count(expected) => equal(expected, &count(&play, 1, found)?),
        Claim::Moves(texts) => judge.moves(texts),
        Claim::Legal(texts) => judge.legal(texts),
        Claim::Illegal(texts) => judge.illegal(texts),
        Claim::Result(ending) => judge.result(ending),
        Claim::Board(pieces) => judge.board(pieces),
        Claim::Hand(held) => judge.cell(judge.lookup.hand(held), held.count),
        Claim::Field(value) => judge.cell(judge.lookup.cell(&value.cell), value.value),
        Claim::Seen { player, looks } => judge.seen(player, looks),
        Claim::Hidden { player, cells, hidden } => judge.hidden(player, cells, *hidden),
    }
}

fn equal<T: PartialEq + ToString>(expected: &T, found: &T) -> Result<(), Failure> {
    if expected == found {
        return Ok(());
    }
    Err(Failure::Differs { expected: expected.to_string(), found: found.to_string() })
}

fn all_there(missing: Vec<String>, surplus: Vec<String>) -> Result<(), Failure> {
    if missing.is_empty() && surplus.is_empty() { Ok(()) } else { Err(Failure::Unequal { missing, surplus }) }
}

fn none(expected: &str, wrong: &[String]) -> Result<(), Failure> {
    if wrong.is_empty() {
        return Ok(());
    }
    Err(Failure::Differs { expected: expected.to_owned(), found: wrong.join("; ") })
}

struct Judge<'a> {
    play: &'a Play,
    lookup: Lookup<'a>,
    line: usize,
}

impl Judge<'_> {
    fn known<T>(&self, found: Result<T, String>) -> Result<T, Failure> {
        found.map_err(|reason| Failure::Unknown { line: self.line, reason })
    }

    fn moves(&self, texts: &[String]) -> Result<(), Failure> {
        let legal = Moves::of(self.play)?;
        let (mut meant, mut missing) = (BTreeSet::new(), Vec::new());
        for text in texts {
            match legal.read(text)? {
                Meaning::Move(index) if meant.insert(index) => {}
                Meaning::Move(_) => return self.known(Err(format!("`{text}` is there twice"))),
                Meaning::Several(candidates) => return self.known(Err(several(text, &candidates))),
                Meaning::Nothing(_) => missing.push(text.clone()),
            }
        }
        let surplus = legal.texts.iter().enumerate().filter(|(index, _)| !meant.contains(index));
        all_there(missing, surplus.map(|(_, text)| text.clone()).collect())
    }

    fn legal(&self, texts: &[String]) -> Result<(), Failure> {
        let legal = Moves::of(self.play)?;
        let mut wrong = Vec::new();
        for text in texts {
            if let Meaning::Nothing(why) = legal.read(text)? {
                wrong.push(why);
            }
        }
        none("legal moves", &wrong)
    }

    fn illegal(&self, texts: &[String]) -> Result<(), Failure> {
        let legal = Moves::of(self.play)?;
        let mut wrong = Vec::new();
        for text in texts {
            match legal.read(text)? {
                Meaning::Move(index) => wrong.push(format!("`{}` is legal", legal.texts[index])),
                Meaning::Several(candidates) => wrong.push(several(text, &candidates)),
                // A slip of the pen is illegal in every position, and says nothing.
                Meaning::Nothing(_) => self.known(self.could_be_a_move(text))?,
            }
        }
        none("illegal moves", &wrong)
    }

    /// Whether the text may be a move in some position; else why not.
    fn could_be_a_move(&self, text: &str) -> Result<(), String> {
        let (rules, text) = (self.play.rules(), text.trim());
        let named = universal::named(rules, text);
        if !named.has_rule(rules) {
            let what = if named.sites.is_empty() {
                "no site of the board and no rule"
            } else {
                "a rule that the game does not have"
            };
            return Err(format!("`{text}` names {what}"));
        }
        if named.sites.is_empty() && named.rule.is_empty() && text != "+" {
            return Err(format!("`{text}` names no site of the board and no rule"));
        }
        Ok(())
    }

    fn result(&self, expected: &Ending) -> Result<(), Failure> {
        let rules = self.play.rules();
        let named = match expected {
            Ending::Win(names) | Ending::Loss(names) => {
                self.known(names.iter().map(|name| self.lookup.player(name)).collect())?
            }
            Ending::Open | Ending::Draw => BTreeSet::new(),
        };
        let outcome = self.play.outcome().map_err(Clone::clone)?;
        let with = |share| outcome.map_or_else(BTreeSet::new, |outcome| players(outcome, share));
        let holds = match (expected, outcome) {
            (Ending::Open, outcome) => outcome.is_none(),
            (_, None) => false,
            (Ending::Draw, _) => with(Share::Win).is_empty() && with(Share::Loss).is_empty(),
            (Ending::Win(_), _) => with(Share::Win) == named,
            (Ending::Loss(_), _) => with(Share::Win).is_empty() && with(Share::Loss) == named,
        };
        if holds {
            return Ok(());
        }
        let expected = match expected {
            Ending::Open => "open".to_owned(),
            Ending::Draw => "draw".to_owned(),
            Ending::Win(names) => told(names, "wins", "win"),
            Ending::Loss(names) => told(names, "loses", "lose"),
        };
        Err(Failure::Differs { expected, found: outcome.map_or("open".to_owned(), |outcome| written(rules, outcome)) })
    }

    /// Pieces that stand on each other are named from the lowest to the top one.
    fn board(&self, expected: &[Pieces]) -> Result<(), Failure> {
        let mut wanted = Stood::default();
        for pieces in expected {
            for (player, kind, site) in self.known(self.lookup.pieces(pieces))? {
                wanted.add(Some(player), Some(kind), site);
            }
        }
        self.stands(&wanted, &Seen::whole(self.play.state().clone()))
    }

    fn stands(&self, wanted: &Stood, seen: &Seen) -> Result<(), Failure> {
        let rules = self.play.rules();
        let found = Stood::of(&**self.play.executor(), seen);
        all_there(wanted.without(&found, rules), found.without(wanted, rules))
    }

    fn seen_by(&self, player: &str) -> Result<Seen, Failure> {
        let player = self.known(self.lookup.player(player))?;
        Ok(self.play.executor().seen_by(self.play.state(), player)?)
    }

    fn seen(&self, player: &str, looks: &[Look]) -> Result<(), Failure> {
        let mut wanted = Stood::default();
        for look in looks {
            let owner = look.player.as_ref().map(|name| self.known(self.lookup.player(name))).transpose()?;
            let kind = look.kind.as_ref().map(|name| self.known(self.lookup.kind(name))).transpose()?;
            for site in &look.sites {
                wanted.add(owner, kind, self.known(self.lookup.site(site))?);
            }
        }
        self.stands(&wanted, &self.seen_by(player)?)
    }

    fn hidden(&self, player: &str, cells: &[CellName], hidden: bool) -> Result<(), Failure> {
        let seen = self.seen_by(player)?;
        let mut wrong = Vec::new();
        for name in cells {
            let (field, index) = self.known(self.lookup.cell_named(name))?;
            let cell = self.play.executor().layout().cell(field, index).expect("the field has so many cells");
            if seen.hides(cell) != hidden {
                wrong.push(name.to_string());
            }
        }
        let (expected, found) = if hidden { ("hidden", "shown") } else { ("shown", "hidden") };
        let wrong = (!wrong.is_empty()).then(|| format!("{found} {}", wrong.join(", ")));
        none(expected, wrong.as_slice())
    }

    fn cell(&self, cell: Result<(Field, usize), String>, expected: i32) -> Result<(), Failure> {
        let (field, index) = self.known(cell)?;
        let cell = self.play.executor().layout().cell(field, index).expect("the field has so many cells");
        equal(&expected, &self.play.state().get(cell))
    }
}

fn several(text: &str, candidates: &[String]) -> String {
    format!("`{text}` may mean several moves: {}", candidates.join(", "))
}

fn players(outcome: &Outcome, share: Share) -> BTreeSet<Player> {
    let shares = outcome.shares.iter().enumerate().filter(|(_, one)| **one == share);
    shares.map(|(index, _)| Player::from_index(index)).collect()
}

/// An outcome as a case would say it, and the end of the rules that made it.
fn written(rules: &Rules, outcome: &Outcome) -> String {
    let names = |share| -> Vec<String> {
        players(outcome, share).into_iter().map(|player| rules.players[player].name.clone()).collect()
    };
    let (winners, losers) = (names(Share::Win), names(Share::Loss));
    let result = match (winners.as_slice(), losers.as_slice()) {
        ([], []) => "draw".to_owned(),
        ([], losers) => told(losers, "loses", "lose"),
        (winners, _) => told(winners, "wins", "win"),
    };
    let end = outcome.end.and_then(|index| rules.ends.get(index));
    format!("{result} by {}", end.map_or("no moves left", |end| &end.name))
}

fn told(names: &[String], one: &str, many: &str) -> String {
    format!("{} {}", names.join(" "), if names.len() == 1 { one } else { many })
}
