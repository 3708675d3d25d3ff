"""The exchange: from a deal to the position that is played.

A contract with a talon begins with choices: the card to call, which cards of the talon to take up,
and what to lay away. `exchange` makes them by a policy and returns the position after them.
"""

from trull.analysis.exchange.choosing import POLICIES, Exchanger, Policy, exchange
from trull.analysis.exchange.exchanged import Choice, Exchanged
from trull.analysis.exchange.setting import Dealt, ExchangeError, Setting

__all__ = [
    "POLICIES",
    "Choice",
    "Dealt",
    "ExchangeError",
    "Exchanged",
    "Exchanger",
    "Policy",
    "Setting",
    "exchange",
]
