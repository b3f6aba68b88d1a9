//! The rules of one game: what is static, what the state holds, and the programs that change it.

use dagaz_base::{IdMap, Origin, id_type};
use dagaz_board::{Direction, Site, SiteSet, Topology, Zone};

use crate::code::{Block, Function, Local, LocalInfo, Program};
use crate::op::Type;

id_type!(
    /// A player, person or not.
    Player
);
id_type!(
    /// A piece type.
    Kind
);
id_type!(
    /// A class of moves that turns and priorities speak of.
    MoveType
);
id_type!(
    /// A part of the state.
    Field
);
id_type!(
    /// A move rule.
    RuleId
);
id_type!(
    /// A list of directions that an operation goes in.
    Compass
);
id_type!(
    /// A place in the turn order that moves can jump to.
    Label
);

/// Everything that is fixed while a game is played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The game's name.
    pub name: String,
    /// The board.
    pub topology: Topology,
    /// The players, in the order in which pieces are flipped from one to the next.
    pub players: IdMap<Player, PlayerInfo>,
    /// The zones.
    pub zones: IdMap<Zone, ZoneInfo>,
    /// The piece kinds.
    pub kinds: IdMap<Kind, KindInfo>,
    /// The state's fields.
    pub fields: IdMap<Field, FieldInfo>,
    /// The move types.
    pub move_types: IdMap<MoveType, String>,
    /// The lists of directions that operations go in.
    pub compasses: IdMap<Compass, Vec<Direction>>,
    /// How the game starts.
    pub setup: Vec<Placement>,
    /// Whose turn follows whose.
    pub schedule: Schedule,
    /// The move rules, in the order in which their moves are listed.
    pub rules: IdMap<RuleId, Rule>,
    /// What is done to the list of moves and to stuck players.
    pub policy: Policy,
    /// What must be true after a step for the step to be legal.
    pub invariants: Vec<Invariant>,
    /// What is done at the stages of every move.
    pub stages: Stages,
    /// How the game ends, in order: the first that is true decides.
    pub ends: Vec<End>,
    /// What a player does not see of a state. Without any, everybody sees all.
    pub concealments: Vec<Concealment>,
}

impl Rules {
    /// The fields that executors themselves read and write, of rules that [`verify`](crate::verify::verify()) accepts.
    /// Panics when one is missing that every game must have.
    pub fn known(&self) -> Known {
        Known::of(&self.fields)
    }
}

/// One player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerInfo {
    /// The name.
    pub name: String,
    /// What moves for this player.
    pub role: Role,
    /// What this player means by each direction.
    pub directions: IdMap<Direction, Direction>,
    /// Whose pieces are this player's friends, he himself included.
    pub friends: Vec<Player>,
    /// Whose pieces are this player's adversaries.
    pub enemies: Vec<Player>,
}

impl PlayerInfo {
    /// The direction of the board that the player means by this one.
    pub fn seen(&self, direction: Direction) -> Direction {
        self.directions.get(direction).copied().unwrap_or(direction)
    }
}

/// What moves for a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A person or an agent.
    Person,
    /// Chance: each legal move is equally likely.
    Random,
    /// Nobody: the player only owns pieces.
    Neutral,
}

/// A named set of sites for each player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ZoneInfo {
    /// The name.
    pub name: String,
    /// The sites, by player.
    pub sites: IdMap<Player, SiteSet>,
}

/// A piece type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KindInfo {
    /// The name.
    pub name: String,
    /// The attributes that pieces of the kind carry, with the values that new pieces have.
    pub attributes: Vec<(Field, i32)>,
}

/// One field of the state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldInfo {
    /// The name.
    pub name: String,
    /// How many cells it has, and what they belong to.
    pub scope: Scope,
    /// The least value.
    pub low: i32,
    /// The greatest value.
    pub high: i32,
    /// The value at the start, where the set-up says nothing else.
    pub initial: i32,
    /// Whether it goes back to that value whenever a move is complete.
    pub transient: bool,
    /// Whether it is only a memory of how the state came about: two states that differ in nothing else are repetitions.
    pub memory: bool,
}

