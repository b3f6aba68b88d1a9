//! Assembles rule files from bytes: names come from small pools, so that most of them mean something.
//!
//! Every choice takes the next byte, and the first alternative when none is left: the file always ends.

use arbitrary::Unstructured;

const PLAYERS: &[&str] = &["A", "B", "?C", "N"];
const KINDS: &[&str] = &["P", "Q", "R"];
const DIRECTIONS: &[&str] = &["n", "e", "s", "w", "up", "ring"];
const SITES: &[&str] = &["a1", "b2", "c3", "d1", "a4", "hand", "start"];
const ZONES: &[&str] = &["home", "goal", "void"];
const ATTRIBUTES: &[&str] = &["fresh?", "caught?"];
const MOVE_TYPES: &[&str] = &["first", "second", "third"];
const FLAGS: &[&str] = &["f", "g"];
/// What the extended language keeps in the state, and what its blocks call things.
const VARIABLES: &str = "(variable v 0)(variable w 1 positions)(variable u 2 players move)(variable h 0 (array 3))";
const STATE: &[&str] = &["v", "w", "u", "h", "count"];
const NAMES: &[&str] = &["x", "y"];
const LABELS: &[&str] = &["again", "later"];
const STAGES: &[&str] = &["before-move", "before-step", "after-step", "after-move"];
const CONCEALED: &[&str] = &["piece", "kind", "hand", "v", "w", "u", "h", "fresh?"];
const NUMBERS: &[&str] = &["0", "1", "2", "3", "-1", "99999999999"];
const OPTIONS: &[&str] = &[
    "pass turn",
    "pass partial",
    "maximal captures",
    "recycle captures",
    "recycle promotions",
    "discard cascades",
    "include off-pieces",
    "smart moves",
    "no such option",
];
const VALUES: &[&str] = &["true", "false", "forced", "2"];
const TESTS: &[&str] = &[
    "empty?",
    "enemy?",
    "friend?",
    "neutral?",
    "on-board?",
    "marked?",
    "last-from?",
    "last-to?",
    "attacked?",
    "defended?",
    "goal-position?",
    "adjacent-to-enemy?",
    "not-empty?",
    "not-enemy?",
    "not-friend?",
    "not-attacked?",
    "not-marked?",
    "fresh?",
    "caught?",
    "true",
    "false",
];

/// A rule file.
pub fn assemble(data: &[u8]) -> String {
    let mut writer = Writer { data: Unstructured::new(data), text: String::new(), in_macro: false };
    writer.file();
    writer.text
}

struct Writer<'a> {
    data: Unstructured<'a>,
    text: String,
    /// Whether a macro's body is being written, which uses no macros.
    in_macro: bool,
}

