"""From what a user has written to a question."""

from __future__ import annotations

from dataclasses import dataclass

from trull.analysis.advice.bidding import BidQuestion
from trull.analysis.advice.drawing import Seen
from trull.analysis.advice.error import AdviceError
from trull.analysis.advice.exchanging import CANDIDATES, ExchangeQuestion
from trull.analysis.advice.knowledge import Knowledge
from trull.analysis.advice.playing import CardQuestion
from trull.analysis.advice.reading import knowledge_of, read_knowledge
from trull.analysis.advice.valuing import MEASURES, Measure
from trull.analysis.exchange import Policy
from trull.analysis.sources import opened
from trull.solver.cards import CardError, parse_card, parse_cards
from trull.solver.hands import Hand, parse_hand_cards
from trull.solver.interchange import form_of, parse_text
from trull.solver.json_stream import Faulty, Foreign, read_objects
from trull.solver.question import OBJECTIVES, Objective
from trull.solver.rules import TALON_SIZE

Question = BidQuestion | ExchangeQuestion | CardQuestion


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a user has written; `None` and nothing stand for what he left out.

    Attributes:
        file: where a position in the middle of the play is.
        hand: the cards of a hand as dealt.
        variant: the variant of the hand.
        seat: the seat that asks.
        contracts: the contracts to compare.
        talon: the talon cards seen.
        call: the card that was called.
        level: the level of the exchange.
        group: the talon group to take.
        candidates: how many exchanges are compared.
        where: conditions on the other hands.
        policy: how exchanges are made before bidding.
        objective: what choices are worth.
        seed: the seed of the deals.
    """

    file: str | None = None
    hand: str | None = None
    variant: str | None = None
    seat: int | None = None
    contracts: tuple[str, ...] = ()
    talon: str | None = None
    call: str | None = None
    level: int | None = None
    group: int | None = None
    candidates: int | None = None
    where: tuple[str, ...] = ()
    policy: Policy | None = None
    objective: str | None = None
    seed: int = 0


def question_of(asked: Asked) -> Question:
    """Return the question that was asked.

    Raises `ValueError` with one sentence about what is wrong, and `OSError` when a file cannot be
    read.
    """
    if asked.file is not None:
        return _card_question(asked, asked.file)
    if asked.seat is None:
        raise AdviceError("seat: missing, expected --seat beside --hand")
    hand = Hand(
        variant=asked.variant or "", cards=parse_hand_cards(asked.hand or ""), seat=asked.seat
    )
    seen = Seen(
        variant=hand.variant,
        seat=asked.seat,
        hand=hand.cards,
        talon=_talon(asked.talon),
        where=asked.where,
        seed=asked.seed,
    )
    if seen.talon and len(asked.contracts) == 1:
        return _exchange_question(asked, seen)
    for name in ("call", "level", "group", "candidates"):
        if getattr(asked, name) is not None:
            raise AdviceError(f"{name}: needs --talon and one --contract, for the exchange")
    return BidQuestion(
        seen=seen,
        contracts=asked.contracts,
        policy=asked.policy or "plain",
        measure=_measure(asked.objective),
    )


def _exchange_question(asked: Asked, seen: Seen) -> ExchangeQuestion:
    if asked.policy is not None:
        raise AdviceError("policy: the exchange itself is asked for, expected none")
    return ExchangeQuestion(
        seen=seen,
        contract=asked.contracts[0],
        call=None if asked.call is None else _card(asked.call),
        level=asked.level,
        group=asked.group,
        candidates=asked.candidates or CANDIDATES,
        measure=_measure(asked.objective),
    )


def _card_question(asked: Asked, source: str) -> CardQuestion:
    if asked.objective is not None and asked.objective not in OBJECTIVES:
        raise AdviceError(f"objective: {asked.objective}, expected {_listed(OBJECTIVES)}")
    objective: Objective | None = asked.objective
    known = _read(source, asked.seat)
    return CardQuestion(known=known, objective=objective, seed=asked.seed)


def _read(source: str, seat: int | None) -> Knowledge:
    with opened(source) as stream:
        items = list(read_objects(stream, lambda line: form_of(line) != "json"))
    if len(items) != 1:
        raise AdviceError(f"{source}: {len(items)} positions, expected one")
    (item,) = items
    if isinstance(item, Faulty):
        raise AdviceError(item.error)
    if isinstance(item, Foreign):
        return knowledge_of(parse_text(item.text), seat)
    return read_knowledge(item, seat)


def _measure(objective: str | None) -> Measure:
    if objective is None:
        return "score"
    if objective not in MEASURES:
        raise AdviceError(f"objective: {objective}, expected {_listed(MEASURES)} before the play")
    return objective


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(names[:-1]) + f" or {names[-1]}"


def _talon(text: str | None) -> tuple[int, ...]:
    if text is None:
        return ()
    try:
        cards = parse_cards(text)
    except CardError as error:
        raise AdviceError(f"talon: {error}") from error
    if not 1 <= len(cards) <= TALON_SIZE:
        raise AdviceError(f"talon: {len(cards)} cards, expected 1 to {TALON_SIZE}")
    return cards


def _card(text: str) -> int:
    try:
        return parse_card(text)
    except CardError as error:
        raise AdviceError(f"call: {error}") from error
