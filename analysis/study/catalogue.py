"""Studies that come with Trull: TOML files in the folder `presets`."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from importlib.resources import files
from pathlib import Path

from trull.analysis.study.error import StudyError
from trull.analysis.study.reading import read_toml

_SUFFIX = ".toml"


def preset_names() -> list[str]:
    """Return the names of all presets."""
    return sorted(path.stem for path in _paths())


def read_preset(name: str) -> dict[str, object]:
    """Return what the file of a preset holds; raises `StudyError` that suggests the nearest."""
    for path in _paths():
        if path.stem == name:
            return read_toml(path)
    names = preset_names()
    near = get_close_matches(name, names, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"expected {', '.join(names)}"
    raise StudyError(f"--preset: unknown preset {name!r}, {hint}")


def _paths() -> Iterator[Path]:
    for path in files("trull.analysis.study").joinpath("presets").iterdir():
        if path.name.endswith(_SUFFIX):
            yield Path(str(path))
