//! Compiled rules as an [`Executor`].

use std::fmt;
use std::sync::{Arc, OnceLock};

use dagaz_base::Id;
use dagaz_board::Site;
use dagaz_engine::{
    Cell, Chain, Effect, Executor, Fault, History, Interpreter, Layout, Limits, Outcome, Parameter, Piece, Seen, Share,
    Situation, State, Step, StepRule, Tally, Undo, perft, tally,
};
use dagaz_ir::{Field, Kind, Label, MoveType, Player, RuleId, Rules, Verdict};
use wasmtime::Engine;

use crate::artefact::Cache;
use crate::compile::{Compiled, Failure, Purpose, Refusal, compile, effect, ends as standing, mail, record};
use crate::host::{self, Answers, Host, MOST_MEMORY, Plays, Running, Stop};
use crate::memory::{MEMORY_CELL, Memory, PIECE_CELL, Region};
use crate::plan::Plan;
use crate::ways;

/// Runs rules that were compiled to a WebAssembly module.
///
/// What it answers is what the [`Interpreter`] answers. Where the module gives up (rules without an end, lists that are too
/// long), the interpreter is asked, which says what went wrong and where; only [`perft`](Self::perft()) and
/// [`playouts`](Self::playouts()) say so themselves.
///
/// There are two modules. What counts and plays whole games takes several times longer to be compiled than what answers questions
/// about one state, so it is only compiled when it is asked for, or by [`prepare`](Self::prepare()).
pub struct Wasm {
    interpreter: Interpreter,
    layout: Layout,
    memory: Memory,
    /// Whether the states of a line must be told to a module.
    remembers: bool,
    engine: Engine,
    cache: Option<Arc<dyn Cache + Send + Sync>>,
    answers: Host<Answers>,
    plays: OnceLock<Result<Host<Plays>, Refusal>>,
    plan: OnceLock<Result<Plan, Refusal>>,
    /// What each player has of a game that ended in each way, where the number of the way says it.
    shares: Vec<Option<Vec<Share>>>,
}

impl fmt::Debug for Wasm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Wasm").field("rules", &self.rules().name).finish_non_exhaustive()
    }
}

/// What many playouts came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Playouts {
    /// How many games were played.
    pub games: u64,
    /// How many whole moves were made in all of them.
    pub moves: u64,
    /// How many of them came to an end before their limit.
    pub finished: u64,
}

impl Wasm {
    /// Compiles rules that the IR's verifier has accepted, with the usual limits.
    pub fn new(rules: Arc<Rules>) -> Result<Self, Refusal> {
        Self::with_limits(rules, Limits::default())
    }

    /// The same with other limits.
    pub fn with_limits(rules: Arc<Rules>, limits: Limits) -> Result<Self, Refusal> {
        Self::with_cache(rules, limits, None)
    }

    /// The same with machine code that a cache may have.
    pub fn with_cache(
        rules: Arc<Rules>,
        limits: Limits,
        cache: Option<Arc<dyn Cache + Send + Sync>>,
    ) -> Result<Self, Refusal> {
        let interpreter = Interpreter::with_limits(rules, limits);
        let layout = interpreter.layout().clone();
        let Compiled { bytes, memory, plan } = compile(interpreter.rules(), &layout, limits, Purpose::Steps)?;
        let shares = (0..mail::WAYS - 1).map(|way| ways::shares(interpreter.rules(), way)).collect();
        let engine = host::engine();
        let answers = Host::new(&engine, &bytes, cache.as_deref().map(|cache| cache as &dyn Cache));
        Ok(Self {
            interpreter,
            layout,
            memory,
            remembers: plan.remembers,
            engine,
            cache,
            answers: answers.ok_or(Refusal::NoRoom)?,
            plays: OnceLock::new(),
            plan: OnceLock::new(),
            shares,
        })
    }

    /// What was recognised in the rules.
    pub fn plan(&self) -> Result<&Plan, Refusal> {
        let plan = self.plan.get_or_init(|| self.compile_plays().map(|compiled| compiled.plan));
        plan.as_ref().map_err(|&refusal| refusal)
    }

    /// Compiles what only [`perft`](Self::perft()) and [`playouts`](Self::playouts()) need, which they else do when they are
    /// called first.
    pub fn prepare(&self) -> Result<(), Refusal> {
        self.plays().map(|_| ())
    }

