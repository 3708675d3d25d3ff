"""`trull label`: labels made, and labels solved again."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

from rich.console import Console
from rich.progress import track

from trull.analysis.compiling import make_ready
from trull.analysis.labels.making import LABELS, open_labels
from trull.analysis.labels.reading import read_label_spec
from trull.analysis.labels.spec import LabelSpec
from trull.analysis.labels.verifying import verify
from trull.analysis.study.command_line import carry_out, overridden
from trull.analysis.study.error import StudyError
from trull.analysis.study.reading import read_toml

_FAULTY = 2
_DIFFERENT = 1


def label(
    file: Path | None,
    options: Mapping[str, object],
    folder: str,
    *,
    workers: int,
    scheduler: str | None,
) -> int:
    """Make or continue labels.

    Args:
        file: the path of a TOML file, or `None`.
        options: what goes before what the file says, by its keys.
        folder: where the labels are kept.
        workers: how many processes work on them.
        scheduler: the address of a dask scheduler that does it instead.

    Returns the exit status: 2 where anything is refused. Raises `KeyboardInterrupt` again after
    saying how to go on.
    """

    def read() -> LabelSpec:
        return read_label_spec(overridden(read_toml(file) if file else {}, options))

    return carry_out(LABELS, read, folder, workers, scheduler)


def check(folder: str, number: int, seed: int) -> int:
    """Solve rows of a folder again and print those that differ.

    Args:
        folder: where the labels are kept.
        number: how many rows.
        seed: the seed of their choice.

    Returns the exit status: 1 where a row differs, 2 where the folder is refused.
    """
    faulty = 0
    try:
        labels = open_labels(folder)
        make_ready()
        total = min(number, labels.manifest.rows)
        console = Console(stderr=True)
        checked = verify(labels, number, seed)
        quiet = not console.is_terminal
        for one in track(checked, "rows", total=total, console=console, disable=quiet):
            faulty += bool(one.faults)
            for fault in one.faults:
                print(f"{one.name}: {fault}")
    except StudyError as error:
        print(f"trull: {error}", file=sys.stderr)
        return _FAULTY
    rows = f"{total:,} row{'' if total == 1 else 's'}"
    print(f"{folder}: {rows} solved again, {faulty or 'none'} faulty")
    return _DIFFERENT if faulty else 0
