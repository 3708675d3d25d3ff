"""Which cards may be played, and which rule forbids the others (RULES section 2)."""

from __future__ import annotations

from trull.solver.cards import MOND, NAMES, PAGAT, SKUS, TRUMP_MASK, from_mask
from trull.solver.referee.state import State
from trull.solver.referee.tricks import Tricks

_SUIT_NAMES = ("trumps", "spades", "hearts", "diamonds", "clubs")

Verdicts = dict[int, str | None]


def verdicts(tricks: Tricks, state: State) -> Verdicts:
    """Return for every card of the seat to play the rule that forbids it, or `None`."""
    faults = [_follow_fault, _mond_fault, _last_trump_fault]
    if not state.trick:
        faults = [_fool_lead_fault, _trump_lead_fault, _pagat_lead_fault, *faults]
    found: Verdicts = {}
    for card in from_mask(state.hand):
        reasons = (fault(tricks, state, card) for fault in faults)
        found[card] = next((reason for reason in reasons if reason), None)
    _forbid_undertaking(tricks, state, found)
    _forbid_announced_pagat(tricks, found)
    return found


def _fool_lead_fault(tricks: Tricks, state: State, card: int) -> str | None:
    # The Fool is in hand, so a trump that has been seen is another one.
    only_card = state.hand == 1 << SKUS
    if card != SKUS or tricks.rules.fool == "trump" or only_card or state.trump_seen:
        return None
    return "the Fool may not be led before another trump lies in a finished trick"


def _trump_lead_fault(tricks: Tricks, state: State, card: int) -> str | None:
    suit_cards = state.hand & ~TRUMP_MASK
    if tricks.rules.trump_lead_last and tricks.suit(card) == 0 and suit_cards:
        return "trumps may be led only from a hand without suit cards"
    return None


def _pagat_lead_fault(tricks: Tricks, state: State, card: int) -> str | None:
    if card == PAGAT and "no_lead" in tricks.rules.pagat and tricks.trumps(state.hand, PAGAT):
        return "the Pagat may not be led while another trump is held"
    return None


def _follow_fault(tricks: Tricks, state: State, card: int) -> str | None:
    led, suit = tricks.led(state.trick), tricks.suit(card)
    if led is None or suit is None or suit == led:
        # Nothing is led yet (a led Excuse sets no suit), or the Excuse is played, or it follows.
        return None
    if any(tricks.suit(held) == led for held in from_mask(state.hand)):
        return f"must follow {_SUIT_NAMES[led]}"
    if tricks.rules.void_must_trump and suit != 0 and tricks.trumps(state.hand):
        return "must play a trump"
    return None


def _mond_fault(tricks: Tricks, state: State, card: int) -> str | None:
    led_or_on_skus = not state.trick or SKUS in state.trick
    if card != MOND or not tricks.rules.mond_rule or not led_or_on_skus:
        return None
    if tricks.trumps(state.hand, MOND, PAGAT):
        how = "played to the Sküs" if state.trick else "led"
        return f"the Mond may not be {how} while another trump besides the Pagat is held"
    return None


def _last_trump_fault(tricks: Tricks, state: State, card: int) -> str | None:
    if card != PAGAT or "last_trump" not in tricks.rules.pagat:
        return None
    if tricks.trumps(state.hand, PAGAT) and not tricks.emperor_calls(state.trick):
        return "the Pagat must be kept as the last trump"
    return None


def _forbid_undertaking(tricks: Tricks, state: State, found: Verdicts) -> None:
    """Forbid, among the cards still free, all that fail to beat the trick, if any beats it."""
    if tricks.rules.overtaking == "none":
        return
    free = [card for card, fault in found.items() if fault is None]
    beating = [card for card in free if tricks.beats(card, state.trick, state.final)]
    if tricks.rules.overtaking == "trumps":
        beating = [card for card in beating if tricks.suit(card) == 0]
    winning = tricks.winning(state.trick, state.final)
    for card in free:
        excuse = tricks.suit(card) is None
        if winning is not None and beating and card not in beating and not excuse:
            found[card] = f"must beat the {NAMES[winning]}"


def _forbid_announced_pagat(tricks: Tricks, found: Verdicts) -> None:
    """Forbid the announced Pagat, which only its holder announces, while another card is free."""
    free = [card for card, fault in found.items() if fault is None]
    if "announced" in tricks.rules.pagat and PAGAT in free and len(free) > 1:
        found[PAGAT] = "the announced Pagat must be kept while another card is legal"
