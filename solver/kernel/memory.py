"""Words of memory by address: the table without the reference counts of an array.

Every call that an array is handed to counts a reference up and down again, with atomic
instructions: a sixth of the time of a search. Each function is plain Python with a compiled twin,
as in `bits`. Whoever passes an address keeps the memory behind it alive.
"""

from __future__ import annotations

import ctypes
from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic, overload


def load(address: int) -> int:
    """Return the signed word at an address."""
    return ctypes.c_int64.from_address(int(address)).value


def put(address: int, word: int) -> None:
    """Write a signed word to an address."""
    ctypes.c_int64.from_address(int(address)).value = int(word)


@intrinsic
def _load(typingctx: Any, address: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load(builder.inttoptr(args[0], ir.IntType(64).as_pointer()))

    return types.int64(types.int64), codegen


@intrinsic
def _put(typingctx: Any, address: Any, word: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.store(args[1], builder.inttoptr(args[0], ir.IntType(64).as_pointer()))
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), codegen


overload(load)(lambda address: lambda address: _load(address))  # type: ignore[call-arg]
overload(put)(lambda address, word: lambda address, word: _put(address, word))  # type: ignore[call-arg]
