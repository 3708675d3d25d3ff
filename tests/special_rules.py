"""The special rules of play, and in which states each of them bites.

A rule bites in a state when it forbids or frees a card there, or decides or prices a trick that
can be completed there. Tests count this over all the states that they search, so that a rule
which never comes to bear cannot pass for tested.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

from trull.solver.cards import MOND, PAGAT, SKUS, TRULL, TRUMP_MASK, suit_of, to_mask
from trull.solver.referee import TAKE, Referee, State
from trull.solver.rules import Contract, Variant, in_force


class Moment:
    """A state of a search, with what the referee says about it.

    Attributes:
        referee: the rules.
        state: the state.
        cards: the cards that may be played.
    """

    def __init__(self, referee: Referee, state: State) -> None:
        self.referee = referee
        self.state = state

    @cached_property
    def faults(self) -> dict[int, str | None]:
        """The verdict on every card of the seat to play."""
        return self.referee.verdicts(self.state)

    @cached_property
    def legal(self) -> list[int]:
        """The cards that may be played."""
        return [card for card, fault in self.faults.items() if fault is None]

    @cached_property
    def endings(self) -> list[State]:
        """The states that the last card of a trick can lead to; none before the last card."""
        if len(self.state.trick) < self.referee.seats - 1:
            return []
        return [self.referee.play(self.state, card) for card in self.legal]

    def completed(self) -> Iterator[tuple[tuple[int, ...], int]]:
        """Yield every trick that can be completed here, with the card that wins it."""
        for card, after in zip(self.legal, self.endings, strict=False):
            trick = (*self.state.trick, card)
            yield trick, trick[(after.leader - self.state.leader) % self.referee.seats]

    @property
    def led(self) -> int | None:
        """The card that was led, if any."""
        return self.state.trick[0] if self.state.trick else None

    def trumps(self, *besides: int) -> int:
        """The trumps of the seat to play, the Excuse not being one."""
        excuse = 1 << SKUS if self.referee.rules.fool == "excuse" else 0
        return self.state.hand & TRUMP_MASK & ~to_mask(besides) & ~excuse


Bites = Callable[[Moment], bool]


@dataclass(frozen=True, slots=True)
class SpecialRule:
    """A special rule of play.

    Attributes:
        name: what it is called in tables.
        knobs: the fields of a contract that set it.
        applies: whether a contract has it.
        bites: whether it bites in a state.
    """

    name: str
    knobs: tuple[str, ...]
    applies: Callable[[Contract], bool]
    bites: Bites


def _forbids(clause: str) -> Bites:
    """Return the test for a verdict that contains `clause`."""
    return lambda moment: any(fault and clause in fault for fault in moment.faults.values())


def _trull_meets(moment: Moment, wins: bool) -> bool:
    """Return whether the whole trull can meet in one trick that the Pagat wins, or does not."""
    return any(
        to_mask(trick) & TRULL == TRULL and (winning == PAGAT) == wins
        for trick, winning in moment.completed()
    )


def _emperor_frees_pagat(moment: Moment) -> bool:
    return PAGAT in moment.legal and moment.trumps(PAGAT) != 0


def _follows_a_ruff(moment: Moment) -> bool:
    """Return whether a suit led is followed freely, as a trump holds the trick."""
    trick, led = moment.state.trick, moment.led
    ruffed = led is not None and suit_of(led) > 0 and any(suit_of(card) == 0 for card in trick[1:])
    return ruffed and len(moment.legal) > 1 and suit_of(moment.legal[0]) == suit_of(led or 0)


def _excuse_leads(moment: Moment) -> bool:
    return moment.led == SKUS


def _excuse_excuses(moment: Moment) -> bool:
    """Return whether the Excuse may be played though its holder could follow or trump."""
    led = moment.led
    if led is None or SKUS not in moment.legal or led == SKUS:
        return False
    mates = moment.trumps() if suit_of(led) == 0 else 0
    follows = any(suit_of(card) == suit_of(led) for card in moment.legal if card != SKUS)
    return mates != 0 or follows


def _mond_meets_fool(moment: Moment, lifted: bool) -> bool:
    """Return whether the Excuse meets the Mond in a trick without the Pagat, and wins or not."""
    both = 1 << MOND | 1 << SKUS
    return any(
        to_mask(trick) & TRULL == both and (winning == SKUS) == lifted
        for trick, winning in moment.completed()
    )


def _lowest_fool_loses(moment: Moment) -> bool:
    return any(
        SKUS in trick and PAGAT in trick and MOND not in trick and winning != SKUS
        for trick, winning in moment.completed()
    )


def _talon_trump_frees_fool(moment: Moment) -> bool:
    state = moment.state
    if state.trick or SKUS not in moment.legal or state.hand == 1 << SKUS:
        return False
    given_out = to_mask(moment.referee.start.talon) & ~to_mask(state.talon)
    return not any(taken & TRUMP_MASK & ~given_out for taken in state.taken)


def _king_wins_talon(moment: Moment) -> bool:
    before = moment.referee.credited(moment.state)
    return any(moment.referee.credited(after) & ~before for after in moment.endings)


def _trump_power_lacks(moment: Moment) -> bool:
    return any(
        suit_of(trick[0]) > 0 and suit_of(winning) > 0 and any(suit_of(c) == 0 for c in trick)
        for trick, winning in moment.completed()
    )


def _void_is_free(moment: Moment) -> bool:
    led = moment.led
    free = any(suit_of(card) not in (0, suit_of(led or 0)) for card in moment.legal)
    return led is not None and moment.trumps() != 0 and free


def _straw_must_follow(moment: Moment) -> bool:
    """Return whether the card face up alone forbids cards of the hand."""
    in_hand = moment.state.hands[moment.state.player]
    return len(moment.legal) == 1 and not in_hand >> moment.legal[0] & 1 and in_hand != 0


SPECIAL_RULES = (
    SpecialRule(
        "emperor trick",
        ("emperor",),
        lambda rules: rules.emperor != "off" and rules.sides != "two",
        lambda moment: _trull_meets(moment, wins=True),
    ),
    SpecialRule(
        "no emperor in a suit",
        ("emperor",),
        lambda rules: rules.emperor == "trump_led",
        lambda moment: _trull_meets(moment, wins=False),
    ),
    SpecialRule(
        "Pagat is the last trump",
        ("pagat",),
        lambda rules: "last_trump" in rules.pagat,
        _forbids("kept as the last trump"),
    ),
    SpecialRule(
        "emperor frees Pagat",
        ("pagat", "emperor"),
        lambda rules: "last_trump" in rules.pagat and rules.emperor != "off",
        _emperor_frees_pagat,
    ),
    SpecialRule(
        "announced Pagat kept",
        ("pagat",),
        lambda rules: "announced" in rules.pagat,
        _forbids("announced Pagat"),
    ),
    SpecialRule(
        "Pagat not led",
        ("pagat",),
        lambda rules: "no_lead" in rules.pagat,
        _forbids("Pagat may not be led"),
    ),
    SpecialRule(
        "Mond held back",
        ("mond_rule",),
        lambda rules: rules.mond_rule,
        _forbids("the Mond may not be"),
    ),
    SpecialRule(
        "overtaking",
        ("overtaking",),
        lambda rules: rules.overtaking != "none",
        _forbids("must beat"),
    ),
    SpecialRule(
        "a ruff needs no overtaking",
        ("overtaking",),
        lambda rules: rules.overtaking == "all" and rules.trump_power,
        _follows_a_ruff,
    ),
    SpecialRule(
        "trumps led last",
        ("trump_lead_last",),
        lambda rules: rules.trump_lead_last,
        _forbids("trumps may be led only"),
    ),
    SpecialRule(
        "trumps without power",
        ("trump_power",),
        lambda rules: not rules.trump_power,
        _trump_power_lacks,
    ),
    SpecialRule(
        "void need not trump",
        ("void_must_trump",),
        lambda rules: not rules.void_must_trump,
        _void_is_free,
    ),
    SpecialRule(
        "Fool not led",
        ("fool",),
        lambda rules: rules.fool != "trump",
        _forbids("Fool may not be led"),
    ),
    SpecialRule(
        "Excuse led",
        ("fool",),
        lambda rules: rules.fool == "excuse",
        _excuse_leads,
    ),
    SpecialRule(
        "Excuse off suit",
        ("fool",),
        lambda rules: rules.fool == "excuse",
        _excuse_excuses,
    ),
    SpecialRule(
        "lowest Fool loses to Pagat",
        ("fool",),
        lambda rules: rules.fool == "lowest",
        _lowest_fool_loses,
    ),
    SpecialRule(
        "Mond lifts Fool",
        ("mond_lifts_fool",),
        lambda rules: rules.mond_lifts_fool,
        lambda moment: _mond_meets_fool(moment, lifted=True),
    ),
    SpecialRule(
        "no lift in the final trick",
        ("mond_lifts_fool",),
        lambda rules: rules.mond_lifts_fool,
        lambda moment: moment.state.final and _mond_meets_fool(moment, lifted=False),
    ),
    SpecialRule(
        "talon card in a trick",
        ("talon",),
        lambda rules: rules.talon == "tricks",
        lambda moment: bool(moment.state.talon and moment.endings),
    ),
    SpecialRule(
        "talon trump frees Fool",
        ("talon", "fool"),
        lambda rules: rules.talon == "tricks" and rules.fool != "trump",
        _talon_trump_frees_fool,
    ),
    SpecialRule(
        "called king wins talon",
        ("talon",),
        lambda rules: rules.talon == "called_king",
        _king_wins_talon,
    ),
    SpecialRule(
        "talon credited",
        ("talon",),
        lambda rules: rules.talon in ("called_half", "called_card"),
        lambda moment: moment.referee.credited(moment.state) != 0,
    ),
    SpecialRule(
        "bird wins",
        ("bird", "goal_needs_bird"),
        lambda rules: rules.goal_needs_bird,
        lambda moment: any(after.bird_won > moment.state.bird_won for after in moment.endings),
    ),
    SpecialRule(
        "Excuse lost for nothing",
        ("goal", "fool"),
        lambda rules: rules.goal == "all_but" and rules.fool == "excuse",
        lambda moment: any(after.excused > moment.state.excused for after in moment.endings),
    ),
    SpecialRule(
        "straw card taken up",
        ("sides",),
        lambda rules: rules.sides == "two",
        lambda moment: any(move >= TAKE for move in moment.referee.moves(moment.state)),
    ),
    SpecialRule(
        "straw card must follow",
        ("sides",),
        lambda rules: rules.sides == "two",
        _straw_must_follow,
    ),
)


def settings(book: Variant, contract: Contract) -> tuple[Contract, ...]:
    """Return a contract as it is, and with each announcement and option that it can have."""
    switches = [name for name, default in book.options.items() if isinstance(default, bool)]
    return (
        in_force(book, contract, (), {}),
        *(in_force(book, contract, (bonus,), {}) for bonus in contract.bonuses),
        *(in_force(book, contract, (), {name: True}) for name in switches),
    )


def rules_of(book: Variant, contract: Contract) -> tuple[SpecialRule, ...]:
    """Return the special rules of a contract, with every announcement and option it can have."""
    possible = settings(book, contract)
    return tuple(rule for rule in SPECIAL_RULES if any(map(rule.applies, possible)))