    fn plays(&self) -> Result<&Host<Plays>, Refusal> {
        let plays = self.plays.get_or_init(|| {
            let Compiled { bytes, plan, .. } = self.compile_plays()?;
            self.plan.get_or_init(|| Ok(plan));
            Host::new(&self.engine, &bytes, self.cache.as_deref().map(|cache| cache as &dyn Cache))
                .ok_or(Refusal::NoRoom)
        });
        plays.as_ref().map_err(|&refusal| refusal)
    }

    fn compile_plays(&self) -> Result<Compiled, Refusal> {
        compile(self.rules(), &self.layout, self.interpreter.limits(), Purpose::Play)
    }

    /// Ends all calls that run at the moment: those of other threads give [`Fault::Interrupted`].
    pub fn interrupt(&self) {
        self.engine.increment_epoch();
    }

    /// How many sequences of `depth` moves there are from a state, as [`perft`](dagaz_engine::perft()) counts them. States to
    /// which moves of one turn lead are told apart by a hash of 64 bits.
    pub fn perft(&self, state: &State, history: &dyn History, depth: u32) -> Result<u64, Fault> {
        let depth = i32::try_from(depth).unwrap_or(i32::MAX);
        self.play(|running| {
            self.load(running, state, history)?;
            let function = running.functions.perft.clone();
            let count = function.call(&mut running.store, depth).map_err(|error| running.stop(&error))?;
            Ok(count as u64)
        })
    }

    /// Plays games at random from a state, each whole move being equally likely, to their ends or to a limit of moves. The
    /// same seed gives the same games, which are not those of [`playout`](dagaz_engine::playout()).
    pub fn playouts(
        &self,
        state: &State,
        history: &dyn History,
        games: u32,
        limit: u32,
        seed: u64,
    ) -> Result<Playouts, Fault> {
        self.play(|running| {
            self.play_games(running, state, history, games, limit, seed, false)?;
            let count = |index: u32| running.long(mail::COUNTS + index * 8);
            Ok(Playouts { games: count(0), moves: count(1), finished: count(0) - count(2 + ways::OPEN) })
        })
    }

    /// The same with what it came to; nothing where the module cannot tell who won.
    fn tally_inside(
        &self,
        state: &State,
        history: &dyn History,
        games: u32,
        limit: u32,
        seed: u64,
    ) -> Result<Option<Tally>, Fault> {
        self.play(|running| {
            self.play_games(running, state, history, games, limit, seed, true)?;
            let mut tally = Tally::new(self.rules());
            let count = |index: u32| running.long(mail::COUNTS + index * 8);
            (tally.games, tally.moves) = (count(0), count(1));
            for way in 0..mail::WAYS {
                match (count(2 + way), self.shares.get(way as usize)) {
                    (0, _) => {}
                    (games, _) if way == ways::OPEN => tally.open = games,
                    (games, Some(Some(shares))) => tally.add(shares, games),
                    _ => return Ok(None),
                }
            }
            let finals = self.memory.finals;
            tally.held = (finals.start..finals.end).step_by(8).map(|at| running.long(at)).collect();
            Ok(Some(tally))
        })
    }

    /// Plays in the module; what it came to stands in its memory then.
    #[expect(clippy::too_many_arguments, reason = "all that a playout depends on")]
    fn play_games(
        &self,
        running: &mut Running<Plays>,
        state: &State,
        history: &dyn History,
        games: u32,
        limit: u32,
        seed: u64,
        tallying: bool,
    ) -> Result<(), Stop> {
        let (games, limit) = (games.min(i32::MAX as u32) as i32, limit.min(i32::MAX as u32) as i32);
        self.load(running, state, history)?;
        for word in 0..4 {
            let bits = dagaz_base::random::mix(seed.wrapping_add(word).wrapping_mul(0x9e37_79b9_7f4a_7c15));
            running.put(mail::RANDOM + word as u32 * 8, &bits.to_le_bytes());
        }
        running.put(mail::COUNTS, &[0; 16 + mail::WAYS as usize * 8]);
        running.set(running.globals.tallying, i32::from(tallying));
        let function = running.functions.playouts.clone();
        function.call(&mut running.store, (games, limit)).map_err(|error| running.stop(&error))
    }

