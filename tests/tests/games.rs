//! Every bundled game: accepted, lawful, and as its `.cases` file says, whose form `docs/cases.md` describes.
//!
//! `DAGAZ_GAME=chess cargo test -p dagaz-tests --test games` tries the games with that name alone; with `DAGAZ_SLOW=1`
//! the counts that are marked as slow are made, too.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use dagaz_base::Random;
use dagaz_cases::{Cases, Claim, judge};
use dagaz_engine::{Executor, Interpreter, NoHistory, Seen, State, battery};
use dagaz_ir::text;
use dagaz_ir::verify::verify;
use dagaz_notation::universal;
use dagaz_play::Play;
use dagaz_tests::trial::Trial;
use dagaz_tests::{each_game, slow};

/// How long the random games of these tests are.
const PLIES: usize = 60;

#[test]
fn games_are_accepted_and_their_rules_are_lawful() {
    each_game(|game| {
        for file in [game.file("zrf"), game.file("cases"), game.folder.join("README.md")] {
            assert!(file.is_file(), "{} is missing", file.display());
        }
        for (title, rules) in game.menu() {
            assert_eq!(verify(&rules), Ok(()), "{title}");
            assert_eq!(text::parse(&text::print(&rules)).as_ref(), Ok(&*rules), "{title}");
        }
    });
}

#[test]
fn games_keep_the_laws_of_the_battery() {
    each_game(|game| {
        for (title, rules) in game.menu() {
            battery(&Interpreter::new(rules), 4, PLIES, 1).unwrap_or_else(|broken| panic!("{title}: {broken}"));
        }
    });
}

#[test]
fn cases_are_as_their_sources_say() {
    let (made, skipped) = (AtomicUsize::new(0), AtomicUsize::new(0));
    each_game(|game| {
        let file = game.file("cases");
        let text = std::fs::read_to_string(&file).expect("a file of cases");
        let cases = Cases::read(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        assert!(!cases.cases.is_empty(), "{} holds no cases", file.display());
        assert_eq!(cases.unused, [], "{}", file.display());
        let mut executors = BTreeMap::<_, Arc<dyn Executor>>::new();
        let mut failures = String::new();
        for case in &cases.cases {
            if matches!(case.claim, Claim::Perft { slow: true, .. }) && !slow() {
                skipped.fetch_add(1, Ordering::Relaxed);
                continue;
            }
            let executor = executors
                .entry(case.variant.as_deref())
                .or_insert_with_key(|variant| Arc::new(Interpreter::new(game.rules(*variant))));
            if let Err(failure) = judge(&cases, case, executor, &mut |_| ()) {
                failures += &format!("{}:{}: {}\n  {failure}\n", file.display(), case.line, case.text);
            }
            made.fetch_add(1, Ordering::Relaxed);
        }
        assert!(failures.is_empty(), "{failures}");
    });
    let (made, skipped) = (made.into_inner(), skipped.into_inner());
    eprintln!("{made} cases; {skipped} slow ones skipped, which DAGAZ_SLOW=1 makes");
}

/// A random game of each, so that a change of what rules mean shows as a difference of text.
#[test]
fn the_same_seed_plays_the_same_game() {
    each_game(|game| {
        let mut play = Play::new(Arc::new(Interpreter::new(game.rules(None))));
        let (mut random, mut text) = (Random::new(3), String::new());
        for _ in 0..20 {
            let steps = play.legal_steps().expect("rules that run");
            let Some(step) = random.choose(steps).cloned() else { break };
            let written = universal::write(&**play.executor(), play.state(), steps, &step).expect("rules that run");
            text += &format!("{:>4} {}: {written}\n", steps.len(), play.rules().players[play.to_move()].name);
            play.play(&step).expect("a legal step");
        }
        let end = Trial::at(play);
        text += &format!("{}\n{}\n", end.position(), end.outcome());
        insta::assert_snapshot!(game.name.as_str(), text);
    });
}

/// Of two hidden pieces of one player it makes no difference which stands where: neither to what somebody else sees, nor to
/// the moves that he is offered. What a condition gives away by itself, such as that something stands there, is for the
/// rules to say.
#[test]
fn what_is_hidden_is_told_by_nothing() {
    each_game(|game| {
        for (title, rules) in game.menu() {
            if rules.concealments.is_empty() {
                continue;
            }
            let (mut random, executor) = (Random::new(5), Interpreter::new(rules));
            let (mut state, mut tried) = (executor.initial(), 0);
            for _ in 0..PLIES {
                for player in executor.rules().players.ids() {
                    let seen = executor.seen_by(&state, player).expect("rules that run");
                    for other in exchanged(&executor, &state, &seen) {
                        assert_eq!(executor.seen_by(&other, player).as_ref(), Ok(&seen), "{title}");
                        if executor.to_move(&state) == player {
                            assert_eq!(offered(&executor, &other), offered(&executor, &state), "{title}");
                        }
                        tried += 1;
                    }
                }
                let Some(step) = random.choose(&executor.steps(&state, &NoHistory).expect("rules that run")).cloned()
                else {
                    break;
                };
                executor.apply(&mut state, &step).expect("a legal step");
            }
            let comparable = executor.rules().kinds.len() > 1;
            assert!(tried > 20 || !comparable, "{title}: {tried} states were compared");
        }
    });
}

/// The states that come about when two pieces of one player, hidden and of different kinds, are exchanged.
fn exchanged(executor: &Interpreter, state: &State, seen: &Seen) -> Vec<State> {
    let (layout, topology) = (executor.layout(), &executor.rules().topology);
    let [owner, kind] = [layout.known.owner, layout.known.kind];
    let hidden: Vec<_> = topology.sites().filter(|&site| seen.hides(layout.at(kind, site))).collect();
    let mut states = Vec::new();
    for (index, &a) in hidden.iter().enumerate() {
        for &b in &hidden[index + 1..] {
            let same = |field| state.get(layout.at(field, a)) == state.get(layout.at(field, b));
            if same(owner) && !same(kind) {
                let mut other = state.clone();
                for (to, from) in layout.piece_cells(a).zip(layout.piece_cells(b)) {
                    other.set(layout, to, state.get(from));
                    other.set(layout, from, state.get(to));
                }
                states.push(other);
            }
        }
    }
    states
}

/// The moves that the player to move is offered.
fn offered(executor: &Interpreter, state: &State) -> Vec<String> {
    let steps = executor.steps(state, &NoHistory).expect("rules that run");
    universal::write_all(executor, state, &steps).expect("rules that run")
}
