//! `selfplay` and `play`: whole games.

use crate::rules::TINY;
use crate::run::{Scratch, dagaz, dagaz_with, start};
use crate::runs::BEFORE_A_CHAIN;

#[test]
fn the_same_seed_gives_the_same_games_on_any_number_of_threads() {
    let scratch = Scratch::new("threads");
    let (one, three) = (scratch.path("one.jsonl"), scratch.path("three.jsonl"));
    let common =
        ["selfplay", "tic-tac-toe", "--games", "20", "--agent", "mcts:nodes=20", "--agent", "random", "--seed", "5"];
    let first = dagaz(&[&common[..], &["--threads", "1", "--out", &one]].concat()).code(0);
    let second = dagaz(&[&common[..], &["--threads", "3", "--out", &three]].concat()).code(0);
    assert_eq!(first.stdout, second.stdout);
    let games = std::fs::read_to_string(&one).unwrap();
    assert_eq!(games, std::fs::read_to_string(&three).unwrap());
    assert_eq!(games.lines().count(), 20);
    // Complete files lie there, and nothing else.
    assert_eq!(scratch.names(), ["one.jsonl", "three.jsonl"]);
    dagaz(&["replay", &one]).code(0).out("record 20: fits");
}

#[test]
fn games_are_kept_a_line_each() {
    let scratch = Scratch::new("one-game");
    let lines = scratch.path("games.jsonl");
    for file in ["games.json", "games.ZSG"] {
        let answer = dagaz(&["selfplay", "tic-tac-toe", "--games", "2", "--out", &scratch.path(file)]);
        answer.code(2).err(&format!("keeps one a line: name it `{lines}`"));
    }
    assert!(scratch.names().is_empty());
}

