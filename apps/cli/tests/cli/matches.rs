//! `dagaz match`: results, resuming, and programs that behave badly.

use std::time::Duration;

use crate::run::{Answer, Scratch, command, dagaz, start};

const GAME: &str = "tic-tac-toe";

fn matched(args: &[&str]) -> Answer {
    dagaz(&[&["match", GAME], args].concat())
}

#[test]
fn the_stronger_agent_wins_and_the_error_is_said() {
    let answer = matched(&["alphabeta:depth=4", "random", "--games", "20", "--json"]).code(0).json();
    assert_eq!((&answer["games"], &answer["complete"]), (&20.into(), &true.into()));
    let agents = answer["agents"].as_array().expect("agents");
    assert!(agents[0]["points"].as_f64() > Some(15.0), "{answer}");
    assert_eq!(agents[0]["games"], 20);
    let pairs: u64 =
        answer["duels"][0]["pairs"].as_array().expect("pairs").iter().filter_map(serde_json::Value::as_u64).sum();
    assert_eq!(pairs, 10);
    matched(&["alphabeta:depth=4", "random", "--games", "4"])
        .code(0)
        .out("of 4  +")
        .out("Elo of the first: ")
        .out("pairs with 0, ½, 1, 1½, 2 points: ");
}

#[test]
fn three_agents_meet_each_other_or_the_first() {
    let args = ["random", "alphabeta:depth=1", "mcts:nodes=20", "--games", "12", "--json"];
    let all = matched(&args).code(0).json();
    assert_eq!(all["duels"].as_array().map(Vec::len), Some(3));
    let first = matched(&[&args[..], &["--gauntlet"]].concat()).code(0).json();
    assert_eq!(first["duels"].as_array().map(Vec::len), Some(2));
    assert_eq!(first["agents"][0]["games"], 12);
}

#[test]
fn a_test_that_is_decided_ends_the_match() {
    let answer =
        matched(&["alphabeta:depth=4", "random", "--games", "1000", "--sprt", "0,200", "--json"]).code(0).json();
    assert_eq!(answer["sprt"]["accepted"], "H1");
    assert!(answer["games"].as_u64() < Some(200), "{answer}");
    // The answer to the question whether it is stronger is no.
    matched(&["random", "alphabeta:depth=4", "--games", "1000", "--sprt", "0,200"]).code(1).out("H0 is accepted");
}

#[test]
fn several_games_at_once_have_the_same_table() {
    let args = ["mcts:nodes=30", "alphabeta:depth=2", "--games", "30", "--random-plies", "2", "--seed", "5", "--json"];
    let one = matched(&args).code(0).stdout;
    let many = matched(&[&args[..], &["--concurrency", "4"]].concat()).code(0).stdout;
    assert_eq!(one, many);
}

