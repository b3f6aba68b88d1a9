//! What a player sees of a state.

use std::sync::Arc;

use dagaz_base::{Id, IdMap, Random};
use dagaz_engine::{
    Executor, Fault, History, Interpreter, Layout, Limits, NoHistory, Seen, Situation, State, Step, Undo, battery,
};
use dagaz_ir::{Concealment, Expr, Field, Function, LocalInfo, Op, Player, Rules, Type};

use crate::game::{BLACK, Game, WHITE};

fn concealment(fields: Vec<Field>, locals: &[Type], body: Expr) -> Concealment {
    let locals: IdMap<_, _> = locals.iter().map(|&ty| LocalInfo { name: "element".to_owned(), ty }).collect();
    Concealment { name: "secret".to_owned(), fields, condition: Function { locals, body }, origin: None }
}

fn local() -> Expr {
    Expr::local(Id::from_index(0))
}

/// Men of two kinds that step to all sides, on a board of 4 × 4, with these fields of pieces hidden where no own one stands.
fn dark(fields: &[&str]) -> Game {
    let mut game = Game::new(4, 4);
    let (man, king) = (game.kind("man"), game.kind("king"));
    for kind in [man, king] {
        game.walker(kind, "n s e w");
    }
    game.put(WHITE, man, "a1 b1").put(WHITE, king, "c1").put(BLACK, man, "b4 c4").put(BLACK, king, "d4");
    let fields =
        fields.iter().map(|name| game.rules.fields.position(|field| field.name == *name).expect("a field")).collect();
    game.rules.concealments = vec![concealment(fields, &[Type::Site], Expr::new(Op::Mine, [local()]).negated())];
    game
}

fn view(interpreter: &Interpreter, state: &State, player: usize) -> Seen {
    interpreter.seen_by(state, Player::from_index(player)).expect("rules that run")
}

/// The states of some random games.
fn states(interpreter: &Interpreter, seed: u64) -> Vec<State> {
    let (mut random, mut states) = (Random::new(seed), vec![interpreter.initial()]);
    for _ in 0..30 {
        let mut state = states[states.len() - 1].clone();
        let steps = interpreter.steps(&state, &NoHistory).expect("rules that run");
        let Some(step) = random.choose(&steps) else { break };
        interpreter.apply(&mut state, step).expect("a legal step");
        states.push(state);
    }
    states
}

#[test]
fn without_concealments_the_view_is_the_state() {
    let mut game = dark(&["owner"]);
    game.rules.concealments.clear();
    let interpreter = game.interpreter();
    for state in states(&interpreter, 1) {
        for player in [WHITE, BLACK] {
            assert_eq!(view(&interpreter, &state, player), Seen::whole(state.clone()));
        }
    }
}

#[test]
fn what_is_hidden_makes_no_difference_to_a_view() {
    let interpreter = dark(&["owner", "kind"]).interpreter();
    let layout = interpreter.layout();
    let [owner, kind] = [layout.known.owner, layout.known.kind];
    let mut tried = 0;
    for state in states(&interpreter, 2) {
        let seen = view(&interpreter, &state, WHITE);
        for site in interpreter.rules().topology.sites() {
            let [owner, kind] = [layout.at(owner, site), layout.at(kind, site)];
            assert_eq!(seen.hides(owner), state.get(owner) != WHITE as i32 + 1);
            assert_eq!(seen.hides(owner), seen.hides(kind));
            if !seen.hides(owner) {
                continue;
            }
            for (other_owner, other_kind) in [(0, 0), (BLACK as i32 + 1, 1), (BLACK as i32 + 1, 2)] {
                let mut other = state.clone();
                other.set(layout, owner, other_owner);
                other.set(layout, kind, other_kind);
                assert_eq!(view(&interpreter, &other, WHITE), seen);
                tried += usize::from(other != state);
            }
        }
    }
    assert!(tried > 100, "{tried}");
}

#[test]
fn of_a_step_of_somebody_else_one_sees_the_differences() {
    let interpreter = dark(&["kind"]).interpreter();
    let (layout, before) = (interpreter.layout(), interpreter.initial());
    let mut after = before.clone();
    let steps = interpreter.steps(&before, &NoHistory).unwrap();
    interpreter.apply(&mut after, &steps[0]).unwrap();
    let seen = |player| view(&interpreter, &before, player).changes(&view(&interpreter, &after, player));
    let [from, to] = [steps[0].from, steps[0].to].map(Option::unwrap);
    let sites = |field| [from, to].map(|site| layout.at(field, site));
    let turn = layout.global(layout.known.turn);
    let mut white: Vec<_> =
        sites(layout.known.owner).into_iter().chain(sites(layout.known.kind)).chain([turn]).collect();
    let mut black: Vec<_> = sites(layout.known.owner).into_iter().chain([turn]).collect();
    white.sort_unstable();
    black.sort_unstable();
    assert_eq!((seen(WHITE), seen(BLACK)), (white, black));

    // In the dark the turn is all.
    let interpreter = dark(&["owner", "kind"]).interpreter();
    assert_eq!(view(&interpreter, &before, BLACK).changes(&view(&interpreter, &after, BLACK)), [turn]);
}

#[test]
fn an_executor_need_not_say_what_is_seen() {
    /// One that leaves everything that it can to others.
    struct Plain(Interpreter);

    impl Executor for Plain {
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
            self.0.steps(state, history)
        }
        fn situation(&self, state: &State, history: &dyn History) -> Result<Situation, Fault> {
            self.0.situation(state, history)
        }
        fn apply(&self, state: &mut State, step: &Step) -> Result<Undo, Fault> {
            self.0.apply(state, step)
        }
    }

    let plain = Plain(dark(&["owner", "kind"]).interpreter());
    for state in states(&plain.0, 3) {
        for player in [WHITE, BLACK].map(Player::from_index) {
            assert_eq!(plain.seen_by(&state, player), plain.0.seen_by(&state, player));
        }
    }
    battery(&plain, 2, 20, 1).unwrap();
}

#[test]
fn a_condition_without_an_end_is_a_fault() {
    let mut game = dark(&["owner", "kind"]);
    let all = || Expr::leaf(Op::AllSites);
    let nested = (1..9)
        .fold(Expr::leaf(Op::Bool(false)), |body, depth| Expr::new(Op::Any(Id::from_index(depth)), [all(), body]));
    game.rules.concealments[0].condition = concealment(Vec::new(), &[Type::Site; 9], nested).condition;
    let limits = Limits { work: 10_000, ..Limits::default() };
    let interpreter = Interpreter::with_limits(Arc::new(game.rules), limits);
    let fault = interpreter.seen_by(&interpreter.initial(), Player::from_index(WHITE)).unwrap_err();
    assert!(fault.to_string().contains("more than 10000 operations, the last of them in `secret`"), "{fault}");
}
