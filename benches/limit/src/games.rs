//! One file a game.

mod amazons;
mod breakthrough;
mod chess;
mod connect_four;
mod draughts;
mod go;
mod gomoku;
mod hex;
mod reversi;
mod tic_tac_toe;

pub use amazons::Amazons;
pub use breakthrough::Breakthrough;
pub use chess::Chess;
pub use connect_four::ConnectFour;
pub use draughts::Draughts;
pub use go::Go;
pub use gomoku::Gomoku;
pub use hex::Hex;
pub use reversi::Reversi;
pub use tic_tac_toe::TicTacToe;

use crate::Game;

/// All of them.
pub fn all() -> Vec<Box<dyn Game>> {
    vec![
        Box::new(TicTacToe),
        Box::new(ConnectFour),
        Box::new(Breakthrough),
        Box::new(Gomoku::new()),
        Box::new(Hex::<11>::new()),
        Box::new(Reversi::new()),
        Box::new(Amazons::new()),
        Box::new(Draughts::new()),
        Box::new(Go::<9>::new()),
        Box::new(Chess::new()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn counts_are_those_that_are_known() {
        for mut game in all() {
            for (depth, &count) in (1..).zip(game.known().perft).filter(|(_, count)| **count < 1_000_000) {
                assert_eq!(game.perft(depth), count, "{} at depth {depth}", game.name());
            }
            assert_eq!(game.perft(0), 1, "{}", game.name());
        }
    }

    #[test]
    fn random_games_are_like_those_of_the_interpreter() {
        for mut game in all() {
            let Some(known) = game.known().random else { continue };
            let played = game.playouts(10_000, &mut Random::new(1));
            assert_eq!(known.differs(&played), None, "{}", game.name());
        }
    }
}