#[test]
fn a_device_that_is_written_to_stays_one() {
    let written = dagaz(&["selfplay", "tic-tac-toe", "--games", "2", "--out", "/dev/stdout"]).code(0).stdout;
    assert_eq!(written.matches(r#"{"format":"dagaz-record""#).count(), 2, "{written}");
    dagaz(&["selfplay", "tic-tac-toe", "--games", "2", "--out", "/dev/null"]).code(0);
    assert!(!std::fs::metadata("/dev/null").unwrap().is_file());
}

#[test]
fn a_link_that_is_written_to_stays_one() {
    let scratch = Scratch::new("link");
    let (file, link) = (scratch.file("file.jsonl", "old"), scratch.path("link.jsonl"));
    std::os::unix::fs::symlink(&file, &link).unwrap();
    dagaz(&["selfplay", "tic-tac-toe", "--games", "2", "--out", &link]).code(0);
    assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(std::fs::read_to_string(&file).unwrap().lines().count(), 2);
}

#[test]
fn an_interrupt_leaves_nothing_behind() {
    let scratch = Scratch::new("interrupt");
    let out = scratch.path("games.jsonl");
    let mut child = start(&["selfplay", "chess", "--games", "1000000", "--out", &out]);
    while scratch.names().is_empty() {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(scratch.names().is_empty(), "{:?}", scratch.names());
}

/// A thousand states of 800,000 bytes would not fit: a game keeps only what its rules may ask about.
#[cfg(target_os = "linux")]
#[test]
fn selfplay_keeps_no_states() {
    let scratch = Scratch::new("memory");
    let rules = r#"(define step ($1 (verify empty?) add))
        (game (title "Large") (players First Second)
           (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d" (10 0)) ("2/1" (0 10)))
              (directions (n 0 -1) (e 1 0) (s 0 1) (w -1 0))))
           (variable heap 0 (array 200000) memory)
           (piece (name Man) (moves (step n) (step e) (step s) (step w)))
           (board-setup (First (Man a1)) (Second (Man d2)))
           (draw-condition (= repetitions 1000000)))"#;
    let file = scratch.file("large.zrf", rules);
    let binary = env!("CARGO_BIN_EXE_dagaz");
    let line = format!("ulimit -v 400000; {binary} selfplay {file} --games 1 --threads 1 --max-moves 1000");
    let output = std::process::Command::new("sh").args(["-c", &line]).output().expect("a shell");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains("1 unfinished after 1000 moves"), "{said}{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn selfplay_counts_results() {
    let scratch = Scratch::new("selfplay");
    let tiny = scratch.file("tiny.zrf", TINY);
    let json = dagaz(&["selfplay", &tiny, "--games", "50", "--json"]).code(0).json();
    let of = |player: &str, what: &str| json["players"][player][what].as_u64().unwrap();
    assert_eq!(of("First", "wins") + of("First", "draws") + of("First", "losses"), 50);
    assert_eq!((of("First", "wins"), of("First", "draws")), (of("Second", "losses"), of("Second", "draws")));
    assert_eq!((&json["moves"]["max"], &json["unfinished"]), (&3.into(), &0.into()));
    let cut = dagaz(&["selfplay", "chess", "--games", "1", "--max-moves", "4", "--json"]).code(0).json();
    assert_eq!((&cut["unfinished"], &cut["moves"]["mean"]), (&1.into(), &4.0.into()));
}

#[test]
fn wrong_agents_are_bad_input() {
    dagaz(&["selfplay", "chess", "--games", "1", "--agent", "deep-blue"]).code(2).err("there is no agent `deep-blue`");
    let three = ["selfplay", "chess", "--games", "1", "--agent", "random", "--agent", "random", "--agent", "random"];
    dagaz(&three).code(2).err("2 players and 3 agents");
    dagaz(&["play", "chess", "--agent", "White=mcts:depth=3"]).code(2).err("no setting `depth`");
}

/// Runs `dagaz play --terminal` on these lines.
fn play(game: &str, agents: &[&str], lines: &[&str]) -> String {
    let mut args = vec!["play", game, "--terminal"];
    for agent in agents {
        args.extend(["--agent", agent]);
    }
    dagaz_with(&args, &(lines.join("\n") + "\n")).code(0).stdout
}

#[test]
fn a_person_plays_against_an_engine() {
    let scratch = Scratch::new("play");
    let tiny = scratch.file("tiny.zrf", TINY);
    let said = play(&tiny, &["random"], &["c1"]);
    assert!(said.starts_with("Tiny; `help` lists the commands\nFirst: you\nSecond: random\n"), "{said}");
    let board = "\n1 . . M\n  a b c\nFirst in hand: 4 M\nSecond in hand: 5 m\n";
    assert!(!said.contains(board), "the engine moves before the board is shown again:\n{said}");
    assert!(said.contains("Second plays "), "{said}");
}

#[test]
fn two_persons_play_to_the_end() {
    let scratch = Scratch::new("persons");
    let tiny = scratch.file("tiny.zrf", TINY);
    let said = play(&tiny, &["person", "person"], &["a1", "a1", "c1", "b1", "b1"]);
    assert!(said.contains("`a1` is not a legal move here"), "{said}");
    let end = "1 M M m\n  a b c\nFirst in hand: 3 M\nSecond in hand: 4 m\n\
        First upper case, Second lower case · M Man\nThe game is over: First wins by ";
    assert!(said.contains(end), "{said}");
    assert!(said.contains("> The game is over; `undo` takes moves back"), "{said}");
}

#[test]
fn moves_are_taken_back_to_the_last_turn_of_a_person() {
    let lines = ["moves e5", "e2e4", "undo", "moves e2", "redo", "moves e2", "undo", "undo"];
    let said = play("chess", &["Black=alphabeta:depth=1"], &lines);
    let listed = said.matches("e2 - e4 pawn-double n").count();
    assert_eq!(listed, 1, "{said}");
    assert!(said.contains("there is nothing to take back"), "{said}");
    assert!(said.contains("no legal moves"), "{said}");
}

#[test]
fn an_engine_that_moves_first_cannot_be_taken_back() {
    let said = play("chess", &["White=alphabeta:depth=1"], &["undo"]);
    assert!(said.contains("White plays ") && said.contains("there is nothing to take back"), "{said}");
}

#[test]
fn a_chain_is_made_step_by_step() {
    let args = ["play", "english", "--terminal", "--agent", "person", "--agent", "person", "--after", BEFORE_A_CHAIN];
    let said = dagaz_with(&args, "g5e3\nmoves\nundo\nmoves\ng5e3\ne3c1\n").code(0).stdout;
    let (first, second) = ("+ g5 - e3 man-jump nw\n", "e3 - c1 man-jump nw\n");
    assert!(said.contains("White goes on from e3.\n> e3 - "), "{said}");
    assert_eq!((said.matches(first).count(), said.matches(second).count()), (1, 1), "{said}");
    assert!(said.ends_with("Black to move.\n> \n"), "{said}");
}

#[test]
fn a_chain_is_made_at_once() {
    let args = ["play", "english", "--terminal", "--agent", "person", "--agent", "person", "--after", BEFORE_A_CHAIN];
    let said = dagaz_with(&args, "g5e3d2\ng5xe3xc1\n").code(0).stdout;
    assert!(said.contains("> `g5e3d2` is not a legal move here"), "{said}");
    assert!(said.ends_with("Black to move.\n> \n") && !said.contains("goes on"), "{said}");
}

#[test]
fn explain_says_what_the_command_says() {
    let said = play("chess", &["person", "person"], &["explain e2e5", "explain zz", "explain"]);
    assert!(said.contains(&dagaz(&["explain", "chess", "e2e5"]).code(1).stdout), "{said}");
    assert!(said.contains("> `zz` names no site of the board\n> `explain` needs a move\n"), "{said}");
}

#[test]
fn a_hint_is_what_the_engine_would_play() {
    let scratch = Scratch::new("hint");
    let tiny = scratch.file("tiny.zrf", TINY);
    let said = play(&tiny, &["alphabeta:depth=3"], &["hint"]);
    assert!(said.contains("alphabeta:depth=3 would play b1 drop Man (wins in 3)"), "{said}");
}

#[test]
fn engines_play_alone() {
    let said = play("tic-tac-toe", &["mcts:nodes=100", "alphabeta:depth=9"], &[]);
    assert!(said.contains("The game is over: "), "{said}");
}

#[test]
fn a_record_of_another_game_is_told() {
    let scratch = Scratch::new("another");
    let save = |game: &[&str], file: &str| {
        let path = scratch.path(file);
        dagaz(&[&["selfplay"], game, &["--games", "1", "--max-moves", "2", "--out", &path]].concat()).code(0);
        format!("load {path}")
    };
    let chess = save(&["chess"], "chess.jsonl");
    let reversi = save(&["reversi"], "reversi.jsonl");
    let mini = save(&["shogi", "--variant", "Minishogi"], "mini.jsonl");
    let persons = ["person", "person"];
    let said = play("chess", &persons, &[&chess, &reversi]);
    assert!(said.contains("> loaded from "), "{said}");
    assert!(said.contains("> note: the record is of the game `reversi`, and this is `chess`\nnot loaded: "), "{said}");
    let said = play("shogi", &persons, &[&mini]);
    assert!(said.contains("note: the record is of the variant `Minishogi`, and this is `Shogi`\n"), "{said}");
}

#[test]
fn games_are_saved_and_loaded() {
    let scratch = Scratch::new("save");
    for file in ["game.zsg", "game.json"] {
        let path = scratch.path(file);
        let (save, load) = (format!("save {path}"), format!("load {path}"));
        let persons = ["person", "person"];
        let said =
            play("chess", &persons, &["e2e4", "e7e5", &save, "g1f3", &load, "moves g1", "save", "load nowhere.zsg"]);
        assert!(said.contains("saved to") && said.contains("g1 - f3 leap n nw"), "{said}");
        assert!(said.contains("`save` needs the name of a file"), "{said}");
        assert!(said.contains("not loaded: cannot read `nowhere.zsg`"), "{said}");
        dagaz(&["replay", &path]).code(0).out("fits, 2 steps: unfinished, White to move");
    }
    assert_eq!(scratch.names(), ["game.json", "game.zsg"]);
}
