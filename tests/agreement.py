"""The solver against plain minimax over the referee, on random endings of every contract.

    python tests/agreement.py --endings 20000 --workers 2

runs the full check and prints a line a contract; `test_agreement.py` runs a bounded sample of
the same endings.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from trull.solver import Position, solve
from trull.solver.cards import TRULL
from trull.solver.question import OBJECTIVES, Objective, searchable
from trull.solver.referee import Referee
from trull.solver.rulebooks import every_contract


def _beside(name: str) -> ModuleType:
    """Import a module of this folder, which is no package."""
    if name not in sys.modules:
        spec = spec_from_file_location(name, Path(__file__).with_name(f"{name}.py"))
        assert spec and spec.loader
        sys.modules[name] = module = module_from_spec(spec)
        spec.loader.exec_module(module)
    return sys.modules[name]
