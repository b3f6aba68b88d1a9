# The front door. Anything longer than three lines is Rust in xtask.

.PHONY: play test check bench fuzz fmt

play: # a game of chess in the terminal
	cargo run --release --package dagaz-cli -- play chess --terminal

test: # all tests
	cargo test --workspace

check: # formatting, lints, documentation, tidiness, layers, licences
	cargo xtask check

bench: # how fast the games are played, once their move counts are right
	cargo xtask bench

fuzz: # a minute for each fuzz target
	cargo xtask fuzz --seconds 60

fmt: # formats everything
	cargo fmt --all
	cargo fmt --manifest-path fuzz/Cargo.toml
