//! Games in which players do not see everything.

use serde_json::json;

use crate::run::{Scratch, dagaz, dagaz_with};

/// Men go north or south, and see one step ahead.
const NIGHT: &str = r#"
(define step (n (verify not-friend?) add))
(define roll ((choose i (range 1 2) (set die i) add)))
(game
   (title "Night")
   (players White Black ?Dice)
   (turn-order White Black (?Dice throw))
   (board
      (grid
         (start-rectangle 0 0 80 80)
         (dimensions ("a/b" (80 0)) ("4/3/2/1" (0 80)))
         (directions (n 0 -1) (s 0 1)))
      (symmetry Black (n s) (s n)))
   (variable die 0)
   (piece (name Man) (moves (step)))
   (piece (name Spy) (moves (step)) (drops (step)))
   (moves (move-type throw) (roll))
   (board-setup (White (Man a1) (Spy b1 off 1)) (Black (Man a4) (Spy b3 off 1)))
   (conceal piece not-my? (not-my? s) (not-my? n))
   (conceal kind enemy?)
   (conceal hand (!= owner me)))
(variant (title "Secret dice") (conceal die))
"#;

#[test]
fn the_board_is_drawn_as_the_mover_sees_it() {
    let scratch = Scratch::new("night");
    let night = scratch.file("night.zrf", NIGHT);
    let game = |input| {
        dagaz_with(&["play", &night, "--terminal", "--agent", "White=person", "--agent", "Black=random"], input)
    };
    game("quit\n").code(0).out(
        "
4 ? ?
3 ? ?
2 . .
1 M S
  a b
White in hand: 1 S
Black in hand: ?
White upper case, Black lower case · M Man, S Spy, ? not seen
White to move.
",
    );
    let moved = game("b1 - b2\nhint\nexplain a1 - a2\nquit\n").code(0);
    let moved = moved.out("`hint` would tell what you do not see").out("`explain` would tell what you do not see");
    assert!(!moved.stdout.contains("Black plays"), "{}", moved.stdout);
    // What everybody sees is told, what is hidden is not.
    assert!(moved.stdout.contains("?Dice plays roll "), "{}", moved.stdout);
    let secret = dagaz_with(&["play", &night, "--variant", "2", "--terminal"], "b1 - b2\nquit\n").code(0);
    assert!(!secret.stdout.contains("?Dice plays"), "{}", secret.stdout);
}

#[test]
fn what_came_into_sight_is_told() {
    let scratch = Scratch::new("sight");
    let night = scratch.file("night.zrf", NIGHT);
    let two = ["play", &night, "--terminal", "--agent", "person", "--agent", "person"];
    let answer = dagaz_with(&two, "\na1 - a2\n\nb3 - b2\n\nmoves b1\nquit\n").code(0);
    let (_, after) = answer.stdout.split_once("Hand over to Black. Black, press Enter to see your board.").unwrap();
    // Black sees nothing of White's step; the dice come before White's turn.
    let (black, white) = after.split_once("Hand over to White. White, press Enter to see your board.").unwrap();
    assert!(black.starts_with("\n> \n4 m .\n3 . s\n2 ? .\n1 ? ?\n"), "{black}");
    assert!(!black.contains("something new"), "{black}");
    assert!(
        white.starts_with(
            "\n> \n4 ?  ?\n3 .  ?\n2 M  b?\n1 .  S\n  a  b\nWhite in hand: 1 S\nBlack in hand: ?\n\
             White upper case, Black lower case · M Man, S Spy, b? one of Black, ? not seen\n\
             Since your move there is something new on b2.\nWhite to move.\n> b1 x b2 step\n"
        ),
        "{white}"
    );
}

/// What is kept besides the pieces is drawn as far as it is seen.
#[test]
fn numbers_and_columns_are_drawn_as_they_are_seen() {
    let scratch = Scratch::new("kept");
    let kept = scratch.file(
        "kept.zrf",
        r#"
(define bury ((choose p (positions empty?) (set gold p 3) (set silver p 1) (set stake me 2) (push me Man c1) add)))
(game
   (title "Kept")
   (players White Black)
   (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (10 0)) ("2/1" (0 10))) (directions (n 0 -1))))
   (stacks 3)
   (variable gold 0 positions)
   (variable silver 0 positions)
   (variable stake 0 players)
   (piece (name Man))
   (moves (bury))
   (board-setup (White (Man a1 c1)))
   (conceal gold (position? b2))
   (conceal silver (position? a2))
   (conceal kind (= me White) (position? c1))
   (conceal stake (!= owner me)))
