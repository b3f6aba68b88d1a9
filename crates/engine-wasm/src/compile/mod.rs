//! From rules to a module. One part a file: `writes` changes cells and takes changes back, `effects` makes effects,
//! `program` and its neighbours translate programs, `steps` lists what rules make, `legal` thins it, `whole` goes through
//! whole moves, `turn` makes a step, `ends` says whether the game is over, `past` answers questions about it, `drive` plays
//! and counts.
//!
//! What a module means is what the reference interpreter does; the names here follow its names.

mod alike;
mod apart;
mod chains;
mod counted;
mod deferred;
mod drive;
mod effects;
mod emit;
pub(crate) mod ends;
mod expression;
mod gates;
mod held;
mod lean;
mod legal;
mod meeting;
mod past;
mod program;
mod random;
pub(crate) mod ray;
mod recorded;
mod rounds;
mod second;
mod set;
mod sieve;
mod sliding;
mod stack;
mod staged;
mod statement;
mod steps;
mod struck;
mod tally;
mod trial;
mod turn;
mod watch;
mod whole;
mod writes;

pub(crate) use effects::code as effect;

use std::collections::{BTreeMap, BTreeSet};

use dagaz_base::{Id, IdMap};
use dagaz_board::Direction;
use dagaz_engine::{Layout, Limits};
use dagaz_ir::{Expr, Filter, MoveType, Op, RuleId, Rules, Trigger, View};

use crate::low::{Body, Ex, Fun, Global, Module, Stmt, Ty, V, Width};
use crate::memory::{Memory, PAGE};
use crate::plan::{Plan, Playing, Shape};

/// Why a module gave up: what the host finds in the global `fault`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    Work = 1,
    Steps = 2,
    Chain = 3,
    Memory = 4,
}

/// Fixed addresses.
pub(crate) mod mail {
    /// Three hashes of 8 bytes: of everything but memories, of memories, which is not kept up to date, of the pieces on the board.
    pub(crate) const KEYS: u32 = 0x40;
    /// The keys of the state that a move starts from, and the keys after it for replies: state and board each.
    pub(crate) const START: u32 = 0x60;
    pub(crate) const START_AGAIN: u32 = 0x70;
    /// Four words of the random generator.
    pub(crate) const RANDOM: u32 = 0x80;
    /// How many states of the line have a hash with these lowest bits, a byte each, where a line is only added to; then how many
    /// boards.
    pub(crate) const FILTER: u32 = 0x400;
    pub(crate) const FILTERS: u32 = 16_384;
    /// The record of the step that is being made without one: where it starts and ends; it has nothing else.
    pub(crate) const STEP: u32 = 0x300;
    /// What playouts add up: games, moves, and for each way to end how many games; of so many ways, those after them counted
    /// with the last.
    pub(crate) const COUNTS: u32 = 0xa0;
    pub(crate) const WAYS: u32 = 74;
}

/// Where the parts of a step lie in its record: each 4 bytes. Then come the effects, 16 bytes each, and the parameters, 8 each.
pub(crate) mod record {
    /// The rule, or one of the next two.
    pub(crate) const RULE: u32 = 0;
    pub(crate) const PASS: i32 = -1;
    pub(crate) const STOP: i32 = -2;
    /// Site numbers.
    pub(crate) const FROM: u32 = 4;
    pub(crate) const TO: u32 = 8;
    /// The number of a kind, or 0.
    pub(crate) const CHOICE: u32 = 12;
    /// A site number, and the number of a move type or 0 for any.
    pub(crate) const CHAIN: u32 = 16;
    pub(crate) const CHAIN_TYPE: u32 = 20;
    /// How many effects are displacements that are made at once, how many there are, and how many parameters.
    pub(crate) const AT_ONCE: u32 = 24;
    pub(crate) const EFFECTS: u32 = 28;
    pub(crate) const PARAMETERS: u32 = 32;
    pub(crate) const HASH: u32 = 36;
    pub(crate) const SIZE: u32 = 40;
    pub(crate) const EFFECT: u32 = 16;
    pub(crate) const PARAMETER: u32 = 8;
}

