//! `dagaz gtp`: an agent as an engine for Go programs, in the Go Text Protocol, version 2 (Farnebäck 2002,
//! <https://www.lysator.liu.se/~gunnar/gtp/>).
//!
//! Any game will do whose moves put a stone on a point or pass. The board and the komi are the rules' own: `boardsize`
//! chooses a variant that has such a board, and another `komi` counts in `final_score` and for nothing else.

use std::io::BufRead as _;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use dagaz_arena::{persons, thinking_time};
use dagaz_base::Id as _;
use dagaz_base::random::mix;
use dagaz_board::Site;
use dagaz_engine::{History as _, Line, Situation, State, Step};
use dagaz_ir::{Player, Role};
use dagaz_notation::gtp::{Points, Scoring};
use dagaz_search::{Agent, AgentSpec, Ask};

use crate::answer::{Answer, Out};
use crate::args::{ChoiceArgs, ExecutorName, GtpArgs};
use crate::game::{Game, Source};

/// All commands, in alphabetical order.
const COMMANDS: &[&str] = &[
    "boardsize",
    "clear_board",
    "final_score",
    "final_status_list",
    "fixed_handicap",
    "genmove",
    "known_command",
    "komi",
    "list_commands",
    "name",
    "place_free_handicap",
    "play",
    "protocol_version",
    "quit",
    "reg_genmove",
    "set_free_handicap",
    "showboard",
    "time_left",
    "time_settings",
    "undo",
    "version",
];

pub(crate) fn run(args: &GtpArgs, out: &mut Out) -> anyhow::Result<Answer> {
    let mut engine = Engine::new(args)?;
    for line in std::io::stdin().lock().split(b'\n') {
        let Some(command) = Command::read(&line?) else { continue };
        let (sign, text) = match engine.obey(&command) {
            Ok(text) => ('=', text),
            Err(Refusal::Said(text)) => ('?', text.to_owned()),
            Err(Refusal::Failed(error)) => ('?', format!("{error:#}").replace('\n', " ")),
        };
        let space = if text.is_empty() || text.starts_with('\n') { "" } else { " " };
        out.text(format_args!("{sign}{}{space}{text}\n\n", command.id))?;
        out.flush()?;
        if command.name == "quit" {
            break;
        }
    }
    Ok(Answer::Yes)
}

/// A command as it came.
struct Command {
    id: String,
    name: String,
    arguments: Vec<String>,
}

impl Command {
    /// As the protocol wants it (3.1): control characters go, tabs are blanks, remarks and empty lines are nothing.
    fn read(line: &[u8]) -> Option<Self> {
        let text = String::from_utf8_lossy(line);
        let text = text.split('#').next().unwrap_or_default();
        let clean: String = text
            .chars()
            .filter_map(|letter| match letter {
                '\t' => Some(' '),
                letter if letter.is_control() => None,
                letter => Some(letter),
            })
            .collect();
        let mut words = clean.split_whitespace().map(str::to_owned).peekable();
        let id = words.next_if(|word| word.bytes().all(|byte| byte.is_ascii_digit())).unwrap_or_default();
        let name = words.next()?;
        Some(Self { id, name, arguments: words.collect() })
    }
}

/// Why a command is answered by `?`.
enum Refusal {
    /// In the words of the protocol.
    Said(&'static str),
    Failed(anyhow::Error),
}

impl From<anyhow::Error> for Refusal {
    fn from(error: anyhow::Error) -> Self {
        Self::Failed(error)
    }
}

impl From<dagaz_engine::Fault> for Refusal {
    fn from(fault: dagaz_engine::Fault) -> Self {
        Self::Failed(fault.into())
    }
}

const BAD_LIST: Refusal = Refusal::Said("bad vertex list");
const SYNTAX: Refusal = Refusal::Said("syntax error");

struct Engine {
    source: Source,
    executor_name: ExecutorName,
    spec: AgentSpec,
    seed: u64,
    table: Table,
    komi: Option<f64>,
    clock: Option<Clock>,
}

/// The game that is played now.
struct Table {
    game: Game,
    agent: Box<dyn Agent>,
    points: Points,
    scoring: Option<Scoring>,
    players: [Player; 2],
    state: State,
    history: Line,
    made: Vec<(Player, Step)>,
}

/// Time settings, and what each colour has left.
struct Clock {
    main: Duration,
    period: Duration,
    stones: u32,
    left: [Option<(Duration, u32)>; 2],
}

impl Engine {
    fn new(args: &GtpArgs) -> anyhow::Result<Self> {
        let source = Source::find(&args.game.game)?;
        let table = Table::new(Game::load(&args.game, args.executor)?, &args.agent)?;
        Ok(Self {
            source,
            executor_name: args.executor,
            spec: args.agent,
            seed: args.seed,
            table,
            komi: None,
            clock: None,
        })
    }

