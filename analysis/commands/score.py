"""`trull score`."""

from __future__ import annotations

from trull.analysis.commands.options import AsJson, Job, Positions


def command(file: Positions, json: AsJson = False) -> Job:
    """Settle finished deals: what every seat scores, rule by rule."""

    def job() -> int:
        from trull.analysis.scoring import score_file

        return score_file(file, as_json=json)

    return job