/// Variables of the module.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Globals {
    /// Rounds of loops that are left before the rules count as endless.
    work: Global,
    fault: Global,
    /// What runs: a rule's number; the number of rules and more for what is no rule.
    running: Global,
    /// The ends of what lies in the regions.
    log: Global,
    queue: Global,
    captures: Global,
    line: Global,
    index: Global,
    frames: Global,
    arena: Global,
    /// The end of memory.
    top: Global,
    /// Steps in the list that is being made.
    emitted: Global,
    /// What of the past can be seen: nothing, the past of the turn, or that of a reply to a move of it.
    past: Global,
    /// Whether the state that the move starts from is part of that past.
    start: Global,
    /// Whole moves that were made.
    moves: Global,
    /// The player who made the last move, and the captures of it.
    last_mover: Global,
    last_from: Global,
    last_to: Global,
    /// Where the captures of the step begin that is being made.
    step_captures: Global,
    /// Whether the last step that was made ended the move.
    ends_move: Global,
    /// In ends: where the list of legal steps begins and ends, once there is one.
    listed: Global,
    /// Whether the line is only added to, so that the filter holds.
    filtering: Global,
    /// Whether the list holds candidates only, legal or not.
    drawing: Global,
    /// Whether playouts tell who won.
    tallying: Global,
    list_start: Global,
    list_end: Global,
}

/// Functions of the module that are called from several places.
#[derive(Clone, Debug)]
pub(crate) struct Functions {
    put: Fun,
    put_owner: Fun,
    put_kind: Fun,
    mark: Fun,
    undo: Fun,
    reserve: Fun,
    capture: Fun,
    clear: Fun,
    top: Fun,
    place: Fun,
    perform: Fun,
    perform_effects: Fun,
    perform_step: Fun,
    keep: Fun,
    kept: Fun,
    redo: Fun,
    height: Fun,
    below: Fun,
    queued: Fun,
    captured: Fun,
    occurrences: Fun,
    first: Fun,
    after: Fun,
    replies: Fun,
    attacked: BTreeMap<Option<MoveType>, Fun>,
    defended: BTreeMap<Option<MoveType>, Fun>,
    strikes: BTreeMap<Option<MoveType>, Fun>,
    emit: BTreeMap<View, Fun>,
    rules: Vec<Fun>,
    hits: Vec<Option<Fun>>,
    thens: Vec<Option<Fun>>,
    before_move: Option<Fun>,
    before_step: Option<Fun>,
    after_step: Option<Fun>,
    after_move: Option<Fun>,
    invariants: Vec<Fun>,
    ends: Vec<Fun>,
    scores: Vec<Option<Fun>>,
    raw: Fun,
    same: Fun,
    distinct: Fun,
    first_class: Fun,
    prepare: Fun,
    advance: Fun,
    objection: Fun,
    prepared_objection: Fun,
    possible: Fun,
    can_go_on: Fun,
    legal: Fun,
    best: Fun,
    bounded: Fun,
    gains: Fun,
    enter: Fun,
    turned: Fun,
    pass_turn: Fun,
    make: Fun,
    stand: Fun,
    move_count: Fun,
    no_moves: Fun,
    single: Fun,
}

/// What is compiled, and into what.
pub(crate) struct Compiler<'r> {
    rules: &'r Rules,
    purpose: Purpose,
    memory: Memory,
    module: Module,
    globals: Globals,
    functions: Functions,
    limits: Limits,
    /// Whether hashes are kept with every write: the rules ask for repetitions, and there can be some.
    hashing: bool,
    contribution: Fun,
    /// For drop rules that begin with a condition on their site: what runs them where it can be true.
    drops: Vec<(RuleId, Fun)>,
    /// The rules whose steps are counted as sets of sites.
    counted: Option<counted::Counted>,
    /// The others beside these, where they are run only when they are drawn.
    deferred: Option<deferred::Deferred>,
    /// What plays and counts without the state, where the rules allow it.
    lean: Option<lean::Lean>,
    /// Those whose steps are drawn in stages.
    staged: Option<staged::Staged>,
    /// What plays turns by classes and chains on sets.
    chains: Option<chains::Chains>,
    /// The rules for second steps, where moves of two steps are drawn without listing them.
    second: Option<Vec<RuleId>>,
    /// What runs rules of the turn for one site only, where all are such.
    rounds: Option<rounds::Rounds>,
    /// What is known of attacks without running rules.
    struck: struck::Struck,
    shifts: set::Shifts,
    /// How long lines are in each direction, where slides can be sets.
    lines: IdMap<Direction, Option<u32>>,
    /// What moves one piece, and what drops one.
    displacing: Option<(Fun, Fun)>,
}

