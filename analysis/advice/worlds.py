"""Deals that agree with everything a seat knows in the middle of the play.

The unseen cards are dealt to the places they may lie in, uniformly among all ways that respect
what the play has shown (`inference`), the talon cards taken before all eyes, what may be laid
away, and where the called card can be. Each deal is then replayed by the referee: it counts only
if every card on record was legal from the hand it came from, and if the call, the announcements and
the discards were, too. So the deals are uniform among those that agree with all of that.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from trull.analysis.advice.error import AdviceError
from trull.analysis.advice.inference import lacked
from trull.analysis.advice.knowledge import Knowledge
from trull.analysis.deals.counting import DealNumbering, Linear, Place, TooManyCases
from trull.analysis.deals.numbers import random_below
from trull.analysis.exchange.legality import may_lay_away
from trull.solver.cards import ALL_CARDS, PACK, to_mask
from trull.solver.position import Position
from trull.solver.referee.state import replaced
from trull.solver.rules import BIRDS
from trull.solver.validation import PositionError

MOST_TRIES = 3000
"""How many draws in a row may disagree with the play."""

_MOST_BRANCHES = 1_000_000


class Worlds:
    """The deals that agree with what a seat knows, numbered 0, 1, 2, …

    Args:
        known: what the seat knows.
        seed: the seed.

    Raises `AdviceError` when there is none.

    Attributes:
        lacked: for every seat the unseen cards that its play shows it does not hold, as masks.
        tries: by number of a deal, how many draws it took.
    """

    def __init__(self, known: Knowledge, seed: int) -> None:
        """Count the ways to deal the unseen cards."""
        self._known, self._seed = known, seed
        self.lacked = lacked(known)
        self._barred = self._barred_by_place()
        self._played = _played(known)
        self._reason = ""
        self.tries: dict[int, int] = {}
        try:
            self._numbering = DealNumbering(self._places(), [self._conditions()], _MOST_BRANCHES)
        except TooManyCases as error:
            raise AdviceError("history: too many voids to draw deals from") from error
        if not self._numbering.count:
            raise AdviceError(
                "history: no deal of the unseen cards agrees with the play and the call"
            )

    # --- Places: the hands, what was laid away, the talon, and the cards that are seen ---

    def _places(self) -> list[Place]:
        known, seats = self._known, range(self._known.players)
        found = [Place(f"seat{seat}", known.sizes[seat]) for seat in seats]
        found += [Place(f"laid{seat}", known.laid_away[seat]) for seat in seats]
        found.append(Place("talon", known.talon_left, ordered=True))
        found.append(Place("seen", PACK - known.hidden.bit_count()))
        return found

    def _conditions(self) -> list[Linear]:
        seen, last = ALL_CARDS & ~self._known.hidden, len(self._barred)
        found = [Linear({last: _weights(seen)}, seen.bit_count(), None)]
        found += [
            Linear({place: _weights(barred)}, None, 0)
            for place, barred in enumerate(self._barred)
            if barred
        ]
        return found

    def _barred_by_place(self) -> list[int]:
        """Return what cannot lie in each hand, among each seat's discards, and in the talon."""
        known = self._known
        hands = list(self.lacked)
        laid = [known.rules.kept] * known.players
        talon = 0
        for seat, cards in _pinned(known):
            for other in range(known.players):
                hands[other] |= 0 if other == seat else cards
                laid[other] |= 0 if other == seat else cards
            talon |= cards
        if known.declarer is not None and known.called is not None and _called_a_king(known):
            hands[known.declarer] |= 1 << known.called & ~known.took
        return [barred & known.hidden for barred in (*hands, *laid, talon)]

    # --- Deals ---

    def position(self, number: int) -> Position:
        """Return a deal as the position that the play has come to.

        Raises `AdviceError` when too many draws in a row disagree with what is known.
        """
        for attempt in range(MOST_TRIES):
            found = self._drawn(number, attempt)
            if found is not None:
                self.tries[number] = attempt + 1
                return found
        reason = f"; the last one failed: {self._reason}" if self._reason else ""
        raise AdviceError(
            f"history: none of {MOST_TRIES} deals of the unseen cards agrees with it{reason}"
        )

    def admits(self, position: Position) -> bool:
        """Return whether a deal is among those that are drawn.

        Args:
            position: the deal as the position that the play has come to; of the seat's own cards
                nothing is looked at.
        """
        places = (*position.hands, *position.discards, to_mask(position.talon))
        sizes = (*self._known.sizes, *self._known.laid_away, self._known.talon_left)
        for cards, barred, size in zip(places, self._barred, sizes, strict=True):
            if size and cards & barred:
                return False
        return self._accepted(position.hands, position.discards, position.talon) is not None

    def _drawn(self, number: int, attempt: int) -> Position | None:
        """Return the position of a draw, or `None` when it disagrees with what is known."""
        rank = random_below(self._numbering.count, self._seed, number, attempt)
        held = self._numbering.deal(rank)
        players = self._known.players
        hands, laid = held[:players], held[players : 2 * players]
        talon = tuple(held[2 * players])
        return self._accepted(tuple(map(to_mask, hands)), tuple(map(to_mask, laid)), talon)

    def _accepted(
        self, hands: tuple[int, ...], laid: tuple[int, ...], talon: tuple[int, ...]
    ) -> Position | None:
        """Return the position with unseen cards in their places if all that is known agrees."""
        known = self._known
        hands = replaced(hands, known.seat, known.hand)
        laid = replaced(laid, known.seat, known.laid)
        if not self._exchanged_legally(hands, laid):
            return None
        try:
            return self._position(hands, laid, known.talon or talon)
        except PositionError as error:
            self._reason = str(error)
            return None

    def _exchanged_legally(self, hands: Sequence[int], laid: Sequence[int]) -> bool:
        """Return whether every seat could lay away what it did, and the declarer call."""
        known = self._known
        if known.history is None:
            return True  # who played which of the cards is not known
        pools = [
            hand | out | played for hand, out, played in zip(hands, laid, self._played, strict=True)
        ]
        for seat, pool in enumerate(pools):
            number = known.lays[seat]
            if number and not may_lay_away(known.rules, pool, number, laid[seat]):
                return False
        return known.declarer is None or _may_call(known, pools[known.declarer])

    def _position(
        self, hands: tuple[int, ...], laid: tuple[int, ...], talon: tuple[int, ...]
    ) -> Position:
        known = self._known
        return Position(
            variant=known.variant,
            contract=known.contract,
            hands=hands,
            declarer=known.declarer,
            partner=self._partner(hands, laid),
            called=known.called,
            leader=known.leader,
            trick=known.trick,
            taken=known.taken,
            tricks_won=known.tricks_won,
            history=known.history,
            talon=talon,
            discards=laid,
            level=known.level,
            announced=known.announced,
            doubled=known.doubled,
            options=known.options,
        )

    def _partner(self, hands: Sequence[int], laid: Sequence[int]) -> int | None:
        """Return who holds or held the called card, unless that is the declarer."""
        known, called = self._known, self._known.called
        if called is None or known.partner is not None:
            return known.partner
        pools = zip(hands, laid, self._played, strict=True)
        holders = (seat for seat, pool in enumerate(pools) if sum(pool) >> called & 1)
        holder = next(holders, None)
        return None if holder == known.declarer else holder


