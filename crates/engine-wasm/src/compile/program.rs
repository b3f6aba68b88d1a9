//! Translates programs: what runs for a piece, at a stage, as an invariant or an end.

use std::collections::{BTreeMap, BTreeSet};

use dagaz_ir::meeting::only_asked;
use dagaz_ir::{Block, Expr, Function, Local, LocalInfo, Op, Program, RuleId, Stmt, StmtKind, Trigger, Type, View};

use crate::low::{Body, Ex, Fun, Label, Stmt as Low, Ty, V, Width};

use super::set::{Lifted, Words};
use super::{Compiler, record};

/// What a program is run for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Mode {
    /// Its steps are listed.
    List(RuleId),
    /// Its run ends at the first step that strikes this site.
    Hit(V),
    /// Its only step is made at once: all that is asked on the way is known to be true.
    Make,
    /// Conditions of a rule are asked apart from it.
    Ask,
    /// It surrounds a step.
    Stage,
    /// It says how the game ends.
    End,
}

/// A local variable of a program.
#[derive(Clone, Debug)]
pub(super) enum Slot {
    One(V),
    Set(Words),
}

/// A place in the queue and the log to come back to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    pub(super) log: V,
    pub(super) captures: V,
    /// The hashes, unless they are noted in the log or there are none.
    pub(super) keys: Option<[V; 2]>,
}

/// A program while it is translated.
pub(super) struct Code<'c, 'r> {
    pub(super) compiler: &'c Compiler<'r>,
    pub(super) body: &'c mut Body,
    pub(super) me: V,
    pub(super) mode: Mode,
    pub(super) slots: Vec<Slot>,
    pub(super) types: Vec<Type>,
    /// Where its part of the queue begins.
    pub(super) queue: V,
    /// Set when effects are made as soon as they are queued.
    pub(super) tentative: Option<Mark>,
    /// Set when nothing asks what effects there were, or takes some back: they are only made.
    pub(super) queueless: bool,
    /// The locals that hold floods of which only questions are asked.
    pub(super) asked: BTreeSet<Local>,
    /// Where a `verify` that is false leads.
    pub(super) stop: Label,
    /// Behind all statements.
    pub(super) out: Label,
    /// Where the run ends when a strike is found.
    pub(super) hit: Option<V>,
    /// How much of the queue each open `attempt` leaves.
    pub(super) attempts: Vec<V>,
    /// Where each open `try` has put the queue aside, if it had to.
    pub(super) aside: Vec<V>,
    /// Whether a piece asks, which stands on the site that the first local holds.
    pub(super) of_piece: bool,
    /// Sets that are known already, where the state does not change: what is asked, and the steps that lead there.
    pub(super) cache: Option<BTreeMap<Lifted, Words>>,
    /// The number of the player whom the program is about, where it is written for one alone.
    pub(super) player: Option<u32>,
    /// The frame in which sets lie, and how many bytes it has.
    pub(super) frame: V,
    pub(super) frame_bytes: u32,
}

/// What a program sees and does, apart from its statements.
pub(super) struct Setting<'p> {
    pub(super) mode: Mode,
    pub(super) locals: Vec<&'p LocalInfo>,
    pub(super) tentative: bool,
    /// See [`Code::queueless`].
    pub(super) queueless: bool,
    pub(super) of_piece: bool,
}

