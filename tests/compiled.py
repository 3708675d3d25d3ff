"""Functions of the kernel for tests to call: Python cannot call most of them (`kernel.jit`)."""

from __future__ import annotations

from typing import Any

import numba


def from_python(function: Any) -> Any:
    """Return a compiled function of the kernel as one that Python can call."""

    @numba.njit(error_model="numpy")
    def call(*args: Any) -> Any:
        return function(*args)

    return call
