"""Bit operations on masks: each a plain Python function with a compiled twin.

The plain bodies run when numba is switched off; the compiled ones are single instructions.
Masks are `int64`: 54 cards leave the sign bit clear, and one integer type throughout keeps
numba from mixing signed and unsigned numbers into floats.
"""

from __future__ import annotations

from typing import Any

import llvmlite.binding
import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic, overload

from trull.solver.kernel.jit import jit

HAS_PEXT = bool(llvmlite.binding.get_host_cpu_features().get("bmi2"))
"""Whether the processor extracts bits in one instruction."""


def popcount(mask: int) -> int:
    """Return how many bits are set."""
    return int(mask).bit_count()


def lowest(mask: int) -> int:
    """Return the number of the lowest set bit of a mask that is not empty."""
    return (int(mask) & -int(mask)).bit_length() - 1


def highest(mask: int) -> int:
    """Return the number of the highest set bit of a mask that is not empty."""
    return int(mask).bit_length() - 1


def pext(mask: int, selector: int) -> int:
    """Return the bits of `mask` at the set bits of `selector`, packed to the low end."""
    packed = 0
    place = 0
    while selector:
        low = selector & -selector
        if mask & low:
            packed |= 1 << place
        place += 1
        selector ^= low
    return packed


def multiply(one: int, other: int) -> int:
    """Return the product modulo 2⁶⁴, as a signed number."""
    product = (int(one) * int(other)) & _WORD
    return product - (1 << 64) if product >> 63 else product


def _unary(name: str, *flags: int) -> Any:
    """Return an intrinsic that calls the LLVM function `name` on one `int64`."""

    @intrinsic
    def call(typingctx: Any, mask: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            word = ir.IntType(64)
            bits = [ir.IntType(1)(flag) for flag in flags]
            kind = ir.FunctionType(word, [word] + [bit.type for bit in bits])
            function = builder.module.declare_intrinsic(name, fnty=kind)
            return builder.call(function, [args[0], *bits])

        return types.int64(types.int64), codegen

    return call


_ctpop = _unary("llvm.ctpop.i64")
_cttz = _unary("llvm.cttz.i64", 1)
_ctlz = _unary("llvm.ctlz.i64", 1)


@intrinsic
def _pext(typingctx: Any, mask: Any, selector: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        word = ir.IntType(64)
        function = builder.module.declare_intrinsic(
            "llvm.x86.bmi.pext.64", fnty=ir.FunctionType(word, [word, word])
        )
        return builder.call(function, args)

    return types.int64(types.int64, types.int64), codegen


_WORD = (1 << 64) - 1

# numba matches argument names exactly, annotations included, so these stay bare lambdas.
overload(multiply)(lambda one, other: lambda one, other: one * other)
overload(popcount)(lambda mask: lambda mask: _ctpop(mask))
overload(lowest)(lambda mask: lambda mask: _cttz(mask))
overload(highest)(lambda mask: lambda mask: 63 - _ctlz(mask))

_PACKED_BYTES = np.array(
    [[pext(mask, selector) for mask in range(256)] for selector in range(256)], dtype=np.int16
)


@jit
def pext_portable(mask: int, selector: int) -> int:
    """Return what `pext` returns, by table, eight bits at a time."""
    packed = 0
    place = 0
    while selector:
        byte = selector & 255
        packed |= int(_PACKED_BYTES[byte, mask & 255]) << place
        place += popcount(byte)
        mask >>= 8
        selector >>= 8
    return packed


if HAS_PEXT:
    overload(pext)(lambda mask, selector: lambda mask, selector: _pext(mask, selector))  # type: ignore[call-arg]
else:
    overload(pext)(lambda mask, selector: lambda mask, selector: pext_portable(mask, selector))