impl<'r> Compiler<'r> {
    pub(super) fn programs(&mut self) {
        let mut module = std::mem::take(&mut self.module);
        let functions = self.functions.clone();
        let rules = self.rules;
        for (id, rule) in rules.rules.iter() {
            let index = dagaz_base::Id::index(id);
            let (list, strikes) = (functions.rules[index], functions.hits[index]);
            let setting = |mode| Setting {
                mode,
                locals: rule.locals.values().collect(),
                tentative: rule.view == View::Tentative,
                queueless: false,
                of_piece: matches!(rule.trigger, Trigger::Piece | Trigger::AnyPiece),
            };
            module.define(list, |body, params| {
                body.set_global(self.globals.running, index as i32);
                let (me, site) = (params[0], params[1]);
                self.write_program(body, me, &setting(Mode::List(id)), |code| {
                    code.start(site);
                    code.asked = only_asked(&rule.body);
                    code.rule(&rule.body);
                });
            });
            if let Some(strikes) = strikes.filter(|&strikes| !module.is_defined(strikes)) {
                module.define(strikes, |body, params| {
                    let (me, site, target) = (params[0], params[1], params[2]);
                    let hit = body.bind(0);
                    self.write_program(body, me, &setting(Mode::Hit(target)), |code| {
                        code.hit = Some(hit);
                        code.start(site);
                        code.rule(&rule.body);
                    });
                    body.give(hit);
                });
            }
            if let (Some(then), Some(function)) = (&rule.then, functions.thens[index]) {
                module.define(function, |body, params| self.stage(body, then, index, params[0], None));
            }
        }
        let (stages, count) = (&rules.stages, rules.rules.len());
        let others = [
            (&stages.before_move, functions.before_move),
            (&stages.before_step, functions.before_step),
            (&stages.after_step, functions.after_step),
            (&stages.after_move, functions.after_move),
        ];
        for (index, (program, function)) in others.into_iter().enumerate() {
            if let (Some(program), Some(function)) = (program, function) {
                module.define(function, |body, params| {
                    self.stage(body, program, count + index, params[0], params.get(1).copied());
                });
            }
        }
        for (index, invariant) in rules.invariants.iter().enumerate() {
            self.value(&mut module, functions.invariants[index], Mode::Stage, &invariant.condition);
        }
        for (index, end) in rules.ends.iter().enumerate() {
            self.value(&mut module, functions.ends[index], Mode::End, &end.condition);
            if let (Some(function), dagaz_ir::Verdict::Score(score)) = (functions.scores[index], &end.result) {
                self.value(&mut module, function, Mode::End, score);
            }
        }
        self.module = module;
    }

    /// A function that gives a number or a truth value for a player.
    fn value(&self, module: &mut crate::low::Module, function: Fun, mode: Mode, of: &Function) {
        module.define(function, |body, params| {
            let setting = Setting {
                mode,
                locals: of.locals.values().collect(),
                tentative: false,
                queueless: false,
                of_piece: false,
            };
            let result = body.local(Ty::I32);
            self.write_program(body, params[0], &setting, |code| {
                let value = code.value(&of.body);
                code.body.set(result, value);
            });
            body.give(result);
        });
    }

    /// A program that surrounds a step: gives 1, or 0 when a condition was false, and makes no effects then.
    fn stage(&self, body: &mut Body, program: &Program, index: usize, step: V, bounds: Option<V>) {
        body.set_global(self.globals.running, index as i32);
        let me = body.bind(self.me());
        let setting = Setting {
            mode: Mode::Stage,
            locals: program.locals.values().collect(),
            tentative: true,
            queueless: is_queueless(&program.body),
            of_piece: false,
        };
        let ran = body.bind(0);
        self.write_program(body, me, &setting, |code| {
            code.known(step);
            if let Some(at) = bounds {
                code.load_bounds(&program.bounds, at);
            }
            let mark = code.tentative.expect("a stage makes its effects at once");
            let queue = code.queue;
            code.asked = only_asked(&program.body);
            code.guarded(|code| {
                code.block(&program.body);
                code.body.set(ran, 1);
            });
            code.body.when(ran.eqz(), |body| self.go_back(body, &mark));
            code.body.set_global(self.globals.queue, queue);
            if let Some(at) = bounds {
                code.store_bounds(&program.bounds, at);
            }
        });
        body.give(ran);
    }

    /// Runs statements for the sites of which a condition that stands first in a rule can be true: at least those.
    pub(super) fn each_candidate(
        &self,
        body: &mut Body,
        me: V,
        rule: &dagaz_ir::Rule,
        condition: &Expr,
        write: impl FnOnce(&mut Body, V),
    ) {
        let setting = Setting {
            mode: Mode::Ask,
            locals: rule.locals.values().collect(),
            tentative: false,
            queueless: false,
            of_piece: false,
        };
        self.write_program(body, me, &setting, |code| {
            let set = code.candidates(condition);
            code.each_site(&set, |code, site, _| {
                code.compiler.tick(code.body);
                write(code.body, site);
            });
        });
    }

    /// A function that runs a rule of the turn for one round of its loop over sites, which is this statement of its body.
    pub(super) fn round(&self, module: &mut crate::low::Module, id: RuleId, statement: usize) -> Fun {
        self.for_site(module, id, Some(statement), Mode::List(id))
    }