/// What a module is for. Both lie in memory alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// To list steps, to make one, and to say whether the game is over.
    Steps,
    /// To play and to count on its own, for which it knows more ways: it takes several times longer to be compiled.
    Play,
}

/// A compiled module and what the host must know of it.
#[derive(Debug)]
pub(crate) struct Compiled {
    pub(crate) bytes: Vec<u8>,
    pub(crate) memory: Memory,
    /// What was recognised, which only a module that plays makes use of.
    pub(crate) plan: Plan,
}

/// Why rules are not compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Their tables and their state take more memory than a module may have, or their programs are too long.
    #[error("the rules or the board of the game are too large for a compiled module")]
    TooLarge,
    /// The system gives this process too little room for a module's memory.
    #[error("this process has too little room for the memory of a compiled module")]
    NoRoom,
}

/// How much memory a module may have, in pages.
const MOST_PAGES: u32 = 16_384;

/// How many players, kinds and values of kinds there may be: expressions that tell them apart nest as deep.
const MOST_NAMES: usize = 1_000;

/// Compiles rules that the IR's verifier has accepted.
pub(crate) fn compile(rules: &Rules, layout: &Layout, limits: Limits, purpose: Purpose) -> Result<Compiled, Refusal> {
    let simplified = dagaz_ir::passes::simplified(rules);
    let rules = &simplified;
    let values = rules.policy.filters.iter().map(|filter| match filter {
        Filter::MostValuable(values) => values.len(),
        Filter::MostCaptured | Filter::Priority(_) => 0,
    });
    if values.chain([rules.players.len(), rules.kinds.len()]).any(|count| count > MOST_NAMES) {
        return Err(Refusal::TooLarge);
    }
    let struck = struck::Struck::of(rules, &strikers(rules));
    let strikers = struck.others.clone();
    let repeats = asks_for_the_past(rules) && !dagaz_ir::progress::never_repeats(rules);
    let alike = alike::firsts(rules);
    let memory = Memory::of(rules, layout, &strikers, &alike, repeats, struck.tables.len()).ok_or(Refusal::TooLarge)?;
    let mut module = Module::default();
    let pages = memory.arena / PAGE + 16;
    let globals = globals(&mut module, &memory, pages);
    let functions = declare(&mut module, rules, &strikers, &alike);
    let contribution = writes::contribution(&mut module);
    let (drops, shifts) = (Vec::new(), set::shifts(rules, memory.words));
    let mut compiler = Compiler {
        rules,
        purpose,
        memory,
        module,
        globals,
        functions,
        limits,
        hashing: repeats,
        contribution,
        drops,
        counted: None,
        deferred: None,
        lean: None,
        staged: None,
        chains: None,
        second: None,
        rounds: None,
        struck,
        shifts,
        lines: sliding::lines(rules),
        displacing: None,
    };
    compiler.writes();
    compiler.effects();
    compiler.past();
    compiler.queues();
    compiler.attacks();
    compiler.emit();
    compiler.programs();
    compiler.steps();
    compiler.legal();
    compiler.whole();
    compiler.turn();
    if purpose == Purpose::Play {
        compiler.stage_sets();
        compiler.count_sets();
        compiler.count_chains();
        if compiler.chains.is_none() {
            compiler.second = compiler.second_steps();
        }
    }
    compiler.count_rounds();
    compiler.ends();
    compiler.drive();
    for (address, bytes) in compiler.memory.tables(rules, layout) {
        compiler.module.data(address, bytes);
    }
    if !compiler.struck.tables.is_empty() {
        compiler.module.data(compiler.memory.struck, std::mem::take(&mut compiler.struck.tables));
    }
    let bytes = compiler.module.encode(pages, MOST_PAGES, purpose == Purpose::Steps).ok_or(Refusal::TooLarge)?;
    Ok(Compiled { bytes, plan: compiler.plan(), memory: compiler.memory })
}

