"""`trull study`: a specification in, a folder with a study out."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table

from trull.analysis.compiling import make_ready
from trull.analysis.study.catalogue import preset_names, read_preset
from trull.analysis.study.error import StudyError
from trull.analysis.study.kind import Kind, Specified
from trull.analysis.study.making import STUDY
from trull.analysis.study.progress import Meter
from trull.analysis.study.reading import read_spec, read_toml
from trull.analysis.study.running import run
from trull.analysis.study.spec import Spec

_FAULTY = 2


def study(
    source: Path | str | None,
    options: Mapping[str, object],
    folder: str,
    *,
    workers: int,
    scheduler: str | None,
) -> int:
    """Run or continue a study.

    Args:
        source: the path of a TOML file, the name of a preset, or `None`.
        options: what goes before what the source says, by the keys of a TOML file.
        folder: where the study is kept.
        workers: how many processes work on it.
        scheduler: the address of a dask scheduler that does it instead.

    Returns the exit status: 2 where anything is refused. Raises `KeyboardInterrupt` again after
    saying how to go on.
    """
    return carry_out(STUDY, lambda: _read(source, options), folder, workers, scheduler)


def carry_out(
    kind: Kind[Specified],
    read: Callable[[], Specified],
    folder: str,
    workers: int,
    scheduler: str | None,
) -> int:
    """Make or continue a folder, saying how far it is and how to go on.

    Args:
        kind: what is made.
        read: returns its specification.
        folder: where it is kept.
        workers: how many processes work on it.
        scheduler: the address of a dask scheduler that does it instead.

    Returns and raises what `study` does.
    """
    meter = Meter()
    try:
        spec = read()
        if scheduler is None:
            make_ready()
        with meter:
            done = run(kind, spec, folder, workers=workers, scheduler=scheduler, watch=meter)
    except StudyError as error:
        print(f"trull: {error}{meter.kept}", file=sys.stderr)
        return _FAULTY
    except KeyboardInterrupt:
        print(f"trull: interrupted{meter.kept}", file=sys.stderr)
        raise
    manifest = done.manifest
    print(
        f"{folder}: {spec.deals:,} deals, {manifest.rows:,} rows in {len(manifest.receipts):,} "
        "shards, complete"
    )
    return 0


def list_all() -> int:
    """Print the names of the presets and what they are about."""
    table = Table(box=box.SIMPLE_HEAD)
    for heading in ("preset", "deals", "about"):
        table.add_column(heading)
    for name in preset_names():
        spec = read_spec(read_preset(name))
        table.add_row(name, f"{spec.deals:,}", spec.title)
    Console(highlight=False).print(table)
    return 0


def _read(source: Path | str | None, options: Mapping[str, object]) -> Spec:
    """Return the specification of a file or preset with the options in front of it."""
    data: dict[str, object] = {}
    if isinstance(source, Path):
        data = read_toml(source)
    elif source is not None:
        data = read_preset(source)
    return read_spec(overridden(data, options))


def overridden(data: Mapping[str, object], options: Mapping[str, object]) -> dict[str, object]:
    """Return what a file says with options in front of it.

    Contracts among the options take the place of all games of the file.
    """
    kept = {key: data[key] for key in data if key != "game" or "contracts" not in options}
    return kept | dict(options)
