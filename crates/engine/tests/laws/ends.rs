//! How games end.

use dagaz_base::{Id, Random};
use dagaz_engine::{Executor, Line, NoHistory, Outcome, Share, Situation, divide, perft, playout};
use dagaz_ir::{Expr, Op, Pass, Player, Role, Trigger, Verdict};

use crate::game::{
    BLACK, Game, WHITE, dropped, effect, emit, empty, here, kind, local, make, me, on_board, steps, verify,
};

/// Stones on a board of 3 × 3; three in a row of any kind win.
fn three_in_a_row() -> Game {
    let mut game = Game::new(3, 3);
    let stone = game.kind("stone");
    game.hand(WHITE, stone, 5);
    game.hand(BLACK, stone, 4);
    let body = vec![verify(empty(here())), effect(Op::Drop, [here(), me(), kind(stone)]), emit(dropped())];
    game.rule("drop", stone, Trigger::Drop, body);
    let mine = |site| Expr::new(Op::Mine, [site]);
    let lines: Vec<_> = ["n", "e", "ne", "nw"]
        .into_iter()
        .map(|direction| {
            let one = game.step(direction, local(0));
            Expr::new(Op::And, [mine(local(0)), mine(one.clone()), mine(game.step(direction, one))])
        })
        .collect();
    let line = Expr::new(Op::Any(Id::from_index(0)), [Expr::leaf(Op::AllSites), Expr::new(Op::Or, lines)]);
    game.end(&[WHITE, BLACK], Verdict::Win, line);
    game
}

#[test]
fn three_in_a_row_has_its_known_numbers() {
    // 9·8·7·6·5 sequences of five; White has then a row in 1,440 of them, and (15,120 − 1,440)·4 go on.
    let engine = three_in_a_row().interpreter();
    let state = engine.initial();
    let counts = [1, 9, 72, 504, 3024, 15120, 54720];
    for (depth, expected) in (0..).zip(counts) {
        assert_eq!(perft(&engine, &state, &NoHistory, depth).expect("a count"), expected);
    }
    let first = divide(&engine, &state, &NoHistory, 4).expect("counts");
    assert_eq!(first.len(), 9);
    assert!(first.iter().all(|(made, count)| (made.steps.len(), *count) == (1, 336)));
}

#[test]
fn a_win_is_the_others_loss_and_a_full_board_a_draw() {
    let engine = three_in_a_row().interpreter();
    let (mut white, mut drawn) = (0, 0);
    for seed in 0..200 {
        let (mut state, mut line) = (engine.initial(), Line::new());
        let played = playout(&engine, &mut state, &mut line, &mut Random::new(seed), 100).expect("a game");
        let outcome = played.outcome.expect("nine stones end the game");
        match outcome.end {
            Some(0) if played.steps % 2 == 1 => {
                assert_eq!(outcome.shares, [Share::Win, Share::Loss]);
                white += 1;
            }
            Some(0) => assert_eq!(outcome.shares, [Share::Loss, Share::Win]),
            _ => {
                assert_eq!(outcome, Outcome { shares: vec![Share::Draw, Share::Draw], scores: None, end: None });
                assert_eq!(played.steps, 9);
                drawn += 1;
            }
        }
    }
    assert!((80..160).contains(&white) && (5..60).contains(&drawn), "{white} {drawn}");
}

#[test]
fn only_ends_that_count_moves_hold_before_the_first() {
    let mut game = Game::new(1, 1);
    let man = game.kind("man");
    game.put(WHITE, man, "a1");
    game.end(&[WHITE], Verdict::Win, on_board(game.at("a1")));
    let engine = game.interpreter();
    let over = |end, shares| Situation::Over(Outcome { shares, scores: None, end });
    let situation = engine.situation(&engine.initial(), &NoHistory).expect("a situation");
    assert_eq!(situation, over(None, vec![Share::Draw, Share::Draw]));
    let stuck = Expr::new(
        Op::And,
        [
            Expr::new(Op::Equal, [Expr::leaf(Op::MoveCount), Expr::int(0)]),
            Expr::new(Op::Equal, [me(), Expr::leaf(Op::ToMove)]),
        ],
    );
    game.end(&[BLACK, WHITE], Verdict::Loss, stuck);
    let engine = game.interpreter();
    let situation = engine.situation(&engine.initial(), &NoHistory).expect("a situation");
    assert_eq!(situation, over(Some(1), vec![Share::Loss, Share::Win]));
}

