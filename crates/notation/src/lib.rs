//! Written forms of moves, positions and games: universal notation, ZSG, JSON, FEN.
