"""Writes docs/rules.md out of the rule books.

    python docs/make_rules.py

Every sentence about a contract is composed from its knobs, so the page says what the solver plays.
What a variant's contracts have in common is said once; a contract then says only what is different.
The chapter "Decisions" is not generated: it is kept as it stands on the page.
"""

from __future__ import annotations

import textwrap
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from trull.solver.cards import KINGS, NAMES, QUEENS, TRULL, TRUMP_MASK
from trull.solver.question import default_objective
from trull.solver.rulebooks import VARIANTS
from trull.solver.rules import TALON_SIZE, Contract, Variant

PAGE = Path(__file__).with_name("rules.md")
DECISIONS = "\n## Decisions\n"

_WIDTH = 100
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six")

_INTRODUCTION = """\
<!-- Written by docs/make_rules.py out of solver/rulebooks/, up to the chapter Decisions. -->

# The rules that Trull plays

Five rule books, as the solver plays them, contract by contract. What the rule books leave open, and
what solving adds, stands in the last chapter, [Decisions](#decisions).

## Words

- **Seats.** *Forehand* is seat 0, the player at the dealer's right; play goes from seat 0 to seat 1
  and on. The *declarer* plays the contract, alone or with a partner: they are the *declaring side*,
  all others are the *opponents*. Where a card is called, its holder is the partner; when no other
  player has it, the declarer is alone.
- **Cards.** *Pagat*, *Mond* and *Sküs* are the trumps I, XXI and XXII. Kings and those three have
  the face value 5, Queens 4, Cavaliers 3, Jacks 2, all other cards 1.
- **Counting.** By *face*, values are added up; the pack holds 106 points. By *thirds*, three cards
  count the sum of their values less 2, which makes a card worth 3 × value − 2 thirds of a point and
  the pack 210 thirds, or 70 points. A *Blatt*, a card left over, is one third.
- **Following.** A suit led must be followed, a trump lead with a trump. *Duty to trump*: who cannot
  follow must play a trump if he has one. Any card is free otherwise. The highest trump wins the
  trick, without one the highest card of the suit led; its winner leads the next.
- **Trumps without power** win only tricks that were led in trumps.
- **Overtaking.** Of the cards that a player may play by the duties to follow and to trump, he must
  choose one that beats the card which is winning the trick, if he can.
- **The Pagat as last trump.** The Pagat may be led or played only when its holder has no other
  trump. Where there is an emperor trick, the Pagat may also be played on Mond and Sküs if following
  suit allows, and whoever must overtake has to.
- **Emperor trick.** When Pagat, Mond and Sküs meet in a trick, the Pagat wins it.
- **The Fool** is the Sküs of the House Rules. In every role it may not be led before another trump
  lies in a finished trick, or was given out with one, unless it is its holder's only card. As the
  *Excuse* it is no trump: it may be played at any time, whatever was led and whether or not another
  card would overtake; it never wins, and goes to the winner of the trick; when it is led, the next
  card sets the suit. *Lifted by the Mond*: when both lie in one trick, the last trick of the deal
  excepted, the Excuse is the highest trump of that trick. As a trump, highest or lowest, it is
  obliged like any other.
- **Birds** are the trumps I, II, III and IIII, here `pagat`, `uhu`, `kakadu` and `quapil`, which
  are to win the last, 2nd last, 3rd last and 4th last trick by themselves.
- **Exchanging** *n* cards is taking *n* cards of the talon and laying away as many. Cards laid away
  count for the side that laid them away.

## What is solved

- `points`: the card points of the declaring side at the end, with what it laid away and the talon
  cards that count for it. In a game of everyone: the fewest card points that a seat can hold itself
  to while all others play against it.
- `tricks`: the number of tricks of the declaring side.
- `made`: whether the declaring side fulfils the contract: whether it gets what the tables call
  *needed*.

The declaring side plays for much and its opponents for little; where few tricks are needed, the
declarer plays for little, be it `points` or `tricks`. The tables name the objective that is the
default.
"""


# --- Small words ---


def _number(count: int) -> str:
    return _NUMBERS[count] if count < len(_NUMBERS) else str(count)


def _things(count: int, noun: str) -> str:
    return f"{_number(count)} {noun}{'s' * (count != 1)}"


def _listed(words: Iterable[str], last: str = "and") -> str:
    *first, final = words
    return f"{', '.join(first)} {last} {final}" if first else final


