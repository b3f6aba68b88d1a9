//! FEN, the one-line form of a position that chess and its relatives share.
//!
//! ```text
//! rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR[] w KQkq e6 0 2
//! pieces, row by row        in hand, in brackets ┘  │  │   │  │ └ number of the move
//! a letter each, upper case for the first player,   │  │   │  └ moves since the last capture or pawn move
//! numbers for empty sites                  to move ─┘  │   └ the site that a pawn has just passed over
//!                                   castling rights ───┘
//! ```
//!
//! Nothing here knows a game. The board must have a [rectangle](Grid) of sites; letters are the caller's or are made
//! of the kinds' names; a castling right is an attribute that two pieces still have from the set-up (see
//! [`Castling`]); a pawn's double step is the memory of the last step. What a state holds besides is listed by
//! [`Fen::write`], and a text that says what the rules have no place for is refused.

mod castling;
mod grid;
mod letters;

use dagaz_base::Id;
use dagaz_board::Site;
use dagaz_engine::{Cell, Executor, State};
use dagaz_ir::{Field, Kind, Placement, Player, Role, Scope};
use dagaz_play::Edit;

pub use castling::Castling;
pub use grid::Grid;
pub use letters::Letters;

/// FEN for the states of one game.
pub struct Fen<'a> {
    executor: &'a dyn Executor,
    grid: Grid,
    letters: Letters,
    castling: Castling,
    /// Who has the upper-case letters, and who the lower-case ones.
    sides: [Player; 2],
}

/// Why a game has no FEN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsuited {
    /// It has not two persons.
    #[error("FEN is for two players, and this game has {persons}")]
    Players {
        /// How many persons it has.
        persons: usize,
    },
    /// Its board is no rectangle.
    #[error("FEN is for a board that has a rectangle of sites, and this board has none")]
    Board,
}

/// What a text says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// The state.
    pub state: State,
    /// The two numbers at the end.
    pub counters: Counters,
}

/// The numbers at the end of a text, which no rules know: they are kept as they are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counters {
    /// Moves of either side since the last capture or pawn move.
    pub quiet: String,
    /// The number of the move.
    pub number: String,
}

impl Default for Counters {
    fn default() -> Self {
        Self { quiet: "0".into(), number: "1".into() }
    }
}

/// A text, and what it does not say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The text.
    pub text: String,
    /// What the state holds and the text cannot say, in words. Memories of the last step are not counted.
    pub unsaid: Vec<String>,
}

/// Why a text is no position of the game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// A field is missing.
    #[error("the text ends before the field for {field}")]
    Missing {
        /// What the field says.
        field: &'static str,
    },
    /// There are more than six fields.
    #[error("`{text}` is one field too many")]
    TooMany {
        /// The first that is too many.
        text: String,
    },
    /// The number of rows is wrong.
    #[error("the text has {found} rows, and the board {expected}")]
    Rows {
        /// Rows in the text.
        found: usize,
        /// Rows on the board.
        expected: usize,
    },
    /// A row has the wrong length.
    #[error("row {row}, `{text}`, has {found} sites, and the board's rows have {expected}")]
    Row {
        /// Which row, from 1, in the order of the text.
        row: usize,
        /// The row.
        text: String,
        /// Sites in the text.
        found: usize,
        /// Sites on the board.
        expected: usize,
    },
    /// A letter stands for no kind.
    #[error("`{letter}` stands for no kind of piece; these do: {known}")]
    Letter {
        /// The letter.
        letter: char,
        /// The letters that do.
        known: String,
    },
    /// The brackets for the hands are not as they should be.
    #[error("the pieces in hand are written in brackets after the last row, as in `[QPp]`")]
    Brackets,
    /// The rules have no hands.
    #[error("pieces cannot wait off the board in this game, and the text has some in hand")]
    NoHands,
    /// The side to move is none.
    #[error("`{text}` is no side to move: `w` is the first player, `b` the second")]
    Side {
        /// The field.
        text: String,
    },
    /// The rules know no castling.
    #[error("the text gives castling rights, `{text}`, and nothing in these rules could hold them")]
    NoCastling {
        /// The field.
        text: String,
    },
    /// A castling right has no pieces.
    #[error(
        "the castling right `{letter}` needs two pieces where they stood at the start, and they do not stand there"
    )]
    Castling {
        /// The letter.
        letter: char,
    },
    /// The site that was passed over cannot be that.
    #[error("no double step can have passed over `{text}`: {why}")]
    Passed {
        /// The field.
        text: String,
        /// Why not.
        why: &'static str,
    },
}