    fn obey(&mut self, command: &Command) -> Result<String, Refusal> {
        let arguments: Vec<&str> = command.arguments.iter().map(String::as_str).collect();
        match (command.name.as_str(), arguments.as_slice()) {
            ("protocol_version", _) => Ok("2".to_owned()),
            ("name", _) => Ok("Dagaz".to_owned()),
            ("version", _) => Ok(env!("CARGO_PKG_VERSION").to_owned()),
            ("known_command", [name, ..]) => Ok(COMMANDS.contains(name).to_string()),
            ("list_commands", _) => Ok(COMMANDS.join("\n")),
            ("quit", _) => Ok(String::new()),
            ("boardsize", [size, ..]) => self.board_size(size.parse().map_err(|_| SYNTAX)?),
            ("clear_board", _) => {
                self.table.clear();
                Ok(String::new())
            }
            ("komi", [komi, ..]) => {
                self.komi = Some(komi.parse().ok().filter(|komi: &f64| komi.is_finite()).ok_or(SYNTAX)?);
                Ok(String::new())
            }
            ("play", [colour, vertex, ..]) => {
                let player = self.table.player(colour)?;
                let point = self.table.points.read(vertex).ok_or(SYNTAX)?;
                self.table.play(player, point)?;
                Ok(String::new())
            }
            ("genmove", [colour, ..]) => self.generate(colour, true),
            ("reg_genmove", [colour, ..]) => self.generate(colour, false),
            ("fixed_handicap" | "place_free_handicap", [stones, ..]) => {
                let stones = stones.parse().map_err(|_| SYNTAX)?;
                let points = self.table.points.handicap(stones).ok_or(Refusal::Said("invalid number of stones"))?;
                self.table.place(&points)
            }
            ("set_free_handicap", [_, _, ..]) => {
                let point = |text: &&str| self.table.points.read(text).flatten().ok_or(BAD_LIST);
                let points: Vec<Site> = arguments.iter().map(point).collect::<Result<_, _>>()?;
                self.table.place(&points).map(|_| String::new())
            }
            ("undo", _) => {
                self.table.undo()?;
                Ok(String::new())
            }
            ("showboard", _) => Ok(self.table.show()),
            ("final_score", _) => self.score(),
            ("final_status_list", [status, ..]) => self.table.status(status),
            ("time_settings", [main, period, stones, ..]) => {
                let seconds = |text: &str| {
                    text.parse::<u32>().map(|seconds| Duration::from_secs(seconds.into())).map_err(|_| SYNTAX)
                };
                let (main, period) = (seconds(main)?, seconds(period)?);
                let stones = stones.parse().map_err(|_| SYNTAX)?;
                // A period without stones is no limit.
                let limited = period.is_zero() || stones > 0;
                self.clock = limited.then_some(Clock { main, period, stones, left: [None; 2] });
                Ok(String::new())
            }
            ("time_left", [colour, time, stones, ..]) => {
                let player = self.table.player(colour)?;
                let time = Duration::from_secs(time.parse::<u32>().map_err(|_| SYNTAX)?.into());
                let left = Some((time, stones.parse().map_err(|_| SYNTAX)?));
                let clock =
                    self.clock.get_or_insert(Clock { main: time, period: Duration::ZERO, stones: 0, left: [None; 2] });
                clock.left[usize::from(player != self.table.players[0])] = left;
                Ok(String::new())
            }
            (known, _) if COMMANDS.contains(&known) => Err(SYNTAX),
            _ => Err(Refusal::Said("unknown command")),
        }
    }

