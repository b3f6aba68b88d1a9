//! Fairy-Stockfish, spoken to in UCI: <https://github.com/fairy-stockfish/Fairy-Stockfish>. It counts all moves of the last
//! turn at once, as our own counts do.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context, Result, ensure};

/// Our game, the program's name of it, a depth, and how many sequences of so many moves there are: as in the `.cases`
/// of our game.
const COUNTS: &[(&str, &str, u32, u64)] = &[
    ("chess", "chess", 5, 4_865_609),
    ("knightmate", "knightmate", 5, 3_249_033),
    ("antichess", "antichess", 5, 2_732_672),
    ("xiangqi", "xiangqi", 4, 3_290_240),
    ("minixiangqi", "minixiangqi", 5, 2_666_905),
    ("shogi", "shogi", 4, 719_731),
    ("minishogi", "minishogi", 5, 533_203),
    ("makruk", "makruk", 5, 6_223_994),
    ("shatranj", "shatranj", 5, 1_164_248),
    ("gardner's minichess", "gardner", 6, 572_874),
    ("los alamos chess", "losalamos", 6, 2_549_164),
    ("breakthrough", "breakthrough", 5, 6_182_818),
    ("jeson-mor", "jesonmor", 4, 868_624),
    ("clobber", "clobber", 4, 2_630_382),
];

/// A position with castling, promotion and en passant near; Peter McKenzie's, from the Chess Programming Wiki.
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// Counts with the program of this name. False when there is none.
pub(crate) fn measure(program: &str, json: bool) -> Result<bool> {
    let Some(mut engine) = Engine::start(program)? else { return Ok(false) };
    for &(game, variant, depth, moves) in COUNTS {
        engine.count(game, variant, "startpos", depth, moves, json)?;
    }
    engine.count("chess, Kiwipete", "chess", &format!("fen {KIWIPETE}"), 4, 4_085_603, json)?;
    engine.quit()?;
    Ok(true)
}

struct Engine {
    process: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Engine {
    fn start(program: &str) -> Result<Option<Self>> {
        let mut process = match Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn() {
            Ok(process) => process,
            Err(fault) if fault.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(fault) => return Err(fault).with_context(|| format!("cannot run {program}")),
        };
        let questions = process.stdin.take().context("the engine listens")?;
        let answers = BufReader::new(process.stdout.take().context("the engine speaks")?);
        Ok(Some(Self { process, questions, answers }))
    }

    fn count(&mut self, game: &str, variant: &str, position: &str, depth: u32, moves: u64, json: bool) -> Result<()> {
        // What setting up takes is not counting.
        self.tell(&format!("setoption name UCI_Variant value {variant}\nposition {position}\nisready"))?;
        self.answer("readyok")?;
        let before = busy(&self.process);
        self.tell(&format!("go perft {depth}"))?;
        let count: u64 = self.answer("Nodes searched:")?.trim().parse().context("a number of nodes")?;
        let seconds = busy(&self.process) - before;
        ensure!(count == moves, "Fairy-Stockfish counts {count} sequences of {depth} moves of {game}, not {moves}");
        if json {
            let rate = moves as f64 / seconds;
            let row = serde_json::json!({ "program": "Fairy-Stockfish", "game": game, "perft_per_second": rate });
            println!("{row}");
            return Ok(());
        }
        let rate = moves as f64 / seconds / 1e6;
        println!("{:<16} {game:<22} {depth:>6} {moves:>12} {rate:>10.1}", "Fairy-Stockfish");
        Ok(())
    }

    fn tell(&mut self, what: &str) -> Result<()> {
        writeln!(self.questions, "{what}").context("the engine does not listen any more")
    }

    /// What follows on the first line that begins like this.
    fn answer(&mut self, begins: &str) -> Result<String> {
        let mut line = String::new();
        loop {
            line.clear();
            ensure!(self.answers.read_line(&mut line)? > 0, "the engine stopped before it said `{begins}`");
            if let Some(rest) = line.strip_prefix(begins) {
                return Ok(rest.to_owned());
            }
        }
    }

    fn quit(mut self) -> Result<()> {
        self.tell("quit")?;
        self.process.wait().map(drop).context("the engine does not end")
    }
}

/// Processor time of a process in seconds, with all its threads, in steps of a hundredth: fields 14 and 15 of proc_pid_stat(5).
#[cfg(target_os = "linux")]
fn busy(process: &Child) -> f64 {
    let text = std::fs::read_to_string(format!("/proc/{}/stat", process.id())).unwrap_or_default();
    // The name, in parentheses, may hold blanks.
    let fields = text.rsplit(')').next().unwrap_or_default().split_whitespace();
    let ticks: f64 = fields.skip(11).take(2).filter_map(|field| field.parse::<f64>().ok()).sum();
    ticks / rustix::param::clock_ticks_per_second() as f64
}

/// Where the system does not say it, the time on the wall.
#[cfg(not(target_os = "linux"))]
fn busy(_: &Child) -> f64 {
    static START: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed().as_secs_f64()
}
