"""The knobs of play: what a contract of a Tarock rule book can say, as one flat record.

A rule book (`trull.solver.rulebooks`) is data: a `Variant` holding its `Contract` records.
Everything else in Trull reads these records; nothing asks for a variant by name.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Literal

from trull.solver import cards
from trull.solver.hand_rules import Auction, Bid, HandBonus, RuleOfThumb
from trull.solver.score_rules import Bonus, GameScore, MondPenalty, ValatScore

Counting = Literal["thirds", "face"]
Sides = Literal["partner", "alone", "everyone", "two"]
Goal = Literal["majority", "fewest_points", "at_most", "exactly", "all_but"]
Leader = Literal["forehand", "declarer"]
Overtaking = Literal["none", "all", "trumps"]
PagatDuty = Literal["last_trump", "announced", "no_lead"]
Emperor = Literal["off", "on", "trump_led"]
Fool = Literal["trump", "excuse", "lowest", "high"]
Talon = Literal["opponents", "called_half", "called_card", "called_king", "aside", "tricks"]
Payment = Literal["trischaken", "klop", "warsaw"]
Kind = Literal["suits", "trumps"]

ANNOUNCEMENTS = (
    "pagat",
    "uhu",
    "kakadu",
    "quapil",
    "king_ultimo",
    "trull",
    "kings",
    "valat",
    "french",
    "fool_high",
)
"""Every name that `announced` may hold; a contract lists those it allows."""

TALON_SIZE = 6
"""The cards of the talon, in every game that has one."""

_WEIGHTS: Mapping[Counting, tuple[int, ...]] = {
    "face": cards.FACE_VALUES,
    "thirds": tuple(3 * value - 2 for value in cards.FACE_VALUES),
}

BIRDS: Mapping[str, int] = {
    "pagat": cards.PAGAT,
    "uhu": cards.UHU,
    "kakadu": cards.KAKADU,
    "quapil": cards.QUAPIL,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Contract:
    """One contract: who plays for what, and every rule of play that it sets.

    Attributes:
        name: the identifier.
        source: where in the rule book's text the contract is described.
        values: the base value by number of players; its keys are the player counts allowed.
        sides: `partner` (declarer and the holder of the called card), `alone`, `everyone`
            (each for himself), or `two` (two players against each other).
        goal: `majority` (at least the variant's threshold), `fewest_points`, `at_most`,
            `exactly` or `all_but` a number of tricks.
        tricks: the number of the last three goals.
        leader: who leads the first trick.
        discards: how many cards each seat lays away, starting from the declarer; empty when
            nobody exchanges.
        kept: the cards that are never laid away, as a mask.
        laid_first: which cards are laid away before any others are; `None` leaves it free.
        talon: what becomes of the talon cards left over: they count for the `opponents`; for
            the opponents but for the half with the called card (`called_half`) or all of it
            when the called card lies there (`called_card`); for the opponents until a called
            king out of the talon wins a trick (`called_king`); for nobody (`aside`); or they
            go to the winners of the first tricks (`tricks`).
        trump_power: whether trumps beat suit cards.
        void_must_trump: whether a player void in the suit led must play a trump.
        overtaking: who must beat the card that is winning the trick.
        pagat: duties of the Pagat's holder.
        mond_rule: the Mond may not be led nor played to the Sküs while another trump besides
            the Pagat is held.
        trump_lead_last: trumps may be led only from a hand without suit cards.
        emperor: whether the Pagat wins a trick with Mond and Sküs in it.
        fool: the role of the Sküs: a plain `trump`, the `excuse`, the `lowest` trump, or the
            `high` trump of a rule book with a Fool (which restricts its lead).
        mond_lifts_fool: whether the Excuse becomes the highest trump in a trick with the Mond
            that is not the last one.
        bird: the bird that a bird game or second duty promises.
        goal_needs_bird: whether the contract is made only when the bird wins its trick too.
        bonuses: the announcements that the contract allows.
        calls: the card that the contract calls by itself.
        levels: how many levels the contract is played at.
        doubling: whether opponents may double the game.
        game_score: what the game is worth, won or lost.
        factors: for each level what multiplies the game when it is won, and when it is lost.
        bonus_values: what the bonuses are worth; a bonus that is not named does not count.
        valat: what becomes of the rest when a valat is settled.
        mond: the penalty for a lost Mond.
        called_king_penalty: what each of the declaring side writes for a called king that the
            opponents have won.
        payment: how a game of everyone is paid, as `trull.solver.settlement` has it.
    """

    name: str
    source: str
    values: Mapping[int, int]
    sides: Sides
    goal: Goal
    tricks: int = 0
    leader: Leader = "forehand"
    discards: tuple[int, ...] = ()
    kept: int = cards.KINGS | cards.TRULL
    laid_first: Kind | None = "suits"
    talon: Talon = "opponents"
    trump_power: bool = True
    void_must_trump: bool = True
    overtaking: Overtaking = "none"
    pagat: tuple[PagatDuty, ...] = ()
    mond_rule: bool = False
    trump_lead_last: bool = False
    emperor: Emperor = "off"
    fool: Fool = "trump"
    mond_lifts_fool: bool = False
    bird: str | None = None
    goal_needs_bird: bool = False
    bonuses: tuple[str, ...] = ()
    calls: int | None = None
    levels: int = 1
    doubling: bool = True
    game_score: GameScore = "value"
    factors: tuple[tuple[int, int], ...] = ((1, 1),)
    bonus_values: Mapping[str, Bonus] = field(default_factory=dict)
    valat: ValatScore = "beside"
    mond: MondPenalty | None = None
    called_king_penalty: int = 0
    payment: Payment | None = None

    def __post_init__(self) -> None:
        """Refuse knobs that contradict each other, so that a rule book cannot."""
        if self.trump_lead_last and self.trump_power:
            raise ValueError(f"{self.name}: trump_lead_last needs suspended trumps")
        if self.talon in ("called_half", "called_card", "called_king") and self.sides != "partner":
            raise ValueError(f"{self.name}: talon {self.talon!r} needs a called card")
        if self.talon == "tricks" and self.sides != "everyone":
            raise ValueError(f"{self.name}: only games of everyone give the talon to tricks")
        if self.goal == "fewest_points" and self.sides != "everyone":
            raise ValueError(f"{self.name}: the fewest points need everyone alone")
        if self.calls is not None and self.sides != "partner":
            raise ValueError(f"{self.name}: a game without a partner calls no card")
        if self.doubling and self.sides == "everyone":
            raise ValueError(f"{self.name}: nobody doubles where everyone plays alone")
        if self.bird is not None and self.bird not in BIRDS:
            raise ValueError(f"{self.name}: unknown bird {self.bird!r}")
        if self.goal_needs_bird and self.bird is None:
            raise ValueError(f"{self.name}: goal_needs_bird needs a bird")
        if self.mond_lifts_fool and (self.fool != "excuse" or self.emperor != "on"):
            raise ValueError(f"{self.name}: mond_lifts_fool needs an Excuse and the emperor trick")
        if self.payment is not None and self.sides != "everyone":
            raise ValueError(f"{self.name}: only games of everyone have a payment")
        if len(self.factors) != self.levels:
            raise ValueError(f"{self.name}: {self.levels} levels need as many factors")
        unknown = {*self.bonuses, *self.bonus_values} - set(ANNOUNCEMENTS)
        if unknown:
            raise ValueError(f"{self.name}: unknown bonuses {sorted(unknown)}")
        worthless = set(self.bonuses) - {*self.bonus_values, "french", "fool_high"}
        if worthless:
            raise ValueError(f"{self.name}: bonuses without a value {sorted(worthless)}")

    @property
    def counts_points(self) -> bool:
        """Whether the contract is about card points (else about tricks)."""
        return self.goal in ("majority", "fewest_points")


@dataclass(frozen=True, slots=True, kw_only=True)
class TrumpCall:
    """How a partner is called by a trump.

    Attributes:
        trumps: the trumps that may be called, in order: the first one that the declarer does not
            hold is called, or the first of all by a declarer who holds them all.
        own: whether he may call the first although he holds it.
        own_option: the option that allows that; empty where it needs none.
        after_talon: whether he calls when he has taken up talon cards, not before.
    """

    trumps: tuple[int, ...]
    own: bool = True
    own_option: str = ""
    after_talon: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """One rule book: its counting, its card order, its contracts.

    Attributes:
        name: the identifier.
        title: how people call it.
        source: the text that the rule book rests on.
        counting: `thirds` (a card is worth 3·face − 2) or `face`.
        threshold: what the declaring side needs in a majority game, in the counting's unit.
        red_pips: the ranks of the red pips from the lowest to the highest.
        announced_pagat: the duties that announcing the Pagat ultimo puts on its holder.
        options: the options that a position may set, with their defaults: a switch, or seats.
        callable_cards: the cards that may be called, as a mask.
        trump_call: how a trump is called; `None` where a king is.
        holder_announces: whether only the holder announces a bird or the king ultimo, and only
            the declaring side a valat.
        doubling_limit: the highest multiplier, `None` without a limit.
        bonus_doubling: whether bonuses are doubled separately, besides the game.
        paid: whether losers pay winners, so that all scores add up to 0; else the declaring side
            writes its result and the opponents write nothing.
        lost_mond: the penalty for a lost Mond that an option puts on games about points.
        without_valat: the bonuses that cannot be announced beside a valat, and do not count
            silently when one is settled.
        sections: where in the rule book's text bonuses, valat, doubling and penalties stand.
        hand_trumps: the trumps that count as such when a hand is judged, as a mask.
        hand_bonuses: lists of bonuses for a hand; in each, the first that fits is paid.
        rules_of_thumb: what the source advises to hold for its contracts.
        bids: the contracts that may be bid, lowest first.
        auction: how seats bid in turn.
        without_trumps: what becomes of a deal in which a hand has no trump: it is `redealt`,
            or the contract that is played; `None` where nothing special does.
        contracts: the contracts by name, in the order of the rule book.
    """

    name: str
    title: str
    source: str
    counting: Counting
    threshold: int
    red_pips: str = "432A"
    announced_pagat: tuple[PagatDuty, ...] = ()
    options: Mapping[str, bool | tuple[int, ...]] = field(default_factory=dict)
    callable_cards: int = cards.KINGS
    trump_call: TrumpCall | None = None
    holder_announces: bool = False
    doubling_limit: int | None = 8
    bonus_doubling: bool = True
    paid: bool = True
    lost_mond: MondPenalty | None = None
    without_valat: tuple[str, ...] = ()
    sections: Mapping[str, str] = field(default_factory=dict)
    hand_trumps: int = cards.TRUMP_MASK
    hand_bonuses: tuple[tuple[HandBonus, ...], ...] = ()
    rules_of_thumb: tuple[RuleOfThumb, ...] = ()
    bids: tuple[Bid, ...] = ()
    auction: Auction = field(default_factory=Auction)
    without_trumps: str | None = None
    contracts: Mapping[str, Contract]

    @property
    def unit(self) -> str:
        """The unit of card points: `thirds` or `face`."""
        return self.counting

    @property
    def weights(self) -> tuple[int, ...]:
        """What every card is worth, in the counting's unit."""
        return _WEIGHTS[self.counting]

    @property
    def half(self) -> int:
        """Half of the points that the pack counts."""
        return sum(self.weights) // (2 if self.counting == "face" else 6)

    def counted(self, points: int) -> int:
        """Return the points that a side counts: its thirds to the nearest whole point."""
        return points if self.counting == "face" else (points + 1) // 3

    @property
    def rank_order(self) -> tuple[int, ...]:
        """The place of every card when each suit is sorted by this rule book's ranks.

        Card *n* stands at place `rank_order[n]`; places are numbered like cards, so that in
        each suit the higher place is the higher rank.
        """
        return _rank_order(self.red_pips)

    def contract(self, name: str) -> Contract:
        """Return the contract called `name`; raises `KeyError` when there is none."""
        return self.contracts[name]


@cache
def _rank_order(red_pips: str) -> tuple[int, ...]:
    places = list(range(cards.PACK))
    for suit in "HD":
        first = cards.NAMES.index(suit + "4")
        for rank, pip in enumerate(red_pips):
            places[cards.NAMES.index(suit + pip)] = first + rank
    return tuple(places)


def hand_size(players: int) -> int:
    """Return how many cards each player is dealt, straw men included."""
    talon = TALON_SIZE if players > 2 else 0
    return (cards.PACK - talon) // players


def contracts(*records: Contract) -> dict[str, Contract]:
    """Return the records by name, refusing a name used twice."""
    by_name = {record.name: record for record in records}
    if len(by_name) != len(records):
        raise ValueError("a contract is defined twice")
    return by_name


def named(parent: Contract, name: str, **differences: object) -> Contract:
    """Return a contract that is `parent` but for its name and the `differences`."""
    return replace(parent, name=name, **differences)  # type: ignore[arg-type]


def ranked(book: Variant, options: Mapping[str, object]) -> Variant:
    """Return `book` with the red pips as the options of a deal rank them."""
    if not options.get("ace_low"):
        return book
    return replace(book, red_pips="A" + book.red_pips.replace("A", ""))


def in_force(
    book: Variant, contract: Contract, announced: Collection[str], options: Mapping[str, object]
) -> Contract:
    """Return `contract` with its knobs as the announcements and options of a deal set them.

    Args:
        book: the rule book of the contract.
        contract: the contract as the rule book has it.
        announced: the names of the bonuses that anybody announced; one that the contract does
            not allow changes nothing.
        options: the options of the position.
    """
    changes: dict[str, object] = {}
    announced = {name for name in announced if name in contract.bonuses}
    if book.announced_pagat and ("pagat" in announced or contract.bird == "pagat"):
        changes["pagat"] = contract.pagat + book.announced_pagat
    if "french" in announced:
        changes["overtaking"] = "trumps"
    if "fool_high" in announced:
        changes["fool"] = "high"
    if options.get("emperor"):
        changes["emperor"] = "on" if contract.trump_power else "trump_led"
    negative_alone = contract.overtaking == "all" and contract.sides == "alone"
    if options.get("declarer_leads_negative") and negative_alone:
        changes["leader"] = "declarer"
    if options.get("lost_mond") and contract.goal == "majority":
        changes["mond"] = book.lost_mond
    return named(contract, contract.name, **changes)