#[test]
fn a_forced_pass_is_a_move() {
    let mut game = Game::new(1, 1);
    game.kind("man");
    game.rules.policy.pass = Pass::Forced;
    game.end(&[WHITE], Verdict::Loss, Expr::new(Op::Equal, [Expr::leaf(Op::MoveCount), Expr::int(0)]));
    let engine = game.interpreter();
    assert!(matches!(engine.situation(&engine.initial(), &NoHistory), Ok(Situation::Open(steps)) if steps.len() == 1));
}

#[test]
fn the_past_is_asked_for_repetitions_captures_and_the_last_mover() {
    let mut game = Game::new(2, 2);
    let man = game.kind("man");
    game.walker(man, "e w");
    game.put(WHITE, man, "a1").put(BLACK, man, "a2");
    let equal = |a, b| Expr::new(Op::Equal, [a, b]);
    game.end(&[WHITE, BLACK], Verdict::Draw, equal(Expr::leaf(Op::Repetitions), Expr::int(3)));
    let engine = game.interpreter();
    let (mut state, mut line) = (engine.initial(), Line::new());
    let mut made = 0;
    let outcome = loop {
        match engine.situation(&state, &line).expect("a situation") {
            Situation::Over(outcome) => break outcome,
            Situation::Open(steps) => {
                let (before, mover) = (state.keys(), engine.to_move(&state));
                let undo = engine.apply(&mut state, &steps[0]).expect("the step applies");
                line.push(before, mover, &undo);
                made += 1;
            }
        }
    };
    assert_eq!((made, outcome.end), (8, Some(0)), "the first state comes back after four moves, and after eight");
}

#[test]
fn captures_of_the_last_move_can_end_the_game() {
    let mut game = Game::new(2, 1);
    let (man, king) = (game.kind("man"), game.kind("king"));
    game.walker(man, "e w");
    game.put(WHITE, man, "a1").put(BLACK, king, "b1");
    let taken = Expr::new(Op::Captured, [me(), kind(king)]);
    let mover = Expr::new(Op::Equal, [Expr::leaf(Op::LastMover), me()]);
    let lost = Expr::new(Op::And, [Expr::new(Op::Less, [Expr::int(0), taken]), mover.negated()]);
    game.end(&[WHITE, BLACK], Verdict::Loss, lost);
    let engine = game.interpreter();
    let (mut state, mut line) = (engine.initial(), Line::new());
    let (before, mover) = (state.keys(), engine.to_move(&state));
    let undo = make(&engine, &mut state, "a1-b1");
    line.push(before, mover, &undo);
    let situation = engine.situation(&state, &line).expect("a situation");
    assert_eq!(
        situation,
        Situation::Over(Outcome { shares: vec![Share::Win, Share::Loss], scores: None, end: Some(0) })
    );
}

#[test]
fn a_count_is_won_by_the_most_pieces() {
    for (white, shares) in [("a1 a2 a3", [Share::Win, Share::Loss]), ("a1 a2", [Share::Draw, Share::Draw])] {
        let mut game = Game::new(2, 3);
        let man = game.kind("man");
        game.put(WHITE, man, white).put(BLACK, man, "b1 b2");
        game.end(&[WHITE, BLACK], Verdict::Count, Expr::new(Op::Equal, [Expr::leaf(Op::MoveCount), Expr::int(0)]));
        let mut chance = game.rules.players[Player::from_index(BLACK)].clone();
        chance.role = Role::Random;
        game.rules.players.push(chance);
        let engine = game.interpreter();
        assert_eq!(steps(&engine, &engine.initial()), "");
        let scores = Some([white.split(' ').count() as i32, 2, 0].into());
        let expected = Outcome { shares: [&shares[..], &[Share::None]].concat(), scores, end: Some(0) };
        assert_eq!(engine.situation(&engine.initial(), &NoHistory), Ok(Situation::Over(expected)));
    }
}