#[test]
fn a_match_that_was_killed_goes_on_and_ends_as_if_nothing_had_happened() {
    let scratch = Scratch::new("resume");
    let args = ["match", GAME, "mcts:nodes=40", "alphabeta:depth=2", "--games", "60", "--random-plies", "1", "--json"];
    let whole = dagaz(&args).code(0).stdout;
    let log = scratch.path("match.jsonl");
    let kept = [&args[..], &["--out", &log]].concat();
    let mut child = start(&kept);
    // As soon as some games are over.
    while std::fs::read_to_string(&log).unwrap_or_default().lines().count() < 8 {
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().expect("it still runs, or has ended");
    child.wait().expect("it has ended");
    // As a program that is killed in the middle of a line leaves it.
    let mut text = std::fs::read_to_string(&log).expect("the log");
    text.truncate(text.len() - 7);
    std::fs::write(&log, &text).expect("the log");
    dagaz(&kept).code(2).err("`--resume` goes on");
    assert_eq!(dagaz(&[&kept[..], &["--resume"]].concat()).code(0).stdout, whole);
    // Nothing is left to do, and the same comes out.
    assert_eq!(dagaz(&[&kept[..], &["--resume"]].concat()).code(0).stdout, whole);
    let other = [
        "match",
        GAME,
        "mcts:nodes=41",
        "alphabeta:depth=2",
        "--games",
        "60",
        "--random-plies",
        "1",
        "--out",
        &log,
        "--resume",
    ];
    dagaz(&other).code(2).err("the log is of another match: its agents");
    dagaz(&["replay", &log]).code(0).out("record 60: fits");
}

/// Ctrl-C ends the match, not in the middle of a line, and says how to go on.
#[cfg(unix)]
#[test]
fn ctrl_c_stops_cleanly() {
    let scratch = Scratch::new("stopped");
    let log = scratch.path("match.jsonl");
    let child = start(&["match", GAME, "mcts:nodes=2000", "random", "--games", "100000", "--out", &log]);
    while std::fs::read_to_string(&log).unwrap_or_default().lines().count() < 3 {
        std::thread::sleep(Duration::from_millis(5));
    }
    let killed = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill");
    assert!(killed.success());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains(" of 100000 games; `--resume` goes on"), "{said}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("Elo of the first: "));
    assert!(std::fs::read_to_string(&log).expect("the log").ends_with("}\n"));
}

#[test]
fn openings_come_from_a_file() {
    let scratch = Scratch::new("openings");
    let openings = scratch.file("openings.txt", "# two\nb2; a1\na1 c3\n");
    let log = scratch.path("match.jsonl");
    matched(&["random", "random", "--games", "4", "--openings", &openings, "--out", &log]).code(0);
    let text = std::fs::read_to_string(&log).expect("the log");
    let first =
        |line: &str| serde_json::from_str::<serde_json::Value>(line).expect("JSON")["record"]["moves"][0].clone();
    let firsts: Vec<_> =
        text.lines().skip(1).map(first).map(|text| text.as_str().expect("a move")[..2].to_owned()).collect();
    assert_eq!(firsts, ["b2", "b2", "a1", "a1"]);
    let wrong = scratch.file("wrong.txt", "b2; b2\n");
    matched(&["random", "random", "--openings", &wrong]).code(2).err("line 1: `b2` is not a legal move here");
}

#[test]
fn games_are_kept_as_pgn() {
    let scratch = Scratch::new("pgn");
    let (pgn, openings) =
        (scratch.path("match.pgn"), scratch.file("openings.epd", "7k/8/6K1/8/8/8/8/R7 w - - bm Ra8; id \"mate\";\n"));
    let args =
        ["match", "chess", "alphabeta:depth=1", "random", "--games", "1", "--openings", &openings, "--out", &pgn];
    dagaz(&args).code(0);
    let text = std::fs::read_to_string(&pgn).expect("the games");
    for line in [
        "[Round \"1\"]",
        "[White \"alphabeta:depth=1\"]",
        "[Result \"1-0\"]",
        "[SetUp \"1\"]",
        "[FEN \"7k/8/6K1/8/8/8/8/R7 w - - 0 1\"]",
        "1. Ra8# 1-0",
    ] {
        assert!(text.lines().any(|other| other == line), "{line}\n{text}");
    }
    dagaz(&[&args[..], &["--resume"]].concat()).code(2).err("`--resume` needs a file `.jsonl`");
    dagaz(&["match", "yonin-shogi", "random", "random", "--games", "1", "--out", &pgn])
        .code(2)
        .err("PGN is for games that have FEN");
}

#[test]
fn clocks_are_judged() {
    // A ten-thousandth of a second is too little for any search of a hundred thousand states.
    let answer = matched(&["alphabeta:depth=9,nodes=100000", "random", "--games", "2", "--clock", "0.0001", "--json"]);
    let value = answer.code(0).json();
    assert!(value["ends"].as_object().expect("ends").keys().any(|end| end.contains("out of time")), "{value}");
}

#[test]
fn what_is_wrong_is_said_before_the_first_game() {
    matched(&["random", "stockfish"]).code(2).err("there is no agent `stockfish`");
    matched(&["random", "uci:/no/such/program"]).code(2).err("cannot run `/no/such/program`");
    matched(&["random", "random", "random", "--sprt", "0,5"]).code(2).err("a sequential test is for two agents");
    matched(&["random", "random", "--sprt", "5,0"]).code(2).err("elo0 must be less than elo1");
    matched(&["random", "random", "--draw", "soon"]).code(2).err("`soon` is no part of such a rule");
    dagaz(&["match", "fifteen-puzzle", "random", "random"]).code(2);
}

#[test]
fn an_engine_of_ours_is_a_program_like_any_other() {
    let binary = command(&[]).get_program().to_str().expect("UTF-8").to_owned();
    let program = format!("uci:{binary} uci {GAME} --agent alphabeta:depth=4,depth=4");
    let answer = matched(&[&program, "random", "--games", "6", "--json"]).code(0).json();
    assert!(answer["agents"][0]["points"].as_f64() > Some(3.0), "{answer}");
    for end in answer["ends"].as_object().expect("ends").keys() {
        assert!(!end.contains("engine") && !end.contains("illegal"), "{answer}");
    }
}

#[cfg(unix)]
mod programs {
    use super::*;

    /// A program in the shell that shakes hands and does this at `go`.
    fn fake(scratch: &Scratch, name: &str, at_go: &str) -> String {
        use std::os::unix::fs::PermissionsExt as _;
        let text = format!(
            "#!/bin/sh\nwhile read line; do case \"$line\" in\nuci) echo id name fake; echo uciok;;\n\
             isready) echo readyok;;\ngo*) {at_go};;\nquit) exit;;\nesac; done\n"
        );
        let path = scratch.file(name, &text);
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("a program");
        path
    }

    /// How a game against a program ends that does this at `go`.
    fn ends(name: &str, at_go: &str) -> String {
        let scratch = Scratch::new(name);
        let program = format!("uci:{},time=100ms", fake(&scratch, "engine.sh", at_go));
        let value = matched(&[&program, "random", "--games", "1", "--json"]).code(0).json();
        assert_eq!(value["agents"][0]["losses"], 1, "{value}");
        value["ends"].as_object().expect("ends").keys().next().expect("an end").clone()
    }

    #[test]
    fn an_engine_that_plays_an_illegal_move_loses() {
        assert_eq!(ends("illegal", "echo bestmove z9z9"), "X: illegal move `z9z9`");
        assert_eq!(ends("nothing", "echo bestmove"), "X: illegal move ``");
    }

    #[test]
    fn an_engine_that_resigns_loses() {
        assert_eq!(ends("resigns", "echo 'bestmove (none)'"), "X: resigned");
    }

    #[test]
    fn an_engine_that_ends_is_started_again_once() {
        assert_eq!(ends("ends", "exit"), "X: the engine ended");
        let scratch = Scratch::new("once");
        let mark = scratch.path("mark");
        let at_go = format!("if [ -e {mark} ]; then echo 'bestmove (none)'; else : > {mark}; exit; fi");
        let program = format!("uci:{},nodes=1", fake(&scratch, "engine.sh", &at_go));
        let value = matched(&[&program, "random", "--games", "1", "--json"]).code(0).json();
        assert_eq!(value["ends"]["X: resigned"], 1, "the second one got its chance: {value}");
    }

    #[test]
    fn an_engine_that_hangs_or_talks_without_end_loses() {
        assert_eq!(ends("hangs", "sleep 60"), "X: the engine does not answer");
        let flood = "while :; do echo info string nothing to say; done";
        assert_eq!(ends("floods", flood), "X: the engine does not answer");
    }

    #[test]
    fn what_was_said_is_kept_in_a_file() {
        let scratch = Scratch::new("log");
        let log = scratch.path("talk.txt");
        let program = format!("uci:{},nodes=7,log={log}", fake(&scratch, "engine.sh", "echo 'bestmove (none)'"));
        matched(&[&program, "random", "--games", "1"]).code(0);
        let text = std::fs::read_to_string(&log).expect("the log");
        for said in ["> uci", "< uciok", "> ucinewgame", "> position startpos", "> go nodes 7", "< bestmove (none)"] {
            assert!(text.contains(said), "{text}");
        }
        let other = fake(&scratch, "other.sh", "exit");
        let text = std::fs::read_to_string(&other).expect("the program");
        let variants = "echo option name UCI_Variant type combo default chess var chess var 3check; echo uciok";
        std::fs::write(&other, text.replace("echo uciok", variants)).expect("the program");
        matched(&[&format!("uci:{other}"), "random"])
            .code(2)
            .err("the engine knows no `Tic-tac-toe`")
            .err("chess, 3check");
        let unknown = format!("uci:{},Contempt=3", fake(&scratch, "engine.sh", "exit"));
        matched(&[&unknown, "random"]).code(2).err("the engine has no option `Contempt`");
    }
}

/// Real programs, which variables name: `DAGAZ_STOCKFISH`, `DAGAZ_FAIRY_STOCKFISH`, `DAGAZ_GNUGO`.
#[test]
fn real_programs_play_the_games_they_know() {
    let known = [
        ("DAGAZ_STOCKFISH", "uci:PROGRAM,nodes=200", "chess"),
        ("DAGAZ_FAIRY_STOCKFISH", "uci:PROGRAM,nodes=200", "xiangqi"),
        ("DAGAZ_FAIRY_STOCKFISH", "ucci:PROGRAM,nodes=200", "xiangqi"),
        ("DAGAZ_FAIRY_STOCKFISH", "uci:PROGRAM,nodes=200", "crazyhouse"),
        ("DAGAZ_FAIRY_STOCKFISH", "usi:PROGRAM,nodes=200", "shogi"),
        ("DAGAZ_GNUGO", "gtp:PROGRAM --mode gtp --level 1,time=2s", "atari-go"),
    ];
    let mut skipped = 0;
    for (variable, program, game) in known {
        let Ok(path) = std::env::var(variable) else {
            skipped += 1;
            continue;
        };
        let program = program.replace("PROGRAM", &path);
        let value =
            dagaz(&["match", game, &program, "random", "--games", "2", "--max-moves", "60", "--json"]).code(0).json();
        for end in value["ends"].as_object().expect("ends").keys() {
            assert!(!end.contains("engine") && !end.contains("illegal") && !end.contains('`'), "{game}: {value}");
        }
        assert_ne!(value["agents"][1]["wins"], 2, "{game}: {value}");
    }
    if skipped > 0 {
        eprintln!("skipped {skipped} of {} matches against other people's programs", known.len());
    }
}
