"""The game analyser: what every card of a played game was worth, and where the game was decided."""

from trull.analysis.review.game import Unreviewable
from trull.analysis.review.record import PlayedCard, Review, SeatTotal
from trull.analysis.review.reviewing import ReviewRequest, review

__all__ = ["PlayedCard", "Review", "ReviewRequest", "SeatTotal", "Unreviewable", "review"]
