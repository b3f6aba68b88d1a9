"""Plays a game of OpenSpiel at random, and prints playouts per second of processor time and their average length.

Arguments: the game, and for how many seconds.
"""

import random
import statistics
import sys
import time

try:
    import pyspiel
except ImportError:
    sys.exit(3)

game = pyspiel.load_game(sys.argv[1])
seconds = float(sys.argv[2])

# The length, step by step from here.
lengths = []
started = time.process_time()
while time.process_time() - started < seconds / 2:
    state = game.new_initial_state()
    length = 0
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(random.choice(state.chance_outcomes())[0])
        else:
            state.apply_action(random.choice(state.legal_actions()))
            length += 1
    lengths.append(length)

# The speed: a search of one simulation evaluates the start alone, by as many playouts in one call as it is told.
playouts = 0
at_once = 1
spent = 0.0
while spent < seconds / 2:
    at_once *= 2
    evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=at_once, seed=at_once)
    search = pyspiel.MCTSBot(game, evaluator, 1.0, 1, 100, False, at_once, False)
    started = time.process_time()
    search.step(game.new_initial_state())
    passed = time.process_time() - started
    spent += passed
    playouts += at_once

print(playouts / spent, statistics.mean(lengths))