    /// The rules' own board, or the first variant that has such a one.
    fn board_size(&mut self, size: usize) -> Result<String, Refusal> {
        if self.table.points.size() != (size, size) {
            let file = self.source.read()?;
            // Titles that name the size come first: compiling takes time.
            let mut titles: Vec<&str> = file.menu().iter().map(|item| item.title.as_str()).collect();
            titles.sort_by_key(|title| !title.contains(&format!("{size}x{size}")));
            let mut found = None;
            for title in titles {
                let compiled = file.compile(&crate::game::settings(Some(title)));
                let Some(game) = compiled.game else { continue };
                let executor = dagaz_engine::Interpreter::new(std::sync::Arc::new(game.rules));
                if Points::of(&executor).is_some_and(|points| points.size() == (size, size)) {
                    found = Some(title.to_owned());
                    break;
                }
            }
            let Some(title) = found else { return Err(Refusal::Said("unacceptable size")) };
            let game = Game::load_from(&self.source, &ChoiceArgs { variant: Some(title) }, self.executor_name)?;
            self.table = Table::new(game, &self.spec)?;
        }
        self.table.clear();
        Ok(String::new())
    }

    fn generate(&mut self, colour: &str, makes: bool) -> Result<String, Refusal> {
        let player = self.table.player(colour)?;
        let time = self.clock.as_ref().map(|clock| clock.share(usize::from(player != self.table.players[0])));
        let seed = mix(self.seed ^ mix(self.table.made.len() as u64));
        let Some(step) = self.table.choose(player, &self.spec, time, seed)? else { return Ok("pass".to_owned()) };
        let text = self.table.points.write(&step).context("the move has no vertex")?;
        if makes {
            self.table.make(player, step)?;
        }
        Ok(text)
    }

    fn score(&self) -> Result<String, Refusal> {
        let cannot = || Refusal::Said("cannot score");
        let table = &self.table;
        let scoring = table.scoring.ok_or_else(cannot)?;
        let margin = scoring.margin(&*table.game.executor, &table.state)?.ok_or_else(cannot)?;
        let margin = margin - self.komi.unwrap_or(scoring.points());
        Ok(match margin {
            margin if margin > 0.0 => format!("B+{margin}"),
            margin if margin < 0.0 => format!("W+{}", -margin),
            _ => "0".to_owned(),
        })
    }
}

impl Clock {
    /// How long to think about a move.
    fn share(&self, seat: usize) -> Duration {
        let (left, stones) =
            self.left[seat].unwrap_or(if self.main.is_zero() { (self.period, self.stones) } else { (self.main, 0) });
        thinking_time(left, Duration::ZERO, (stones > 0).then_some(stones))
    }
}

impl Table {
    fn new(game: Game, spec: &AgentSpec) -> anyhow::Result<Self> {
        let persons = persons(game.rules());
        let chance = game.rules().players.values().any(|player| player.role == Role::Random);
        let &[first, second] = persons.as_slice() else {
            bail!("the protocol is for two players, and {} has {}", game.name, persons.len())
        };
        if chance {
            bail!("the protocol is for games without chance");
        }
        let points =
            Points::of(&*game.executor).context("the protocol is for boards of at most 25 columns and rows")?;
        let state = game.executor.initial();
        let steps = game.executor.steps(&state, &Line::new())?;
        if !steps.iter().all(|step| step.from.is_none()) {
            bail!("the protocol is for games whose moves put a stone on a point, and {} has others", game.name);
        }
        let scoring = Scoring::of(&*game.executor)?;
        let agent = game.agent(*spec)?;
        Ok(Self {
            agent,
            points,
            scoring,
            players: [first, second],
            state,
            history: Line::new(),
            made: Vec::new(),
            game,
        })
    }

    fn clear(&mut self) {
        (self.state, self.history) = (self.game.executor.initial(), Line::new());
        self.made.clear();
    }

    fn player(&self, colour: &str) -> Result<Player, Refusal> {
        match colour.to_lowercase().as_str() {
            "b" | "black" => Ok(self.players[0]),
            "w" | "white" => Ok(self.players[1]),
            _ => Err(SYNTAX),
        }
    }

    /// The protocol lets either colour play at any time: then it is that colour's turn.
    fn turn_to(&mut self, player: Player) -> Result<(), Refusal> {
        let executor = &*self.game.executor;
        if executor.to_move(&self.state) != player {
            let turns = &executor.rules().schedule.turns;
            let turn = turns.iter().position(|turn| turn.player == player).ok_or(Refusal::Said("illegal move"))?;
            let layout = executor.layout();
            self.state.set(layout, layout.global(layout.known.turn), turn as i32);
        }
        Ok(())
    }

    fn play(&mut self, player: Player, point: Option<Site>) -> Result<(), Refusal> {
        let before = self.state.clone();
        self.turn_to(player)?;
        let legal = match self.game.executor.situation(&self.state, &self.history)? {
            Situation::Open(legal) => legal,
            Situation::Over(_) => Vec::new(),
        };
        match self.points.find(&legal, point) {
            Some(step) => self.make(player, step.clone()),
            None => {
                self.state = before;
                Err(Refusal::Said("illegal move"))
            }
        }
    }

