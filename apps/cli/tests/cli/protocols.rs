//! `dagaz uci` and `dagaz gtp`: conversations.

use crate::run::dagaz_with;

/// What the engine answers to these lines.
fn says(args: &[&str], lines: &[&str]) -> String {
    dagaz_with(args, &(lines.join("\n") + "\n")).code(0).stdout
}

#[test]
fn uci_shakes_hands() {
    let said = says(&["uci", "chess", "--agent", "alphabeta:depth=2"], &["uci", "isready", "nonsense", "quit"]);
    let lines: Vec<&str> = said.lines().collect();
    assert!(lines[0].starts_with("id name Dagaz "), "{said}");
    assert!(lines[1].starts_with("id author "), "{said}");
    assert!(lines.contains(&"option name Agent type string default alphabeta:depth=2"), "{said}");
    assert!(said.contains("option name UCI_Variant type combo default chess var chess var knightmate"), "{said}");
    let end = &lines[lines.len() - 3..];
    assert_eq!(end, ["uciok", "readyok", "info string unknown command `nonsense`"]);
}

#[test]
fn uci_finds_a_mate_and_says_how() {
    let said = says(&["uci", "chess"], &["position fen 7k/8/6K1/8/8/8/8/R7 w - - 0 1", "go depth 2"]);
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.last(), Some(&"bestmove a1a8"), "{said}");
    let info = lines[lines.len() - 2];
    assert!(info.starts_with("info depth ") && info.contains(" score mate 1 ") && info.ends_with(" pv a1a8"), "{said}");
    assert!(info.contains(" nodes ") && info.contains(" nps ") && info.contains(" time "), "{said}");
}

/// Shannon's numbers for the first moves, and Kiwipete's: Chess Programming Wiki, "Perft Results".
#[test]
fn uci_counts_as_others_do() {
    let said = says(&["uci", "chess"], &["position startpos", "go perft 3"]);
    assert!(said.contains("\ne2e4: 600\n") && said.ends_with("\nNodes searched: 8902\n"), "{said}");
    let kiwipete = "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let said = says(&["uci", "chess"], &[kiwipete, "perft 2"]);
    assert!(said.contains("e1g1: 43") && said.contains("e1c1: 43"), "{said}");
    assert!(said.ends_with("\nNodes searched: 2039\n"), "{said}");
}

#[test]
fn uci_moves_are_castlings_promotions_and_drops() {
    let moves = ["position fen 8/P6k/8/8/8/8/8/R3K2R w KQ - 0 1 moves e1g1 h7g6 a7a8n", "d"];
    let said = says(&["uci", "chess"], &moves);
    assert!(said.starts_with("Fen: N7/8/6k1/8/8/8/8/R4RK1 b - "), "{said}");
    let drop = ["position fen 4k3/8/8/8/8/8/8/4K3[N] w - - 0 1 moves N@e4", "d"];
    let said = says(&["uci", "crazyhouse"], &drop);
    assert!(said.starts_with("Fen: 4k3/8/8/8/4N3/8/8/4K3[] b - "), "{said}");
    let said = says(&["uci", "chess"], &["position startpos moves e2e5", "position startpos moves e2e4 e7e5", "d"]);
    assert!(said.starts_with("info string error: illegal move `e2e5`\nFen: rnbqkbnr/pppp1ppp/8/4p3/4P3/"), "{said}");
}

#[test]
fn usi_and_ucci_have_their_own_coordinates() {
    let said = says(
        &["uci", "shogi", "--protocol", "usi", "--agent", "random"],
        &["usi", "position startpos moves 7g7f 3c3d 8h2b+", "perft 1", "quit"],
    );
    assert!(said.contains("usiok\n") && said.contains("\n3a2b: 1\n"), "{said}");
    let said = says(
        &["uci", "xiangqi", "--agent", "random"],
        &["ucci", "position startpos moves h2e2 h9g7", "perft 1", "quit"],
    );
    assert!(
        said.contains("option Agent type string") && said.contains("ucciok\n") && said.contains("\nb0c2: 1\n"),
        "{said}"
    );
}

