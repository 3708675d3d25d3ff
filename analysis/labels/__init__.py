"""Training labels: what every card and every contract is worth, as Parquet (`docs/labels.md`)."""

from trull.analysis.labels.loading import batches, load
from trull.analysis.labels.making import LabelSet, open_labels, run_labels
from trull.analysis.labels.reading import read_label_spec
from trull.analysis.labels.rebuilding import position
from trull.analysis.labels.spec import BidSpec, LabelSpec, PlaySpec

__all__ = [
    "BidSpec",
    "LabelSet",
    "LabelSpec",
    "PlaySpec",
    "batches",
    "load",
    "open_labels",
    "position",
    "read_label_spec",
    "run_labels",
]
