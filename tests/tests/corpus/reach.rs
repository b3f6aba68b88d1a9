//! Where rules could strike at all, against where they do: executors may skip a rule that cannot reach the site in question,
//! so that answer must never be too small.

use std::collections::BTreeMap;
use std::sync::Arc;

use dagaz_base::{Id, Random};
use dagaz_board::{Site, SiteSet};
use dagaz_engine::{Effect, Executor, Interpreter, Line, NoHistory, Situation, State, Step, StepRule};
use dagaz_ir::reach::Reach;
use dagaz_ir::{Kind, Player, RuleId, Rules, Trigger};
use dagaz_lang_zrf::Settings;
use dagaz_tests::{bundled, corpus, rules_of};

/// Steps of a random game.
const STEPS: usize = 120;

/// The first steps of a game that are made again without the shortcut, which takes long.
const COMPARED: usize = 40;

/// Games of the corpus, most of which ask about attacks, with moves that jump from position to position, follow links that few
/// positions have, or take other pieces along.
const FILES: &[&str] = &[
    "zillions/zog/Rules/00.Circe.zrf",
    "zillions/zog/Rules/ForkChess.zrf",
    "zillions/zog/Rules/SnakeChess.zrf",
    "zillions/zrf/BombChess/Bombs.zrf",
    "zillions/zrf/Chessence/Chessence.zrf",
    "zillions/zrf/CubicChess/CubicChess.zrf",
    "zillions/zrf/DobutsuShogi/Dobutsu.zrf",
    "zillions/zrf/Gwangsanghui/Gwangsanghui.zrf",
    "zillions/zrf/LittleShogiPack/SimpleShogi.zrf",
    "zillions/zrf/RenShogi/RenShogi.zrf",
];

#[test]
fn what_legal_steps_strike_is_within_reach() {
    for game in bundled() {
        for (title, rules) in game.menu() {
            Strikes::new(&rules).check(&title);
        }
    }
}

#[test]
fn starts_do_not_disturb_each_other() {
    for game in bundled() {
        let rules = game.rules(None);
        let opposites = rules.topology.opposites();
        let mut reach = Reach::new(&rules, &opposites);
        for (rule, player) in rules.rules.ids().flat_map(|rule| rules.players.ids().map(move |player| (rule, player))) {
            let together = reach.strikes_from_all(rule, player);
            for start in rules.topology.sites().step_by(7) {
                let alone = reach.strikes(rule, player, start);
                assert_eq!(together[start], alone, "{}: rule {} from {}", game.name, rule.index(), start.index());
            }
        }
    }
}

#[test]
fn it_is_so_in_games_that_others_wrote() {
    for (file, rules) in of_the_corpus() {
        Strikes::new(&rules).check(file);
    }
}

#[test]
fn without_the_shortcut_the_same_steps_are_legal() {
    let mut asked = 0;
    for game in bundled() {
        for (title, rules) in game.menu().into_iter().filter(|(_, rules)| asks_about_attacks(rules)) {
            compare(&rules, &title);
            asked += 1;
        }
    }
    assert!(asked > 0, "no bundled game asks about attacks");
    for (file, rules) in of_the_corpus().filter(|(_, rules)| asks_about_attacks(rules)) {
        compare(&rules, file);
    }
}

/// The games of these files, if they are there.
fn of_the_corpus() -> impl Iterator<Item = (&'static str, Arc<Rules>)> {
    let files =
        corpus(1).into_iter().flat_map(|corpus| FILES.iter().map(move |file| (*file, corpus.join("zrf").join(file))));
    files.map(|(file, path)| (file, rules_of(&path, &Settings::default())))
}

/// Whether the text of the rules asks.
fn asks_about_attacks(rules: &Rules) -> bool {
    let text = dagaz_ir::text::print(rules);
    text.contains("attacked") || text.contains("defended")
}

/// Compares what two interpreters list at each state of a random game.
fn compare(rules: &Arc<Rules>, name: &str) {
    let short = Interpreter::new(rules.clone());
    let long = Interpreter::new(rules.clone()).without_reach();
    random_game(&short, COMPARED, &mut |state, steps| {
        assert_eq!(long.steps(state, &NoHistory).as_deref(), Ok(steps), "{name}");
    });
}

/// Plays at random and shows each state with its steps.
fn random_game(executor: &Interpreter, limit: usize, look: &mut dyn FnMut(&State, &[Step])) {
    let (mut state, mut line, mut random) = (executor.initial(), Line::new(), Random::new(1));
    for _ in 0..limit {
        let Ok(Situation::Open(steps)) = executor.situation(&state, &line) else { return };
        look(&state, &steps);
        let step = random.choose(&steps).expect("an open situation has a step");
        let (before, mover) = (state.keys(), executor.to_move(&state));
        let undo = executor.apply(&mut state, step).expect("a legal step can be made");
        line.push(before, mover, &undo);
    }
}

/// The reach of rules, computed once for each rule, player and site.
struct Strikes {
    executor: Interpreter,
    known: BTreeMap<(RuleId, Player, Site), SiteSet>,
}

impl Strikes {
    fn new(rules: &Arc<Rules>) -> Self {
        Self { executor: Interpreter::new(rules.clone()), known: BTreeMap::new() }
    }

    fn check(&mut self, name: &str) {
        let executor = self.executor.clone();
        random_game(&executor, STEPS, &mut |state, steps| {
            for step in steps {
                self.check_step(state, step, name);
            }
        });
    }

    /// A step does not say for which piece its rule was run: where it can be the one that goes, it is taken to be that.
    fn check_step(&mut self, state: &State, step: &Step, name: &str) {
        let StepRule::Rule(id) = step.rule else { return };
        let rules = self.executor.rules().clone();
        let (rule, owner) = (&rules.rules[id], self.owner(state));
        let struck: Vec<Site> = step.effects.iter().filter_map(Effect::strikes).collect();
        let is_run_for = |strikes: &mut Self, site: Site| {
            let stands = strikes.stands(state, site);
            match rule.trigger {
                Trigger::Drop | Trigger::Turn => true,
                Trigger::AnyPiece => stands.map(|(_, kind)| kind) == rule.kind,
                Trigger::Piece => stands.map(|(owner, kind)| (owner, Some(kind))) == Some((owner, rule.kind)),
            }
        };
        let holds = |strikes: &mut Self, site: Site| {
            let reach = strikes.of(id, owner, site);
            struck.iter().all(|&site| reach.contains(site))
        };
        let within = match step.from.filter(|&from| is_run_for(self, from)) {
            Some(from) => holds(self, from),
            None => rules.topology.sites().any(|site| is_run_for(self, site) && holds(self, site)),
        };
        assert!(within, "{name}: `{}` strikes what is out of its reach: {step:?}", rule.name);
    }

    fn of(&mut self, rule: RuleId, owner: Player, site: Site) -> &SiteSet {
        let rules = self.executor.rules().clone();
        self.known.entry((rule, owner, site)).or_insert_with(|| {
            let opposites = rules.topology.opposites();
            Reach::new(&rules, &opposites).strikes(rule, owner, site)
        })
    }

    fn owner(&self, state: &State) -> Player {
        let turn = state.get(self.executor.layout().global(self.executor.layout().known.turn));
        self.executor.rules().schedule.turns[turn as usize].owner
    }

    fn stands(&self, state: &State, site: Site) -> Option<(Player, Kind)> {
        let layout = self.executor.layout();
        let number = |field| usize::try_from(state.get(layout.at(field, site)) - 1).ok();
        Some((Player::from_index(number(layout.known.owner)?), Kind::from_index(number(layout.known.kind)?)))
    }
}
