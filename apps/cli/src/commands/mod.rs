//! The commands, one file each.

mod analyze;
mod bench;
mod check;
mod convert;
mod explain;
mod gtp;
mod info;
mod list;
mod matches;
mod moves;
mod perft;
mod play;
mod render;
mod replay;
mod selfplay;
mod solve;
mod test;
mod train;
mod uci;

use crate::answer::{Answer, Out};
use crate::args::Command;

/// Does what the command says.
pub(crate) fn run(command: &Command, out: &mut Out) -> anyhow::Result<Answer> {
    match command {
        Command::List => list::run(out),
        Command::Check(args) => check::run(args, out),
        Command::Test(args) => test::run(args, out),
        Command::Info(args) => info::run(args, out),
        Command::Moves(args) => moves::run(args, out),
        Command::Perft(args) => perft::run(args, out),
        Command::Explain(args) => explain::run(args, out),
        Command::Bench(args) => bench::run(args, out),
        Command::Match(args) => matches::run(args, out),
        Command::Selfplay(args) => selfplay::run(args, out),
        Command::Uci(args) => uci::run(args, out),
        Command::Gtp(args) => gtp::run(args, out),
        Command::Solve(args) => solve::run(args, out),
        Command::Analyze(args) => analyze::run(args, out),
        Command::Replay(args) => replay::run(args, out),
        Command::Convert(args) => convert::run(args, out),
        Command::Play(args) => play::run(args, out),
        Command::Render(args) => render::run(args, out),
        Command::Train(args) => train::run(args, out),
    }
}
