//! The battery holds for honest executors and tells the others where they lie.

use std::sync::Arc;

use dagaz_engine::{
    Executor, Fault, History, Interpreter, Law, Layout, Situation, State, Step, Undo, battery, battery_with,
};
use dagaz_ir::{Expr, Op, Pass, Rules, Scope, Trigger, Verdict};

use crate::game::{
    BLACK, Game, THERE, WHITE, again, dropped, effect, emit, empty, enemy, go, here, kind, me, set, there, verify,
};

/// Men that step, jump in chains, are taken into the hand of their owner and dropped again.
fn busy() -> Game {
    let mut game = Game::new(4, 4);
    let moved = game.field("moved", Scope::Piece, 1);
    game.field("last-from", Scope::Global, 16);
    game.field("last-to", Scope::Global, 16);
    let man = game.kind_with("man", &[(moved, 0)]);
    game.hand(WHITE, man, 1);
    game.walker(man, "n e w");
    for direction in ["n", "e", "s", "w"] {
        let over = game.step(direction, here());
        let body = vec![
            set(THERE, game.step(direction, over.clone())),
            verify(enemy(over.clone())),
            verify(empty(there())),
            go(),
            effect(Op::Capture, [over]),
            effect(Op::SetAt(moved), [there(), Expr::int(1)]),
            emit(again(None)),
        ];
        game.rule(direction, man, Trigger::Piece, body);
    }
    let body = vec![verify(empty(here())), effect(Op::Drop, [here(), me(), kind(man)]), emit(dropped())];
    game.rule("drop", man, Trigger::Drop, body);
    game.put(WHITE, man, "a1 b1 c1 d1").put(BLACK, man, "a4 b4 c4 d4");
    game.rules.policy.recycle_captures = true;
    game.rules.policy.chain_may_stop = true;
    game.rules.policy.pass = Pass::Forced;
    let third = Expr::new(Op::Equal, [Expr::leaf(Op::Repetitions), Expr::int(3)]);
    game.end(&[WHITE, BLACK], Verdict::Draw, third);
    game
}

#[test]
fn the_interpreter_keeps_the_laws() {
    let engine = busy().interpreter();
    let report = battery(&engine, 8, 120, 1).expect("the laws hold");
    assert_eq!(report.games, 8);
    assert!(report.plies > 500 && report.widest > 10, "{report:?}");
    assert_eq!(battery(&engine, 8, 120, 1), Ok(report), "the same seed plays the same games");
}

#[test]
fn a_broken_law_says_how_to_break_it_again() {
    let engine = busy().interpreter();
    let mut after_ten = |moment: dagaz_engine::Moment<'_>| match moment.line.moves() {
        10 => Err("ten moves are enough".to_owned()),
        _ => Ok(()),
    };
    let broken = battery_with(&engine, 3, 50, 40, &mut after_ten).expect_err("ten moves are made");
    assert_eq!((broken.game, broken.seed), (0, 40));
    let again = battery_with(&engine, 1, broken.plies, broken.seed, &mut after_ten).expect_err("the same game");
    assert_eq!(again, broken);
    assert!(broken.to_string().starts_with("ten moves are enough: game 0, seed 40, ply "), "{broken}");
}

/// How an executor can be wrong.
#[derive(Clone, Copy, PartialEq)]
enum Lie {
    /// It lists the first step twice.
    Twice,
    /// Each captured piece is lost when a step is taken back.
    HalfUndone,
    /// It opens a game without steps.
    NoSteps,
    /// What it lists as situation is not what it lists as steps.
    Shuffled,
}

struct Liar(Interpreter, Lie);

impl Executor for Liar {
    fn rules(&self) -> &Arc<Rules> {
        self.0.rules()
    }
    fn layout(&self) -> &Layout {
        self.0.layout()
    }
    fn initial(&self) -> State {
        self.0.initial()
    }
    fn steps(&self, state: &State, history: &dyn History) -> Result<Vec<Step>, Fault> {
        let mut steps = self.0.steps(state, history)?;
        if self.1 == Lie::Twice {
            steps.insert(1, steps[0].clone());
        }
        Ok(steps)
    }
    fn situation(&self, state: &State, history: &dyn History) -> Result<Situation, Fault> {
        let Situation::Open(mut steps) = self.0.situation(state, history)? else { panic!("short games go on") };
        match self.1 {
            Lie::Twice => steps.insert(1, steps[0].clone()),
            Lie::HalfUndone => {}
            Lie::NoSteps => steps.clear(),
            Lie::Shuffled => steps.reverse(),
        }
        Ok(Situation::Open(steps))
    }
    fn apply(&self, state: &mut State, step: &Step) -> Result<Undo, Fault> {
        self.0.apply(state, step)
    }
    fn undo(&self, state: &mut State, undo: &Undo) {
        self.0.undo(state, undo);
        if self.1 == Lie::HalfUndone {
            let turn = self.layout().global(self.layout().known.turn);
            state.set(self.layout(), turn, 1);
        }
    }
}

#[test]
fn liars_are_found_out() {
    let law = |lie| battery(&Liar(busy().interpreter(), lie), 1, 5, 0).expect_err("a lie").law;
    assert!(matches!(law(Lie::Twice), Law::StepsDiffer(_)));
    assert!(matches!(law(Lie::HalfUndone), Law::UndoRestores(_)));
    assert_eq!(law(Lie::NoSteps), Law::OpenHasSteps);
    assert_eq!(law(Lie::Shuffled), Law::StepsAreTheSame);
}

#[test]
fn values_out_of_range_are_found() {
    let mut game = busy();
    let owner = game.rules.known().owner;
    game.rules.fields[owner].high = 1;
    let law = battery(&game.interpreter(), 1, 0, 0).expect_err("Black is player 2").law;
    assert!(matches!(law, Law::CellsAreInRange(_, 2)), "{law}");
}
