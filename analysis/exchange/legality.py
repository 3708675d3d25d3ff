"""Which cards may be called, and which may be laid away (RULES sections 3 to 7)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from trull.analysis.exchange.setting import ExchangeError, Setting
from trull.solver.cards import ALL_CARDS, KINGS, NAMES, TRUMP_MASK, from_mask, to_mask
from trull.solver.rules import Contract, TrumpCall, Variant

_KINDS = {"suits": ALL_CARDS & ~TRUMP_MASK, "trumps": TRUMP_MASK, None: 0}


def calls(setting: Setting, hand: int) -> tuple[int | None, ...]:
    """Return the cards that the declarer may call, `None` alone where nobody calls.

    Args:
        setting: the deal and its contract.
        hand: the declarer's cards, as a mask, when he calls.

    A king is called that is not in hand, a queen by a holder of all four kings where the rule
    book allows it; trumps as `TrumpCall` has it. There is nothing to return for a hand that holds
    everything that may be called.
    """
    book, rules = setting.book, setting.rules
    if rules.sides != "partner" or rules.calls is not None:
        return (rules.calls,)
    if book.trump_call is not None:
        return _trump_calls(book.trump_call, hand, setting)
    missing = book.callable_cards & ~hand
    return tuple(from_mask(missing & KINGS or missing))


def allowed_calls(setting: Setting, hand: int, wanted: int | None) -> tuple[int | None, ...]:
    """Return `calls`, or only the card that is wanted.

    Raises `ExchangeError` when that may not be called, or nothing may.
    """
    allowed = calls(setting, hand)
    if not allowed:
        raise ExchangeError(f"{setting.contract}: seat {setting.declarer} holds all it may call")
    if wanted is None:
        return allowed
    if wanted not in allowed:
        names = [NAMES[card] for card in allowed if card is not None]
        expected = f"expected {' or '.join(names)}" if names else "but nobody calls"
        raise ExchangeError(f"call: {NAMES[wanted]}, {expected} in {setting.contract}")
    return (wanted,)


def calls_before_talon(book: Variant) -> bool:
    """Return whether the declarer calls before he takes up talon cards."""
    return book.trump_call is None or not book.trump_call.after_talon


def _trump_calls(rule: TrumpCall, hand: int, setting: Setting) -> tuple[int, ...]:
    first = rule.trumps[0]
    called = next((trump for trump in rule.trumps if not hand >> trump & 1), first)
    may_call_own = rule.own and (not rule.own_option or bool(setting.options.get(rule.own_option)))
    return (called, first) if may_call_own and called != first else (called,)


def to_lay_away(rules: Contract, hand: int, number: int, drawn: int = 0) -> tuple[int, int]:
    """Return the cards that must be laid away, and those that the rest is chosen from.

    Args:
        rules: the contract.
        hand: the cards in hand, those taken up included, as a mask.
        number: how many cards are laid away.
        drawn: those of the cards that may also be left in the talon, as a mask.

    Both are masks. Too few cards in both mean that no legal discard exists.
    """
    eligible = hand & (drawn | ~rules.kept)
    first = eligible & _KINDS[rules.laid_first]
    if first.bit_count() < number:
        return first, eligible & ~first
    return 0, first


def legal_discards(rules: Contract, hand: int, number: int, drawn: int = 0) -> Iterator[int]:
    """Yield every set of cards, as a mask, that may be laid away; arguments as above."""
    forced, free = to_lay_away(rules, hand, number, drawn)
    missing = number - forced.bit_count()
    for chosen in combinations(from_mask(free), missing):
        yield forced | to_mask(chosen)


def may_lay_away(rules: Contract, hand: int, number: int, cards: int) -> bool:
    """Return whether a set of cards, as a mask, may be laid away; arguments as above."""
    forced, free = to_lay_away(rules, hand, number)
    right = cards & forced == forced and cards & ~(forced | free) == 0
    return right and cards.bit_count() == number