def _played(known: Knowledge) -> tuple[int, ...]:
    """Return the cards on record that each seat has played, as masks."""
    found = [0] * known.players
    for leader, cards in (*(known.history or ()), (known.leader, known.trick)):
        for place, card in enumerate(cards):
            found[(leader + place) % known.players] |= 1 << card
    return tuple(found)


def _pinned(known: Knowledge) -> Iterator[tuple[int, int]]:
    """Yield seats with unseen cards, as masks, that they have for sure.

    The declarer has what he took before all eyes, the bird that he has promised, and the trumps
    above a called one that he would have had to call before it.
    """
    declarer, hidden = known.declarer, known.hidden
    if declarer is None:
        return
    yield declarer, known.took & hidden
    if known.rules.bird is not None:
        yield declarer, hidden & 1 << BIRDS[known.rules.bird]
    rule = known.book.trump_call
    if rule is not None and known.called in rule.trumps and not _called_a_king(known):
        yield declarer, hidden & to_mask(rule.trumps[: rule.trumps.index(known.called)])


def _called_a_king(known: Knowledge) -> bool:
    """Return whether the called card is one that the declarer did not hold when he called.

    A king or queen, or the XX of ze_ruky. He has it only if he took it up before all eyes.
    """
    return known.book.trump_call is None or known.rules.calls is not None


def _may_call(known: Knowledge, pool: int) -> bool:
    """Return whether the declarer may have called a trump though he has it himself.

    It may be his own where the rule book allows that, or have come out of the talon after the
    call; or he holds all trumps that could be called.
    """
    called, rule = known.called, known.book.trump_call
    if called is None or rule is None or _called_a_king(known) or not pool >> called & 1:
        return True
    own = rule.own and (not rule.own_option or bool(known.options.get(rule.own_option)))
    every = to_mask(rule.trumps)
    return not rule.after_talon or (own and called == rule.trumps[0]) or every & ~pool == 0


def _weights(mask: int) -> tuple[int, ...]:
    return tuple(mask >> card & 1 for card in range(PACK))
