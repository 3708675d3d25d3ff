"""One hand by itself: what it is paid for, what can be counted in it, what it may bid."""

from trull.solver.hands.features import FEATURES, features
from trull.solver.hands.judging import Hand, Report, judge
from trull.solver.hands.reading import looks_like_cards, parse_hand, parse_hand_cards, read_hands

__all__ = [
    "FEATURES",
    "Hand",
    "Report",
    "features",
    "judge",
    "looks_like_cards",
    "parse_hand",
    "parse_hand_cards",
    "read_hands",
]
