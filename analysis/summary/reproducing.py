"""The specification of a study as the TOML file that makes it again."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from trull.analysis.study.spec import Spec


def spec_toml(spec: Spec) -> str:
    """Return a specification as TOML, which `trull study` reads."""
    study = spec.to_dict()
    games = [game.to_dict() for game in spec.games]
    lines = [_entry(key, value) for key, value in study.items() if key != "game"]
    for game in games:
        lines += ["", "[[game]]", *(_entry(key, value) for key, value in game.items())]
    return "\n".join(lines) + "\n"


def _entry(key: str, value: object) -> str:
    name = key if re.fullmatch(r"[\w-]+", key, re.ASCII) else _value(key)
    return f"{name} = {_value(value)}"


def _value(value: object) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(_entry(key, entry) for key, entry in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    # What JSON writes of printable texts, whole numbers and truth values is TOML, too.
    return json.dumps(value, ensure_ascii=False)