#[test]
fn uci_plays_the_variants_of_a_game() {
    let lines = [
        "setoption name UCI_Variant value knightmate",
        "position startpos",
        "d",
        "setoption name UCI_Variant value nonsense",
    ];
    let said = says(&["uci", "chess"], &lines);
    assert!(said.ends_with(" - 0 1\ninfo string error: there is no variant `nonsense`\n"), "{said}");
    assert!(!said.contains("rnbqkbnr"), "{said}");
    let said = says(&["uci", "atomic"], &["uci"]);
    assert!(said.contains("option name UCI_Variant type combo default atomic var atomic\n"), "{said}");
}

#[test]
fn an_endless_search_answers_when_it_is_told_to() {
    let said =
        says(&["uci", "tic-tac-toe"], &["position startpos", "go infinite", "go depth 1", "isready", "stop", "quit"]);
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines[..2], ["info string error: a search is running; `stop` ends it", "readyok"], "{said}");
    let pondered = says(&["uci", "tic-tac-toe"], &["position startpos", "go ponder wtime 100 btime 100", "ponderhit"]);
    assert!(pondered.lines().last().is_some_and(|line| line.starts_with("bestmove ")), "{pondered}");
}

#[test]
fn a_game_that_is_over_has_no_move() {
    let said = says(&["uci", "chess"], &["position fen R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1", "go depth 3"]);
    assert!(said.ends_with("bestmove (none)\n"), "{said}");
}

#[test]
fn gtp_answers_in_its_own_form() {
    let said = says(
        &["gtp", "go", "--variant", "Go 9x9", "--agent", "random"],
        &[
            "1 protocol_version",
            "2 name",
            "known_command play",
            "known_command fly",
            "# a remark",
            "",
            "3 fly",
            "play b e5",
            "play w E5",
            "play b E4",
            "play w j9",
            "4 play black z99",
            "undo",
            "undo",
            "undo",
            "5 undo",
            "quit",
        ],
    );
    let expected = "=1 2\n\n=2 Dagaz\n\n= true\n\n= false\n\n?3 unknown command\n\n=\n\n? illegal move\n\n=\n\n=\n\n?4 syntax error\n\n\
                    =\n\n=\n\n=\n\n?5 cannot undo\n\n=\n\n";
    assert_eq!(said, expected);
}

#[test]
fn gtp_plays_scores_and_shows() {
    let said = says(
        &["gtp", "go", "--agent", "random"],
        &[
            "boardsize 9",
            "clear_board",
            "komi 6.5",
            "play b C3",
            "play w pass",
            "play b pass",
            "final_score",
            "showboard",
            "genmove w",
            "boardsize 42",
        ],
    );
    // A single stone owns the whole board of 81 points.
    assert!(said.contains("= B+74.5\n"), "{said}");
    assert!(said.contains("\n   A B C D E F G H J\n 9 . . . . . . . . . 9\n"), "{said}");
    assert!(said.contains("\n 3 . . X . . . . . . 3\n"), "{said}");
    assert!(said.ends_with("= pass\n\n? unacceptable size\n\n"), "{said}");
    let said = says(
        &["gtp", "go", "--variant", "Go 9x9", "--agent", "mcts:nodes=5"],
        &["genmove b", "genmove w", "time_settings 1 0 0", "time_left b 1 0", "genmove b"],
    );
    let moves: Vec<&str> = said.split("\n\n").filter(|answer| answer.len() > 2).collect();
    assert!(moves.len() == 3 && moves.iter().all(|answer| answer.starts_with("= ")), "{said}");
}