def _code(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


# --- The table of a variant: value, sides, what is needed ---


_PAYMENTS: Mapping[str, str] = {
    "trischaken": "{value} from the loser to each other",
    "klop": "±{value}",
    "warsaw": "{value} to 4 × {value} from the loser to each other",
}
_SCORES: Mapping[str, str] = {
    "value": "{value}",
    "difference": "{value} + difference",
    "rounded_difference": "{value} + difference in fives",
    "points": "{value} a point above {half}",
    "chips": "{value} × (difference + 10), in tens",
}
_SIDES: Mapping[str, str] = {
    "partner": "declarer and partner",
    "alone": "declarer alone",
    "everyone": "everyone alone",
    "two": "two players",
}


def value(book: Variant, contract: Contract) -> str:
    """Return the value of a contract, by number of players where it depends on them."""
    words = _PAYMENTS[contract.payment] if contract.payment else _SCORES[contract.game_score]
    by_value = defaultdict(list)
    for players, amount in contract.values.items():
        by_value[words.format(value=amount, half=book.half)].append(players)
    if len(by_value) == 1:
        return next(iter(by_value))
    return ", ".join(f"{words} for {_players_words(seats)}" for words, seats in by_value.items())


def needed(book: Variant, contract: Contract) -> str:
    """Return what fulfils a contract."""
    tricks = contract.tricks
    if contract.goal == "majority":
        points = f"{book.threshold} {'thirds' if book.counting == 'thirds' else 'points'}"
        return f"{points} and the `{contract.bird}`" if contract.goal_needs_bird else points
    if contract.goal == "fewest_points":
        return "few points"
    if contract.goal == "all_but":
        return f"every trick but {_number(tricks)}" if tricks else "every trick"
    if contract.goal == "exactly":
        return f"exactly {_things(tricks, 'trick')}"
    return f"at most {_things(tricks, 'trick')}" if tricks else "no trick"


def _table(book: Variant) -> Iterator[str]:
    yield "| contract | value | who plays | needed | default | section of the source |"
    yield "|---|---|---|---|---|---|"
    for contract in book.contracts.values():
        cells = (
            f"`{contract.name}`",
            value(book, contract),
            _SIDES[contract.sides],
            needed(book, contract),
            f"`{default_objective(contract)}`",
            contract.source,
        )
        yield f"| {' | '.join(cells)} |"


# --- The rules of play, topic by topic; an empty sentence is a rule not worth a word ---


def _players(book: Variant, contract: Contract) -> str:
    return (
        ""
        if set(contract.values) == _numbers_of_players(book)
        else f"For {_players_words(contract.values)}."
    )


def _players_words(numbers: Iterable[int]) -> str:
    return f"{_listed(map(_number, sorted(numbers)), 'or')} players"


def _numbers_of_players(book: Variant) -> set[int]:
    return {players for contract in book.contracts.values() for players in contract.values}


def _bidding(book: Variant, contract: Contract) -> str:
    said = {bid.forehand for bid in book.bids if bid.contract == contract.name}
    if said == {"only"}:
        return "Only forehand may play it."
    return "Forehand may not play it." if said == {"never"} else ""


def _calling(_book: Variant, contract: Contract) -> str:
    return "" if contract.calls is None else f"The card called is {NAMES[contract.calls]}."


def _exchange(_book: Variant, contract: Contract) -> str:
    counts = contract.discards
    if contract.sides == "two":
        return _STRAW
    if not counts:
        return f"Nobody exchanges; the talon {_TALON[contract.talon]}."
    words = f"The declarer exchanges {_things(counts[0], 'card')}"
    if len(counts) > 1:
        words += f", the next {_things(len(counts) - 1, 'player')} {_number(counts[1])} each"
    rest = "" if sum(counts) == TALON_SIZE else f"; the rest of the talon {_TALON[contract.talon]}"
    return f"{words}{rest}."


_TALON: Mapping[str, str] = {
    "opponents": "counts for the opponents",
    "called_half": (
        "counts for the opponents, but the half with the called card for the declarer who called it"
    ),
    "called_card": "counts for the opponents, or with the called card in it for the declarer",
    "called_king": (
        "counts for the opponents, or for a declarer who took up the called King himself and wins "
        "a trick with it"
    ),
    "aside": "counts for nobody",
    "tricks": "goes card by card to the winners of the first six tricks",
}
_STRAW = (
    "There is no talon: a player has fifteen cards in hand and three straw men of four cards. The "
    "top card of his leftmost straw man lies face up, and is played as if it were in his hand. "
    "When it is gone the next one comes up; he may take that into his hand at once if it is a "
    "King, a trump or the bottom card of its straw man, and so on."
)


def _laying_away(_book: Variant, contract: Contract) -> str:
    if not contract.discards:
        return ""
    honours = "the trull" if contract.kept & TRULL == TRULL else "the Pagat"
    return f"Kings and {honours} are never laid away{_LAID_FIRST[contract.laid_first]}."


_LAID_FIRST: Mapping[str | None, str] = {
    "suits": "; other trumps are only when no other card may be",
    "trumps": "; other trumps are laid away before any suit card",
    None: "",
}


def _lead(_book: Variant, contract: Contract) -> str:
    leader = "Forehand" if contract.leader == "forehand" else "The declarer"
    return f"{leader} leads the first trick."


def _void(_book: Variant, contract: Contract) -> str:
    return f"There is {'a' if contract.void_must_trump else 'no'} duty to trump."


def _power(_book: Variant, contract: Contract) -> str:
    if contract.trump_power:
        return "Trumps beat suit cards."
    lead = ", and may be led only from a hand without suit cards" * contract.trump_lead_last
    return f"Trumps are without power{lead}."


def _overtaking(_book: Variant, contract: Contract) -> str:
    return f"{'Nobody' if contract.overtaking == 'none' else 'Everyone'} must overtake."


def _pagat(_book: Variant, contract: Contract) -> str:
    if "no_lead" in contract.pagat:
        return "The Pagat may not be led while its holder has another trump."
    if "last_trump" in contract.pagat:
        return "The Pagat is kept as last trump."
    return "The Pagat is free."


def _mond(_book: Variant, contract: Contract) -> str:
    if not contract.mond_rule:
        return ""
    return (
        "The Mond may not be led, nor played to a trick with the Sküs, while its holder has "
        "another trump besides the Pagat."
    )


def _emperor(_book: Variant, contract: Contract) -> str:
    if contract.emperor == "off":
        return "There is no emperor trick."
    return f"The emperor trick counts{', if a trump was led' * (contract.emperor == 'trump_led')}."


def _fool(_book: Variant, contract: Contract) -> str:
    lifted = "" if contract.mond_lifts_fool else " not"
    roles = {
        "trump": "",
        "excuse": f"The Fool is the Excuse,{lifted} lifted by the Mond.",
        "lowest": "The Fool is the lowest trump, below the Pagat.",
        "high": "The Fool is the highest trump.",
    }
    return roles[contract.fool]


def _excused(_book: Variant, contract: Contract) -> str:
    if contract.goal == "all_but" and contract.fool == "excuse":
        return "A trick to which the declarer played the Excuse does not count against him."
    return ""


def _promise(_book: Variant, contract: Contract) -> str:
    if contract.bird is None or contract.goal_needs_bird:
        return ""
    return f"The `{contract.bird}` is announced with the contract, and settled by itself."


def _announcing(_book: Variant, contract: Contract) -> str:
    if not contract.bonuses:
        return "Nothing is announced."
    effects = (_EFFECTS[name] for name in contract.bonuses if name in _EFFECTS)
    return " ".join([f"May be announced: {_code(contract.bonuses)}.", *effects])


_EFFECTS: Mapping[str, str] = {
    "french": "With `french`, who plays a trump must overtake if he can.",
    "fool_high": "With `fool_high` the Fool is the highest trump instead.",
}


def _levels(_book: Variant, contract: Contract) -> str:
    won, lost = (_listed(map(str, factors)) for factors in zip(*contract.factors, strict=True))
    by = f"by {won}" if won == lost else f"by {won} when won, by {lost} when lost"
    if contract.levels > 1:
        return f"Its {_number(contract.levels)} levels multiply the game {by}."
    return "" if won == lost else f"The game is multiplied {by}."


def _doubling(_book: Variant, contract: Contract) -> str:
    return "The game may be doubled." if contract.doubling else "Nobody doubles."


Topic = Callable[[Variant, Contract], str]

TOPICS: tuple[Topic, ...] = (
    _players,
    _bidding,
    _calling,
    _exchange,
    _laying_away,
    _lead,
    _void,
    _power,
    _overtaking,
    _pagat,
    _mond,
    _fool,
    _emperor,
    _excused,
    _promise,
    _announcing,
    _levels,
    _doubling,
)
"""All that is said about a contract besides the table, in the order of saying it."""


# --- A variant ---


def _usual(book: Variant) -> dict[Topic, str]:
    """Return what most contracts of a variant have in common, by topic."""
    found = {}
    for topic in TOPICS:
        counts = Counter(topic(book, contract) for contract in book.contracts.values())
        sentence, count = counts.most_common(1)[0]
        if 2 * count > len(book.contracts):
            found[topic] = sentence
    return found


def _differences(book: Variant, usual: Mapping[Topic, str]) -> Iterator[str]:
    """Yield what the contracts say that is not usual, those that say the same together."""
    by_text = defaultdict(list)
    for contract in book.contracts.values():
        said = {topic: topic(book, contract) for topic in TOPICS}
        different = (text for topic, text in said.items() if text != usual.get(topic))
        by_text[" ".join(filter(None, different))].append(contract.name)
    for text, names in by_text.items():
        yield _item(f"{_code(names)}: {text or 'as usual.'}")


def _cards(book: Variant) -> str:
    """Return how the cards of a variant rank and count, and what its calls and announcements do."""
    pips = " ".join(reversed(book.red_pips))
    of = f"{book.threshold} of {sum(book.weights)}"
    count = f"Cards count by face; a majority is {of} points."
    if book.counting == "thirds":
        points, blatt = divmod(book.threshold, 3)
        exact = f"{points} points and {blatt} Blatt"
        count = f"Cards count by thirds; a majority is {of}, {exact}."
    sentences = (
        f"Black suits rank K Q N J 10 9 8 7, red suits K Q N J {pips}.",
        count,
        _callable(book),
        _announced_pagat(book),
    )
    return " ".join(filter(None, sentences))


def _announced_pagat(book: Variant) -> str:
    if not book.announced_pagat:
        return ""
    lead = ", and not lead it while he has another trump" * ("no_lead" in book.announced_pagat)
    return f"Who announces the Pagat must keep it while another card is legal{lead}."


def _callable(book: Variant) -> str:
    if not any(contract.sides == "partner" for contract in book.contracts.values()):
        return ""
    if book.callable_cards == TRUMP_MASK:
        return "A trump is called."
    queen = ", or by a holder of all four a Queen" * (book.callable_cards == KINGS | QUEENS)
    return f"A King is called{queen}."


OPTIONS: Mapping[str, str] = {
    "declarer_leads_negative": "the declarer leads the first trick of a negative game",
    "radlc": "the seats with an unused radlc, which doubles scores",
    "second_pickings": (
        "three players: after the declarer's exchange the opponent without the called King may "
        "exchange, too"
    ),
    "solo_povinost": "a declarer may call the XX though he holds it",
    "lost_mond": "the Mond lost to the other side is paid for",
    "emperor": ("there is an emperor trick; where trumps have no power, only when a trump was led"),
    "ace_low": "red aces rank lowest of their suits",
}
"""What every option does."""


def _options(book: Variant) -> Iterator[str]:
    if book.options:
        yield from ("", "Options, off unless set:", "")
        for name in book.options:
            yield _item(f"`{name}`: {OPTIONS[name]}.")


def _item(text: str) -> str:
    return textwrap.fill(
        f"- {text}", _WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
    )


def variant_chapter(book: Variant) -> str:
    """Return the chapter about a rule book."""
    usual = _usual(book)
    lines = [
        f"## {book.title}",
        "",
        f"`{book.name}`, for {_players_words(_numbers_of_players(book))}. Source: {book.source}.",
        "",
        textwrap.fill(_cards(book), _WIDTH),
        "",
        *_table(book),
        "",
        "Unless a contract says otherwise:",
        "",
        *(_item(sentence) for sentence in usual.values() if sentence),
        "",
        "Contract by contract:",
        "",
        *_differences(book, usual),
        *_options(book),
    ]
    return "\n".join(lines) + "\n"


def page(decisions: str) -> str:
    """Return the whole page.

    Args:
        decisions: the last chapter, which is not generated.
    """
    return "\n".join([_INTRODUCTION, *map(variant_chapter, VARIANTS.values())]) + decisions


def kept_decisions() -> str:
    """Return the chapter Decisions of the page as it stands, from its heading on."""
    _, heading, text = PAGE.read_text(encoding="utf-8").partition(DECISIONS)
    return heading + text


if __name__ == "__main__":
    PAGE.write_text(page(kept_decisions()), encoding="utf-8")
