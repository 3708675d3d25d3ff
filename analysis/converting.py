"""`trull convert`: positions from one notation into another."""

from __future__ import annotations

import json
import sys
from functools import partial
from io import TextIOWrapper

from trull.analysis.sources import located, numbered, opened
from trull.solver.interchange import Form, Rejected, copied, format_text, read_positions
from trull.solver.validation import PositionError

_FAULTY = 2


def convert_source(source: str, source_form: Form | None, target_form: Form) -> int:
    """Print the positions of a source in another notation, one a line, in their order.

    A position that is refused is reported on standard error; among JSON Lines an object with
    the `error` keeps its place.

    Args:
        source: a file, `-` or a text, as `sources.opened` takes it.
        source_form: what the source holds; `None` tells each item by its beginning.
        target_form: what to print.

    Returns the exit status: 2 if any position was refused, else 0. Raises `OSError` when the
    file cannot be read.
    """
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    status = 0
    with opened(source) as stream:
        for line, item in numbered(stream, partial(read_positions, form=source_form)):
            try:
                if isinstance(item, Rejected):
                    raise PositionError(item.error)
                print(format_text(item, target_form), flush=True)
            except PositionError as error:
                status = _FAULTY
                print(f"trull: {located(source, line, str(error))}", file=sys.stderr, flush=True)
                if target_form == "json":
                    answer = copied(item) | {"error": str(error)}
                    print(json.dumps(answer, ensure_ascii=False), flush=True)
    return status
