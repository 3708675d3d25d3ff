"""Making sets of labels, in folders that a broken run continues, and opening them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from trull.analysis.labels.bid_rows import bid_rows
from trull.analysis.labels.dealing import bid_sampler, play_sampler
from trull.analysis.labels.play_rows import play_rows
from trull.analysis.labels.reading import read_label_spec
from trull.analysis.labels.schema import VERSION, schema_of, timing_schema_of
from trull.analysis.labels.spec import BidSpec, LabelSpec, PlaySpec
from trull.analysis.study.kind import Kind, Row
from trull.analysis.study.opening import Folder, open_folder
from trull.analysis.study.running import Watch, run, silent
from trull.solver.kernel.engine import Engine


def _rows(spec: LabelSpec, deals: Iterable[int], engine: Engine) -> Iterator[tuple[Row, float]]:
    if isinstance(spec, BidSpec):
        return bid_rows(spec, deals, engine)
    assert isinstance(spec, PlaySpec)
    return play_rows(spec, deals, engine)


def _count(spec: LabelSpec) -> None:
    """Count the deals; raises `DealError` for conditions that none can meet."""
    if isinstance(spec, BidSpec):
        bid_sampler(spec)
    elif isinstance(spec, PlaySpec):
        for game in spec.games:
            for declarer in game.declarers:
                play_sampler(spec, game, declarer)


LABELS: Kind[LabelSpec] = Kind(
    name="label set",
    format="trull labels",
    version=VERSION,
    read=read_label_spec,
    schema=schema_of,
    timing_schema=timing_schema_of,
    rows=_rows,
    count=_count,
)
"""Label sets, for the mechanism that they share with studies."""

LabelSet = Folder[LabelSpec]


def run_labels(
    spec: LabelSpec,
    folder: str,
    *,
    workers: int = 1,
    scheduler: str | None = None,
    watch: Watch[LabelSpec] = silent,
) -> LabelSet:
    """Make what is missing of a set of labels, and return it complete.

    Arguments and errors are those of `trull.analysis.study.run_study`.
    """
    return run(LABELS, spec, folder, workers=workers, scheduler=scheduler, watch=watch)


def open_labels(folder: str) -> LabelSet:
    """Return the labels that a folder holds; raises `StudyError` when there are none.

    Args:
        folder: a local path, or any URL that fsspec knows.
    """
    return open_folder(LABELS, folder)
