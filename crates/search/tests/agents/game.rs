//! Tiny games, and questions about them.

use std::sync::Arc;

use dagaz_engine::{Executor, Interpreter};
use dagaz_lang_zrf::{Settings, compile};
use dagaz_notation::universal;
use dagaz_play::Play;
use dagaz_search::{Agent, Ask, Budget, Choice, NoChoice};

/// Three by three, three in a row.
pub(crate) const TIC_TAC_TOE: &str = include_str!("../../../../games/arrange/tic-tac-toe/tic-tac-toe.zrf");

/// A man on a row of points is moved by his player and by chance in turn, one point left or right; at the right end the
/// player has won, at the left end lost.
pub(crate) const DICE: &str = r#"
(game
   (title "Dice")
   (players First ?Fate)
   (turn-order First (?Fate First))
   (board (grid (start-rectangle 0 0 10 10) (dimensions ("a/b/c/d/e" (10 0)) ("1" (0 10))) (directions (e 1 0) (w -1 0))))
   (board-setup (First (Man c1)))
   (piece (name Man) (moves (w add) (e add)))
   (win-condition (First) (absolute-config Man (e1)))
   (loss-condition (First) (absolute-config Man (a1)))
)
"#;

/// Each player has one man, who goes right one point at a time and may take two steps in one turn; who reaches the end
/// of his row first wins.
pub(crate) const RACE: &str = r#"
(game
   (title "Race")
   (players First Second)
   (turn-order First Second)
   (pass-partial true)
   (board (grid (start-rectangle 0 0 10 10) (dimensions ("a/b/c/d/e/f" (10 0)) ("2/1" (0 10))) (directions (e 1 0)))
          (zone (name end) (players First) (positions f1))
          (zone (name end) (players Second) (positions f2)))
   (board-setup (First (Man a1)) (Second (Man a2)))
   (move-priorities first more)
   (piece (name Man) (moves (move-type first) (e (verify empty?) (add-partial more)) (move-type more) (e (verify empty?) add)))
   (win-condition (First Second) (absolute-config Man (end)))
)
"#;

/// Three players in turn drop a man; two men side by side win.
pub(crate) const THREE: &str = r#"
(define drop ((verify empty?) add))
(game
   (title "Three")
   (players Red Green Blue)
   (turn-order Red Green Blue)
   (board (grid (start-rectangle 0 0 10 10) (dimensions ("a/b/c/d/e/f" (10 0)) ("1" (0 10))) (directions (e 1 0))))
   (board-setup (Red (Man off 9)) (Green (Man off 9)) (Blue (Man off 9)))
   (piece (name Man) (drops (drop)))
   (win-condition (Red Green Blue) (relative-config Man e Man))
   (draw-condition (Red Green Blue) stalemated)
)
"#;

/// One player walks along a row; the puzzle is solved at its right end and lost at its left end.
pub(crate) const WALK: &str = r#"
(game
   (title "Walk")
   (players Walker)
   (turn-order Walker)
   (board (grid (start-rectangle 0 0 10 10) (dimensions ("a/b/c/d/e/f" (10 0)) ("1" (0 10))) (directions (e 1 0) (w -1 0))))
   (board-setup (Walker (Man c1)))
   (piece (name Man) (moves (w add) (e add)))
   (win-condition (Walker) (absolute-config Man (f1)))
   (loss-condition (Walker) (absolute-config Man (a1)))
)
"#;

/// A man goes to and fro, and his move never ends.
pub(crate) const ENDLESS: &str = r#"
(game
   (title "Endless")
   (players First Second)
   (turn-order First Second)
   (board (grid (start-rectangle 0 0 10 10) (dimensions ("a/b" (10 0)) ("1" (0 10))) (directions (e 1 0) (w -1 0))))
   (board-setup (First (Man a1)))
   (piece (name Man) (moves (e (verify empty?) add-partial) (w (verify empty?) add-partial)))
   (win-condition (First Second) stalemated)
)
"#;

/// The game after these moves, which are separated by blanks.
pub(crate) fn after(rules: &str, moves: &str) -> Play {
    let compiled = compile("test.zrf", rules.as_bytes(), &mut |_: &str| None, &Settings::default());
    let report = compiled.diagnostics.render(&compiled.sources);
    let game = compiled.game.unwrap_or_else(|| panic!("{report}"));
    let executor: Arc<dyn Executor> = Arc::new(Interpreter::new(Arc::new(game.rules)));
    let mut play = Play::new(executor);
    for text in moves.split_whitespace() {
        let steps = play.legal_steps().expect("rules that run");
        let step = universal::read(&**play.executor(), play.state(), steps, text).expect("a legal move").clone();
        play.play(&step).expect("a legal step");
    }
    play
}

/// What the agent answers, within these limits and without a clock.
pub(crate) fn ask(agent: &dyn Agent, play: &Play, budget: Budget) -> Choice {
    try_ask(agent, play, budget, &|| true).expect("a choice")
}

/// The same, with a clock.
pub(crate) fn try_ask(
    agent: &dyn Agent,
    play: &Play,
    budget: Budget,
    keep_going: &dyn Fn() -> bool,
) -> Result<Choice, NoChoice> {
    let (executor, state, history) = (&**play.executor(), play.state(), &play.past());
    agent.choose(&Ask { executor, state, history, budget, keep_going, seed: 7 })
}

/// The names of the sites where the chosen move's steps end.
pub(crate) fn ends(play: &Play, choice: &Choice) -> Vec<String> {
    let topology = &play.rules().topology;
    choice.chosen.steps.iter().map(|step| topology.site_name(step.to.expect("a site")).to_owned()).collect()
}

/// Limits by depth.
pub(crate) fn depth(depth: u32) -> Budget {
    Budget { depth: Some(depth), nodes: None }
}

/// Limits by nodes.
pub(crate) fn nodes(nodes: u64) -> Budget {
    Budget { nodes: Some(nodes), depth: None }
}
