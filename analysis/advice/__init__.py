"""Advice to one seat: what to bid, how to exchange, which card to play (`docs/advice.md`).

Deals that agree with what the seat knows are drawn, each choice is valued on all of them with open
cards, and the averages are compared deal by deal.
"""

from trull.analysis.advice.bidding import BidQuestion
from trull.analysis.advice.error import AdviceError
from trull.analysis.advice.exchanging import ExchangeQuestion
from trull.analysis.advice.knowledge import Knowledge
from trull.analysis.advice.playing import CardQuestion
from trull.analysis.advice.racing import Effort
from trull.analysis.advice.record import Advice, Choice

__all__ = [
    "Advice",
    "AdviceError",
    "BidQuestion",
    "CardQuestion",
    "Choice",
    "Effort",
    "ExchangeQuestion",
    "Knowledge",
]
