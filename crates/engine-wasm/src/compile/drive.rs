//! Plays and counts inside the module: what the host asks for at once, and not move by move.

use dagaz_base::Id as _;
use dagaz_ir::{Next, Pass, Player, Stmt, StmtKind};

use crate::low::{Body, Ex, Fun, Global, Module, Stmt as Low, Ty, V, Width, c64, pick};

use super::ends::{OPEN, STUCK, drawing};
use super::lean::Lean;
use super::random;
use super::{Compiler, Failure, Purpose, mail, record};
use crate::ways;

/// A whole move that was found: its last step, the one before it in the same form or 0, and the move that was found next.
mod node {
    pub(super) const STEP: u32 = 0;
    pub(super) const BEFORE: u32 = 4;
    pub(super) const NEXT: u32 = 8;
    pub(super) const SIZE: u32 = 12;
}

/// Functions and variables for whole moves.
#[derive(Clone, Copy)]
pub(super) struct Moves {
    /// Finds the moves that go on with the steps of a list after a node, or with none before.
    complete: Fun,
    /// Makes a move that was found, as the next one of the line.
    play: Fun,
    /// Gives what has changed since the root, as one number.
    pub(super) signature: Fun,
    /// The first move that was found, the last one, and how many there are.
    first: Global,
    last: Global,
    count: Global,
    /// Where the log stood at the start of the move, and the table of the states that moves led to.
    pub(super) root: Global,
    table: Global,
    mask: Global,
    /// How many steps the move has that is being looked at.
    depth: Global,
    /// Whether the table was too small.
    full: Global,
}