fn globals(module: &mut Module, memory: &Memory, pages: u32) -> Globals {
    let mut at = |initial: u32, name| module.global(Ty::I32, i64::from(initial), name);
    Globals {
        work: at(0, None),
        fault: at(0, Some("fault")),
        running: at(0, Some("running")),
        log: at(memory.log.start, Some("log")),
        queue: at(memory.queue.start, None),
        captures: at(memory.captures.start, Some("captures")),
        line: at(memory.line.start, Some("line")),
        index: at(memory.index.start, None),
        frames: at(memory.frames.start, None),
        arena: at(memory.arena, None),
        top: at(pages * PAGE, None),
        emitted: at(0, None),
        past: at(0, None),
        start: at(0, None),
        moves: at(0, Some("moves")),
        last_mover: at(0, Some("last_mover")),
        last_from: at(0, Some("last_from")),
        last_to: at(0, Some("last_to")),
        step_captures: at(0, None),
        ends_move: at(0, Some("ends_move")),
        listed: at(0, None),
        filtering: at(0, None),
        drawing: at(0, None),
        tallying: at(0, Some("tallying")),
        list_start: at(0, Some("list_start")),
        list_end: at(0, Some("list_end")),
    }
}

fn declare(module: &mut Module, rules: &Rules, strikers: &[RuleId], alike: &IdMap<RuleId, RuleId>) -> Functions {
    use Ty::I32;
    let mut new = |name: &str, params: &[Ty], result: Option<Ty>| module.declare(name, params, result);
    let (mut rule_functions, mut thens) = (Vec::new(), Vec::new());
    let mut hits: Vec<Option<Fun>> = Vec::new();
    for (id, rule) in rules.rules.iter() {
        let name = format!("rule {} {}", id.index(), rule.name);
        rule_functions.push(new(&name, &[I32, I32], None));
        let first = hits.get(alike[id].index()).copied().flatten();
        let strikes = || first.unwrap_or_else(|| new(&format!("{name} strikes"), &[I32, I32, I32], Some(I32)));
        hits.push(strikers.contains(&id).then(strikes));
        thens.push(rule.then.as_ref().map(|_| new(&format!("{name} then"), &[I32], Some(I32))));
    }
    let types = attack_questions(rules);
    let mut each = |name: &str, params: &[Ty]| -> BTreeMap<_, _> {
        types.iter().map(|&of| (of, module.declare(name, params, Some(I32)))).collect()
    };
    let attacked = each("attacked", &[I32, I32]);
    let defended = each("defended", &[I32, I32, I32]);
    let strikes = each("strikes", &[I32, I32, I32]);
    let mut new = |name: &str, params: &[Ty], result: Option<Ty>| module.declare(name, params, result);
    let stages = &rules.stages;
    Functions {
        put: new("put", &[I32, I32], None),
        put_owner: new("put owner", &[I32, I32], None),
        put_kind: new("put kind", &[I32, I32], None),
        mark: new("mark", &[], Some(I32)),
        undo: new("undo", &[I32], None),
        reserve: new("reserve", &[I32], Some(I32)),
        capture: new("capture", &[I32], None),
        clear: new("clear", &[I32], None),
        top: new("top", &[I32, I32, I32], None),
        place: new("place", &[I32, I32, I32], None),
        perform: new("perform", &[I32], None),
        perform_effects: new("perform effects", &[I32], None),
        perform_step: new("perform step", &[I32], None),
        keep: new("keep", &[I32, I32], None),
        kept: new("kept", &[I32, I32, I32], Some(I32)),
        redo: new("redo", &[I32, I32, I32], None),
        height: new("height", &[I32], Some(I32)),
        below: new("below", &[I32, I32, I32], Some(I32)),
        queued: new("queued", &[I32, I32, I32, I32], Some(I32)),
        captured: new("captured", &[I32, I32, I32, I32], Some(I32)),
        occurrences: new("occurrences", &[I32], Some(I32)),
        first: new("first", &[I32], Some(I32)),
        after: new("after", &[I32], Some(I32)),
        replies: new("replies", &[], Some(I32)),
        attacked,
        defended,
        strikes,
        emit: [View::Before, View::Tentative].map(|view| (view, new("emit", &[I32; 8], Some(I32)))).into(),
        rules: rule_functions,
        hits,
        thens,
        before_move: stages.before_move.as_ref().map(|_| new("before-move", &[I32], Some(I32))),
        before_step: stages.before_step.as_ref().map(|_| new("before-step", &[I32], Some(I32))),
        after_step: stages.after_step.as_ref().map(|_| new("after-step", &[I32], Some(I32))),
        after_move: stages.after_move.as_ref().map(|_| new("after-move", &[I32, I32], Some(I32))),
        invariants: rules.invariants.iter().map(|_| new("invariant", &[I32], Some(I32))).collect(),
        ends: rules.ends.iter().map(|_| new("end", &[I32], Some(I32))).collect(),
        scores: rules.ends.iter().map(|end| ends::scores(end).then(|| new("score", &[I32], Some(I32)))).collect(),
        raw: new("raw", &[], None),
        same: new("same", &[I32, I32], Some(I32)),
        distinct: new("distinct", &[I32], None),
        first_class: new("first class", &[I32], None),
        prepare: new("prepare", &[], Some(I32)),
        advance: new("advance", &[I32, I32], Some(I32)),
        objection: new("objection", &[I32], Some(I32)),
        prepared_objection: new("prepared objection", &[I32], Some(I32)),
        possible: new("possible", &[], None),
        can_go_on: new("can go on", &[], Some(I32)),
        legal: new("legal", &[], None),
        best: new("best captures", &[I32], None),
        bounded: new("within bounds", &[I32], None),
        gains: new("gains", &[I32], None),
        enter: new("enter", &[I32, I32], None),
        turned: new("turned", &[I32], None),
        pass_turn: new("pass turn", &[], None),
        make: new("make", &[I32], None),
        stand: new("stand", &[], Some(I32)),
        move_count: new("move count", &[], Some(I32)),
        no_moves: new("no moves", &[], Some(I32)),
        single: new("single", &[I32], None),
    }
}

