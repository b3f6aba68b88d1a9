//! State, steps, hashing, undo, the Executor trait and the reference interpreter.
