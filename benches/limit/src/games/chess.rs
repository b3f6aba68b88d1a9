//! Chess (`games/chess/chess`) on the crate `cozy-chess`, which gives the moves of each piece as a set.
//!
//! The ends are those of the rules file: checkmate; a draw by stalemate, by the third time of a position, and with bare kings
//! or a single minor piece. There is no fifty-move rule. Positions are told apart by pieces, mover, castling rights, and,
//! as the file keeps it, by which kings and rooks have never moved.

use cozy_chess::{Board, Move, Piece, PieceMoves, Rank, Square};

use crate::past::Past;
use crate::random::Random;
use crate::select::nth;
use crate::{End, Game, Known};

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

/// What tells positions apart.
fn key(board: &Board, unmoved: u64) -> u64 {
    board.hash_without_ep() ^ unmoved.wrapping_mul(0x9e37_79b9_7f4a_7c15)
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
        Known { perft: &[20, 400, 8902, 197_281, 4_865_609, 119_060_324], random: None }
    }

    #[inline]
    fn playout(&mut self, random: &mut Random) -> End {
        let Self { past, moves } = self;
        let mut board = Board::startpos();
        let mut unmoved = UNMOVED;
        let mut plies = 0;
        past.clear();
        past.push(key(&board, unmoved));
        loop {
            moves.clear();
            let mut count = 0;
            board.generate_moves(|piece| {
                count += piece.len() as u32;
                moves.push(piece);
                false
            });
            if count == 0 {
                return if board.checkers().is_empty() { End::drawn(plies) } else { End::lost(plies) };
            }
            let (mut n, mut piece) = (random.below(count), 0);
            while n >= moves[piece].len() as u32 {
                n -= moves[piece].len() as u32;
                piece += 1;
            }
            let drawn = choose(&moves[piece], n);
            let before = board.occupied();
            board.play_unchecked(drawn);
            plies += 1;

            unmoved &= !(drawn.from.bitboard().0 | drawn.to.bitboard().0);
            if drawn.promotion == Some(Piece::Rook) {
                unmoved |= drawn.to.bitboard().0;
            }
            if moves[piece].piece == Piece::Pawn || before.len() != board.occupied().len() {
                past.clear();
                if is_dead(&board) {
                    return End::drawn(plies);
                }
            }
            let key = key(&board, unmoved);
            if past.times(key) == 2 {
                return End::drawn(plies);
            }
            past.push(key);
        }
    }

    fn perft(&mut self, depth: u32) -> u64 {
        perft(&Board::startpos(), depth)
    }
}