    /// A function that runs a rule for a site, or one round of its loop.
    pub(super) fn for_site(
        &self,
        module: &mut crate::low::Module,
        id: RuleId,
        round: Option<usize>,
        mode: Mode,
    ) -> Fun {
        let rule = &self.rules.rules[id];
        let name = format!("rule {} at a site", dagaz_base::Id::index(id));
        module.function(name, &[Ty::I32, Ty::I32], None, |body, params| {
            let locals = rule.locals.values().collect();
            let setting = Setting { mode, locals, tentative: false, queueless: false, of_piece: false };
            self.write_program(body, params[0], &setting, |code| {
                let Some(statement) = round else {
                    code.start(params[1]);
                    return code.rule(&rule.body);
                };
                let StmtKind::For(local, _, inside) = &rule.body[statement].kind else {
                    unreachable!("the statement is a loop")
                };
                code.guarded(|code| {
                    code.block(&rule.body[..statement]);
                    if let Slot::One(site) = code.slots[dagaz_base::Id::index(*local)] {
                        code.body.set(site, params[1]);
                    }
                    code.block(inside);
                });
            });
        })
    }

    /// Runs `write` with two locals, the sites that ways speak of, and remembers the sets that it asks for.
    pub(super) fn with_sites(&self, body: &mut Body, me: V, write: impl FnOnce(&mut Code<'_, 'r>)) {
        let site = LocalInfo { name: String::new(), ty: Type::Site };
        let setting = Setting {
            mode: Mode::Ask,
            locals: vec![&site, &site],
            tentative: false,
            queueless: false,
            of_piece: false,
        };
        self.write_program(body, me, &setting, |code| {
            code.cache = Some(BTreeMap::new());
            write(code);
        });
    }

    /// Writes a program with its frame around it.
    pub(super) fn write_program(
        &self,
        body: &mut Body,
        me: V,
        setting: &Setting<'_>,
        write: impl FnOnce(&mut Code<'_, 'r>),
    ) {
        let queue = body.bind(self.globals.queue);
        let tentative = setting.tentative.then(|| match setting.queueless {
            true => self.hold(body),
            false => Mark {
                log: body.bind(self.ask(self.functions.mark, [])),
                captures: body.bind(self.globals.captures),
                keys: None,
            },
        });
        let frame = body.local(Ty::I32);
        let mut frame_bytes = 0;
        let (statements, ()) = body.apart(|body| {
            body.block(|body, out| {
                let mut code = Code {
                    compiler: self,
                    body,
                    me,
                    mode: setting.mode,
                    slots: Vec::new(),
                    types: setting.locals.iter().map(|local| local.ty).collect(),
                    queue,
                    tentative,
                    queueless: setting.queueless,
                    asked: BTreeSet::new(),
                    stop: out,
                    out,
                    hit: None,
                    attempts: Vec::new(),
                    aside: Vec::new(),
                    of_piece: setting.of_piece,
                    cache: None,
                    player: None,
                    frame,
                    frame_bytes: 0,
                };
                for ty in code.types.clone() {
                    let slot = code.slot(ty);
                    code.slots.push(slot);
                }
                write(&mut code);
                frame_bytes = code.frame_bytes;
            });
        });
        if frame_bytes > 0 {
            let at = self.frame(body, frame_bytes);
            body.set(frame, at);
        }
        statements.into_iter().for_each(|statement| body.push(statement));
        if frame_bytes > 0 {
            body.set_global(self.globals.frames, frame);
        }
        if let Mode::List(_) | Mode::Hit(_) | Mode::Make = setting.mode {
            body.set_global(self.globals.queue, queue);
            if let Some(mark) = tentative {
                self.go_back(body, &mark);
            }
        }
    }
}

impl Code<'_, '_> {
    /// A variable of the type, as it starts.
    fn slot(&mut self, ty: Type) -> Slot {
        match ty {
            Type::Set => Slot::Set(self.empty_variable()),
            _ => Slot::One(self.body.local(Ty::I32)),
        }
    }

    /// Gives the first local the site that a rule is run for.
    fn start(&mut self, site: V) {
        if let Some(&Slot::One(first)) = self.slots.first() {
            self.body.set(first, site);
        }
    }

    /// The body of a rule, up to where a false condition leads.
    fn rule(&mut self, block: &Block) {
        self.guarded(|code| code.block(block));
    }

    /// Writes statements that a false condition leaves.
    pub(super) fn guarded(&mut self, write: impl FnOnce(&mut Self)) {
        let label = self.body.label();
        let outer = std::mem::replace(&mut self.stop, label);
        let (statements, ()) = self.apart(write);
        self.body.push(Low::Block(label, statements));
        self.stop = outer;
    }

