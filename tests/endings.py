"""Random endings of every contract, reproducible from a seed.

An ending either has a past, reached by random legal play from a full deal with its exchange and
its call, or is an exercise: random cards of which nothing else is known. Scarecrow's straw men
outlast the hands in most endings, so that there is something to take up.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from trull.solver import cards, rulebooks
from trull.solver.cards import MOND, PAGAT, SKUS, TRULL, TRUMP_MASK, from_mask, to_mask
from trull.solver.position import Announcement, Position, Trick
from trull.solver.referee import TAKE, Referee, State
from trull.solver.referee.state import Stacks, face_up
from trull.solver.rules import BIRDS, TALON_SIZE, Contract, hand_size, in_force

Bias = Literal["plain", "emperor", "voids", "trumps", "honours", "pagat", "fool", "called_in_talon"]
"""What an ending is full of.

- `plain`: nothing special.
- `emperor`: Pagat, Mond and Sküs are in three different hands.
- `voids`: so they are, and no two hands have a suit in common but trumps (never with a past);
  a player without them leads, if there is one, and has no trump at all where it matters to the
  emperor trick what is led.
- `trumps`: trumps.
- `honours`: cards worth more than one point.
- `pagat`: a hand holds the Pagat and other trumps, and announces it where that can be; Mond and
  Sküs are in hands that play before it to the first trick of an exercise, or it is on lead.
- `fool`: the Sküs is on lead, and the Mond in another hand; in every second ending they are the
  only trumps, and the hands are of few suits (never with a past).
- `called_in_talon`: the called card was dealt to the talon, and is in the hand of the declarer
  where he may take it up for the sake of the talon (only with a past).