/// Why a state has no text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WriteError {
    /// A piece has no letter.
    #[error("no letter stands for the kind `{kind}`")]
    Letter {
        /// The kind's name.
        kind: String,
    },
    /// A piece is neither player's.
    #[error("the piece on `{site}` is neither the first player's nor the second's")]
    Owner {
        /// Where it stands.
        site: String,
    },
    /// The turn is neither player's, or not the one that a text means.
    #[error("the turn is another than the text could say")]
    Turn,
    /// A move is unfinished.
    #[error("a move is unfinished, and the text could not say so")]
    Unfinished,
}

impl<'a> Fen<'a> {
    /// FEN for this game, with letters made of the kinds' names.
    pub fn new(executor: &'a dyn Executor) -> Result<Self, Unsuited> {
        Self::with_letters(executor, Letters::of_names(executor.rules()))
    }

    /// FEN for this game with the caller's letters.
    pub fn with_letters(executor: &'a dyn Executor, letters: Letters) -> Result<Self, Unsuited> {
        let rules = executor.rules();
        let persons: Vec<Player> =
            rules.players.iter().filter(|(_, info)| info.role == Role::Person).map(|(player, _)| player).collect();
        let &[first, second] = persons.as_slice() else {
            return Err(Unsuited::Players { persons: persons.len() });
        };
        let is_white = |player: Player| rules.players[player].name.to_lowercase().starts_with('w');
        let sides = if is_white(second) && !is_white(first) { [second, first] } else { [first, second] };
        let grid = Grid::of(&rules.topology).ok_or(Unsuited::Board)?;
        let castling = Castling::of(executor, &grid, &letters, sides);
        Ok(Self { executor, grid, letters, castling, sides })
    }

    /// Reads a text. The last two fields may be missing.
    pub fn read(&self, text: &str) -> Result<Position, ReadError> {
        let mut fields = text.split_whitespace();
        let mut field = |name| fields.next().ok_or(ReadError::Missing { field: name });
        let placement = field("the pieces")?;
        let side = field("the side to move")?;
        let castling = field("castling rights")?;
        let passed = field("the site passed over")?;
        let counters = Counters::default();
        let counters = Counters {
            quiet: fields.next().map_or(counters.quiet, str::to_owned),
            number: fields.next().map_or(counters.number, str::to_owned),
        };
        if let Some(text) = fields.next() {
            return Err(ReadError::TooMany { text: text.to_owned() });
        }
        let mut state = self.executor.initial();
        self.read_pieces(&mut state, placement)?;
        let side = self.read_side(&mut state, side)?;
        self.castling.read(self.executor, &mut state, &self.grid, castling)?;
        self.read_passed(&mut state, side, passed)?;
        Ok(Position { state, counters })
    }

