"""Studies: contracts solved on many deals, kept as Parquet files that a broken run continues."""

from trull.analysis.study.error import StudyError
from trull.analysis.study.opening import Study, open_study
from trull.analysis.study.reading import read_spec
from trull.analysis.study.running import run_study
from trull.analysis.study.spec import Game, Spec

__all__ = ["Game", "Spec", "Study", "StudyError", "open_study", "read_spec", "run_study"]
