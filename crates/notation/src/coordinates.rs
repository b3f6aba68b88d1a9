//! Moves as engine protocols write them: by coordinates, whatever the rules call their sites.
//!
//! ```text
//! UCI   e2e4  e7e8q  e1g1  P@e4  0000    columns a, b, … from the left, rows 1, 2, … from the bottom
//! UCCI  h2e2                             the same, rows 0, 1, …
//! USI   7g7f  8h2b+  P*5e                columns 1, 2, … from the right, rows a, b, … from the top
//! ```
//!
//! A castling is the move of the king; a drop names its piece; `0000` passes. What the format has no form for is added in
//! the same spirit: the sites of a chain follow each other (`c3e5g7`), and a site that is chosen besides follows a comma
//! with the site that the piece has come to (`d1d7,d7g7`), as Fairy-Stockfish writes it. Texts are read by comparison with
//! the legal moves.
//!
//! Sources: Huber and Meyer-Kahlen, *UCI protocol* (2006); Kono, *USI* (<http://shogidokoro.starfree.jp/usi.html>); *UCCI 3.0*
//! (<https://www.xqbase.com/protocol/cchess_ucci.htm>).

use dagaz_board::Site;
use dagaz_engine::{Effect, Executor, Fault, History, Parameter, State, Step, StepRule};
use dagaz_ir::{Kind, Trigger};

use crate::fen::{Grid, Letters};

/// Which protocol's coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Of chess engines.
    Uci,
    /// Of shogi engines.
    Usi,
    /// Of xiangqi engines.
    Ucci,
}

/// Coordinates for the moves of one game.
pub struct Coordinates<'a> {
    executor: &'a dyn Executor,
    grid: Grid,
    letters: Letters,
    style: Style,
}

/// Whole moves of a chain that are looked at, at most.
const MOST_MOVES: usize = 100_000;

impl<'a> Coordinates<'a> {
    /// Coordinates in this style. Nothing when the board is no rectangle.
    pub fn new(executor: &'a dyn Executor, style: Style) -> Option<Self> {
        let grid = Grid::of(&executor.rules().topology)?;
        Some(Self { executor, grid, letters: Letters::of_names(executor.rules()), style })
    }

    /// Columns and rows of the board.
    pub fn size(&self) -> (usize, usize) {
        (self.grid.rows()[0].len(), self.grid.rows().len())
    }

    /// The text of a whole move. Nothing when it touches a site beside the rectangle.
    pub fn write(&self, steps: &[Step]) -> Option<String> {
        let mut text = String::new();
        for (index, step) in steps.iter().enumerate() {
            let first = index == 0;
            match (step.from, step.to) {
                (None, None) => text += if first { "0000" } else { "" },
                (Some(site), None) => text += &self.site(site)?,
                (None, Some(to)) => {
                    if let Some(letter) = self.dropped(step).and_then(|kind| self.letter(kind)) {
                        text.extend([letter, if self.style == Style::Usi { '*' } else { '@' }]);
                    }
                    text += &self.site(to)?;
                }
                (Some(from), Some(to)) => {
                    if first {
                        text += &self.site(from)?;
                    }
                    text += &self.site(to)?;
                    if let Some(kind) = promoted(step) {
                        text.extend(match self.style {
                            Style::Usi => Some('+'),
                            _ => self.letter(kind).and_then(|letter| letter.to_lowercase().next()),
                        });
                    }
                }
            }
            for parameter in &step.parameters {
                text += &match (parameter, step.to) {
                    (Parameter::Site(Some(site)), Some(to)) => format!(",{}{}", self.site(to)?, self.site(*site)?),
                    (Parameter::Site(Some(site)), None) => self.site(*site)?,
                    (Parameter::Site(None), _) => ",-".to_owned(),
                    (Parameter::Int(number), _) => format!(",{number}"),
                };
            }
        }
        Some(text)
    }

    /// The kind that comes from a hand.
    pub(crate) fn dropped(&self, step: &Step) -> Option<Kind> {
        let StepRule::Rule(rule) = step.rule else { return None };
        let rule = &self.executor.rules().rules[rule];
        rule.kind.filter(|_| rule.trigger == Trigger::Drop).or(step.choice)
    }

    /// All legal moves from a state between moves, with their texts, in the order of the rules. Moves of one text are
    /// listed all; of absurdly many, the first.
    pub fn moves(&self, state: &State, history: &dyn History) -> Result<Vec<(String, Vec<Step>)>, Fault> {
        let mut search = Whole { coordinates: self, steps: Vec::new(), found: Vec::new() };
        search.extend(&mut state.clone(), history)?;
        Ok(search.found)
    }