/// The rules that are run for a question about attacks.
fn strikers(rules: &Rules) -> Vec<RuleId> {
    let questions = attack_questions(rules);
    let asked = |of: Option<MoveType>| questions.iter().any(|wanted| wanted.is_none() || *wanted == of);
    let on_board = |trigger| matches!(trigger, Trigger::Piece | Trigger::AnyPiece);
    rules.rules.iter().filter(|(_, rule)| on_board(rule.trigger) && asked(rule.move_type)).map(|(id, _)| id).collect()
}

/// The move types of which rules ask what they attack or defend.
fn attack_questions(rules: &Rules) -> BTreeSet<Option<MoveType>> {
    let mut questions = BTreeSet::new();
    each_op(rules, &mut |op| {
        if let Op::Attacked(of) | Op::Defended(of) = op {
            questions.insert(of);
        }
    });
    questions
}

/// Whether anything in the rules depends on the states that stood before.
fn asks_for_the_past(rules: &Rules) -> bool {
    asks(rules, &|op| matches!(op, Op::Repetitions | Op::BoardRepetitions | Op::FirstStood))
}

/// Whether there is such an operation in the rules.
fn asks(rules: &Rules, is: &dyn Fn(Op) -> bool) -> bool {
    let mut asks = false;
    each_op(rules, &mut |op| asks |= is(op));
    asks
}

/// Shows every operation of the rules.
fn each_op(rules: &Rules, look: &mut dyn FnMut(Op)) {
    dagaz_ir::expressions::each_expr(rules, &mut |root| each_op_of(root, look));
}

fn each_op_of(expr: &Expr, look: &mut dyn FnMut(Op)) {
    look(expr.op);
    expr.args.iter().for_each(|arg| each_op_of(arg, look));
}