    /// Lets the module play or count.
    fn play<R>(&self, call: impl FnOnce(&mut Running<Plays>) -> Result<R, Stop>) -> Result<R, Fault> {
        match self.plays() {
            Ok(plays) => plays.with(call).map_err(|stop| self.fault(stop)),
            Err(_) => Err(Fault::TooMuchMemory { limit: MOST_MEMORY as u64 }),
        }
    }

    /// Puts a state and its past into the memory of a module, if the past has room there.
    fn load<F>(&self, running: &mut Running<F>, state: &State, history: &dyn History) -> Result<(), Stop> {
        let memory = &self.memory;
        let past = if self.remembers { history.states() } else { Vec::new() };
        let room = |region: &Region, bytes: usize| bytes < (region.end - region.start) as usize;
        if !room(&memory.line, past.len() * 16) || !room(&memory.captures, history.captured().len() * 8) {
            return Err(Stop::Gave(Failure::Memory as i32, 0));
        }
        let data = running.memory.data_mut(&mut running.store);
        for (field, place) in memory.fields.iter() {
            let Some(Cell(cell)) = self.layout.cell(field, 0) else { continue };
            let first = place.base + u32::from(place.per_site) * place.stride * 4;
            let cells = &state.cells()[cell as usize..][..(place.count * place.stride) as usize];
            let words = data[first as usize..][..cells.len() * 4].chunks_exact_mut(4);
            words.zip(cells).for_each(|(word, cell)| word.copy_from_slice(&cell.to_le_bytes()));
        }
        let (sites, bytes) = (memory.sites as usize, memory.set_bytes() as usize);
        for (field, base, count) in [
            (memory.known.owner, memory.owner_sets, memory.players),
            (memory.known.kind, memory.kind_sets, memory.kinds),
        ] {
            let sets = &mut data[base as usize..][..(count as usize + 1) * bytes];
            sets.fill(0);
            let numbers =
                self.layout.cell(field, 0).map_or(&[][..], |Cell(cell)| &state.cells()[cell as usize..][..sites]);
            for (site, &number) in numbers.iter().enumerate() {
                sets[number as usize * bytes + site / 8] |= 1 << (site % 8);
            }
        }
        let mut put = |address: u32, bytes: &[u8]| data[address as usize..][..bytes.len()].copy_from_slice(bytes);
        let keys = state.keys();
        for (index, key) in [keys.state, state.hash() ^ keys.state, keys.board].into_iter().enumerate() {
            put(mail::KEYS + index as u32 * 8, &key.to_le_bytes());
        }
        let mut line = memory.line.start;
        for keys in past {
            put(line, &keys.state.to_le_bytes());
            put(line + 8, &keys.board.to_le_bytes());
            line += 16;
        }
        let mut captures = memory.captures.start;
        for piece in history.captured() {
            put(captures, &number(piece.owner).to_le_bytes());
            put(captures + 4, &number(piece.kind).to_le_bytes());
            captures += 8;
        }
        let globals = running.globals;
        let moves = i32::try_from(history.moves()).unwrap_or(i32::MAX);
        for (global, value) in [
            (globals.line, line as i32),
            (globals.moves, moves),
            (globals.last_mover, history.last_mover().map_or(0, number)),
            (globals.last_from, memory.captures.start as i32),
            (globals.last_to, captures as i32),
            (globals.captures, captures as i32),
        ] {
            running.set(global, value);
        }
        Ok(())
    }

    /// The legal steps of a state at the start of a move as playouts find them, in no order; passing is not among them. For tests.
    pub fn drawable(&self, state: &State, history: &dyn History) -> Result<Vec<Step>, Fault> {
        self.play(|running| {
            self.load(running, state, history)?;
            let function = running.functions.drawable.clone();
            function.call(&mut running.store, ()).map_err(|error| running.stop(&error))?;
            Ok(self.listed(running))
        })
    }

    /// The steps of the list that the module made.
    fn listed<F>(&self, running: &mut Running<F>) -> Vec<Step> {
        let (start, end) = (running.get(running.globals.list_start), running.get(running.globals.list_end));
        (start as u32..end as u32).step_by(4).map(|at| self.decode(running, running.word(at) as u32)).collect()
    }