    /// Gives the first locals what is known of a step: its sites, and its parameters.
    fn known(&mut self, step: V) {
        let compiler = self.compiler;
        let locals: Vec<_> = self.slots.iter().cloned().zip(self.types.clone()).collect();
        self.body.when(step, |body| {
            let parameters = body.bind(compiler.part(step, record::PARAMETERS));
            let at = body.bind(step + compiler.part(step, record::EFFECTS) * record::EFFECT + record::SIZE);
            for (index, (slot, ty)) in locals.iter().enumerate() {
                let &Slot::One(local) = slot else { continue };
                let index = index as u32;
                match index {
                    0 => body.set(local, compiler.part(step, record::FROM)),
                    1 => body.set(local, compiler.part(step, record::TO)),
                    _ => {
                        let place = (index - 2) * record::PARAMETER;
                        let given = Ex::from(index - 2).lt_s(parameters);
                        let same = at.load(Width::I32, place).eq(i32::from(*ty == Type::Site));
                        if matches!(ty, Type::Int | Type::Site) {
                            body.when(crate::low::pick(given, same, 0), |body| {
                                body.set(local, at.load(Width::I32, place + 4));
                            });
                        }
                    }
                }
            }
        });
    }

    /// Takes the values that bounds have from the moves before, if there were any.
    fn load_bounds(&mut self, bounds: &[Local], at: V) {
        let condition = at.load(Width::I32, 0);
        let (statements, ()) = self.apart(|code| {
            let mut offset = 8;
            for bound in bounds {
                match code.slots[dagaz_base::Id::index(*bound)].clone() {
                    Slot::One(local) => {
                        code.body.set(local, at.load(Width::I32, offset));
                        offset += 8;
                    }
                    Slot::Set(words) => {
                        let stored = Words::At(at + offset);
                        code.assign(&words, &stored);
                        offset += code.compiler.memory.set_bytes();
                    }
                }
            }
        });
        self.body.push(Low::If(condition, statements, Vec::new()));
    }

    /// Leaves the values for the moves after, if anybody keeps them.
    fn store_bounds(&mut self, bounds: &[Local], at: V) {
        let (statements, ()) = self.apart(|code| {
            code.body.store(Width::I32, at, 0, 1);
            let mut offset = 8;
            for bound in bounds {
                match code.slots[dagaz_base::Id::index(*bound)].clone() {
                    Slot::One(local) => {
                        code.body.store(Width::I32, at, offset, local);
                        offset += 8;
                    }
                    Slot::Set(words) => {
                        code.assign(&Words::At(at + offset), &words);
                        offset += code.compiler.memory.set_bytes();
                    }
                }
            }
        });
        self.body.push(Low::If(at.into(), statements, Vec::new()));
    }

    /// Writes statements for each player alone, so that what he means by directions is known; for all at once where there are many.
    pub(super) fn for_each_player(&mut self, write: &dyn Fn(&mut Self)) {
        let players = self.compiler.memory.players;
        if players > 2 {
            return write(self);
        }
        let cache = self.cache.clone();
        for number in 1..=players {
            self.player = Some(number);
            let (statements, ()) = self.apart(|code| write(code));
            self.body.push(Low::If(self.me.eq(number), statements, Vec::new()));
            self.cache.clone_from(&cache);
        }
        self.player = None;
    }

    /// Writes statements apart.
    pub(super) fn apart<R>(&mut self, write: impl FnOnce(&mut Self) -> R) -> (Vec<Low>, R) {
        self.body.open_block();
        let result = write(self);
        (self.body.close_block(), result)
    }
}

/// Whether effects of a program need only be made: it takes none back, and does not ask what it has set.
fn is_queueless(body: &[Stmt]) -> bool {
    let reads = |expr: &Expr| {
        let mut reads = false;
        super::each_op_of(expr, &mut |op| reads |= matches!(op, Op::ReadNow(_)));
        reads
    };
    !Stmt::any(body, &|statement| {
        let takes_back =
            matches!(statement.kind, StmtKind::Attempt(_) | StmtKind::Try(_) | StmtKind::Forget | StmtKind::Discard);
        takes_back || statement.expressions().into_iter().any(reads)
    })
}

/// Bytes that the bounds of the stage after a move take.
pub(super) fn bounds_bytes(compiler: &Compiler<'_>) -> u32 {
    let Some(stage) = &compiler.rules.stages.after_move else { return 8 };
    let sizes = stage.bounds.iter().map(|&bound| match stage.locals[bound].ty {
        Type::Set => compiler.memory.set_bytes(),
        _ => 8,
    });
    8 + sizes.sum::<u32>()
}
