"""`trull legal`."""

from __future__ import annotations

from trull.analysis.commands.options import AsJson, Job, Positions


def command(file: Positions, json: AsJson = False) -> Job:
    """Show which cards may be played, and the rule that forbids each of the others."""

    def job() -> int:
        from trull.analysis.ruling import rule_source

        return rule_source(file, as_json=json)

    return job