    fn decode<F>(&self, running: &Running<F>, at: u32) -> Step {
        let part = |part: u32| running.word(at + part);
        let rule = match part(record::RULE) {
            record::PASS => StepRule::Pass,
            record::STOP => StepRule::Stop,
            rule => StepRule::Rule(RuleId::from_index(rule as usize)),
        };
        let effects = part(record::EFFECTS) as u32;
        let first = at + record::SIZE;
        let parameters = first + effects * record::EFFECT;
        Step {
            rule,
            from: site(part(record::FROM)),
            to: site(part(record::TO)),
            choice: id(part(record::CHOICE)),
            parameters: (0..part(record::PARAMETERS) as u32)
                .map(|index| {
                    let at = parameters + index * record::PARAMETER;
                    let value = running.word(at + 4);
                    if running.word(at) == 0 { Parameter::Int(value) } else { Parameter::Site(site(value)) }
                })
                .collect(),
            effects: (0..effects)
                .map(|index| {
                    let at = first + index * record::EFFECT;
                    decode_effect([0, 4, 8, 12].map(|part| running.word(at + part)))
                })
                .collect(),
            chain: site(part(record::CHAIN))
                .map(|site| Chain { site, move_type: id::<MoveType>(part(record::CHAIN_TYPE)) }),
        }
    }

    /// A step as the module writes it.
    fn encode(&self, step: &Step) -> Vec<u8> {
        let (rule, at_once) = match step.rule {
            StepRule::Pass => (record::PASS, 0),
            StepRule::Stop => (record::STOP, 0),
            StepRule::Rule(rule) => {
                let leading = step.effects.iter().take_while(|effect| effect.is_displacement()).count();
                let before = self.rules().rules[rule].view == dagaz_ir::View::Before;
                (rule.index() as i32, if before { leading as i32 } else { 0 })
            }
        };
        // Only rules of the game have effects.
        let effects = if rule >= 0 { &step.effects[..] } else { &[] };
        let (chain, chain_type) = match step.chain {
            Some(chain) => (number(chain.site), chain.move_type.map_or(0, number)),
            None => (0, 0),
        };
        let head = [
            rule,
            step.from.map_or(0, number),
            step.to.map_or(0, number),
            step.choice.map_or(0, number),
            chain,
            chain_type,
            at_once,
            effects.len() as i32,
            step.parameters.len() as i32,
            0,
        ];
        let effects = effects.iter().flat_map(encode_effect);
        let parameters = step.parameters.iter().flat_map(|parameter| match *parameter {
            Parameter::Int(value) => [0, value],
            Parameter::Site(site) => [1, site.map_or(0, number)],
        });
        head.into_iter().chain(effects).chain(parameters).flat_map(i32::to_le_bytes).collect()
    }

    /// Takes over what the module wrote since the log began.
    fn take_writes(&self, running: &mut Running<Answers>, state: &mut State) -> Undo {
        let memory = &self.memory;
        let mut undo = Undo::default();
        let end = running.get(running.globals.log) as u32;
        for at in (memory.log.start..end).step_by(12) {
            let address = running.word(at) as u32;
            if (memory.cells.start..memory.cells.end).contains(&address) {
                let number = running.word(memory.cell_numbers + address - memory.cells.start) as u32;
                undo.write(state, &self.layout, Cell(number & !(MEMORY_CELL | PIECE_CELL)), running.word(at + 8));
            }
        }
        undo.ends_move = running.get(running.globals.ends_move) != 0;
        let captures = running.get(running.globals.captures) as u32;
        undo.captured = (memory.captures.start..captures)
            .step_by(8)
            .map(|at| Piece {
                owner: Player::from_index(running.word(at) as usize - 1),
                kind: Kind::from_index(running.word(at + 4) as usize - 1),
            })
            .collect();
        undo
    }

    /// What a failed call says of the rules.
    fn fault(&self, stop: Stop) -> Fault {
        let limits = self.interpreter.limits();
        let (failure, running) = match stop {
            Stop::Interrupted => return Fault::Interrupted,
            Stop::Deep => return Fault::EndlessChain { limit: limits.chain },
            Stop::Gave(failure, running) => (failure, running as usize),
        };
        let (rule, name, origin) = self.running(running);
        match failure {
            failure if failure == Failure::Work as i32 => Fault::Endless { rule, name, limit: limits.work, origin },
            failure if failure == Failure::Steps as i32 => Fault::TooManySteps { name, limit: limits.steps, origin },
            failure if failure == Failure::Chain as i32 => Fault::EndlessChain { limit: limits.chain },
            _ => Fault::TooMuchMemory { limit: MOST_MEMORY as u64 },
        }
    }

