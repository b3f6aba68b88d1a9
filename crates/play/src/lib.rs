//! A game in progress: turns, history, repetition, outcome and the tree of what was played.