    /// Puts the first player's stones on an empty board, and says where.
    fn place(&mut self, points: &[Site]) -> Result<String, Refusal> {
        if !self.made.is_empty() {
            return Err(Refusal::Said("board not empty"));
        }
        for &point in points {
            if self.play(self.players[0], Some(point)).is_err() {
                self.clear();
                return Err(BAD_LIST);
            }
        }
        let names: Vec<String> = points.iter().filter_map(|&site| self.points.vertex(site)).collect();
        Ok(names.join(" "))
    }

    fn make(&mut self, player: Player, step: Step) -> Result<(), Refusal> {
        self.turn_to(player)?;
        let before = self.state.keys();
        let undo = self.game.executor.apply(&mut self.state, &step)?;
        self.history.push(before, player, &undo);
        self.made.push((player, step));
        Ok(())
    }

    fn undo(&mut self) -> Result<(), Refusal> {
        if self.made.pop().is_none() {
            return Err(Refusal::Said("cannot undo"));
        }
        let made = std::mem::take(&mut self.made);
        self.clear();
        made.into_iter().try_for_each(|(player, step)| self.make(player, step))
    }

    /// The agent's move; nothing when the game is over.
    fn choose(
        &mut self,
        player: Player,
        spec: &AgentSpec,
        time: Option<Duration>,
        seed: u64,
    ) -> Result<Option<Step>, Refusal> {
        self.turn_to(player)?;
        if let Situation::Over(_) = self.game.executor.situation(&self.state, &self.history)? {
            return Ok(None);
        }
        let deadline = time.or(spec.time).map(|time| Instant::now() + time);
        let ask = Ask {
            executor: &*self.game.executor,
            state: &self.state,
            history: &self.history,
            budget: spec.budget,
            keep_going: &|| deadline.is_none_or(|deadline| Instant::now() < deadline),
            seed,
        };
        let choice = self.agent.choose(&ask).map_err(anyhow::Error::from)?;
        Ok(choice.chosen.steps.into_iter().next())
    }

    /// The stones: first the colour, then its vertices, by rows.
    fn owner(&self, site: Site) -> Option<Player> {
        let layout = self.game.executor.layout();
        let owner = usize::try_from(self.state.get(layout.at(layout.known.owner, site)) - 1).ok()?;
        Some(Player::from_index(owner))
    }

    /// As GNU Go draws it: X is black, O is white.
    fn show(&self) -> String {
        let (columns, rows) = self.points.size();
        let letters: String =
            "ABCDEFGHJKLMNOPQRSTUVWXYZ".chars().take(columns).flat_map(|letter| [' ', letter]).collect();
        let mut text = format!("\n  {letters}\n");
        for (index, row) in self.points.rows().iter().enumerate() {
            let number = rows - index;
            let signs: String = row
                .iter()
                .flat_map(|&site| {
                    [
                        ' ',
                        match self.owner(site) {
                            Some(player) if player == self.players[0] => 'X',
                            Some(_) => 'O',
                            None => '.',
                        },
                    ]
                })
                .collect();
            text += &format!("{number:2}{signs} {number}\n");
        }
        format!("{text}  {letters}\nmoves: {}", self.history.moves())
    }

    /// All stones that stand are taken to live: the rules know no other way.
    fn status(&self, status: &str) -> Result<String, Refusal> {
        match status {
            "alive" => {
                let stones = self.points.rows().iter().flatten().filter(|&&site| self.owner(site).is_some());
                let names: Vec<String> = stones.filter_map(|&site| self.points.vertex(site)).collect();
                Ok(names.join("\n"))
            }
            "dead" | "seki" => Ok(String::new()),
            _ => Err(SYNTAX),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_cleaned_as_the_protocol_says() {
        let read = |line: &[u8]| Command::read(line).map(|command| (command.id, command.name, command.arguments));
        assert_eq!(
            read(b"12\tplay\x07 b  D4 # a remark\r"),
            Some(("12".into(), "play".into(), vec!["b".into(), "D4".into()]))
        );
        assert_eq!(read(b"name"), Some((String::new(), "name".into(), vec![])));
        assert_eq!(read(b"  # nothing"), None);
        assert_eq!(read(b"\r"), None);
    }
}