impl Compiler<'_> {
    pub(super) fn drive(&mut self) {
        match self.purpose {
            Purpose::Steps => self.answer(),
            Purpose::Play => self.play(),
        }
    }

    /// Answers questions about one state.
    fn answer(&mut self) {
        let mut module = std::mem::take(&mut self.module);
        let functions = self.functions.clone();
        let globals = self.globals;
        let steps = module.declare("steps", &[], None);
        module.define(steps, |body, _| {
            self.begin(body);
            body.set_global(globals.listed, 0);
            self.list(body);
        });
        let situation = module.declare("situation", &[], Some(Ty::I32));
        module.define(situation, |body, _| {
            self.begin(body);
            body.give(self.ask(functions.stand, []));
        });
        let score = module.declare("score_of", &[Ty::I32, Ty::I32], Some(Ty::I32));
        module.define(score, |body, params| {
            for (index, function) in functions.scores.iter().enumerate() {
                let Some(function) = function else { continue };
                body.when(params[0].eq(index as i32), |body| body.give(self.ask(*function, [params[1].into()])));
            }
            body.give(0);
        });
        // The host puts the record of the step at the start of the arena, and says how many bytes it has.
        let apply = module.declare("apply", &[Ty::I32], None);
        module.define(apply, |body, params| {
            self.begin(body);
            let step = body.bind(self.ask(functions.reserve, [params[0].into()]));
            body.eval(self.ask(functions.mark, []));
            body.call(functions.make, vec![step.into()]);
        });
        for function in [steps, situation, score, apply] {
            module.export(function);
        }
        self.module = module;
    }

    /// Plays and counts.
    fn play(&mut self) {
        let mut module = std::mem::take(&mut self.module);
        let globals = self.globals;
        // The legal steps as playouts find them: in another order.
        let drawable = module.declare("drawable", &[], None);
        module.define(drawable, |body, _| {
            self.begin(body);
            let apart = self.deferred.is_some() || self.rounds.is_some();
            if !self.can_draw() || self.staged.is_some() || self.chains.is_some() || apart {
                body.set_global(globals.listed, 0);
                return self.list(body);
            }
            self.make_room(body);
            body.set_global(globals.listed, 0);
            self.candidates(body);
            self.see_the_past(body);
            let start = body.bind(globals.list_start);
            if let Some(counted) = &self.counted {
                body.repeat_while(counted.left, |body, _| {
                    let at = body.bind(globals.index);
                    let step = body.bind(self.ask(counted.take, [0.into()]));
                    body.set_global(globals.index, at);
                    self.push(body, globals.index, self.memory.index.end, &[step.into()]);
                });
            }
            self.keep_listed(body, start, |body, at, _| {
                self.refill(body);
                self.in_prepared(at.load(Width::I32, 0))
            });
            body.set_global(globals.list_end, globals.index);
        });

        let moves = self.whole_moves(&mut module);
        let lean = self.lean(&mut module);
        let below = random::below(&mut module);
        let attempt = (self.can_draw() && self.chains.is_none()).then(|| self.attempt(&mut module));
        let draws = match (&self.chains, attempt) {
            (Some(chains), _) => Some(self.draw_chains(&mut module, chains, &moves, below)),
            (None, Some(attempt)) if self.draws_or_lists() => {
                let (ended, draw) = self.drawing(&mut module, below, attempt);
                Some((ended, self.draw_or_list(&mut module, &moves, below, draw)))
            }
            (None, attempt) => attempt.map(|attempt| self.drawing(&mut module, below, attempt)),
        };
        let perft = self.perft(&mut module, moves, (draws, attempt), lean.as_ref());
        let playouts = self.playouts(&mut module, moves, (below, draws), lean.as_ref());
        for function in [drawable, perft, playouts] {
            module.export(function);
        }
        self.lean = lean;
        self.module = module;
    }

    /// Empties the regions.
    fn begin(&self, body: &mut Body) {
        let (globals, memory) = (&self.globals, &self.memory);
        let starts = [
            (globals.log, memory.log.start),
            (globals.queue, memory.queue.start),
            (globals.index, memory.index.start),
            (globals.frames, memory.frames.start),
            (globals.arena, memory.arena),
            (globals.fault, 0),
            (globals.filtering, 0),
        ];
        for (global, start) in starts {
            body.set_global(global, start);
        }
        self.refill(body);
    }

    /// Room for the sets of steps that are counted.
    fn make_room(&self, body: &mut Body) {
        if let Some(counted) = &self.counted {
            body.set_global(counted.place, self.ask(self.functions.reserve, [counted.bytes.into()]));
            body.call(counted.prepare, Vec::new());
        }
    }

    /// The work that a turn may make is there anew.
    pub(super) fn refill(&self, body: &mut Body) {
        body.set_global(self.globals.work, self.limits.work.min(i32::MAX as u64) as i32);
    }

    fn whole_moves(&self, module: &mut Module) -> Moves {
        let functions = self.functions.clone();
        let globals = self.globals;
        let mut global = || module.global(Ty::I32, 0, None);
        let (first, last, count, root, table, mask) = (global(), global(), global(), global(), global(), global());
        let (depth, full) = (global(), global());
        let signature = self.signature(module, root);

        // Whether no move before led to this state: two hashes that are equal count as equal states.
        let fresh = module.function("fresh", &[Ty::I64], Some(Ty::I32), |body, params| {
            let hash = params[0];
            let slot = body.bind((hash.wrap() & mask) & -8);
            body.repeat(|body, out| {
                let other = body.bind((table + slot).load(Width::I64, 0));
                body.when(other.eq(c64(0)), |body| body.go(out));
                body.when(other.eq(hash), |body| body.give(0));
                body.set(slot, (slot + 8) & mask & -8);
            });
            // The table stays at most half full: when it would not, it is of no use, and a larger one is tried.
            body.when(Ex::from(count).ge_u(Ex::from(mask).shr_u(4)), |body| {
                body.set_global(full, 1);
                body.give(0);
            });
            body.store(Width::I64, table + slot, 0, hash);
            body.give(1);
        });

        let complete = module.declare("complete", &[Ty::I32, Ty::I32, Ty::I32], None);
        module.define(complete, |body, params| {
            let (at, end, before) = (body.bind(params[0]), params[1], params[2]);
            let limit = self.limits.chain.min(i32::MAX as usize) as i32;
            body.set_global(depth, depth + 1);
            body.when(Ex::from(depth).gt_s(limit), |body| self.fail(body, Failure::Chain));
            body.repeat_while(at.ne(end), |body, _| {
                self.tick(body);
                let step = body.bind(at.load(Width::I32, 0));
                let saved = self.save(body, &[globals.captures]);
                let mark = body.bind(self.ask(functions.mark, []));
                body.call(functions.make, vec![step.into()]);
                let ended = body.bind(globals.ends_move);
                let found = Ex::Call(signature, Vec::new(), Ty::I64);
                let new = body.bind(pick(ended, self.ask(fresh, [found]), 1));
                body.when(new, |body| {
                    let made = body.bind(self.ask(functions.reserve, [node::SIZE.into()]));
                    body.store(Width::I32, made, node::STEP, step);
                    body.store(Width::I32, made, node::BEFORE, before);
                    body.store(Width::I32, made, node::NEXT, 0);
                    body.either(
                        ended,
                        |body| {
                            body.either(
                                count,
                                |body| body.store(Width::I32, last, node::NEXT, made),
                                |body| body.set_global(first, made),
                            );
                            body.set_global(last, made);
                            body.set_global(count, count + 1);
                        },
                        |body| {
                            let kept = self.save(body, &[globals.index]);
                            self.see_the_past(body);
                            let start = body.bind(globals.index);
                            body.call(functions.legal, vec![]);
                            let rest = [start.into(), globals.index.into(), made.into()];
                            body.call(complete, rest.to_vec());
                            self.restore(body, &kept);
                        },
                    );
                });
                body.call(functions.undo, vec![mark.into()]);
                self.restore(body, &saved);
                body.set(at, at + 4);
            });
            body.set_global(depth, depth - 1);
        });

        let steps = module.declare("play steps", &[Ty::I32], None);
        module.define(steps, |body, params| {
            let before = body.bind(params[0].load(Width::I32, node::BEFORE));
            body.when(before, |body| body.call(steps, vec![before.into()]));
            body.call(functions.make, vec![params[0].load(Width::I32, node::STEP)]);
        });
        let play = module.function("play", &[Ty::I32], None, |body, params| {
            self.in_line(body, |body| body.call(steps, vec![params[0].into()]));
        });
        Moves { complete, play, signature, first, last, count, root, table, mask, depth, full }
    }

    /// The variables that a move of the line changes.
    pub(super) fn line(&self) -> [Global; 6] {
        let globals = &self.globals;
        [globals.captures, globals.line, globals.last_from, globals.last_to, globals.last_mover, globals.moves]
    }

    /// Makes a whole move and notes it as the last one of the line.
    pub(super) fn in_line(&self, body: &mut Body, make: impl FnOnce(&mut Body)) {
        let globals = &self.globals;
        let mover = body.bind(self.turn_part(0));
        let captures = body.bind(globals.captures);
        if self.hashing {
            self.enter_line(body);
        }
        make(body);
        body.set_global(globals.last_from, captures);
        body.set_global(globals.last_to, globals.captures);
        body.set_global(globals.last_mover, mover);
        body.set_global(globals.moves, globals.moves + 1);
    }

    /// What has changed since the start of a move, as one number: sums over all writes, in which what was written over cancels
    /// out. Where the last step went does not matter.
    fn signature(&self, module: &mut Module, root: Global) -> Fun {
        let (memory, globals) = (&self.memory, &self.globals);
        module.function("signature", &[], Some(Ty::I64), |body, _| {
            let sum = body.bind(c64(1));
            let at = body.bind(root);
            let apart = [memory.known.last_from, memory.known.last_to];
            body.repeat_while(Ex::from(at).ne(globals.log), |body, _| {
                let address = body.bind(at.load(Width::I32, 0));
                let mut counts = (address - memory.cells.start).lt_u(memory.cells.end - memory.cells.start);
                for field in apart.into_iter().flatten() {
                    counts = counts & address.ne(memory.global(field));
                }
                body.when(counts, |body| {
                    let value = |offset: u32| {
                        Ex::Call(self.contribution, vec![address.into(), at.load(Width::I32, offset)], Ty::I64)
                    };
                    body.set(sum, sum + value(8) - value(4));
                });
                body.set(at, at + super::writes::ENTRY);
            });
            // 0 marks what is free in the table.
            body.give(crate::low::select(sum.eq(c64(0)), c64(1), sum));
        })
    }

    /// Finds all whole moves that begin with the listed steps.
    fn find(&self, body: &mut Body, moves: &Moves) {
        let globals = &self.globals;
        let steps = globals.list_end - globals.list_start;
        // Room for twice what the steps alone lead to; where chains lead to more, 16 times as much the next time.
        body.set_global(moves.mask, self.table_mask(steps * 4) | 1023);
        let saved = self.save(body, &[globals.arena]);
        body.repeat(|body, out| {
            for global in [moves.first, moves.last, moves.count, moves.depth, moves.full] {
                body.set_global(global, 0);
            }
            body.set_global(moves.table, self.ask(self.functions.reserve, [moves.mask + 1]));
            body.push(Low::Clear(moves.table.into(), moves.mask + 1));
            body.set_global(moves.root, globals.log);
            let list = [globals.list_start.into(), globals.list_end.into(), 0.into()];
            body.call(moves.complete, list.to_vec());
            body.when(Ex::from(moves.full).eqz(), |body| body.go(out));
            self.restore(body, &saved);
            body.when(Ex::from(moves.mask).ge_u(1 << 27), |body| self.fail(body, Failure::Memory));
            body.set_global(moves.mask, moves.mask * 16 + 15);
        });
    }

    fn perft(
        &self,
        module: &mut Module,
        moves: Moves,
        (draws, attempt): (Option<(Fun, Fun)>, Option<Fun>),
        lean: Option<&Lean>,
    ) -> Fun {
        let functions = self.functions.clone();
        let globals = self.globals;
        let below = module.declare("perft below", &[Ty::I32], Some(Ty::I64));
        let tally = draws.zip(attempt).and_then(|((ended, _), attempt)| {
            let tally = self.tally(module, (ended, attempt), (&moves, below))?;
            Some((tally, module.global(Ty::I32, 0, None)))
        });
        module.define(below, |body, params| {
            let depth = params[0];
            body.when(depth.le_s(0), |body| body.give(c64(1)));
            self.refill(body);
            let kept = [globals.index, globals.arena, globals.captures];
            let saved = self.save(body, &kept);
            if let Some((tally, failed)) = tally {
                body.when(Ex::from(failed).eqz(), |body| {
                    let count = body.bind(Ex::Call(tally, vec![depth.into()], Ty::I64));
                    body.when(count.ne(Ex::C64(-1)), |body| body.give(count));
                    body.set_global(failed, 1);
                    self.refill(body);
                });
            }
            // The last moves need not be made, only counted, where each leads to a state of its own.
            if let (Some(staged), Some((ended, _))) = (self.staged.as_ref().filter(|staged| staged.tells), draws) {
                body.when(depth.eq(1), |body| {
                    let sum = body.bind(0);
                    body.when(self.ask(ended, [drawing::LISTS.into()]).eq(OPEN), |body| {
                        self.candidates(body);
                        body.call(staged.settle, vec![]);
                        body.set(sum, staged.most);
                    });
                    self.restore(body, &saved);
                    body.give(sum.extend());
                });
            }
            let over = self.ask(functions.stand, []).ne(OPEN);
            body.when(over, |body| {
                self.restore(body, &saved);
                body.give(c64(0));
            });
            self.find(body, &moves);
            let sum = body.bind(Ex::from(moves.count).extend());
            body.when(depth.gt_s(1), |body| {
                body.set(sum, c64(0));
                let line = self.save(body, &self.line());
                let made = body.bind(moves.first);
                body.repeat_while(made, |body, _| {
                    let mark = body.bind(self.ask(functions.mark, []));
                    body.call(moves.play, vec![made.into()]);
                    body.set(sum, sum + Ex::Call(below, vec![depth - 1], Ty::I64));
                    body.call(functions.undo, vec![mark.into()]);
                    self.restore(body, &line);
                    body.set(made, made.load(Width::I32, node::NEXT));
                });
            });
            self.restore(body, &saved);
            body.give(sum);
        });
        module.function("perft", &[Ty::I32], Some(Ty::I64), |body, params| {
            self.begin(body);
            if let Some(lean) = lean {
                self.count_lean(body, lean, params[0]);
            }
            self.reserve_stages(body);
            if let Some((_, failed)) = tally {
                self.make_room(body);
                // In the middle of a move steps are counted otherwise.
                let mut amiss = self.cell(self.memory.known.chain).ne(0);
                for (field, initial) in self.rules.fields.ids().filter_map(|field| Some((field, self.started(field)?)))
                {
                    amiss = amiss | self.cell(field).ne(initial);
                }
                body.set_global(failed, amiss);
            }
            body.give(Ex::Call(below, vec![params[0].into()], Ty::I64));
        })
    }

    /// Whether a rule makes steps after which the move goes on.
    pub(super) fn has_chains(&self) -> bool {
        let goes_on = |statement: &Stmt| match &statement.kind {
            StmtKind::Emit(emit) => matches!(emit.next, Next::Again(..)),
            _ => false,
        };
        self.rules.rules.values().any(|rule| Stmt::any(&rule.body, &goes_on))
    }

    /// Plays games from the state as it is, each whole move being equally likely, until they are over or so many moves long.
    ///
    /// Where each step is a move and no list must be compared, a step is drawn first and then tried: the next one is drawn among
    /// the others when it is not legal.
    fn playouts(
        &self,
        module: &mut Module,
        moves: Moves,
        (below, draws): (Fun, Option<(Fun, Fun)>),
        lean: Option<&Lean>,
    ) -> Fun {
        let functions = self.functions.clone();
        let globals = self.globals;
        let restart = |body: &mut Body, saved: V, back: bool| {
            let bytes = self.memory.state_bytes();
            let state = Ex::from(self.memory.cells.start);
            let (to, from) = if back { (state, saved.into()) } else { (saved.into(), state) };
            body.push(Low::Copy(to, from, bytes.into()));
        };
        module.function("playouts", &[Ty::I32, Ty::I32], None, |body, params| {
            let (games, limit) = (params[0], params[1]);
            self.begin(body);
            if let Some(lean) = lean {
                self.play_lean(body, lean, games, limit);
            }
            let finals = self.memory.finals;
            let saved = body.bind(self.ask(functions.reserve, [(self.memory.state_bytes() + 24).into()]));
            restart(body, saved, false);
            let keys = self.memory.state_bytes();
            body.push(Low::Copy(saved + keys, mail::KEYS.into(), 24.into()));
            self.make_room(body);
            self.reserve_stages(body);
            self.reserve_rounds(body);
            if let Some(chains) = &self.chains {
                self.reserve_chains(body, chains);
            }
            let start = self.save(body, &self.line());
            let arena = body.bind(globals.arena);
            body.count(0, games, |body, _, _| {
                restart(body, saved, true);
                body.push(Low::Copy(mail::KEYS.into(), saved + keys, 24.into()));
                self.restore(body, &start);
                if self.hashing {
                    self.start_filter(body);
                }
                let made = body.bind(0);
                let code = body.local(Ty::I32);
                body.repeat(|body, out| {
                    self.refill(body);
                    body.set_global(globals.log, self.memory.log.start);
                    body.set_global(globals.index, self.memory.index.start);
                    body.set_global(globals.arena, arena);
                    match draws {
                        Some((ended, draw)) => {
                            body.set(code, self.ask(ended, [drawing::SUPPOSES.into()]));
                            body.when(code.ne(OPEN), |body| body.go(out));
                            body.when(made.ge_s(limit), |body| {
                                // Whether the player is stuck is not known before the draw.
                                body.set(code, self.ask(functions.stand, []));
                                body.go(out);
                            });
                            let line = self.save(body, &self.line());
                            match self.chains.is_some() || self.draws_or_lists() {
                                true => body.set(code, self.ask(draw, [])),
                                false => self.in_line(body, |body| body.set(code, self.ask(draw, []))),
                            }
                            body.when(code.eqz(), |body| {
                                self.restore(body, &line);
                                body.set(code, self.ask(ended, [drawing::LISTS.into()]));
                                body.set(code, crate::low::select(code.eq(OPEN), STUCK, code));
                                body.go(out);
                            });
                        }
                        None => {
                            body.set(code, self.ask(functions.stand, []));
                            body.when(code.ne(OPEN), |body| body.go(out));
                            body.when(made.ge_s(limit), |body| body.go(out));
                            self.draw_move(body, &moves, below);
                        }
                    }
                    body.set(made, made + 1);
                });
                self.count_game(body, made, code, &|body, end, player| self.scored(body, end, player));
            });
            // The last game is left as it ended.
            let owned = self.memory.owner_sets + self.memory.set_bytes();
            body.push(Low::Copy(finals.start.into(), owned.into(), (finals.end - finals.start).into()));
        })
    }

    /// What a player scores by an end that compares scores, in the state as it is.
    fn scored(&self, body: &mut Body, end: usize, player: Player) -> Ex {
        let number = player.index() as u32 + 1;
        if let Some(function) = self.functions.scores[end] {
            return body.bind(self.ask(function, [(number as i32).into()])).into();
        }
        let set = self.memory.owner_sets + number * self.memory.set_bytes();
        let words = (0..self.memory.words).map(|word| Ex::from(0).load(Width::I64, set + word * 8).popcnt());
        words.reduce(|a, b| a + b).unwrap_or(c64(0)).wrap()
    }

    /// Adds a game to what playouts came to; `score` says what a player scores by an end that compares scores.
    pub(super) fn count_game(&self, body: &mut Body, made: V, code: V, score: &dyn Fn(&mut Body, usize, Player) -> Ex) {
        let count = |body: &mut Body, at: Ex, more: Ex| {
            let at = body.bind(at);
            body.store(Width::I64, at, 0, at.load(Width::I64, 0) + more);
        };
        count(body, mail::COUNTS.into(), c64(1));
        count(body, (mail::COUNTS + 8).into(), made.extend());
        let way = body.bind(code + 2);
        body.when(self.globals.tallying, |body| {
            for (end, first) in ways::scored(self.rules) {
                let players = self.memory.players as i32;
                let last = (end + 1) as i32 * players;
                body.when(code.ge_s(end as i32 * players) & code.lt_s(last), |body| {
                    let compared = &self.rules.ends[end].players;
                    let scores: Vec<V> = compared
                        .iter()
                        .map(|&player| {
                            let value = score(body, end, player);
                            body.bind(value)
                        })
                        .collect();
                    let most = body.bind(scores[0]);
                    for &score in &scores[1..] {
                        body.set(most, crate::low::select(score.gt_s(most), score, most));
                    }
                    let best = scores.iter().enumerate().map(|(index, &score)| Ex::from(score).eq(most) * (1 << index));
                    let best = best.reduce(|a, b| a + b).unwrap_or(0.into());
                    body.set(way, best + first as i32);
                });
            }
        });
        let rest = mail::WAYS as i32 - 1;
        let way = crate::low::select(way.lt_s(rest), way, rest);
        count(body, way * 8 + (mail::COUNTS + 16), c64(1));
    }

    /// The filter knows the states of the line so far, and from now on those that are added.
    fn start_filter(&self, body: &mut Body) {
        body.push(Low::Clear(mail::FILTER.into(), (mail::FILTERS * 2).into()));
        body.set_global(self.globals.filtering, 1);
        let at = body.bind(self.memory.line.start);
        body.repeat_while(Ex::from(at).ne(self.globals.line), |body, _| {
            self.count_in_filters(body, |offset| at.load(Width::I64, offset));
            body.set(at, at + 16);
        });
    }

    /// Room for the sets of steps that are chosen in stages.
    fn reserve_stages(&self, body: &mut Body) {
        if let Some(staged) = &self.staged {
            body.set_global(staged.place, self.ask(self.functions.reserve, [staged.room.into()]));
        }
    }

    /// Draws a whole move of those that the listed steps begin, and makes it.
    pub(super) fn draw_move(&self, body: &mut Body, moves: &Moves, below: Fun) {
        let globals = &self.globals;
        // Where no step goes on, each is a move.
        let chained = body.bind(0);
        if self.has_chains() {
            let at = body.bind(globals.list_start);
            body.repeat_while(Ex::from(at).ne(globals.list_end), |body, _| {
                body.set(chained, chained | self.part(at.load(Width::I32, 0), record::CHAIN));
                body.set(at, at + 4);
            });
        }
        body.when(chained.eqz(), |body| {
            let count = body.bind((globals.list_end - globals.list_start).shr_u(2));
            let place = self.ask(below, [count.into()]) * 4 + globals.list_start;
            let step = body.bind(place.load(Width::I32, 0));
            self.in_line(body, |body| body.call(self.functions.make, vec![step.into()]));
        });
        body.when(chained, |body| self.draw_chain(body, moves, below));
    }

    /// The same where some moves have several steps.
    fn draw_chain(&self, body: &mut Body, moves: &Moves, below: Fun) {
        self.find(body, moves);
        let left = body.bind(self.ask(below, [moves.count.into()]));
        let made = body.bind(moves.first);
        body.repeat_while(left, |body, _| {
            body.set(made, made.load(Width::I32, node::NEXT));
            body.set(left, left - 1);
        });
        body.call(moves.play, vec![made.into()]);
    }

    /// Whether the steps of a turn are moves that can be judged one by one.
    pub(super) fn can_draw(&self) -> bool {
        let bounds = self.rules.stages.after_move.as_ref().is_some_and(|stage| !stage.bounds.is_empty());
        !bounds && !self.has_chains() && !self.compares_captures() && self.asks_whether_stuck()
    }

    /// Whether moves are drawn in a way that may fail where there are some: then they are listed.
    fn draws_or_lists(&self) -> bool {
        self.second.is_some() || self.rounds.is_some()
    }

    /// Whether all that ends ask of the list of moves is whether it is empty.
    pub(super) fn asks_whether_stuck(&self) -> bool {
        let mut counts = 0;
        super::each_op(self.rules, &mut |op| counts += u32::from(op == dagaz_ir::Op::MoveCount));
        counts == self.empty_questions()
    }

    /// How often ends ask whether there is no move.
    fn empty_questions(&self) -> u32 {
        self.rules.ends.iter().map(|end| super::ends::empty_questions(&end.condition.body)).sum()
    }

    /// A function that makes a step if it is legal, as a whole move; else gives 0 and leaves the state as it was.
    fn attempt(&self, module: &mut Module) -> Fun {
        let functions = self.functions.clone();
        let globals = self.globals;
        module.function("attempt", &[Ty::I32], Some(Ty::I32), |body, params| {
            let step = params[0];
            // Nothing refuses a pass.
            body.when(self.part(step, record::RULE).lt_s(0), |body| {
                body.call(functions.make, vec![step.into()]);
                body.give(1);
            });
            let saved = self.save(body, &[globals.step_captures]);
            let mark = self.hold(body);
            body.block(|body, refused| {
                if functions.before_move.is_none() && functions.before_step.is_none() {
                    body.set_global(globals.step_captures, globals.captures);
                } else {
                    body.when(self.ask(functions.prepare, []).eqz(), |body| body.go(refused));
                }
                if self.rules.policy.no_null_moves {
                    let rule = body.bind(self.part(step, record::RULE));
                    let chain = body.bind(0);
                    let asks = pick(self.surely_changes(step), 0, self.asks_for_change(rule, chain));
                    body.when(asks, |body| {
                        let again = self.hold(body);
                        body.call(functions.perform_effects, vec![step.into()]);
                        let changed = body.bind(Ex::from(globals.log).ne(again.log));
                        self.go_back(body, &again);
                        body.when(changed.eqz(), |body| body.go(refused));
                    });
                }
                let lawful = self.ask(functions.advance, [step.into(), 1.into()]);
                body.when(lawful.eqz(), |body| body.go(refused));
                if let Some(stage) = functions.after_move {
                    body.when(self.ask(stage, [step.into(), 0.into()]).eqz(), |body| body.go(refused));
                }
                body.call(functions.pass_turn, vec![]);
                body.give(1);
            });
            self.go_back(body, &mark);
            self.restore(body, &saved);
            body.give(0);
        })
    }

    /// Whether the game is over, the steps that rules make being listed as candidates; and a draw among them.
    fn drawing(&self, module: &mut Module, below: Fun, attempt: Fun) -> (Fun, Fun) {
        let functions = self.functions.clone();
        let globals = self.globals;
        let pass = self.rules.policy.pass;
        let [hopeful, first_end] = [true, false].map(|hopeful| {
            module.function("first end", &[], Some(Ty::I32), |body, _| {
                body.set_global(globals.listed, 0);
                self.each_end(body, hopeful);
                body.give(OPEN);
            })
        });
        // Who supposes that there are moves is right as long as no end is true.
        let ended = module.function("ended", &[Ty::I32], Some(Ty::I32), |body, params| {
            body.set_global(globals.drawing, params[0]);
            let supposes = params[0].eq(drawing::SUPPOSES);
            let code = body.bind(pick(supposes.clone(), self.ask(hopeful, []), self.ask(first_end, [])));
            body.when(supposes & code.ne(OPEN), |body| {
                body.set_global(globals.drawing, drawing::LISTS);
                body.give(self.ask(first_end, []));
            });
            body.give(code);
        });

        let pair = self.second.as_ref().map(|seconds| self.pair(module, seconds));
        let run = self.deferred.as_ref().map(|deferred| self.attempt_deferred(module, deferred, attempt));
        let draw = module.function("draw", &[], Some(Ty::I32), |body, _| {
            if let Some(rounds) = &self.rounds {
                self.see_the_past(body);
                return self.draw_round(body, rounds, below, attempt);
            }
            self.candidates(body);
            if let Some(pair) = pair {
                self.see_the_past(body);
                return self.draw_pair(body, below, attempt, pair);
            }
            let start = body.bind(globals.list_start);
            let count = body.bind((globals.list_end - start).shr_u(2));
            self.see_the_past(body);
            let counted = self.counted.as_ref();
            let sets = || counted.map_or(Ex::from(0), |counted| counted.left.into());
            if pass == Pass::Always {
                // Passing is one of the candidates, and always legal.
                body.call(functions.single, vec![record::PASS.into()]);
                let at = body.bind(start + count * 4);
                let passing = (globals.index - 4).load(Width::I32, 0);
                body.store(Width::I32, at, 0, passing);
                body.set(count, count + 1);
            }
            let most = || self.staged.as_ref().map_or(Ex::from(0), |staged| staged.most.into());
            let others = |body: &mut Body, number: V| {
                let try_step = |body: &mut Body, step: Ex| {
                    body.when(self.ask(attempt, [step]), |body| body.give(1));
                };
                body.either(
                    number.lt_s(sets()),
                    |body| match counted.map(|counted| (counted.play, counted.attempt, counted.take)) {
                        Some((Some(play), ..)) => {
                            body.call(play, vec![number.into()]);
                            body.give(1);
                        }
                        Some((None, Some(attempt), _)) => {
                            body.when(self.ask(attempt, [number.into()]), |body| body.give(1));
                        }
                        Some((None, None, take)) => try_step(body, self.ask(take, [number.into()])),
                        None => {}
                    },
                    |body| {
                        let at = body.bind((number - sets()) * 4 + start);
                        try_step(body, at.load(Width::I32, 0));
                        body.set(count, count - 1);
                        body.store(Width::I32, at, 0, (start + count * 4).load(Width::I32, 0));
                    },
                );
            };
            let pairs = || self.deferred.as_ref().map_or(Ex::from(0), |deferred| deferred.left.into());
            body.repeat_while(most() + sets() + count + pairs(), |body, _| {
                let number = body.bind(self.ask(below, [most() + sets() + count + pairs()]));
                if let Some(run) = run {
                    let known = body.bind(sets() + count);
                    let drawn = |body: &mut Body| {
                        body.when(self.ask(run, [number - known]), |body| body.give(1));
                    };
                    return body.either(number.lt_s(known), |body| others(body, number), drawn);
                }
                let Some(staged) = &self.staged else { return others(body, number) };
                body.either(
                    number.lt_s(staged.most),
                    |body| {
                        body.when(self.ask(staged.play, [number.into()]), |body| body.give(1));
                        body.set_global(staged.draws, staged.draws - 1);
                        body.when(Ex::from(staged.draws).le_s(0), |body| body.call(staged.settle, vec![]));
                    },
                    |body| {
                        body.set(number, number - staged.most);
                        others(body, number);
                    },
                );
            });
            if pass == Pass::Forced {
                body.call(functions.single, vec![record::PASS.into()]);
                body.call(functions.make, vec![(globals.index - 4).load(Width::I32, 0)]);
                body.give(1);
            }
            body.give(0);
        });
        (ended, draw)
    }

    /// Lists the steps that rules make, legal or not, unless they are listed already.
    pub(super) fn candidates(&self, body: &mut Body) {
        let globals = &self.globals;
        body.when(Ex::from(globals.listed).eqz(), |body| {
            body.set_global(globals.listed, 1);
            body.set_global(globals.list_start, globals.index);
            let left = self.counted.iter().map(|counted| counted.left);
            for left in left.chain(self.deferred.iter().map(|deferred| deferred.left)) {
                body.set_global(left, 0);
            }
            let list = |body: &mut Body| {
                let start = body.bind(globals.index);
                let (counted, staged) = (self.counted.as_ref(), self.staged.as_ref());
                let pairs = self.deferred.as_ref().map(|deferred| deferred.count);
                let computed = [staged.map(|staged| staged.prepare), counted.map(|counted| counted.count), pairs];
                computed.into_iter().flatten().for_each(|compute| body.call(compute, vec![]));
                if counted.is_some_and(|counted| counted.list_others.is_none()) {
                    return body.set_global(globals.emitted, 0);
                }
                let others =
                    counted.and_then(|counted| counted.list_others).or(staged.map(|staged| staged.list_others));
                body.call(others.unwrap_or(self.functions.raw), vec![]);
                body.call(self.functions.first_class, vec![start.into()]);
                body.call(self.functions.distinct, vec![start.into()]);
            };
            if self.functions.before_move.is_none() && self.functions.before_step.is_none() {
                list(body);
                return body.set_global(globals.list_end, globals.index);
            }
            let saved = self.save(body, &[globals.step_captures]);
            let mark = self.hold(body);
            body.when(self.ask(self.functions.prepare, []), list);
            body.set_global(globals.list_end, globals.index);
            self.go_back(body, &mark);
            self.restore(body, &saved);
        });
    }
}