    fn read_pieces(&self, state: &mut State, text: &str) -> Result<(), ReadError> {
        let (board, hands) = match text.split_once('[') {
            Some((board, hands)) => (board, Some(hands.strip_suffix(']').ok_or(ReadError::Brackets)?)),
            None => (text, None),
        };
        let rows: Vec<&str> = board.split('/').collect();
        let (found, expected) = (rows.len(), self.grid.rows().len());
        if found != expected {
            return Err(ReadError::Rows { found, expected });
        }
        for (index, (text, sites)) in rows.into_iter().zip(self.grid.rows()).enumerate() {
            let squares = self.row(text)?;
            let (found, expected) = (squares.len(), sites.len());
            if found != expected {
                return Err(ReadError::Row { row: index + 1, text: text.to_owned(), found, expected });
            }
            for (&site, square) in sites.iter().zip(squares) {
                let edit = match square {
                    Some((owner, kind)) => Edit::Place(Placement::Piece(owner, kind, site)),
                    None => Edit::Remove(site),
                };
                self.edit(state, edit);
            }
        }
        self.read_hands(state, hands.unwrap_or_default())
    }

    /// The pieces of a row. Of an absurdly long one only as many as are needed to see that it is too long.
    fn row(&self, text: &str) -> Result<Vec<Option<(Player, Kind)>>, ReadError> {
        let most = self.grid.rows()[0].len() + 1;
        let mut squares = Vec::new();
        let mut empty = 0_usize;
        for letter in text.chars().chain(['.']) {
            if let Some(digit) = letter.to_digit(10) {
                empty = (empty * 10 + digit as usize).min(most);
                continue;
            }
            squares.extend(std::iter::repeat_n(None, empty.min(most.saturating_sub(squares.len()))));
            empty = 0;
            if letter != '.' {
                squares.push(Some(self.piece(letter)?));
            }
        }
        Ok(squares)
    }

    fn piece(&self, letter: char) -> Result<(Player, Kind), ReadError> {
        let side = if letter.is_uppercase() { self.sides[0] } else { self.sides[1] };
        let kind = self.letters.kind(letter);
        Ok((side, kind.ok_or_else(|| ReadError::Letter { letter, known: self.letters.known() })?))
    }

    fn read_hands(&self, state: &mut State, text: &str) -> Result<(), ReadError> {
        if self.executor.layout().known.hand.is_none() {
            return if text.trim_matches('-').is_empty() { Ok(()) } else { Err(ReadError::NoHands) };
        }
        let rules = self.executor.rules();
        let mut counts = vec![0_i32; rules.players.len() * rules.kinds.len()];
        for letter in text.chars().filter(|&letter| letter != '-') {
            let (player, kind) = self.piece(letter)?;
            counts[player.index() * rules.kinds.len() + kind.index()] += 1;
        }
        for player in rules.players.ids() {
            for kind in rules.kinds.ids() {
                let count = counts[player.index() * rules.kinds.len() + kind.index()];
                self.edit(state, Edit::Place(Placement::Hand(player, kind, count)));
            }
        }
        Ok(())
    }

    /// Makes an edit that the state can hold.
    fn edit(&self, state: &mut State, edit: Edit) {
        let made = edit.apply(self.executor.rules(), self.executor.layout(), state);
        made.expect("the board has the site, the game the hand");
    }

    /// The letter by which a side to move is written, and the first letter of its name, which will do too.
    fn side_letters(&self, side: Player) -> [Option<char>; 2] {
        let name = &self.executor.rules().players[side].name;
        let first = |side: Player| self.executor.rules().players[side].name.chars().next();
        let differ = first(self.sides[0]) != first(self.sides[1]);
        let own = name.chars().next().filter(|_| differ).and_then(|letter| letter.to_lowercase().next());
        [Some(if side == self.sides[0] { 'w' } else { 'b' }), own]
    }

    fn read_side(&self, state: &mut State, text: &str) -> Result<Player, ReadError> {
        let mut letters = text.chars();
        let letter =
            letters.next().filter(|_| letters.next().is_none()).and_then(|letter| letter.to_lowercase().next());
        // The letters of the format come first: a name may start with the other side's.
        let means = |index: usize| self.sides.into_iter().find(|&side| self.side_letters(side)[index] == letter);
        let side = letter.and_then(|_| means(0).or_else(|| means(1)));
        let side = side.ok_or_else(|| ReadError::Side { text: text.to_owned() })?;
        let turn = self.turn(side).ok_or_else(|| ReadError::Side { text: text.to_owned() })?;
        let known = &self.executor.layout().known;
        state.set(self.executor.layout(), self.executor.layout().global(known.turn), turn as i32);
        Ok(side)
    }