    /// What ran, by the number that the module gave it.
    fn running(&self, number: usize) -> (Option<RuleId>, String, Option<dagaz_base::Origin>) {
        let rules = self.rules();
        if number < rules.rules.len() {
            let id = RuleId::from_index(number);
            return (Some(id), rules.rules[id].name.clone(), rules.rules[id].origin);
        }
        let number = number - rules.rules.len();
        let stages = &rules.stages;
        let programs = [&stages.before_move, &stages.before_step, &stages.after_step, &stages.after_move];
        let names = ["before-move", "before-step", "after-step", "after-move"];
        if let (Some(program), Some(name)) = (programs.get(number), names.get(number)) {
            return (None, (*name).to_owned(), program.as_ref().and_then(|program| program.origin));
        }
        let number = number - programs.len();
        if let Some(invariant) = rules.invariants.get(number) {
            return (None, invariant.name.clone(), invariant.origin);
        }
        match rules.ends.get(number - rules.invariants.len()) {
            Some(end) => (None, end.name.clone(), end.origin),
            None => (None, rules.name.clone(), None),
        }
    }

    fn outcome(&self, running: &mut Running<Answers>, state: &State, code: i32) -> Result<Outcome, Stop> {
        let rules = self.rules();
        if code == standing::STUCK {
            return Ok(Outcome::stuck(rules));
        }
        let (end, player) = (code as usize / rules.players.len(), code as usize % rules.players.len());
        let scores = match &rules.ends[end].result {
            Verdict::Win | Verdict::Loss | Verdict::Draw => None,
            Verdict::Count => Some(self.pieces(state)),
            Verdict::Score(_) => {
                let function = running.functions.score_of.clone();
                let mut score = |player: Player| {
                    let arguments = (end as i32, number(player));
                    function.call(&mut running.store, arguments).map_err(|error| running.stop(&error))
                };
                Some(rules.players.ids().map(&mut score).collect::<Result<Box<[i32]>, Stop>>()?)
            }
        };
        Ok(Outcome::decided(rules, end, Player::from_index(player), scores))
    }

    /// How many pieces each player has on the board.
    fn pieces(&self, state: &State) -> Box<[i32]> {
        let sites = self.rules().topology.sites();
        let mut counts = vec![0; self.rules().players.len()];
        for site in sites {
            let owner = state.get(self.layout.at(self.layout.known.owner, site));
            if owner > 0 {
                counts[owner as usize - 1] += 1;
            }
        }
        counts.into()
    }
}

impl Executor for Wasm {
    fn rules(&self) -> &Arc<Rules> {
        self.interpreter.rules()
    }

    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn initial(&self) -> State {
        self.interpreter.initial()
    }

    fn steps(&self, state: &State, history: &dyn History) -> Result<Vec<Step>, Fault> {
        let steps = self.answers.with(|running| {
            self.load(running, state, history)?;
            let function = running.functions.steps.clone();
            function.call(&mut running.store, ()).map_err(|error| running.stop(&error))?;
            Ok(self.listed(running))
        });
        steps.or_else(|_| self.interpreter.steps(state, history))
    }

    fn situation(&self, state: &State, history: &dyn History) -> Result<Situation, Fault> {
        let situation = self.answers.with(|running| {
            self.load(running, state, history)?;
            let function = running.functions.situation.clone();
            match function.call(&mut running.store, ()).map_err(|error| running.stop(&error))? {
                standing::OPEN => Ok(Situation::Open(self.listed(running))),
                code => self.outcome(running, state, code).map(Situation::Over),
            }
        });
        situation.or_else(|_| self.interpreter.situation(state, history))
    }

    fn count(&self, state: &State, history: &dyn History, depth: u32) -> Result<u64, Fault> {
        match self.prepare() {
            Ok(()) => self.perft(state, history, depth),
            Err(_) => perft(self, state, history, depth),
        }
    }

    /// In the module, where a move begins and who won can be told; each whole move is equally likely there.
    fn tally(&self, state: &State, history: &dyn History, games: u32, limit: u32, seed: u64) -> Result<Tally, Fault> {
        if self.chain(state).is_none() {
            match self.tally_inside(state, history, games, limit, seed) {
                Ok(Some(tally)) => return Ok(tally),
                Err(Fault::Interrupted) => return Err(Fault::Interrupted),
                // What went wrong is found again step by step.
                Ok(None) | Err(_) => {}
            }
        }
        tally(self, state, history, games, limit, seed)
    }