/// What the cells of a field belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// A cell for each site; its value travels with the piece there, and is 0 where none stands.
    Piece,
    /// A cell for each site; it stays.
    Site,
    /// A cell for each player.
    Player,
    /// A cell for each player and kind: player × number of kinds + kind.
    Hand,
    /// One cell.
    Global,
    /// This many cells.
    Array(u32),
    /// This many cells for each site: the pieces below the one on top, the next one first. They travel with it.
    Stack(u32),
}

impl Scope {
    /// What tells one element of the field from another, as values of these types: a site; a player's number; a player's
    /// and a kind's number; the number of an array's element, from 0; or nothing for the only one.
    pub fn element(self) -> &'static [Type] {
        match self {
            Self::Piece | Self::Site | Self::Stack(_) => &[Type::Site],
            Self::Player | Self::Array(_) => &[Type::Int],
            Self::Hand => &[Type::Int, Type::Int],
            Self::Global => &[],
        }
    }

    /// Whether fields of both scopes have the same elements.
    pub fn matches(self, other: Self) -> bool {
        self == other || [self, other].iter().all(|scope| scope.element() == [Type::Site])
    }
}

/// The fields that executors themselves read and write, found by their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// `owner`, a piece field: the number of the piece's player, 0 for an empty site.
    pub owner: Field,
    /// `kind`, a piece field: the number of the piece's kind, 0 for an empty site.
    pub kind: Field,
    /// `turn`, a global: the index of the current turn of the schedule.
    pub turn: Field,
    /// `chain`, a global: the site whose piece must go on, counted from 1; 0 at the start of a move.
    pub chain: Field,
    /// `chain-type`, a global: the move type it must go on with, counted from 1; 0 for any.
    pub chain_type: Field,
    /// `hand`, where pieces wait off the board.
    pub hand: Option<Field>,
    /// `last-from`, a global: where the last step started, counted from 1; 0 for nowhere.
    pub last_from: Option<Field>,
    /// `last-to`, a global: where it ended.
    pub last_to: Option<Field>,
    /// `stack`, the pieces below others: 1 + player × number of kinds + kind, or 0.
    pub stack: Option<Field>,
    /// `next-turn`, a global: the turn that a jump wants next, counted from 1; 0 for none.
    pub next_turn: Option<Field>,
}

impl Known {
    /// Finds the known fields. Panics when one that every game must have is missing, which the verifier reports as a
    /// breach of [`Law::KnownFields`](crate::verify::Law::KnownFields): verify first.
    pub fn of(fields: &IdMap<Field, FieldInfo>) -> Self {
        let find = |name: &str| fields.position(|field| field.name == name);
        let must = |name: &str| find(name).unwrap_or_else(|| panic!("rules have a field `{name}`"));
        Self {
            owner: must("owner"),
            kind: must("kind"),
            turn: must("turn"),
            chain: must("chain"),
            chain_type: must("chain-type"),
            hand: find("hand"),
            last_from: find("last-from"),
            last_to: find("last-to"),
            stack: find("stack"),
            next_turn: find("next-turn"),
        }
    }
}

/// One thing of the starting state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// A piece on the board.
    Piece(Player, Kind, Site),
    /// Pieces in a hand.
    Hand(Player, Kind, i32),
    /// A cell's value: field, index, value.
    Cell(Field, u32, i32),
}

/// Whose turn follows whose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// The turns in order; there is at least one.
    pub turns: Vec<Turn>,
    /// The places that moves can jump to.
    pub labels: IdMap<Label, LabelInfo>,
}

/// A place in the turn order that moves can jump to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabelInfo {
    /// The name.
    pub name: String,
    /// Where a jump from each turn leads: the index of a turn.
    pub targets: Vec<usize>,
}

/// One turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Who moves.
    pub player: Player,
    /// Whose pieces are moved; all that rules say is said from this player's side.
    pub owner: Player,
    /// The only moves that are allowed, if not all.
    pub move_type: Option<MoveType>,
    /// The turn that follows, unless a move jumps.
    pub next: usize,
}