    /// The legal move that a text means: the first that has it. A promotion may be written in either case, as `+`, or not at
    /// all where only one move is left then.
    pub fn read(&self, state: &State, history: &dyn History, text: &str) -> Result<Option<Vec<Step>>, Fault> {
        let mut moves = self.moves(state, history)?;
        let promotes = |steps: &[Step]| steps.last().is_some_and(|step| promoted(step).is_some());
        let only = |fits: &dyn Fn(&str, bool) -> bool| {
            let mut found = moves.iter().enumerate().filter(|(_, (other, steps))| fits(other, promotes(steps)));
            found.next().filter(|_| found.next().is_none()).map(|(index, _)| index)
        };
        let without_last = |other: &str| other.char_indices().next_back().map_or(0, |(index, _)| index);
        let index = moves.iter().position(|(other, _)| other == text);
        let index = index.or_else(|| moves.iter().position(|(other, _)| other.eq_ignore_ascii_case(text)));
        let index = index.or_else(|| {
            let stem = text.strip_suffix('+')?;
            only(&|other, promotes| promotes && &other[..without_last(other)] == stem)
        });
        let index = index.or_else(|| only(&|other, promotes| promotes && &other[..without_last(other)] == text));
        Ok(index.map(|index| moves.swap_remove(index).1))
    }

    /// The letter of a kind. One whose name ends in another's, such as a promoted knight, has the other's: so protocols that
    /// do not tell them apart want it.
    pub(crate) fn letter(&self, kind: Kind) -> Option<char> {
        let kinds = &self.executor.rules().kinds;
        let is_stem = |other: &str| {
            let start = kinds[kind].name.strip_suffix(other);
            start.is_some_and(|start| start.ends_with(|letter: char| !letter.is_alphanumeric()))
        };
        let stem = kinds.iter().find(|(_, other)| is_stem(&other.name)).map(|(other, _)| other);
        self.letters.letter(stem.unwrap_or(kind))
    }

    /// Row from the top and column from the left, from 0.
    pub(crate) fn place(&self, site: Site) -> Option<(usize, usize)> {
        self.grid.place(site)
    }

    /// The name of a site. Nothing when it lies beside the rectangle.
    pub fn site(&self, site: Site) -> Option<String> {
        let (columns, rows) = self.size();
        let (row, column) = self.grid.place(site)?;
        Some(match self.style {
            Style::Uci => format!("{}{}", letter(column)?, rows - row),
            Style::Ucci => format!("{}{}", letter(column)?, rows - row - 1),
            Style::Usi => format!("{}{}", columns - column, letter(row)?),
        })
    }
}

/// The kind that the piece becomes by a step: by choice, or because the rule says so.
pub(crate) fn promoted(step: &Step) -> Option<Kind> {
    let retyped = step.effects.iter().rev().find_map(|effect| match *effect {
        Effect::Retype { site, kind } if Some(site) == step.to => Some(kind),
        _ => None,
    });
    step.choice.or(retyped)
}

/// The letter of a column, from 0; there are no more than the alphabet has.
fn letter(index: usize) -> Option<char> {
    u8::try_from(index).ok().filter(|index| *index < 26).map(|index| char::from(b'a' + index))
}

/// The search for all whole moves.
struct Whole<'a> {
    coordinates: &'a Coordinates<'a>,
    steps: Vec<Step>,
    found: Vec<(String, Vec<Step>)>,
}

impl Whole<'_> {
    fn extend(&mut self, state: &mut State, history: &dyn History) -> Result<(), Fault> {
        let executor = self.coordinates.executor;
        for step in executor.steps(state, history)? {
            if self.found.len() >= MOST_MOVES {
                break;
            }
            let goes_on = step.chain.is_some();
            self.steps.push(step);
            let step = self.steps.last().expect("it was just pushed");
            let undo = if goes_on { Some(executor.apply(state, step)?) } else { None };
            match undo {
                Some(undo) if !undo.ends_move && self.steps.len() < 200 => {
                    // In the middle of a move rules ask of the past only what they asked before it.
                    self.extend(state, history)?;
                    executor.undo(state, &undo);
                }
                undo => {
                    if let Some(undo) = undo {
                        executor.undo(state, &undo);
                    }
                    if let Some(text) = self.coordinates.write(&self.steps) {
                        self.found.push((text, self.steps.clone()));
                    }
                }
            }
            self.steps.pop();
        }
        Ok(())
    }
}