impl Writer<'_> {
    fn file(&mut self) {
        self.in_macro = true;
        self.list("define one", |writer| writer.steps(2));
        self.list("define two", |writer| writer.steps(2));
        self.in_macro = false;
        self.list("game", |writer| {
            writer.list("title", |writer| writer.word("\"Made\""));
            writer.schedule();
            writer.list("board", Self::board);
            KINDS.iter().for_each(|kind| writer.list("piece", |writer| writer.piece(kind)));
            writer.list("board-setup", |writer| writer.repeat(1, 3, Self::setup));
            writer.repeat(0, 3, Self::option);
            writer.repeat(0, 3, Self::end);
            if writer.chance() {
                writer.word(VARIABLES);
                writer.repeat(0, 4, Self::extension);
            }
        });
        if self.chance() {
            self.list("variant", |writer| {
                writer.list("title", |writer| writer.word("\"Other\""));
                writer.repeat(0, 3, |writer| match writer.below(4) {
                    0 => writer.end(),
                    1 => writer.option(),
                    2 => writer.list("piece", |writer| writer.piece("Q")),
                    _ => writer.schedule(),
                });
            });
        }
    }

    /// A section that ZRF does not have.
    fn extension(&mut self) {
        match self.below(8) {
            0 => self.word("(stacks 3)"),
            1 => self.list("teams", |writer| writer.group(|writer| writer.repeat(1, 2, |writer| writer.pick(PLAYERS)))),
            2 => self.list("verify", |writer| writer.condition(2)),
            3 => {
                let stage = STAGES[self.below(STAGES.len())];
                self.list(stage, |writer| writer.steps(3));
            }
            5 | 6 => self.list("conceal", |writer| {
                writer.pick(CONCEALED);
                writer.repeat(0, 2, |writer| writer.condition(2));
            }),
            4 => self.list("score-condition", |writer| {
                writer.condition(1);
                writer.number(2);
            }),
            _ => self.list("moves", |writer| {
                writer.repeat(0, 1, |writer| writer.list("move-type", |writer| writer.pick(MOVE_TYPES)));
                writer.repeat(0, 1, |writer| writer.list("view", |writer| writer.pick(&["before", "tentative"])));
                writer.repeat(1, 3, |writer| {
                    writer.group(|writer| {
                        writer.steps(4);
                        writer.word("add");
                        if writer.chance() {
                            writer.list("then", |writer| writer.steps(2));
                        }
                    });
                });
            }),
        }
    }

    fn schedule(&mut self) {
        self.list("players", |writer| {
            let count = writer.below(PLAYERS.len()).max(1) + 1;
            PLAYERS.iter().take(count).for_each(|player| writer.word(player));
        });
        self.list("turn-order", |writer| {
            writer.repeat(1, 5, |writer| match writer.below(8) {
                6 => writer.list("label", |writer| writer.pick(LABELS)),
                7 => writer.list("turn-order", |writer| writer.repeat(1, 2, |writer| writer.pick(PLAYERS))),
                0 => writer.word("A"),
                1 => writer.word("B"),
                2 => writer.word("repeat"),
                3 => writer.pick(PLAYERS),
                4 => writer.group(|writer| {
                    writer.pick(PLAYERS);
                    writer.pick(MOVE_TYPES);
                }),
                _ => writer.group(|writer| {
                    writer.pick(PLAYERS);
                    writer.pick(PLAYERS);
                    writer.pick(MOVE_TYPES);
                }),
            });
        });
        if self.chance() {
            self.list("move-priorities", |writer| writer.repeat(1, 3, |writer| writer.pick(MOVE_TYPES)));
        }
    }

    fn board(&mut self) {
        self.list("grid", |writer| {
            writer.word("(start-rectangle 0 0 9 9)");
            writer.word("(dimensions (\"a/b/c/d\" (10 0)) (\"4/3/2/1\" (0 10)))");
            writer.word("(directions (n 0 -1) (e 1 0) (s 0 1) (w -1 0))");
        });
        if self.chance() {
            let deep = "(grid (start-rectangle 50 0 9 9) (dimensions (\"x/y\" (10 0)) (\"1/2\" (0 10)) (\"i/j/k\" (0 30))) \
                        (directions (up 0 0 1) (e 1 0 0)))";
            self.word(deep);
        }
        self.word("(positions (hand 0 60 9 69))(dummy start)");
        self.word("(links up (a1 b2)(b2 hand))(links ring (a1 d1)(d1 b2)(b2 a1))");
        self.repeat(0, 5, |writer| match writer.below(6) {
            0 => writer.list("zone", |writer| {
                writer.list("name", |writer| writer.pick(ZONES));
                writer.list("players", |writer| writer.repeat(1, 2, |writer| writer.pick(PLAYERS)));
                writer.list("positions", |writer| writer.repeat(0, 5, |writer| writer.pick(SITES)));
            }),
            1 => writer.list("symmetry", |writer| {
                writer.pick(PLAYERS);
                writer.repeat(1, 3, |writer| {
                    writer.group(|writer| writer.repeat(2, 2, |writer| writer.pick(DIRECTIONS)))
                });
            }),
            2 => writer.list("links", |writer| {
                writer.pick(DIRECTIONS);
                writer.repeat(1, 4, |writer| writer.group(|writer| writer.repeat(2, 2, |writer| writer.pick(SITES))));
            }),
            3 => writer.list("unlink", |writer| writer.pick(SITES)),
            4 => writer.list("kill-positions", |writer| writer.pick(SITES)),
            _ => writer.list("dummy", |writer| writer.pick(SITES)),
        });
    }

    fn piece(&mut self, name: &str) {
        self.list("name", |writer| writer.word(name));
        for attribute in ATTRIBUTES {
            self.list(&format!("attribute {attribute}"), |writer| writer.pick(&["false", "true"]));
        }
        self.repeat(1, 2, |writer| {
            let kind = if writer.below(3) < 2 { "moves" } else { "drops" };
            writer.list(kind, |writer| {
                writer.repeat(1, 4, |writer| match writer.below(4) {
                    0 => writer.list("move-type", |writer| writer.pick(MOVE_TYPES)),
                    _ => writer.group(|writer| writer.steps(4)),
                });
            });
        });
    }

    fn setup(&mut self) {
        self.group(|writer| {
            writer.pick(PLAYERS);
            writer.repeat(1, 2, |writer| {
                writer.group(|writer| {
                    writer.pick(KINDS);
                    writer.repeat(1, 4, |writer| match writer.below(5) {
                        0 => writer.word("off 2"),
                        _ => writer.pick(SITES),
                    });
                });
            });
        });
    }

    fn option(&mut self) {
        self.list("option", |writer| {
            let name = writer.below(OPTIONS.len());
            writer.word(&format!("\"{}\"", OPTIONS[name]));
            writer.pick(VALUES);
        });
    }

    fn end(&mut self) {
        let verdict = ["win-condition", "loss-condition", "draw-condition", "count-condition"][self.below(4)];
        self.list(verdict, |writer| {
            writer.group(|writer| writer.repeat(1, 2, |writer| writer.pick(PLAYERS)));
            writer.goal(2);
        });
    }

    fn goal(&mut self, depth: usize) {
        match self.below(if depth == 0 { 8 } else { 11 }) {
            0 => self.word("stalemated"),
            1 => self.word("repetition"),
            2 => self.list("checkmated", |writer| writer.pick(KINDS)),
            3 => self.list("captured", |writer| writer.pick(KINDS)),
            4 => self.list("pieces-remaining", Self::count),
            5 => self.list("total-piece-count", Self::count),
            6 => self.list("absolute-config", |writer| {
                writer.occupant();
                writer.group(|writer| {
                    writer.repeat(1, 3, |writer| if writer.chance() { writer.pick(ZONES) } else { writer.pick(SITES) });
                });
            }),
            7 => self.list("relative-config", |writer| {
                writer.occupant();
                writer.repeat(1, 3, |writer| {
                    writer.pick(DIRECTIONS);
                    writer.occupant();
                });
            }),
            8 => self.list("and", |writer| writer.repeat(1, 3, |writer| writer.goal(depth - 1))),
            9 => self.list("or", |writer| writer.repeat(1, 3, |writer| writer.goal(depth - 1))),
            _ => self.list("not", |writer| writer.goal(depth - 1)),
        }
    }

    fn count(&mut self) {
        self.pick(NUMBERS);
        if self.chance() {
            self.pick(KINDS);
        }
    }

    fn occupant(&mut self) {
        match self.below(6) {
            0 => self.list("opponent", |writer| writer.pick(KINDS)),
            1 => self.list("any-owner", |writer| writer.pick(KINDS)),
            2 => self.list("not", |writer| writer.pick(KINDS)),
            _ => self.pick(KINDS),
        }
    }

    fn steps(&mut self, depth: usize) {
        self.repeat(1, 6, |writer| writer.step(depth));
    }

    fn step(&mut self, depth: usize) {
        match self.below(if depth == 0 { 19 } else { 32 }) {
            0 => self.word("add"),
            1 | 2 => self.pick(DIRECTIONS),
            3 => self.pick(SITES),
            4 => self.list("verify", |writer| writer.condition(2)),
            5 => self.pick(&["from", "to", "mark", "back", "cascade", "capture", "flip", "change-owner"]),
            6 => self.list("opposite", |writer| writer.pick(DIRECTIONS)),
            7 => self.list("go", |writer| writer.pick(&["from", "to", "mark", "last-from", "last-to"])),
            8 => self.list("capture", Self::place),
            9 => self.list("change-type", |writer| {
                writer.pick(KINDS);
                writer.maybe_place();
            }),
            10 => self.list("create", |writer| {
                if writer.chance() {
                    writer.pick(PLAYERS);
                }
                writer.pick(KINDS);
                writer.maybe_place();
            }),
            11 => self.list("set-attribute", |writer| {
                writer.pick(ATTRIBUTES);
                writer.condition(1);
                writer.maybe_place();
            }),
            12 => self.list("set-flag", |writer| {
                writer.pick(FLAGS);
                writer.condition(1);
            }),
            13 => self.list("set-position-flag", |writer| {
                writer.pick(FLAGS);
                writer.condition(1);
                writer.maybe_place();
            }),
            14 => self.list("add", |writer| writer.repeat(1, 2, |writer| writer.pick(KINDS))),
            15 => self.pick(&["add-copy", "add-partial", "add-copy-partial"]),
            16 => self.list("add-partial", |writer| writer.pick(MOVE_TYPES)),
            17 => self.list("add-partial", |writer| {
                writer.pick(KINDS);
                writer.pick(MOVE_TYPES);
            }),
            18 | 19 if self.in_macro => self.word("$1"),
            18 => self.list("one", |writer| writer.pick(DIRECTIONS)),
            19 => self.list("two", |writer| writer.pick(DIRECTIONS)),
            23 => self.list("choose", |writer| writer.each(depth)),
            24 => self.list("for", |writer| writer.each(depth)),
            25 => self.list("let", |writer| {
                writer.pick(NAMES);
                match writer.below(3) {
                    0 => writer.number(2),
                    1 => writer.set(2),
                    _ => writer.place(),
                }
            }),
            26 => self.list("set", |writer| {
                writer.pick(STATE);
                if writer.chance() {
                    writer.place();
                }
                writer.number(2);
            }),
            27 => self.list("try", |writer| writer.steps(depth - 1)),
            28 => self.list("for-each d (n e s)", |writer| writer.steps(depth - 1)),
            29 => self.list("displace", |writer| {
                writer.place();
                writer.place();
            }),
            30 => {
                let stacked = ["put", "push", "tuck", "take"][self.below(4)];
                self.list(stacked, |writer| {
                    writer.number(1);
                    writer.number(1);
                    writer.maybe_place();
                });
            }
            31 if self.chance() => self.list("jump", |writer| writer.pick(LABELS)),
            31 => self.list("pop", Self::maybe_place),
            20 => self.list("while", |writer| {
                writer.condition(2);
                writer.steps(depth - 1);
            }),
            _ => self.list("if", |writer| {
                writer.condition(2);
                writer.steps(depth - 1);
                if writer.chance() {
                    writer.word("else");
                    writer.steps(depth - 1);
                }
            }),
        }
    }

    /// What follows `choose` and `for`.
    fn each(&mut self, depth: usize) {
        self.pick(NAMES);
        match self.below(4) {
            0 => self.list("range", |writer| writer.repeat(2, 2, |writer| writer.number(1))),
            1 => self.list("of", |writer| writer.repeat(1, 3, |writer| writer.pick(KINDS))),
            _ => self.set(2),
        }
        self.steps(depth - 1);
    }

    fn number(&mut self, depth: usize) {
        match self.below(if depth == 0 { 5 } else { 11 }) {
            0 | 1 => self.pick(NUMBERS),
            2 => self.pick(STATE),
            3 => self.pick(&["me", "mover", "owner", "kind", "height", "repetitions", "moves-made", "first-stood"]),
            4 => self.pick(NAMES),
            5 => self.list("count", |writer| writer.set(depth - 1)),
            6 => self.list("count", |writer| writer.pick(&["moves", "replies"])),
            7 => {
                let operation = ["+", "-", "*", "/", "mod", "min", "max"][self.below(7)];
                self.list(operation, |writer| writer.repeat(2, 2, |writer| writer.number(depth - 1)));
            }
            8 => self.list("if", |writer| {
                writer.condition(depth - 1);
                writer.number(depth - 1);
                writer.number(depth - 1);
            }),
            9 => self.list("sum", |writer| {
                writer.set(depth - 1);
                writer.number(depth - 1);
            }),
            _ => self.list("owner-below 1", Self::maybe_place),
        }
    }

    fn set(&mut self, depth: usize) {
        match self.below(if depth == 0 { 3 } else { 8 }) {
            0 => self.word("everywhere"),
            1 => self.pick(ZONES),
            2 => self.pick(NAMES),
            3 => self.list("pieces", |writer| writer.repeat(0, 2, |writer| writer.condition(depth - 1))),
            4 => self.list("positions", |writer| writer.repeat(0, 2, |writer| writer.condition(depth - 1))),
            5 => self.list("neighbours", |writer| {
                writer.set(depth - 1);
                writer.repeat(0, 2, |writer| writer.pick(DIRECTIONS));
            }),
            6 => self.list("flood", |writer| {
                writer.set(depth - 1);
                writer.set(depth - 1);
                writer.repeat(0, 2, |writer| writer.pick(DIRECTIONS));
            }),
            _ => self.list("ray", |writer| {
                writer.pick(DIRECTIONS);
                writer.set(depth - 1);
                writer.maybe_place();
            }),
        }
    }

    fn condition(&mut self, depth: usize) {
        match self.below(if depth == 0 { 9 } else { 15 }) {
            12 => {
                let comparison = ["=", "<", ">="][self.below(3)];
                self.list(comparison, |writer| writer.repeat(2, 2, |writer| writer.number(depth - 1)));
            }
            13 => {
                let quantifier = ["any?", "every?", "none?"][self.below(3)];
                self.list(quantifier, |writer| {
                    writer.set(depth - 1);
                    writer.repeat(0, 1, |writer| writer.condition(depth - 1));
                });
            }
            14 => self.list("member?", |writer| {
                writer.set(depth - 1);
                writer.maybe_place();
            }),
            0..=2 => self.pick(TESTS),
            3 | 4 => {
                let test = self.below(TESTS.len());
                self.list(TESTS[test], Self::place);
            }
            5 => self.list("in-zone?", |writer| {
                writer.pick(ZONES);
                writer.maybe_place();
                if writer.chance() {
                    writer.pick(PLAYERS);
                }
            }),
            6 => self.list("piece?", |writer| {
                writer.pick(KINDS);
                writer.maybe_place();
            }),
            7 => self.list("flag?", |writer| writer.pick(FLAGS)),
            8 => self.list("position-flag?", |writer| {
                writer.pick(FLAGS);
                writer.maybe_place();
            }),
            9 => self.list("and", |writer| writer.repeat(1, 3, |writer| writer.condition(depth - 1))),
            10 => self.list("or", |writer| writer.repeat(1, 3, |writer| writer.condition(depth - 1))),
            _ => self.list("not", |writer| writer.condition(depth - 1)),
        }
    }

    fn place(&mut self) {
        match self.below(6) {
            0 => self.pick(&["x", "y", "here", "nowhere", "from", "to"]),
            1..=3 => self.pick(DIRECTIONS),
            _ => self.pick(SITES),
        }
    }

    fn maybe_place(&mut self) {
        if self.chance() {
            self.place();
        }
    }

    /// A list that begins with `head`.
    fn list(&mut self, head: &str, body: impl FnOnce(&mut Self)) {
        self.text.push('(');
        self.word(head);
        body(self);
        self.text.push_str(")\n");
    }

    /// A list without a head.
    fn group(&mut self, body: impl FnOnce(&mut Self)) {
        self.text.push('(');
        body(self);
        self.text.push_str(")\n");
    }

    fn word(&mut self, word: &str) {
        self.text.push_str(word);
        self.text.push(' ');
    }

    fn pick(&mut self, words: &[&str]) {
        let index = self.below(words.len());
        self.word(words[index]);
    }

    fn repeat(&mut self, least: usize, most: usize, mut body: impl FnMut(&mut Self)) {
        let count = least + self.below(most - least + 1);
        (0..count).for_each(|_| body(self));
    }

    fn chance(&mut self) -> bool {
        self.below(2) == 1
    }

    /// A number under `bound`; 0 when the bytes are used up.
    fn below(&mut self, bound: usize) -> usize {
        self.data.int_in_range(0..=bound - 1).unwrap_or(0)
    }
}
