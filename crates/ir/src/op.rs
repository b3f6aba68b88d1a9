//! The operations of expressions: one line each, from which printing, parsing and typing follow.

use dagaz_board::{Direction, Site, Zone};

use crate::code::Local;
use crate::rules::{Compass, Field, Kind, Label, MoveType, Player};

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// A 32-bit integer. Players and kinds are integers from 1; 0 is nobody and nothing.
    Int,
    /// True or false.
    Bool,
    /// A site, or nowhere.
    Site,
    /// A set of sites.
    Set,
    /// No value: an effect on the move that is being made.
    Effect,
}

/// How many arguments of which types an operation takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arguments {
    /// Exactly these.
    Fixed(&'static [Type]),
    /// Any number of one type.
    Many(Type),
}

/// What is written beside an operation's name: a constant, or the name of something static.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Immediate {
    /// A number.
    Int(i32),
    /// A truth value.
    Bool(bool),
    /// A local variable of the function.
    Local(Local),
    /// A site.
    Site(Site),
    /// A direction.
    Direction(Direction),
    /// A zone.
    Zone(Zone),
    /// A piece kind.
    Kind(Kind),
    /// A player.
    Player(Player),
    /// A field of the state.
    Field(Field),
    /// A move type, or any.
    MoveType(Option<MoveType>),
    /// A list of directions.
    Compass(Compass),
    /// A label of the turn order.
    Label(Label),
}

/// What kind of immediate an operation takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is the kind of the immediate of the same name")]
pub enum ImmediateKind {
    Int,
    Bool,
    Local,
    Site,
    Direction,
    Zone,
    Kind,
    Player,
    Field,
    MoveType,
    Compass,
    Label,
}

macro_rules! ops {
    ($(
        $(#[doc = $doc:literal])+
        $name:ident $(($immediate:ident: $payload:ty))? $text:literal $arguments:tt -> $result:ident;
    )+) => {
        /// One operation. Its arguments are expressions; see [`Op::arguments`] and [`Op::result`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Op {
            $($(#[doc = $doc])+ $name $(($payload))?,)+
        }

        impl Op {
            /// The names of all operations, in order of definition.
            pub const NAMES: &'static [&'static str] = &[$($text),+];

            /// The name in the text form.
            pub fn name(self) -> &'static str {
                match self { $(ops!(@any $name $($immediate)?) => $text,)+ }
            }

            /// The types of the arguments.
            pub fn arguments(self) -> Arguments {
                match self { $(ops!(@any $name $($immediate)?) => ops!(@arguments $arguments),)+ }
            }

            /// The type of the value; [`Op::Local`] has the type of its local instead.
            pub fn result(self) -> Type {
                match self { $(ops!(@any $name $($immediate)?) => Type::$result,)+ }
            }

            /// What stands beside the name.
            pub fn immediate(self) -> Option<Immediate> {
                match self { $(ops!(@bind $name value $($immediate)?) => ops!(@immediate value $($immediate)?),)+ }
            }

            /// What kind of immediate the operation of this name takes, when there is such an operation.
            pub fn immediate_of(name: &str) -> Option<Option<ImmediateKind>> {
                match name { $($text => Some(ops!(@kind $($immediate)?)),)+ _ => None }
            }

            /// The operation of this name and immediate.
            pub fn of(name: &str, immediate: Option<Immediate>) -> Option<Op> {
                match (name, immediate) {
                    $(ops!(@pattern $text value $($immediate)?) => Some(ops!(@build $name value $($immediate)?)),)+
                    _ => None,
                }
            }
        }
    };
    (@any $name:ident) => { Op::$name };
    (@any $name:ident $immediate:ident) => { Op::$name(_) };
    (@bind $name:ident $value:ident) => { Op::$name };
    (@bind $name:ident $value:ident $immediate:ident) => { Op::$name($value) };
    (@immediate $value:ident) => { None };
    (@immediate $value:ident $immediate:ident) => { Some(Immediate::$immediate($value)) };
    (@kind) => { None };
    (@kind $immediate:ident) => { Some(ImmediateKind::$immediate) };
    (@pattern $text:literal $value:ident) => { ($text, None) };
    (@pattern $text:literal $value:ident $immediate:ident) => { ($text, Some(Immediate::$immediate($value))) };
    (@build $name:ident $value:ident) => { Op::$name };
    (@build $name:ident $value:ident $immediate:ident) => { Op::$name($value) };
    (@arguments ($($type:ident)*)) => { Arguments::Fixed(&[$(Type::$type),*]) };
    (@arguments [$type:ident]) => { Arguments::Many(Type::$type) };
}