impl Compiler<'_> {
    /// What was recognised.
    fn plan(&self) -> Plan {
        let playouts = match &self.lean {
            Some(lean) if lean.fills() => Playing::Filling,
            Some(_) => Playing::Sets,
            None if self.chains.is_some() => Playing::Chains,
            None if self.can_draw() || self.second.is_some() => Playing::Drawing,
            None => Playing::Listing,
        };
        let shape = |id: RuleId| {
            let counted = self.counted.as_ref().and_then(|counted| counted.rules.get(&id));
            let staged = self.staged.as_ref().is_some_and(|staged| staged.rules.contains(&id));
            match counted {
                Some(&shape) => shape,
                None if staged => Shape::Stages,
                None => Shape::Listed,
            }
        };
        Plan {
            playouts,
            counts_last_moves: self.lean.as_ref().is_some_and(lean::Lean::counts)
                || self.counted.as_ref().is_some_and(|counted| counted.sifted.is_some()),
            remembers: self.hashing,
            rules: self.rules.rules.ids().map(|id| (id, shape(id))).collect(),
        }
    }
}

/// Shorthands that all parts use.
impl Compiler<'_> {
    /// Gives up: the host finds out why.
    fn fail(&self, body: &mut Body, failure: Failure) {
        body.set_global(self.globals.fault, failure as i32);
        body.push(Stmt::Trap);
    }

    /// Pays for a round of a loop.
    fn tick(&self, body: &mut Body) {
        body.set_global(self.globals.work, self.globals.work - 1);
        body.when(Ex::from(self.globals.work).lt_s(0), |body| self.fail(body, Failure::Work));
    }

    /// Pays for going through a set in memory, word by word.
    fn pay_for_set(&self, body: &mut Body) {
        body.set_global(self.globals.work, self.globals.work - self.memory.words);
        body.when(Ex::from(self.globals.work).lt_s(0), |body| self.fail(body, Failure::Work));
    }

    /// Adds words to a region, and fails when it is full.
    fn push(&self, body: &mut Body, end: Global, limit: u32, words: &[Ex]) {
        let at = body.bind(end);
        let bytes = words.len() as u32 * 4;
        body.when(at.ge_u(limit - bytes), |body| self.fail(body, Failure::Memory));
        for (index, word) in words.iter().enumerate() {
            body.store(Width::I32, at, index as u32 * 4, word.clone());
        }
        body.set_global(end, at + bytes);
    }

    /// A call for its value, an `i32`.
    fn ask(&self, function: Fun, arguments: impl IntoIterator<Item = Ex>) -> Ex {
        Ex::Call(function, arguments.into_iter().collect(), Ty::I32)
    }

    /// The word at a fixed address.
    fn word(&self, address: u32) -> Ex {
        Ex::from(0).load(Width::I32, address)
    }

    /// The cell of a global field of the state.
    fn cell(&self, field: dagaz_ir::Field) -> Ex {
        self.word(self.memory.global(field))
    }

    /// The cell of a field of a site.
    fn at(&self, field: dagaz_ir::Field, site: impl Into<Ex>) -> Ex {
        (site.into() * 4).load(Width::I32, self.memory.fields[field].base)
    }

    fn owner(&self, site: impl Into<Ex>) -> Ex {
        self.at(self.memory.known.owner, site)
    }

    fn kind(&self, site: impl Into<Ex>) -> Ex {
        self.at(self.memory.known.kind, site)
    }

    /// A part of the turn that is being played: 0 player, 1 owner, 2 move type, 3 next.
    fn turn_part(&self, part: u32) -> Ex {
        let turns = self.memory.turns + part * 4;
        (self.cell(self.memory.known.turn) * crate::memory::TURN).load(Width::I32, turns)
    }

    /// The owner of the turn, for whom rules speak.
    fn me(&self) -> Ex {
        self.turn_part(1)
    }

    /// A part of a step's record.
    fn part(&self, step: impl Into<Ex>, part: u32) -> Ex {
        step.into().load(Width::I32, part)
    }

    /// A global is given another value for a while: its old value is kept in a local.
    fn save(&self, body: &mut Body, globals: &[Global]) -> Vec<(Global, V)> {
        globals.iter().map(|&global| (global, body.bind(global))).collect()
    }

    fn restore(&self, body: &mut Body, saved: &[(Global, V)]) {
        for &(global, local) in saved {
            body.set_global(global, local);
        }
    }
}
