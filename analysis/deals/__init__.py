"""Deals: seeded, uniform, and under conditions (`docs/deals.md`)."""

from trull.analysis.deals.conditions import Conditions
from trull.analysis.deals.deal import Deal, DealError
from trull.analysis.deals.sampler import Sampler, draw

__all__ = ["Conditions", "Deal", "DealError", "Sampler", "draw"]
