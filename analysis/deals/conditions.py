"""What deals must meet: expressions, fixed cards, hands without trumps, Python predicates."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal, get_args

from trull.analysis.deals.counts import Places, number_of
from trull.analysis.deals.deal import Deal, DealError
from trull.analysis.deals.expression import Clause, Masks, parse_expression
from trull.analysis.deals.formula import All
from trull.analysis.deals.layout import named_places, places
from trull.solver.cards import NAMES, display_order, format_cards, from_mask
from trull.solver.fields import check_keys, expect, read_text
from trull.solver.hands import parse_hand_cards
from trull.solver.rulebooks import VARIANTS
from trull.solver.validation import PositionError

Voids = Literal["rule", "keep", "redeal"]
"""What to do about a hand without trumps: what the rule book says, deal it, or never deal it."""

Predicate = Callable[[Deal], bool]


@dataclass(frozen=True, slots=True)
class Conditions:
    """Conditions that a deal must meet, all of them. Without any, every deal does.

    Attributes:
        where: expressions (`docs/deals.md` has their grammar); a single text stands for one.
        hold: fixed cards, as pairs of a place and cards or as a mapping; a seat is `0` or `seat0`.
            A place may hold further cards. So many cards as the place has are its exact cards.
        talon: cards that lie in the talon.
        voids: what to do about a hand without trumps.
        predicates: functions of a deal that all must return true; a single one stands for itself.
            The same deal must always get the same answer.
    """

    where: tuple[str, ...] = ()
    hold: tuple[tuple[str, str], ...] = ()
    talon: str = ""
    voids: Voids = "rule"
    predicates: tuple[Predicate, ...] = ()

    def __post_init__(self) -> None:
        """Bring the attributes into their form. Raises `DealError`."""
        where = (self.where,) if isinstance(self.where, str) else tuple(self.where)
        pairs = self.hold.items() if isinstance(self.hold, Mapping) else self.hold
        given = self.predicates
        predicates = (given,) if callable(given) else tuple(given)
        object.__setattr__(self, "where", where)
        object.__setattr__(self, "hold", tuple((str(place), cards) for place, cards in pairs))
        object.__setattr__(self, "predicates", predicates)
        if self.voids not in get_args(Voids):
            expected = ", ".join(get_args(Voids))
            raise DealError(f"voids: {self.voids!r}, expected one of {expected}")

    @classmethod
    def from_dict(cls, data: Mapping[str, object]) -> Conditions:
        """Return the conditions of a decoded TOML table or JSON object.

        Keys: `where`, a text or a list of texts; `hold`, a table of places with their cards;
        `talon`; `voids`. Raises `DealError` or `PositionError` with a sentence that names the key.
        """
        check_keys("", data, ("where", "hold", "talon", "voids"), required=())
        where = data.get("where", [])
        texts = where if isinstance(where, list) else [where]
        held: dict[str, object] = expect("hold", data.get("hold", {}), dict, "a table of places")
        return cls(
            where=tuple(read_text("where", text) for text in texts),
            hold=tuple((place, read_text(f"hold.{place}", cards)) for place, cards in held.items()),
            talon=read_text("talon", data.get("talon", "")),
            voids=read_text("voids", data.get("voids", "rule")),  # type: ignore[arg-type]
        )

    def to_dict(self) -> dict[str, object]:
        """Return the conditions as `from_dict` reads them; predicates have no such form."""
        data: dict[str, object] = {}
        if self.where:
            data["where"] = list(self.where)
        if self.hold:
            data["hold"] = dict(self.hold)
        if self.talon:
            data["talon"] = self.talon
        if self.voids != "rule":
            data["voids"] = self.voids
        return data

    def clauses(self, variant: str, players: int) -> list[Clause]:
        """Return everything that is tested in a deal, predicates left aside.

        Raises `DealError` for what cannot be read, and for fixed cards that cannot lie so.
        """
        found = list(_hold_clauses(self._held(players), players))
        for text in self.where:
            found += parse_expression(text, variant, players)
        if self._redeals(variant, players):
            found.append(_void_clause(variant, players))
        return found

    def _held(self, players: int) -> list[tuple[str, str, int]]:
        """Return the fixed cards: the key, the place and the cards as a mask."""
        known = named_places(players)
        found = []
        for word, text in self.hold:
            name = word.strip()
            name = f"seat{name}" if name.isdecimal() else name
            if name not in known:
                near = get_close_matches(name, known, n=1)
                hint = f"did you mean {near[0]!r}?" if near else f"expected {', '.join(known)}"
                raise DealError(f"hold: unknown place {word!r}, {hint}")
            found.append(("hold", name, _cards(f"hold: {word}", text)))
        if self.talon:
            if "talon" not in known:
                raise DealError(f"talon: there is none with {players} players")
            found.append(("talon", "talon", _cards("talon", self.talon)))
        return found

    def _redeals(self, variant: str, players: int) -> bool:
        if self.voids == "rule":
            return players > 2 and VARIANTS[variant].without_trumps == "redealt"
        return self.voids == "redeal"


def _cards(key: str, text: str) -> int:
    try:
        cards = parse_hand_cards(text)
    except PositionError as error:
        raise DealError(f"{key}: {str(error).removeprefix('hand: ')}") from error
    if not cards:
        raise DealError(f"{key}: no cards, expected some such as T22 SK")
    return cards


def _hold_clauses(held: Sequence[tuple[str, str, int]], players: int) -> Iterator[Clause]:
    """Yield a clause for each place with fixed cards; refuse cards that cannot lie so."""
    known, sizes = named_places(players), [place.size for place in places(players)]
    owners: dict[int, str] = {}
    for key, name, cards in held:
        for card in from_mask(cards):
            if card in owners:
                where = f"twice in {name}" if owners[card] == name else f"in {owners[card]} too"
                raise DealError(f"{key}: {NAMES[card]} is to lie in {name}, but {where}")
            owners[card] = name
    for name in dict.fromkeys(name for _, name, _ in held):
        cards = sum(mask for _, other, mask in held if other == name)
        size = sum(sizes[place] for place in known[name])
        if cards.bit_count() > size:
            raise DealError(f"hold: {name}: {cards.bit_count()} cards, expected at most {size}")
        yield _hold_clause(name, known[name], cards)


def _hold_clause(name: str, where: Places, cards: int) -> Clause:
    def holds(masks: Masks) -> bool:
        held = 0
        for place in where:
            held |= masks[place]
        return cards & held == cards

    return Clause(
        text=f"{name} holds {format_cards(display_order(cards))}",
        holds=holds,
        formula=number_of(cards, where, cards.bit_count(), None),
    )


def _void_clause(variant: str, players: int) -> Clause:
    trumps = VARIANTS[variant].hand_trumps
    return Clause(
        text="every hand has a trump, else it is redealt",
        holds=lambda masks: all(masks[seat] & trumps for seat in range(players)),
        formula=All(tuple(number_of(trumps, (seat,), 1, None) for seat in range(players))),
    )
