//! Agents: whoever chooses moves.
