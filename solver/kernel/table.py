"""The transposition table: positions between tricks, value-tolerant.

The *key* is structure only: for trumps and for each suit the owners of the outstanding cards
in rank order (suits sorted, since they are interchangeable), the leader, whether the emperor
trick is possible, and where the cards with a part in the rules or in a term stand. Which
honours the others are is not in the key but in a *value vector* beside the bounds.

Play depends on ranks alone, so positions of equal structure have the same strategies, card
for card; a strategy that wins cards of weights w wins the same cards with weights w′, hence
at least its old result minus the sum of (wᵢ − w′ᵢ)⁺ over all cards. An entry (lo, hi, w)
therefore bounds a position w′ by lo − Σ(wᵢ − w′ᵢ)⁺ and hi + Σ(w′ᵢ − wᵢ)⁺ (Kupferschmid and
Helmert's quasi-symmetry for Skat, put into the table). Every matching entry of a bucket is
used.

An entry is two words: the upper 48 bits of the key's hash (the lower ones choose the bucket), and

    bits  0– 7  generation                       bits  0– 9  lower bound
    bits  8–12  work: nodes spent, as log₂       bits 10–19  upper bound
    bits 13–15  value vector, top                bits 20–63  value vector, low end

Four entries make a bucket of one cache line. Entries of another generation count as empty, so
a new search needs no clearing and finds the same table whatever was there before. In a full
bucket the entry with the least work gives way.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from trull.solver.kernel import form
from trull.solver.kernel.bits import multiply, pext, popcount
from trull.solver.kernel.gap import gap_slack
from trull.solver.kernel.jit import jit, jit_apart
from trull.solver.kernel.memory import load, put
from trull.solver.kernel.play import EXCUSE_PLACE, TRUMP_MASK, TRUMPS, trump_seen
from trull.solver.kernel.straw import straw_word

ENTRY_BYTES = 16
BUCKET = 4
GENERATIONS = (1 << 8) - 1
ALL_VALUES = (1 << 19) - 1

_WORDS = 2 * BUCKET
_BOUND = (1 << 10) - 1
_KEY = ~0xFFFF
_LOW_VALUES = (1 << 44) - 1
_HIGH = 0xFFFFFFFF
_SMALL_BIRDS = 0b1110  # Uhu, Kakadu, Quapil


def new_table(megabytes: float) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Return an empty table of at most `megabytes`, a power of two of buckets, line-aligned."""
    buckets = 1
    while buckets * 2 * BUCKET * ENTRY_BYTES <= megabytes * (1 << 20):
        buckets *= 2
    raw = np.zeros((buckets + 1) * _WORDS, np.int64)
    skip = -(raw.ctypes.data // 8) % _WORDS
    return raw[skip : skip + buckets * _WORDS]


def buckets(table: np.ndarray[Any, np.dtype[np.int64]]) -> int:
    """Return how many buckets a table has."""
    return table.size // _WORDS


@jit
def _mix(first: int, second: int) -> int:
    """Return a 64-bit hash of two words; distinct words rarely share one."""
    h = multiply(first, 0x1E3779B97F4A7C15)
    h ^= (h >> 32) & _HIGH
    h = multiply(h ^ second, 0x3F58476D1CE4E5B9)
    h ^= (h >> 29) & _HIGH
    h = multiply(h, 0x14D049BB133111EB)
    return h ^ ((h >> 32) & _HIGH)


@jit
def position_key(k: Any, leader: int, live: int, left: int) -> tuple[int, int]:
    """Return the hash of the structure and the value vector of a position between tricks.

    The value vector has four bits a suit (Jack to King present), in the order of the sorted
    suits, then Pagat, Mond and Fool.
    """
    plane0 = k.hands[1] | k.hands[3]
    plane1 = k.hands[2] | k.hands[3]
    every = k.hands[0] | plane0 | plane1

    here = every & TRUMP_MASK
    n = popcount(here)
    trumps = (((1 << n) | pext(plane0, here)) << n) | pext(plane1, here)

    term = every & form.term_card(k)
    kings = every & k.marked
    a = _suit_code(plane0, plane1, every, term, kings, TRUMPS)
    b = _suit_code(plane0, plane1, every, term, kings, TRUMPS + 8)
    c = _suit_code(plane0, plane1, every, term, kings, TRUMPS + 16)
    d = _suit_code(plane0, plane1, every, term, kings, TRUMPS + 24)
    if form.straw(k) == 0:  # straw men cover one suit's cards with another's
        a, b = max(a, b), min(a, b)
        c, d = max(c, d), min(c, d)
        a, c = max(a, c), min(a, c)
        b, d = max(b, d), min(b, d)
        b, c = max(b, c), min(b, c)

    first = trumps | ((a >> 4) << 45)
    second = (b >> 4) | ((c >> 4) << 19) | ((d >> 4) << 38)
    seat = leader | (live << 2)
    values = (a & 15) | ((b & 15) << 4) | ((c & 15) << 8) | ((d & 15) << 12)
    values |= (1 << 16) if here & k.pagat else 0
    values |= (1 << 17) if here & k.mond else 0
    values |= (1 << 18) if here & k.fool else 0
    key = _mix(first, second ^ (seat << 57))
    if k.roles:
        key ^= multiply(_roles(k, plane0, plane1, every, left), 0x2545F4914F6CDD1D)
    if form.facts(k):
        key ^= multiply(k.fact + 1, 0x1B873593CC9E2D51)
    if form.straw(k):
        key ^= multiply(straw_word(k, every), 0x4528E0BD6B8C0A2D)
    return key, values & k.values


@jit
def exact_key(key: int, target: int) -> int:
    """Return the key of the question whether exactly `target` can be reached."""
    return key ^ multiply(target + 1, 0x369DEA0F31A53F85)


@jit_apart
def _roles(k: Any, plane0: int, plane1: int, every: int, left: int) -> int:
    """Return in one number which cards with a part in the rules are out, and where."""
    here = every & k.roles
    word = 1 if here & k.pagat else 0
    word |= 2 if here & k.mond else 0
    if here & k.fool:
        word |= 4
        if k.fool_lead and trump_seen(k, left):
            word |= 8
        if form.excuse(k):
            word |= ((plane0 >> EXCUSE_PLACE) & 1) << 4
            word |= ((plane1 >> EXCUSE_PLACE) & 1) << 5
    term = here & form.term_card(k) & TRUMP_MASK
    if term:
        word |= (1 + popcount(every & (term - 1))) << 6
    word |= (here & _SMALL_BIRDS) << 10
    return word


@jit
def _suit_code(plane0: int, plane1: int, every: int, term: int, kings: int, shift: int) -> int:
    """Return owners (sentinel and two bits a card), two marks and the honours of a suit."""
    here = (every >> shift) & 255
    n = popcount(here)
    owners = (((1 << n) | pext(plane0 >> shift, here)) << n) | pext(plane1 >> shift, here)
    mark = 1 << 17 if (term >> shift) & 255 else 0
    mark |= 1 << 18 if (kings >> shift) & 255 else 0
    return ((owners | mark) << 4) | (here >> 4)


@jit
def _slack(k: Any, old: int, new: int, gap: int) -> int:
    """Return Σ(oldᵢ − newᵢ)⁺ over the cards of two value vectors."""
    if old == new:
        return 0
    if gap:
        return gap_slack(k, old, new)
    loss = k.trump_slack[(old >> 16) * 8 + (new >> 16)]
    for _ in range(4):
        loss += k.suit_slack[(old & 15) * 16 + (new & 15)]
        old >>= 4
        new >>= 4
    return loss


@jit
def probe(k: Any, key: int, values: int, low: int, high: int, gap: int) -> tuple[int, int]:
    """Return the bounds `low` and `high`, tightened by every entry that matches the key."""
    base = k.table + (key & k.buckets) * (BUCKET * ENTRY_BYTES)
    tag = (key & _KEY) | k.generation
    for index in range(base, base + BUCKET * ENTRY_BYTES, ENTRY_BYTES):
        first = load(index)
        if first & (_KEY | 255) == tag:
            data = load(index + 8)
            stored = ((data >> 20) & _LOW_VALUES) | (((first >> 13) & 7) << 44)
            low = max(low, (data & _BOUND) - _slack(k, stored, values, gap))
            high = min(high, ((data >> 10) & _BOUND) + _slack(k, values, stored, gap))
    return low, high


@jit
def store(k: Any, key: int, values: int, low: int, high: int, work: int) -> None:
    """Keep proven bounds of a position; `work` is the number of nodes they cost."""
    base = k.table + (key & k.buckets) * (BUCKET * ENTRY_BYTES)
    effort = 0
    while work:
        work >>= 1
        effort += 1
    effort = min(effort, 31)
    tag = (key & _KEY) | k.generation
    victim = base
    least = 1 << 30
    for index in range(base, base + BUCKET * ENTRY_BYTES, ENTRY_BYTES):
        first = load(index)
        data = load(index + 8)
        if first & 255 != k.generation:
            cost = -1
        elif (
            first & (_KEY | 255) == tag
            and ((data >> 20) & _LOW_VALUES) | (((first >> 13) & 7) << 44) == values
        ):
            low = max(low, data & _BOUND)
            high = min(high, (data >> 10) & _BOUND)
            victim = index
            break
        else:
            cost = (first >> 8) & 31
        if cost < least:
            least = cost
            victim = index
    put(victim, tag | (effort << 8) | ((values >> 44) << 13))
    put(victim + 8, low | (high << 10) | multiply(values & _LOW_VALUES, 1 << 20))