"""

_NO_PAST = ("voids", "fool")
_CALLED_TRUMPS = {
    "czech": (cards.XIX, cards.XVIII, cards.XVII, cards.XVI),
    "texas": (cards.XX, cards.XIX, cards.XVIII, cards.XVII),
}
_ATTEMPTS = 5000
_STACK = 4
_STRAW = 3 * _STACK
_DEAR = to_mask(card for card, face in enumerate(cards.FACE_VALUES) if face > 1)
_KEPT: Mapping[Bias, int] = {
    "plain": 0,
    "emperor": TRULL,
    "voids": TRULL,
    "trumps": TRUMP_MASK,
    "honours": _DEAR,
    "pagat": TRUMP_MASK,
    "fool": 1 << SKUS | 1 << MOND,
    "called_in_talon": cards.KINGS,
}


def random_ending(
    rng: random.Random,
    variant: str,
    contract: str,
    players: int,
    tricks: int,
    *,
    bias: Bias = "plain",
    past: bool | None = None,
    mid_trick: bool | None = None,
    options: Mapping[str, object] | None = None,
) -> Position:
    """Return a random ending with `tricks` tricks left, the one on the table included.

    Args:
        rng: the only source of chance.
        variant: the rule book's identifier.
        contract: the contract's identifier.
        players: the number of players.
        tricks: the number of tricks left.
        bias: what the ending is full of.
        past: whether the cards played so far are known; by default in every second ending.
        mid_trick: whether cards lie on the table; by default in every third ending.
        options: options of the rule book to set.

    Raises `ValueError` when no ending with the bias turns up.
    """
    if past is None:
        past = bias == "called_in_talon" or (bias not in _NO_PAST and rng.random() < 1 / 2)
    if mid_trick is None:
        mid_trick = rng.random() < 1 / 3
    on_table = rng.randint(1, players - 1) if mid_trick else 0
    size = hand_size(players) if past else tricks
    for _ in range(_ATTEMPTS):
        deal = _Deal.shuffled(rng, variant, contract, players, size, bias, options or {})
        start = deal.with_past(rng) if past else deal.exercise(rng)
        kept = _KEPT[bias] | (1 << BIRDS[start.rules.bird] if start.rules.bird else 0)
        ending = _played_down(rng, start, tricks, on_table, kept)
        if _shows(ending, bias):
            return ending
    raise ValueError(f"{contract}: no ending with {bias} in {_ATTEMPTS} attempts")


def with_talon(rng: random.Random, ending: Position) -> Position:
    """Return an exercise of a game that gives the talon to tricks, with talon cards to come.

    In a deal the last talon card comes when seven tricks are left (eleven of three players),
    more than plain minimax can search. The rule of play is the same in a short ending, and only
    the check of a position stands in the way: the talon is put in after it.
    """
    gone = (*ending.hands, to_mask(ending.trick))
    free = [card for card in range(cards.PACK) if not any(mask >> card & 1 for mask in gone)]
    rng.shuffle(free)
    if rng.random() < 3 / 4:
        free.sort(key=lambda card: card >= cards.TRUMPS)
    changed = replace(ending)
    number = rng.randint(1, min(ending.cards_left[0], TALON_SIZE))
    object.__setattr__(changed, "talon", tuple(free[:number]))
    return changed


@dataclass
class _Deal:
    """A deal in the making: the hands as lists of cards, last the cards outside all hands."""

    variant: str
    rules: Contract
    declarer: int
    bias: Bias
    zones: list[list[int]]
    options: dict[str, object]
    placed: set[int] = field(default_factory=set)
    leader: int = 0

    @classmethod
    def shuffled(
        cls,
        rng: random.Random,
        variant: str,
        contract: str,
        players: int,
        size: int,
        bias: Bias,
        options: Mapping[str, object],
    ) -> _Deal:
        """Return a random deal, with the cards in place that contract and bias ask for."""
        pack = sorted(range(cards.PACK), key=lambda card: rng.random() * _weight(card, bias))
        in_hand, out = pack[: size * players], pack[size * players :]
        rng.shuffle(in_hand)
        zones = [in_hand[size * seat : size * (seat + 1)] for seat in range(players)]
        rules = rulebooks.contract(variant, contract)
        declarer = 0 if rules.sides == "everyone" else rng.randrange(players)
        leader = rng.randrange(players)
        deal = cls(variant, rules, declarer, bias, [*zones, out], {**options}, leader=leader)
        if variant == "house" and rules.sides == "partner" and players == 3:
            deal.options["second_pickings"] = True
        if bias == "voids":
            deal._part_suits(rng)
        if bias == "fool" and rng.random() < 1 / 2:
            deal._share_suits(rng)
        deal._place_special_cards(rng)
        return deal

    @property
    def players(self) -> int:
        return len(self.zones) - 1

    def zone(self, card: int) -> int:
        """Return the seat that holds `card`, or the number of players when nobody does."""
        zones = (zone for zone, held in enumerate(self.zones) if card in held)
        return next(zones, self.players)

    def place(self, rng: random.Random, card: int, zone: int) -> None:
        """Put `card` into a zone, in exchange for a card of that zone."""
        source = self.zone(card)
        if source != zone:
            back = rng.choice([held for held in self.zones[zone] if held not in self.placed])
            for here, there, moved in ((source, zone, card), (zone, source, back)):
                self.zones[here].remove(moved)
                self.zones[there].append(moved)
        self.placed.add(card)

    def _part_suits(self, rng: random.Random) -> None:
        """Give every hand cards of one suit in place of its suit cards, each another one."""
        suits = rng.sample(cards.SUIT_MASKS, self.players)
        suit_leads = self.rules.emperor == "trump_led" and self.players == 4
        for seat, suit in enumerate(suits):
            keeps = not suit_leads or seat != self.leader
            trumps = [card for card in self.zones[seat] if keeps and card < cards.TRUMPS]
            number = len(self.zones[seat]) - len(trumps)
            self.zones[seat] = trumps + rng.sample(list(from_mask(suit)), number)
        self._gather_rest()

    def _share_suits(self, rng: random.Random) -> None:
        """Give all hands cards of as few suits as possible, and no trumps."""
        size = len(self.zones[0])
        needed = -(-size * self.players // cards.SUIT_SIZE)
        suits = rng.sample(cards.SUIT_MASKS, needed)
        pool = [card for suit in suits for card in from_mask(suit)]
        rng.shuffle(pool)
        for seat in range(self.players):
            self.zones[seat] = [pool.pop() for _ in range(size)]
        self._gather_rest()

    def _gather_rest(self) -> None:
        """Let the last zone hold the cards that no hand holds."""
        in_hand = {card for hand in self.zones[:-1] for card in hand}
        self.zones[-1] = [card for card in range(cards.PACK) if card not in in_hand]

    def _place_special_cards(self, rng: random.Random) -> None:
        outside, in_talon = self.players, self.bias == "called_in_talon"
        others = [seat for seat in range(self.players) if seat != self.declarer]
        if self.rules.bird is not None:
            bird = BIRDS[self.rules.bird]
            trick_to_come = len(self.zones[self.declarer]) > bird
            self.place(rng, bird, self.declarer if trick_to_come else outside)
        if self.rules.calls is not None:
            unbiased = rng.choice([*others, outside])
            self.place(rng, self.rules.calls, outside if in_talon else unbiased)
        if self.bias in ("emperor", "voids", "pagat"):
            self._place_trull(rng, others)
        if self.bias == "fool":
            self.leader = rng.choice([self.declarer, rng.choice(others)])
            self.place(rng, SKUS, self.leader)
            self.place(rng, MOND, (self.leader + rng.randrange(1, self.players)) % self.players)
        if in_talon and self.rules.calls is None:
            self.place(rng, rng.choice(list(from_mask(cards.KINGS))), outside)

    def _place_trull(self, rng: random.Random, others: list[int]) -> None:
        """Give Pagat, Mond and Sküs to different hands; of two players one gets both the latter.

        Where the declarer need not hold the Pagat, its holder is the last of the three to play.
        In `voids` a fourth player leads, in `pagat` the first of the three, or that holder.
        """
        turns = [(self.leader + turn) % self.players for turn in range(self.players)]
        seats = turns if self.bias == "pagat" else turns[-3:]
        if self.bias == "emperor":
            rng.shuffle(seats)
        if PAGAT in self.placed:
            seats = [*rng.sample(others, min(len(others), 2)), self.declarer]
        *before, holder = seats
        first, second = rng.sample((MOND, SKUS), 2)
        self.place(rng, PAGAT, holder)
        self.place(rng, first, before[0])
        self.place(rng, second, before[-1])
        if self.bias == "pagat" and rng.random() < 1 / 3:
            self.leader = holder

    def with_past(self, rng: random.Random) -> Position:
        """Return the position before the first trick, after the call and the exchange."""
        if self.rules.sides == "two":
            return self._position(rng, straw=self._straw(rng, [[_STACK] * 3] * 2))
        king = self._called_king(rng)
        level = rng.randint(1, self.rules.levels)
        discards = self._exchange(rng, king, level)
        called = self._called_trump(rng) if king is None else king
        owners = {card: seat for seat in range(self.players) for card in self.zones[seat]}
        owners |= {card: seat for seat, laid in enumerate(discards) for card in laid}
        partner = owners.get(called) if called is not None else None
        return self._position(
            rng,
            called=called,
            partner=None if partner == self.declarer else partner,
            talon=tuple(self.zones[-1]),
            discards=tuple(map(to_mask, discards)),
            level=level,
        )

    def exercise(self, rng: random.Random) -> Position:
        """Return the hands as an exercise: the other cards count for nobody."""
        if self.rules.sides == "two":
            most = min(len(self.zones[0]), _STRAW)
            straw = self._straw(rng, [_stack_sizes(rng, rng.randint(0, most)) for _ in range(2)])
            return self._position(rng, straw=straw, leader=self.leader)
        called = partner = None
        if self.rules.sides == "partner":
            called = self._called_king(rng) or self._called_trump(rng)
            holder = self.players if called is None else self.zone(called)
            others = [seat for seat in range(self.players) if seat != self.declarer]
            partner = rng.choice([*others, None]) if holder == self.players else holder
            partner = None if partner == self.declarer else partner
        return self._position(rng, called=called, partner=partner, leader=self.leader)

    def _straw(self, rng: random.Random, sizes: list[list[int]]) -> tuple[Stacks, ...]:
        """Turn cards of each hand into straw men of the given sizes."""
        straw = []
        for seat, hand in enumerate(self.zones[:-1]):
            rng.shuffle(hand)
            straw.append(tuple(tuple(hand.pop() for _ in range(size)) for size in sizes[seat]))
        return tuple(straw)

    def _position(self, rng: random.Random, **known: Any) -> Position:
        announced = self._announced(rng)
        book = rulebooks.variant(self.variant)
        names = [announcement.bonus for announcement in announced]
        rules = in_force(book, self.rules, names, self.options)
        opening = {"leader": self.declarer if rules.leader == "declarer" else 0}
        return Position(
            variant=self.variant,
            contract=self.rules.name,
            hands=tuple(to_mask(hand) for hand in self.zones[:-1]),
            declarer=self.declarer,
            announced=announced,
            options=self.options,
            **(opening | known),
        )

    def _announced(self, rng: random.Random) -> tuple[Announcement, ...]:
        """Return announcements that change the play."""
        chances = {
            "pagat": (self.zone(PAGAT), 1 if self.bias == "pagat" else 1 / 3),
            "french": (self.declarer, 1 / 2),
            "fool_high": (self.declarer, 1 / 2),
        }
        return tuple(
            Announcement(seat, bonus)
            for bonus, (seat, chance) in chances.items()
            if bonus in self.rules.bonuses and seat < self.players and rng.random() < chance
        )

    def _called_king(self, rng: random.Random) -> int | None:
        """Return the king that is called, by a holder of all four the queen."""
        callable_cards = rulebooks.variant(self.variant).callable_cards & ~TRUMP_MASK
        if self.rules.sides != "partner" or self.rules.calls is not None:
            return None
        if self.bias == "called_in_talon":
            callable_cards &= to_mask(self.zones[-1])
        missing = callable_cards & ~to_mask(self.zones[self.declarer])
        kings = list(from_mask(missing & cards.KINGS))
        queens = list(from_mask(missing & cards.QUEENS))
        return rng.choice(kings or queens) if kings or queens else None

    def _called_trump(self, rng: random.Random) -> int | None:
        """Return the trump that the declarer has to call, now and then his own XIX."""
        if self.rules.sides != "partner" or self.variant not in _CALLED_TRUMPS:
            return None
        if self.rules.calls is not None:
            return self.rules.calls
        order = _CALLED_TRUMPS[self.variant]
        missing = [trump for trump in order if trump not in self.zones[self.declarer]]
        secretly_alone = self.variant == "czech" and rng.random() < 1 / 8
        return order[0] if secretly_alone or not missing else missing[0]

    def _exchange(self, rng: random.Random, king: int | None, level: int) -> list[list[int]]:
        """Take up talon cards and lay away as many; return what each seat laid away."""
        discards: list[list[int]] = [[] for _ in range(self.players)]
        talon = self.zones[-1]
        for turn, count in enumerate(self.rules.discards):
            seat = (self.declarer + turn) % self.players
            groups = [talon[at : at + count] for at in range(0, len(talon), count)]
            wanted = [group for group in groups if king in group]
            group = rng.choice(groups)
            if len(self.rules.discards) > 1:
                group = groups[0]
            elif self.rules.levels > 1:
                group = groups[1 if level == 2 else 0]
            elif self.bias == "called_in_talon":
                group = wanted[0]
            self.zones[seat] += group
            discards[seat] = self._laid_away(rng, self.zones[seat], count)
            self.zones[seat] = [card for card in self.zones[seat] if card not in discards[seat]]
            talon[:] = [card for card in talon if card not in group]
        return discards

    def _laid_away(self, rng: random.Random, hand: list[int], count: int) -> list[int]:
        """Return discards that every rule book allows: no fives; trumps last, or first."""
        trumps_first = self.rules.trump_lead_last
        eligible = [card for card in hand if cards.FACE_VALUES[card] < 5]
        rng.shuffle(eligible)
        eligible.sort(key=lambda card: (card < cards.TRUMPS) != trumps_first)
        return eligible[:count]


def _stack_sizes(rng: random.Random, straw: int) -> list[int]:
    """Return sizes of at most three stacks that hold `straw` cards."""
    sizes: list[int] = []
    while straw:
        least = straw - _STACK * (2 - len(sizes))
        sizes.append(rng.randint(max(least, 1), min(straw, _STACK)))
        straw -= sizes[-1]
    return sizes


def _weight(card: int, bias: Bias) -> float:
    """Return how late a card comes into a hand: what the bias wants comes first."""
    return 1 / 3 if _KEPT[bias] >> card & 1 else 1.0


def _played_down(
    rng: random.Random, start: Position, tricks: int, on_table: int, kept: int
) -> Position:
    """Return the position after random play that holds on to the cards of the mask `kept`."""
    referee = Referee(start)
    state = referee.start
    played: list[Trick] = []
    table: list[int] = []
    spares_straw = rng.random() < 3 / 4
    while state.cards_left(state.leader) + bool(state.trick) > tricks or (
        len(state.trick) < on_table
    ):
        spared = kept | (face_up(state.straw, state.player) if spares_straw else 0)
        moves = referee.moves(state)
        move = rng.choice([move for move in moves if not spared >> move % TAKE & 1] or moves)
        table.append(move % TAKE)
        if len(table) == referee.seats:
            played.append(Trick(state.leader, tuple(table)))
            table.clear()
        state = referee.play(state, move)
    return _ending(start, state, tuple(played) if played and rng.random() < 1 / 2 else None)


def _ending(start: Position, state: State, history: tuple[Trick, ...] | None) -> Position:
    return replace(
        start,
        hands=state.hands,
        leader=state.leader,
        trick=state.trick,
        taken=state.taken,
        tricks_won=state.tricks,
        talon=state.talon,
        straw=state.straw,
        history=history,
    )


def _shows(ending: Position, bias: Bias) -> bool:
    hands = Referee(ending).before_trick.hands
    if bias in ("emperor", "voids"):
        owners = [seat for seat, hand in enumerate(hands) if hand & TRULL]
        return len(owners) == 3 and sum((hand & TRULL).bit_count() for hand in hands) == 3
    if bias == "pagat":
        return any(hand >> PAGAT & 1 and hand & TRUMP_MASK != 1 << PAGAT for hand in hands)
    if bias == "called_in_talon":
        taken_up = ending.rules.talon == "called_king"
        return ending.called in (
            from_mask(hands[ending.declarer or 0]) if taken_up else ending.talon
        )
    return True