    /// The turn that a side to move means: its first among those that come round again.
    fn turn(&self, side: Player) -> Option<usize> {
        let schedule = &self.executor.rules().schedule;
        let follow = |turn: &usize| Some(schedule.turns[*turn].next);
        // After as many turns as there are, the game is where it goes round.
        let start = std::iter::successors(Some(0), follow).nth(schedule.turns.len())?;
        let round = std::iter::successors(Some(start), follow).take(schedule.turns.len());
        round.filter(|&turn| schedule.turns[turn].player == side).min()
    }

    /// A pawn's double step is the memory of the last step: from one row behind the site to one row before it, as the
    /// player who made it sees the board.
    fn read_passed(&self, state: &mut State, to_move: Player, text: &str) -> Result<(), ReadError> {
        let layout = self.executor.layout();
        let wrong = |why| ReadError::Passed { text: text.to_owned(), why };
        let mut remember = |from: i32, to: i32| {
            for (field, value) in [(layout.known.last_from, from), (layout.known.last_to, to)] {
                if let Some(field) = field {
                    state.set(layout, layout.global(field), value);
                }
            }
        };
        remember(0, 0);
        if text == "-" {
            return Ok(());
        }
        if layout.known.last_from.is_none() || layout.known.last_to.is_none() {
            return Err(wrong("these rules do not ask what the last step was"));
        }
        let passed = self.executor.rules().topology.site(text).filter(|&site| self.grid.place(site).is_some());
        let passed = passed.ok_or_else(|| wrong("the board has no such site"))?;
        let step = self.double_step(passed, to_move).ok_or_else(|| wrong("it is too near the edge"))?;
        let (from, to) = step;
        remember(from.index() as i32 + 1, to.index() as i32 + 1);
        if self.passed(state, to_move) != Some(passed) {
            return Err(wrong("no pawn of the other side stands beyond it, with nothing behind"));
        }
        Ok(())
    }

    /// Where a double step over the site started and ended, when it was made against the player to move.
    fn double_step(&self, passed: Site, to_move: Player) -> Option<(Site, Site)> {
        let ahead = if to_move == self.sides[0] { 1 } else { -1 };
        Some((self.grid.below(passed, -ahead)?, self.grid.below(passed, ahead)?))
    }

    /// The site that a pawn has just passed over.
    fn passed(&self, state: &State, to_move: Player) -> Option<Site> {
        let layout = self.executor.layout();
        let number = |field: Option<Field>| usize::try_from(state.get(layout.global(field?)) - 1).ok();
        let (from, to) = (number(layout.known.last_from)?, number(layout.known.last_to)?);
        let (from, to) = (Site::from_index(from), Site::from_index(to));
        let passed = [1, -1].into_iter().filter_map(|rows| self.grid.below(from, rows));
        let passed = passed.into_iter().find(|&site| self.double_step(site, to_move) == Some((from, to)))?;
        let (owner, kind) = self.standing(state, to)?;
        let is_pawn = owner != to_move && self.sides.contains(&owner) && self.letters.letter(kind) == Some('P');
        let open = self.standing(state, from).is_none() && self.standing(state, passed).is_none();
        (is_pawn && open).then_some(passed)
    }

    fn standing(&self, state: &State, site: Site) -> Option<(Player, Kind)> {
        let layout = self.executor.layout();
        let number = |field| usize::try_from(state.get(layout.at(field, site)) - 1).ok();
        Some((Player::from_index(number(layout.known.owner)?), Kind::from_index(number(layout.known.kind)?)))
    }