    /// What is seen is said by the interpreter: it is asked for once a picture, not once a move.
    fn seen_by(&self, state: &State, player: Player) -> Result<Seen, Fault> {
        self.interpreter.seen_by(state, player)
    }

    fn apply(&self, state: &mut State, step: &Step) -> Result<Undo, Fault> {
        let record = self.encode(step);
        let made = self.answers.with(|running| {
            self.load(running, state, &dagaz_engine::NoHistory)?;
            let room = running.memory.data_size(&running.store);
            if self.memory.arena as usize + record.len() > room {
                return Err(Stop::Gave(Failure::Memory as i32, 0));
            }
            running.put(self.memory.arena, &record);
            let function = running.functions.apply.clone();
            function.call(&mut running.store, record.len() as i32).map_err(|error| running.stop(&error))?;
            Ok(self.take_writes(running, state))
        });
        made.or_else(|_| self.interpreter.apply(state, step))
    }
}

/// The number of something, counted from 1.
fn number<T: Id>(id: T) -> i32 {
    id.index() as i32 + 1
}

/// What a number stands for; 0 is nothing.
fn id<T: Id>(number: i32) -> Option<T> {
    (number > 0).then(|| T::from_index(number as usize - 1))
}

fn site(number: i32) -> Option<Site> {
    id(number)
}

fn decode_effect([what, a, b, c]: [i32; 4]) -> Effect {
    let at = |number: i32| Site::from_index(number as usize - 1);
    let (owner, kind) =
        (|number: i32| Player::from_index(number as usize - 1), |number: i32| Kind::from_index(number as usize - 1));
    let field = Field::from_index(what as usize >> 8);
    match what & 255 {
        effect::MOVE => Effect::Move { from: at(a), to: at(b) },
        effect::COPY => Effect::Copy { from: at(a), to: at(b) },
        effect::DROP => Effect::Drop { site: at(a), owner: owner(b), kind: kind(c) },
        effect::CAPTURE => Effect::Capture { site: at(a) },
        effect::CREATE => Effect::Create { site: at(a), owner: owner(b), kind: kind(c) },
        effect::RETYPE => Effect::Retype { site: at(a), kind: kind(b) },
        effect::REOWN => Effect::Reown { site: at(a), owner: owner(b) },
        effect::FLIP => Effect::Flip { site: at(a) },
        effect::SET_AT => Effect::SetAt { field, site: at(a), value: b },
        effect::SET => Effect::Set { field, index: a as u32, value: b },
        effect::PUSH => Effect::Push { site: at(a), owner: owner(b), kind: kind(c) },
        effect::POP => Effect::Pop { site: at(a) },
        effect::TUCK => Effect::Tuck { site: at(a), owner: owner(b), kind: kind(c) },
        effect::JUMP => Effect::Jump { label: Label::from_index(a as usize) },
        other => unreachable!("the module writes effects that there are: not {other}"),
    }
}

fn encode_effect(effect: &Effect) -> [i32; 4] {
    let on = |what: i32, field: Field| what | (field.index() as i32) << 8;
    match *effect {
        Effect::Move { from, to } => [effect::MOVE, number(from), number(to), 0],
        Effect::Copy { from, to } => [effect::COPY, number(from), number(to), 0],
        Effect::Drop { site, owner, kind } => [effect::DROP, number(site), number(owner), number(kind)],
        Effect::Capture { site } => [effect::CAPTURE, number(site), 0, 0],
        Effect::Create { site, owner, kind } => [effect::CREATE, number(site), number(owner), number(kind)],
        Effect::Retype { site, kind } => [effect::RETYPE, number(site), number(kind), 0],
        Effect::Reown { site, owner } => [effect::REOWN, number(site), number(owner), 0],
        Effect::Flip { site } => [effect::FLIP, number(site), 0, 0],
        Effect::SetAt { field, site, value } => [on(effect::SET_AT, field), number(site), value, 0],
        Effect::Set { field, index, value } => [on(effect::SET, field), index as i32, value, 0],
        Effect::Push { site, owner, kind } => [effect::PUSH, number(site), number(owner), number(kind)],
        Effect::Pop { site } => [effect::POP, number(site), 0, 0],
        Effect::Tuck { site, owner, kind } => [effect::TUCK, number(site), number(owner), number(kind)],
        Effect::Jump { label } => [effect::JUMP, label.index() as i32, 0, 0],
    }
}
