"""Summaries of a study: win rates, means, differences, and from where a bid is worth its risk."""

from trull.analysis.summary.api import paired, score_means, threshold, win_rates
from trull.analysis.summary.errors import SummaryError

__all__ = ["SummaryError", "paired", "score_means", "threshold", "win_rates"]
