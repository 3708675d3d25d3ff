"""The authority on play: which cards are legal, who wins a trick, and what has been made.

Plain Python, slow on purpose, one line of rule text per line of code. It validates and replays
positions, explains why a card may not be played, and is what the fast kernel is tested against.
"""

from trull.solver.referee.play import TAKE, Objective, Referee
from trull.solver.referee.state import State

__all__ = ["TAKE", "Objective", "Referee", "State"]