impl Op {
    /// Whether its value can be another for another player `me`, all else being the same.
    pub fn depends_on_player(self) -> bool {
        matches!(
            self,
            Op::Me
                | Op::Step(_)
                | Op::StepBack(_)
                | Op::InZone(_)
                | Op::Mine
                | Op::Friend
                | Op::Enemy
                | Op::Neutral
                | Op::Attacked(_)
                | Op::Defended(_)
                | Op::ZoneSites(_)
                | Op::Shift(_)
                | Op::Neighbours(_)
                | Op::Flood(_)
                | Op::Ray(_)
        )
    }
}

ops! {
    /// A number.
    Int(Int: i32) "int" () -> Int;
    /// A truth value.
    Bool(Bool: bool) "bool" () -> Bool;
    /// The value of a local variable.
    Local(Local: Local) "local" () -> Int;
    /// A site.
    Site(Site: Site) "site" () -> Site;
    /// No site: where a step off the board leads.
    Nowhere "nowhere" () -> Site;
    /// The number of a piece kind.
    Kind(Kind: Kind) "kind" () -> Int;
    /// The number of a player.
    Player(Player: Player) "player" () -> Int;
    /// The player for whom this is asked: in a rule the owner of the pieces that may be moved, in an end the player
    /// whom it concerns.
    Me "me" () -> Int;
    /// The player whose turn it is.
    ToMove "to-move" () -> Int;
    /// The player who made the last whole move, or nobody.
    LastMover "last-mover" () -> Int;

    /// Sum, wrapping.
    Add "+" (Int Int) -> Int;
    /// Difference, wrapping.
    Subtract "-" (Int Int) -> Int;
    /// Product, wrapping.
    Multiply "*" (Int Int) -> Int;
    /// Quotient towards zero; 0 when the divisor is 0.
    Divide "/" (Int Int) -> Int;
    /// Remainder of that quotient; 0 when the divisor is 0.
    Remainder "%" (Int Int) -> Int;
    /// The smaller number.
    Least "min" (Int Int) -> Int;
    /// The larger number.
    Greatest "max" (Int Int) -> Int;
    /// The first number when it is true, else the second; the other is not computed.
    Pick "pick" (Bool Int Int) -> Int;
    /// Equality of numbers.
    Equal "=" (Int Int) -> Bool;
    /// Less than.
    Less "<" (Int Int) -> Bool;
    /// At most.
    AtMost "<=" (Int Int) -> Bool;
    /// Equality of sites; nowhere equals itself.
    Same "same" (Site Site) -> Bool;
    /// All of them, left to right, stopping at the first that is false.
    And "and" [Bool] -> Bool;
    /// Any of them, left to right, stopping at the first that is true.
    Or "or" [Bool] -> Bool;
    /// Negation.
    Not "not" (Bool) -> Bool;
    /// 1 for true, 0 for false.
    Truth "truth" (Bool) -> Int;
    /// The first site, or the second when the first is nowhere.
    OrElse "or-else" (Site Site) -> Site;
    /// The site of this number, counted from 1; nowhere for any other number.
    Numbered "numbered" (Int) -> Site;
    /// The number of the site, counted from 1; 0 for nowhere.
    Number "number" (Site) -> Int;

    /// The site one step away in a direction as the player `me` sees it, or nowhere.
    Step(Direction: Direction) "step" (Site) -> Site;
    /// One step in the opposite of that direction.
    StepBack(Direction: Direction) "step-back" (Site) -> Site;
    /// Whether it is a site, not nowhere.
    OnBoard "on-board" (Site) -> Bool;
    /// Whether the site is in the zone of the player `me`.
    InZone(Zone: Zone) "in-zone" (Site) -> Bool;
    /// Whether the site is in the zone of the player of this number; false for any other number.
    InZoneOf(Zone: Zone) "in-zone-of" (Site Int) -> Bool;

    /// A field of the site, or of the piece there, as the rule's view shows it; 0 nowhere.
    Read(Field: Field) "read" (Site) -> Int;
    /// The same, with the settings that this move has queued so far.
    ReadNow(Field: Field) "read-now" (Site) -> Int;
    /// A field of the state by index: a player, a player's hand of a kind, an array's element, or 0 for a global.
    Get(Field: Field) "get" (Int) -> Int;
    /// Whether the site is on the board and holds no piece.
    Empty "empty" (Site) -> Bool;
    /// Whether a piece of the player `me` stands there.
    Mine "mine" (Site) -> Bool;
    /// Whether a piece of the player `me` or of an ally stands there.
    Friend "friend" (Site) -> Bool;
    /// Whether a piece of an adversary stands there.
    Enemy "enemy" (Site) -> Bool;
    /// Whether a piece stands there that is nobody's friend or enemy.
    Neutral "neutral" (Site) -> Bool;
    /// How many pieces stand on each other there.
    Height "height" (Site) -> Int;
    /// The player of the piece so many levels below the top one, or 0.
    OwnerBelow "owner-below" (Site Int) -> Int;
    /// The kind of that piece, or 0.
    KindBelow "kind-below" (Site Int) -> Int;
    /// Whether some adversary has a step, of this move type or any, that captures on the site or ends there; steps
    /// that rest on an answer to this question count as if it were no.
    Attacked(MoveType: Option<MoveType>) "attacked" (Site) -> Bool;
    /// The same for the player `me`, the piece on the site itself apart.
    Defended(MoveType: Option<MoveType>) "defended" (Site) -> Bool;

    /// Every site of the board.
    AllSites "all-sites" () -> Set;
    /// No site.
    NoSites "no-sites" () -> Set;
    /// The zone of the player `me`.
    ZoneSites(Zone: Zone) "zone-sites" () -> Set;
    /// The sites of either.
    Union "union" (Set Set) -> Set;
    /// The sites of both.
    Intersection "intersection" (Set Set) -> Set;
    /// The sites of the first that are not of the second.
    Difference "difference" (Set Set) -> Set;
    /// The set with the site; unchanged by nowhere.
    With "with" (Set Site) -> Set;
    /// The set without the site.
    Without "without" (Set Site) -> Set;
    /// The sites one step away from those of the set.
    Shift(Direction: Direction) "shift" (Set) -> Set;
    /// Whether the site is in the set.
    Contains "contains" (Set Site) -> Bool;
    /// The sites one step away, in any direction of the list, from those of the set.
    Neighbours(Compass: Compass) "neighbours" (Set) -> Set;
    /// The sites of both sets, and those of the second that can be reached from them through the second by steps in the
    /// directions of the list.
    Flood(Compass: Compass) "flood" (Set Set) -> Set;
    /// The sites of the set that stand in a row from the site on, itself not included: step by step in the direction
    /// until one is not in the set or comes again.
    Ray(Direction: Direction) "ray" (Site Set) -> Set;
    /// The first site of the set, or nowhere.
    First "first" (Set) -> Site;
    /// How many sites there are.
    Count "count" (Set) -> Int;
    /// The sites of the set for which the condition on the local is true.
    Where(Local: Local) "where" (Set Bool) -> Set;
    /// Whether it is true for some site of the set.
    Any(Local: Local) "any" (Set Bool) -> Bool;
    /// Whether it is true for every site of the set.
    Every(Local: Local) "every" (Set Bool) -> Bool;
    /// The sum over the sites of the set.
    Sum(Local: Local) "sum" (Set Int) -> Int;

    /// In ends and after a move: how many times this state, with the same player to move, has stood, now included. After a
    /// move the next player is to move already.
    Repetitions "repetitions" () -> Int;
    /// The same for the pieces on the board alone, whoever is to move.
    BoardRepetitions "board-repetitions" () -> Int;
    /// In ends and after a move: how many moves had been made when the state stood first that [`Op::Repetitions`] counts.
    FirstStood "first-stood" () -> Int;
    /// After a move: how many legal moves the next player has, passing not included. Asked of such a reply in turn, it is 1.
    Replies "replies" () -> Int;
    /// In ends and after a move: how many whole moves were made before.
    MovesMade "moves-made" () -> Int;
    /// In ends: how many legal moves the player to move has, passing included.
    MoveCount "move-count" () -> Int;
    /// How many pieces of the player and kind the last step captured; 0 stands for any player or kind.
    Captured "captured" (Int Int) -> Int;

    /// The piece goes from the first site to the second, with all that it carries; what stood there is captured.
    Move "move" (Site Site) -> Effect;
    /// The same, and the piece also stays where it was.
    Copy "copy" (Site Site) -> Effect;
    /// The piece there, if any, is captured.
    Capture "capture" (Site) -> Effect;
    /// A piece of the player and kind appears, with its kind's attributes, in the place of what stood there.
    Create "create" (Site Int Int) -> Effect;
    /// A piece of the player and kind comes from the hand to the site, as a displacement; what stood there is captured.
    Drop "drop" (Site Int Int) -> Effect;
    /// The piece there, if any, becomes one of this kind; attributes that both kinds have stay.
    Retype "retype" (Site Int) -> Effect;
    /// The piece there, if any, becomes this player's.
    Reown "reown" (Site Int) -> Effect;
    /// The piece there, if any, becomes the next player's, in the order in which the players are listed.
    Flip "flip" (Site) -> Effect;
    /// Sets an attribute of the piece there, if any has it; or a field of the site itself.
    SetAt(Field: Field) "set-at" (Site Int) -> Effect;
    /// Sets a field of the state by index, as [`Op::Get`] reads it.
    Set(Field: Field) "set" (Int Int) -> Effect;
    /// A piece of the player and kind comes on top of what stands there.
    Push "push" (Site Int Int) -> Effect;
    /// The top piece is captured; the next one is the top then.
    Pop "pop" (Site) -> Effect;
    /// A piece of the player and kind comes under all that stand there; on an empty site it is the only one.
    Tuck "tuck" (Site Int Int) -> Effect;
    /// When the move is complete, the turn that has the label follows.
    Jump(Label: Label) "jump" () -> Effect;
}