"#,
    );
    let two = ["play", &kept, "--terminal", "--agent", "person", "--agent", "person"];
    let answer = dagaz_with(&two, "\nbury a2\n\nbury b2\n\nquit\n").code(0);
    answer.out(
        "\
columns from the top: c1 m M M
numbers: gold
silver: a2 ?, b2 1
stake: White ?, Black 2
White upper case, Black lower case · M Man, ? not seen

Hand over to White. White, press Enter to see your board.
>\u{20}
2 3  ?  .
1 M  .  b?
  a  b  c
numbers: gold
silver: a2 ?, b2 1
stake: White 2, Black ?
White upper case, Black lower case · M Man, b? one of Black, ? not seen
",
    );
}

#[test]
fn nothing_is_said_before_the_screen_is_handed_over() {
    let scratch = Scratch::new("handing");
    let night = scratch.file("night.zrf", NIGHT);
    let two = ["play", &night, "--terminal", "--agent", "person", "--agent", "person"];
    let answer = dagaz_with(&two, "quit\n").code(0);
    assert!(
        answer.stdout.ends_with("Hand over to White. White, press Enter to see your board.\n> "),
        "{}",
        answer.stdout
    );
    let answer = dagaz_with(&two, "moves\nquit\n").code(0);
    assert!(answer.stdout.ends_with("White to move.\n> "), "{}", answer.stdout);
    assert!(!answer.stdout.contains("a1 - a2"), "{}", answer.stdout);
}

#[test]
fn commands_say_what_is_hidden() {
    let scratch = Scratch::new("said");
    let night = scratch.file("night.zrf", NIGHT);
    let note = "note: White does not see what stands on a4 a3 b4 b3; hand Black Man, hand Black Spy";
    dagaz(&["moves", &night]).code(0).err(note);
    let json = dagaz(&["moves", &night, "--json"]).code(0).json();
    assert_eq!(json["hidden"]["sites"], json!(["a4", "a3", "b4", "b3"]));
    assert_eq!(json["hidden"]["kinds"], json!([]));
    let said =
        "hidden      (conceal piece not-my? (not-my? s) (not-…, (conceal kind enemy?), (conceal hand (!= owner me))";
    dagaz(&["info", &night]).code(0).out(said);
    assert_eq!(dagaz(&["info", &night, "--json"]).code(0).json()["hidden"][1], "(conceal kind enemy?)");
    let open = dagaz(&["moves", "tic-tac-toe", "--json"]).code(0).json();
    assert_eq!(open["hidden"], json!({ "sites": [], "kinds": [], "others": [] }));
    assert_eq!(dagaz(&["info", "tic-tac-toe", "--json"]).code(0).json()["hidden"], json!([]));
}

#[test]
fn an_agent_looks_only_where_that_is_said() {
    let scratch = Scratch::new("agents");
    let night = scratch.file("night.zrf", NIGHT);
    for (agent, allowed) in [("alphabeta:depth=1", "alphabeta:depth=1,sees-all")] {
        let refused = format!(
            "players of Night do not see everything, but the agent would; `random` and `mcts` do not look, and `{allowed}`"
        );
        for command in
            [&["selfplay", &night, "--games", "1", "--agent"][..], &["play", &night, "--terminal", "--agent"]]
        {
            dagaz(&[command, &[agent]].concat()).code(2).err(&refused);
        }
        dagaz(&["selfplay", &night, "--games", "1", "--agent", allowed]).code(0);
    }
    for agent in ["random", "mcts:nodes=20", "mcts:nodes=20,sees-all"] {
        dagaz(&["selfplay", &night, "--games", "1", "--agent", agent, "--max-moves", "40"]).code(0);
    }
    dagaz_with(&["play", &night, "--terminal"], "").code(0).out("Black: mcts");
}
