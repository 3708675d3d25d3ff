"""Random whole numbers that are the same everywhere and for ever.

The bits come from SHAKE-256 (FIPS 202) of an ASCII text that holds the seed, the deal's number and
the number of the try, so that a deal depends on nothing drawn before it, and on no version of a
library.
"""

from __future__ import annotations

from hashlib import shake_256


def random_below(limit: int, seed: int, number: int, attempt: int = 0) -> int:
    """Return a whole number from 0 to `limit` − 1, each with exactly the same probability.

    The digest of `trull SEED NUMBER ATTEMPT` is read as big-endian numbers of as many bytes as
    `limit` needs, each shifted right to as many bits; the first below `limit` is returned.

    Args:
        limit: 1 or more, of any size.
        seed: the seed.
        number: the deal's number.
        attempt: the number of the try.
    """
    if limit == 1:
        return 0
    bits = (limit - 1).bit_length()
    size = (bits + 7) // 8
    digest = shake_256(f"trull {seed} {number} {attempt}".encode())
    blocks = 4  # enough with a probability of 15 in 16 and more
    start = 0
    while True:
        data = digest.digest(size * blocks)
        for begin in range(start, size * blocks, size):
            value = int.from_bytes(data[begin : begin + size]) >> 8 * size - bits
            if value < limit:
                return value
        start, blocks = size * blocks, blocks * 2