/// A move rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Its name: the move's name in records.
    pub name: String,
    /// What it was made with: the rest of that name.
    pub arguments: Vec<String>,
    /// The kind of piece whose rule it is, unless it is nobody's.
    pub kind: Option<Kind>,
    /// What it is run for.
    pub trigger: Trigger,
    /// The class of its moves.
    pub move_type: Option<MoveType>,
    /// What its reads see.
    pub view: View,
    /// Its variables; the first is the site that it is run for.
    pub locals: IdMap<Local, LocalInfo>,
    /// Its program.
    pub body: Block,
    /// What is done when a step of it is made, after the step's effects.
    pub then: Option<Program>,
    /// Where it stands.
    pub origin: Option<Origin>,
}

/// What a rule is run for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trigger {
    /// Each piece of its kind that the owner has on the board.
    Piece,
    /// Each piece of its kind on the board, whoever owns it.
    AnyPiece,
    /// Each site of the board, when the owner has a piece of its kind in hand.
    Drop,
    /// The turn as a whole: once, for no site.
    Turn,
}

/// The programs that are run at the stages of every move, for the owner of the turn. A `verify` that is false in one of them
/// makes the step illegal: the invariants of the game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stages {
    /// Before the first step of a move is generated, and again when it is made.
    pub before_move: Option<Program>,
    /// The same before each step.
    pub before_step: Option<Program>,
    /// After each step.
    pub after_step: Option<Program>,
    /// After the last step of a move.
    pub after_move: Option<Program>,
}

/// What the reads of a rule see.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum View {
    /// The state before the step. All displacements are made first and at once, then the other effects in order.
    Before,
    /// The state with the effects so far, which are made in order.
    Tentative,
}

/// What is done to the list of moves and to stuck players.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    /// What thins the list of a turn's moves, in order.
    pub filters: Vec<Filter>,
    /// Whether a player may pass.
    pub pass: Pass,
    /// Whether a chain of steps may stop before its end.
    pub chain_may_stop: bool,
    /// Whether a step must change the state.
    pub no_null_moves: bool,
    /// Whether captured pieces go to their owner's hand.
    pub recycle_captures: bool,
}

/// What thins a list of moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Filter {
    /// Only the first of these classes that has a move; moves of no listed class come last.
    Priority(Vec<MoveType>),
    /// Only moves that capture the most pieces. A piece of another player that changes its kind or owner counts as captured:
    /// a saved game of Northern Kings, where a jumped king becomes a man, is legal only so.
    MostCaptured,
    /// Of those only the ones whose captured pieces are worth most: the values of the kinds.
    MostValuable(Vec<(Kind, i32)>),
}

/// Whether a player may pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pass {
    /// No.
    Never,
    /// Only when there is no other move.
    Forced,
    /// At any time.
    Always,
}

/// What must be true after a step for the step to be legal, asked for the owner of the turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invariant {
    /// What it says, for explanations.
    pub name: String,
    /// The condition.
    pub condition: Function,
    /// Where it stands.
    pub origin: Option<Origin>,
}

/// One way in which the game ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct End {
    /// What it says, for people.
    pub name: String,
    /// The players for whom it is asked, in order.
    pub players: Vec<Player>,
    /// What it means for the player for whom it is true.
    pub result: Verdict,
    /// The condition.
    pub condition: Function,
    /// Where it stands.
    pub origin: Option<Origin>,
}

/// What an end means for the player for whom it is true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// He wins, the others lose.
    Win,
    /// He loses, the others win.
    Loss,
    /// Nobody wins.
    Draw,
    /// Whoever has most pieces on the board wins; nobody, when several have most.
    Count,
    /// The same for the value of this function, asked for each player.
    Score(Box<Function>),
}

/// Something that a player does not see of a state, where a condition holds for him.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Concealment {
    /// What it says, for people.
    pub name: String,
    /// What is hidden: fields with the same elements, at least one.
    pub fields: Vec<Field>,
    /// Asked of the whole state for each element, `me` being the player who looks. The first locals are the element: see
    /// [`Scope::element`].
    pub condition: Function,
    /// Where it stands.
    pub origin: Option<Origin>,
}