/// Where GNU Go 3.8 puts the stones.
#[test]
fn gtp_handicaps_stand_where_they_stand_everywhere() {
    let handicaps = [
        (19, 2, "D4 Q16"),
        (19, 3, "D16 D4 Q16"),
        (19, 4, "D16 D4 Q16 Q4"),
        (19, 5, "D16 D4 K10 Q16 Q4"),
        (19, 6, "D10 D16 D4 Q10 Q16 Q4"),
        (19, 7, "D10 D16 D4 K10 Q10 Q16 Q4"),
        (19, 8, "D10 D16 D4 K16 K4 Q10 Q16 Q4"),
        (19, 9, "D10 D16 D4 K10 K16 K4 Q10 Q16 Q4"),
        (9, 5, "C3 C7 E5 G3 G7"),
        (13, 9, "D10 D4 D7 G10 G4 G7 K10 K4 K7"),
    ];
    let lines: Vec<String> = handicaps
        .iter()
        .flat_map(|(size, stones, _)| [format!("boardsize {size}"), format!("fixed_handicap {stones}")])
        .collect();
    let said = says(&["gtp", "go", "--agent", "random"], &lines.iter().map(String::as_str).collect::<Vec<_>>());
    for (answer, (_, _, expected)) in said.split("\n\n").skip(1).step_by(2).zip(handicaps) {
        let mut points: Vec<&str> = answer.trim_start_matches("= ").split(' ').collect();
        points.sort_unstable();
        assert_eq!(points.join(" "), expected);
    }
    let said = says(
        &["gtp", "go", "--variant", "Go 9x9", "--agent", "random"],
        &[
            "set_free_handicap a1",
            "set_free_handicap a1 a1",
            "set_free_handicap a1 b1",
            "play w c1",
            "set_free_handicap a1 b1",
            "fixed_handicap 10",
        ],
    );
    assert_eq!(
        said,
        "? syntax error\n\n? bad vertex list\n\n=\n\n=\n\n? board not empty\n\n? invalid number of stones\n\n"
    );
}

#[test]
fn protocols_refuse_games_that_they_cannot_say() {
    crate::run::dagaz(&["gtp", "chess"]).code(2).err("whose moves put a stone on a point");
    crate::run::dagaz(&["uci", "yonin-shogi"]).code(2).err("the protocol is for two players");
}

#[test]
fn a_report_is_a_text_a_value_or_a_page() {
    let scratch = crate::run::Scratch::new("report");
    let report = |ending: &str| {
        let path = scratch.path(&format!("report.{ending}"));
        let args = ["selfplay", "tic-tac-toe", "--games", "50", "--agent", "alphabeta:depth=2", "--report", &path];
        crate::run::dagaz(&args).code(0).out("50 games");
        std::fs::read_to_string(&path).expect("the report")
    };
    let value: serde_json::Value = serde_json::from_str(&report("json")).expect("JSON");
    let measure = |key: &str| value["measures"][key]["value"].as_f64().unwrap_or_else(|| panic!("{key}: {value}"));
    assert_eq!(measure("completion") + measure("drawishness") + measure("timeouts"), 1.0);
    assert!((5.0..=9.0).contains(&measure("duration")), "{value}");
    let counts = value["lengths"]["counts"].as_array().expect("counts");
    assert_eq!(counts.iter().filter_map(serde_json::Value::as_u64).sum::<u64>(), 50);
    let page = report("html");
    assert_eq!(page.matches("<svg").count(), 3, "{page}");
    assert!(!page.contains("<script") && !page.contains("src="), "a page of its own needs nothing else");
    assert!(page.ends_with("</html>\n"));
    assert!(report("txt").contains("Score of the first player"));
    let path = scratch.path("report.pdf");
    crate::run::dagaz(&["selfplay", "tic-tac-toe", "--games", "1", "--report", &path])
        .code(2)
        .err("no known format of reports");
    // Who says nothing of his moves leaves the lead unknown.
    let path = scratch.path("random.json");
    crate::run::dagaz(&["selfplay", "tic-tac-toe", "--games", "5", "--report", &path]).code(0);
    let value: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&path).expect("it")).expect("JSON");
    assert!(value["measures"]["drama"]["value"].is_null(), "{value}");
}
