//! Chess (`games/chess/chess`) on the crate `cozy-chess`, which gives the moves of each piece as a set.
//!
//! The ends are those of the rules file: checkmate; a draw by stalemate, by the third time of a position, and with bare kings
//! or a single minor piece. There is no fifty-move rule. Positions are told apart by pieces, mover, castling rights, and,
//! as the file keeps it, by which kings and rooks have never moved.

use cozy_chess::{Board, Move, Piece, PieceMoves, Rank, Square};

use crate::past::Past;
use crate::random::Random;
use crate::select::nth;
use crate::{End, Game, Known, Tally};

/// The positions of the game at hand, and the moves of its turn.
#[derive(Clone, Debug, Default)]
pub struct Chess {
    past: Past,
    moves: Vec<PieceMoves>,
}

const PROMOTIONS: [Piece; 4] = [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight];

/// Kings and rooks at the start: a1 e1 h1 a8 e8 h8.
const UNMOVED: u64 = 0x9100_0000_0000_0091;

/// Whether this piece becomes another by moving.
fn promotes(moves: &PieceMoves) -> bool {
    let last = Rank::First.bitboard() | Rank::Eighth.bitboard();
    moves.piece == Piece::Pawn && !(moves.to & last).is_empty()
}

/// The `n`-th of a piece's moves.
#[inline(always)]
fn choose(moves: &PieceMoves, n: u32) -> Move {
    let square = |n: u32| Square::index(nth(moves.to.0, n).trailing_zeros() as usize);
    let from = moves.from;
    if promotes(moves) {
        Move { from, to: square(n / 4), promotion: Some(PROMOTIONS[n as usize % 4]) }
    } else {
        Move { from, to: square(n), promotion: None }
    }
}

/// Neither side can mate: bare kings, or a single minor piece besides.
fn is_dead(board: &Board) -> bool {
    let minor = board.pieces(Piece::Bishop) | board.pieces(Piece::Knight);
    match board.occupied().len() {
        2 => true,
        3 => !minor.is_empty(),
        _ => false,
    }
}

/// A game in progress.
struct Line<'a> {
    board: Board,
    /// The kings and rooks that have never moved.
    unmoved: u64,
    plies: u32,
    /// The positions since the last move that cannot be taken back.
    past: &'a mut Past,
}

impl<'a> Line<'a> {
    fn start(past: &'a mut Past) -> Self {
        past.clear();
        let line = Self { board: Board::startpos(), unmoved: UNMOVED, plies: 0, past };
        line.past.push(line.key());
        line
    }

    /// What tells positions apart.
    fn key(&self) -> u64 {
        self.board.hash_without_ep() ^ self.unmoved.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    /// Makes a legal move. The end, if the position after it is one and leaves moves all the same.
    #[inline(always)]
    fn make(&mut self, drawn: Move) -> Option<End> {
        let lasting = |board: &Board| (board.pieces(Piece::Pawn), board.occupied().len());
        let before = lasting(&self.board);
        self.board.play_unchecked(drawn);
        self.plies += 1;
        self.unmoved &= !(drawn.from.bitboard().0 | drawn.to.bitboard().0);
        if drawn.promotion == Some(Piece::Rook) {
            self.unmoved |= drawn.to.bitboard().0;
        }
        if before != lasting(&self.board) {
            self.past.clear();
            if is_dead(&self.board) {
                return Some(End::drawn(self.plies));
            }
        }
        let key = self.key();
        if self.past.times(key) == 2 {
            return Some(End::drawn(self.plies));
        }
        self.past.push(key);
        None
    }

    /// The end of a game whose player has no move.
    fn stuck(&self) -> End {
        if self.board.checkers().is_empty() { End::drawn(self.plies) } else { End::lost(self.plies) }
    }
}

fn perft(board: &Board, depth: u32) -> u64 {
    let mut sum = 0;
    match depth {
        0 => return 1,
        1 => board.generate_moves(|piece| {
            sum += piece.len() as u64;
            false
        }),
        _ => board.generate_moves(|piece| {
            for step in piece {
                let mut after = board.clone();
                after.play_unchecked(step);
                sum += perft(&after, depth - 1);
            }
            false
        }),
    };
    sum
}

impl Chess {
    /// The program.
    pub fn new() -> Self {
        Self::default()
    }
}

impl Game for Chess {
    fn name(&self) -> &'static str {
        "chess"
    }

    fn known(&self) -> Known {
        Known {
            perft: &[20, 400, 8902, 197_281, 4_865_609, 119_060_324],
            random: Some(Tally { games: 1952, plies: 712_758, squares: 300_502_080, first: 147, second: 148 }),
        }
    }

    #[inline]
    fn playout(&mut self, random: &mut Random) -> End {
        let Self { past, moves } = self;
        let mut line = Line::start(past);
        loop {
            moves.clear();
            let mut count = 0;
            line.board.generate_moves(|piece| {
                count += piece.len() as u32;
                moves.push(piece);
                false
            });
            if count == 0 {
                return line.stuck();
            }
            let (mut n, mut piece) = (random.below(count), 0);
            while n >= moves[piece].len() as u32 {
                n -= moves[piece].len() as u32;
                piece += 1;
            }
            if let Some(end) = line.make(choose(&moves[piece], n)) {
                return end;
            }
        }
    }

    fn perft(&mut self, depth: u32) -> u64 {
        perft(&Board::startpos(), depth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn castling_promotion_and_en_passant_are_counted() {
        // "Kiwipete": see games/chess/chess/chess.cases.
        let position = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let board = Board::from_fen(position, false).unwrap();
        assert_eq!([1, 2, 3].map(|depth| perft(&board, depth)), [48, 2039, 97_862]);
    }
}