    /// Writes a state, with the two numbers that no rules know.
    pub fn write(&self, state: &State, counters: &Counters) -> Result<Written, WriteError> {
        let layout = self.executor.layout();
        if state.get(layout.global(layout.known.chain)) != 0 {
            return Err(WriteError::Unfinished);
        }
        let side = self.executor.to_move(state);
        let turn = self.turn(side).filter(|_| self.sides.contains(&side));
        if turn.map(|turn| turn as i32) != Some(state.get(layout.global(layout.known.turn))) {
            return Err(WriteError::Turn);
        }
        let rows: Vec<String> =
            self.grid.rows().iter().map(|row| self.written_row(state, row)).collect::<Result<_, _>>()?;
        let passed = self.passed(state, side).map_or("-", |site| self.executor.rules().topology.site_name(site));
        let text = format!(
            "{}{} {} {} {passed} {} {}",
            rows.join("/"),
            self.written_hands(state)?,
            if side == self.sides[0] { 'w' } else { 'b' },
            self.castling.write(self.executor, state),
            counters.quiet,
            counters.number,
        );
        let unsaid = self.unsaid(state, &text);
        Ok(Written { text, unsaid })
    }

    fn written_row(&self, state: &State, row: &[Site]) -> Result<String, WriteError> {
        let mut text = String::new();
        let mut empty = 0;
        for &site in row {
            let Some((owner, kind)) = self.standing(state, site) else {
                empty += 1;
                continue;
            };
            if empty > 0 {
                text += &std::mem::take(&mut empty).to_string();
            }
            if !self.sides.contains(&owner) {
                let site = self.executor.rules().topology.site_name(site).to_owned();
                return Err(WriteError::Owner { site });
            }
            text.push(self.cased(owner, kind)?);
        }
        if empty > 0 {
            text += &empty.to_string();
        }
        Ok(text)
    }

    fn cased(&self, owner: Player, kind: Kind) -> Result<char, WriteError> {
        let name = || self.executor.rules().kinds[kind].name.clone();
        let letter = self.letters.letter(kind).ok_or_else(|| WriteError::Letter { kind: name() })?;
        let lower = letter.to_lowercase().next().unwrap_or(letter);
        Ok(if owner == self.sides[0] { letter } else { lower })
    }

    fn written_hands(&self, state: &State) -> Result<String, WriteError> {
        let layout = self.executor.layout();
        let Some(hand) = layout.known.hand else { return Ok(String::new()) };
        let kinds = self.executor.rules().kinds.len();
        let mut text = String::from("[");
        for owner in self.sides {
            for kind in self.executor.rules().kinds.ids() {
                let cell = layout.cell(hand, owner.index() * kinds + kind.index());
                let count = cell.map_or(0, |cell| state.get(cell)).max(0) as usize;
                if count > 0 {
                    text.extend(std::iter::repeat_n(self.cased(owner, kind)?, count));
                }
            }
        }
        Ok(text + "]")
    }

    /// What the state holds and the text does not say: the difference to the state that the text means.
    fn unsaid(&self, state: &State, text: &str) -> Vec<String> {
        let read = match self.read(text) {
            Ok(position) => position.state,
            Err(error) => return vec![format!("the text does not read back: {error}")],
        };
        let (rules, layout) = (self.executor.rules(), self.executor.layout());
        let mut unsaid = Vec::new();
        for (field, info) in rules.fields.iter().filter(|(_, info)| !info.memory) {
            for index in 0..layout.count(field) {
                let cell: Cell = layout.cell(field, index).expect("the field has so many cells");
                let value = state.get(cell);
                if value == read.get(cell) {
                    continue;
                }
                let site = Site::from_index(index);
                let per_site = matches!(info.scope, Scope::Piece | Scope::Site);
                let told = |(_, kind)| self.castling.tells(field, kind);
                if info.scope == Scope::Piece && self.standing(state, site).is_some_and(told) {
                    continue;
                }
                let place = if per_site { rules.topology.site_name(site).to_owned() } else { index.to_string() };
                unsaid.push(format!("`{}` of {place} is {value}", info.name));
            }
        }
        unsaid
    }
}
