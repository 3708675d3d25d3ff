"""Tables of makeable contracts: cells against separate solves, closed cells, leads, the command."""

from __future__ import annotations

import json
from functools import cache

import pytest

from commands import trull
from trull.analysis.deals import Conditions, Deal, draw
from trull.analysis.exchange import exchange
from trull.analysis.makeable import NoPar, Par, Table, TableError, Terms, Wanted, make_table
from trull.analysis.makeable.everyone import least_score_with
from trull.analysis.makeable.payoffs import scores_of
from trull.analysis.makeable.solving import Choosing, Column
from trull.solver import Position, solve

MEMORY = 16


def dealt(variant: str, number: int, players: int = 4) -> Deal:
    """Return one of the deals of seed 1, which the costs here are known of."""
    return draw(variant, players, Conditions(), 1, number)


def table(
    deal: Deal,
    *contracts: str,
    columns: tuple[Column, ...] = ("made", "score"),
    policy: Choosing = "best",
    seats: tuple[int, ...] = (),
    nodes: int | None = None,
    leads: bool = False,
    workers: int = 1,
) -> Table:
    """Return a table of a few contracts."""
    terms = Terms(columns=frozenset(columns), policy=policy, nodes=nodes)
    wanted = Wanted(contracts=contracts, seats=seats, terms=terms, leads=leads)
    return make_table(deal, wanted, workers=workers, memory=MEMORY)


@cache
def texas_table() -> Table:
    """Return the whole table of a deal of Texas taroky, by rules of thumb."""
    return table(dealt("texas", 0), policy="plain")


# --- Cells ---


@pytest.mark.parametrize("contract", ["bettler", "bettler_ouvert", "farbensolo", "piccolo"])
def test_a_cell_is_what_solving_the_position_says(contract: str) -> None:
    deal = dealt("koenigrufen", 1)
    found = table(deal, contract, columns=("made", "score"))
    for seat in (1, 2):
        leader = 0 if contract == "farbensolo" else seat
        position = Position(
            variant="koenigrufen",
            contract=contract,
            declarer=seat,
            leader=leader,
            hands=deal.hands,
            talon=deal.talon,
        )
        cell = found.cells[contract, seat]
        assert cell.made is not None and cell.score is not None
        assert cell.made.lower == cell.made.upper == solve(position, "made", cards="none").value
        assert cell.score.lower == solve(position, "score", cards="none").value


def test_contracts_that_are_played_alike_have_the_same_value() -> None:
    deal = dealt("koenigrufen", 1)
    found = table(deal, "bettler_ouvert", "piccolo", "bettler", columns=("value",), seats=(1,))
    closed, open_ = (found.cells[name, 1].value for name in ("bettler", "bettler_ouvert"))
    assert closed is not None and open_ is not None
    assert closed.exact and (closed.lower, closed.nodes > 0) == (open_.lower, True)
    assert open_.nodes == 0
    alone = table(deal, "bettler_ouvert", columns=("value",), seats=(1,)).cells["bettler_ouvert", 1]
    assert alone.value is not None and alone.value.lower == open_.lower


def test_the_best_exchange_is_worth_no_less_than_the_plain_one() -> None:
    deal = dealt("texas", 1)
    best, plain = (
        table(deal, "povinost", columns=("value", "made"), seats=(0,), policy=policy)
        for policy in ("best", "plain")
    )
    better, other = (found.cells["povinost", 0].value for found in (best, plain))
    assert better is not None and other is not None
    own = exchange(deal, "povinost", 0, policy="plain")
    assert other.lower == solve(own.position, cards="none").value
    assert better.exact and better.lower > other.lower
    assert better.lower == solve(better.exchanged.position, cards="none").value


def test_a_bird_game_needs_its_bird_and_the_points() -> None:
    deal = dealt("koenigrufen", 0)
    cell = table(deal, "pagatrufer", policy="plain", columns=("value", "made"), seats=(1,)).cells[
        "pagatrufer", 1
    ]
    assert cell.value is not None and cell.made is not None
    position = cell.made.exchanged.position
    assert cell.made.lower == solve(position, "made", cards="none").value


def test_seats_that_may_not_play_a_contract_are_told_why() -> None:
    found = table(dealt("koenigrufen", 0), "rufer", "kakadurufer", "farbensolo", nodes=1)
    reasons = {place: cell.closed for place, cell in found.cells.items() if cell.closed is not None}
    assert reasons["rufer", 1] == "only forehand may bid it"
    assert reasons["kakadurufer", 0] == "needs T3"
    assert reasons["farbensolo", 2] == "needs 6 or more suit cards, has 5"
    assert ("rufer", 0) not in reasons and ("kakadurufer", 2) not in reasons


def test_a_hand_without_trumps_leaves_nothing_to_play() -> None:
    suits = "SK SQ SN SJ S10 S9 HK HQ HN HJ HA H2"
    hands = [
        suits,
        "T1 T2 T3 T4 T5 T6 T7 T8 T9 T10 T11 T12",
        "T13 T14 T15 T16 T17 T18 T19 T20 T21 T22 S8 S7",
        "DK DQ DN DJ DA D2 D3 D4 CK CQ CN CJ",
    ]
    given = {"variant": "slovenian", "hands": hands, "talon": "H3 H4 C10 C9 C8 C7"}
    found = table(Deal.from_dict(given))
    assert {cell.closed for cell in found.cells.values()} == {
        "a hand has no trump, so the deal is redealt"
    }
    assert isinstance(found.par, NoPar) and "redealt" in str(found.par)


def test_limits_leave_bounds_that_hold() -> None:
    deal = dealt("koenigrufen", 1)
    exact = table(deal, "farbensolo", columns=("value",), seats=(1,)).cells["farbensolo", 1].value
    few = table(deal, "farbensolo", columns=("value",), seats=(1,), nodes=20_000)
    open_ = few.cells["farbensolo", 1].value
    assert exact is not None and open_ is not None and not open_.exact and not few.exact
    assert open_.upper is not None and open_.lower <= exact.lower <= open_.upper
    unknown = table(deal, "dreier", seats=(1,), nodes=2_000).cells["dreier", 1]
    assert unknown.score is not None and unknown.score.upper is None


def test_nothing_is_proven_while_opponents_may_exchange_better() -> None:
    columns: tuple[Column, ...] = ("value", "made", "score")
    deal = dealt("texas", 1)
    cell = table(deal, "povinost", columns=columns, seats=(0,), nodes=2_000).cells["povinost", 0]
    assert cell.value is not None and cell.made is not None and cell.score is not None
    assert (cell.value.lower, cell.value.upper) == (0, None)
    assert (cell.made.lower, cell.made.upper) == (False, True)
    assert (cell.score.lower, cell.score.upper, cell.score.exact) == (None, None, False)


# --- Games of everyone ---


def test_the_fewest_points_are_those_of_the_solver() -> None:
    deal = dealt("slovenian", 1)
    cell = table(deal, "klop", columns=("value", "score"), seats=(0,)).cells["klop", 0]
    assert cell.value is not None and cell.score is not None and cell.made is None
    position = Position(variant="slovenian", contract="klop", hands=deal.hands, talon=deal.talon)
    (fewest, _), *_ = solve(position, cards="none", pv=False).seats
    assert cell.value.lower == cell.value.upper == fewest == 35
    assert cell.score.lower == cell.score.upper == -12


@pytest.mark.parametrize(
    ("variant", "contract", "seat", "thirds", "least"),
    [
        # No trick, more than 35 counted points, or the points themselves.
        ("slovenian", "klop", 0, 0, 70),
        ("slovenian", "klop", 2, 107, -70),
        ("slovenian", "klop", 1, 106, -35),
        # With 52 of 210 thirds some other seat has more; with 53 all others may have less.
        ("koenigrufen", "trischaken", 1, 52, 10),
        ("koenigrufen", "trischaken", 1, 53, -20),
        ("koenigrufen", "trischaken", 0, 53, -40),
        # Mayor, and one seat alone without a trick: 10 doubled, to four shares.
        ("koenigrufen", "trischaken", 1, 107, -80),
        # More than 40 counted points, two seats without a trick.
        ("czech", "warsaw", 3, 120, -200),
    ],
)
def test_the_least_a_seat_scores_with_its_points(
    variant: str, contract: str, seat: int, thirds: int, least: int
) -> None:
    assert least_score_with(variant, contract, 4, seat, thirds) == least


def test_more_points_never_score_more() -> None:
    for variant, contract in (("house", "klop"), ("slovenian", "klop")):
        scores = [least_score_with(variant, contract, 3, 1, thirds) for thirds in range(211)]
        assert scores == sorted(scores, reverse=True)


# --- Par ---


def test_a_whole_table_has_a_par() -> None:
    found = texas_table()
    assert isinstance(found.par, Par)
    assert found.par.declarer is not None and sum(found.par.scores) == 0
    own = found.cells[found.par.contract, found.par.declarer].score
    assert own is not None and found.par.scores == scores_of(own, own.lower)
    # Nobody who speaks after the last bid could have done better by going higher.
    order = [name for name in found.contracts]
    for seat in range(1, 4):
        for name in order[order.index(found.par.contract) + 1 :]:
            cell = found.cells[name, seat].score
            if cell is not None and seat > found.par.declarer:
                assert scores_of(cell, cell.lower)[seat] <= found.par.scores[seat]


def test_who_scores_what_with_and_without_a_partner() -> None:
    found = texas_table()
    pair = found.cells["ze_ruky", 2].score
    lone = found.cells["prever", 2].score
    assert pair is not None and lone is not None
    partner = pair.exchanged.position.partner
    scores = scores_of(pair, pair.lower)
    assert partner is not None and scores[2] == scores[partner] == 12
    assert sum(scores) == 0
    assert scores_of(lone, lone.lower) == (-5, -5, 15, -5)


def test_opponents_write_nothing_where_only_the_declaring_side_writes() -> None:
    found = table(dealt("slovenian", 0), "berac", seats=(2,)).cells["berac", 2].score
    assert found is not None
    assert scores_of(found, found.lower) == (0, 0, found.lower, 0)


def test_no_par_without_scores_or_seats_or_proofs() -> None:
    deal = dealt("koenigrufen", 1)
    reasons = [
        str(table(deal, "bettler", columns=("made",)).par),
        str(table(deal, "bettler", seats=(1,)).par),
        str(table(deal, "bettler").par),
        str(table(deal, "bettler", "trischaken", nodes=1_000).par),
    ]
    assert reasons[0] == "the scores were not asked for"
    assert reasons[1] == "not every seat was asked for"
    assert reasons[2].startswith("forehand may bid none of rufer, trischaken")
    assert reasons[3].startswith("unproven scores leave it open: ") or "not proven" in reasons[3]


# --- Leads ---


def test_the_best_lead_is_worth_the_value() -> None:
    deal = dealt("koenigrufen", 1)
    found = table(deal, "farbensolo", columns=("value",), seats=(2,), leads=True)
    assert found.leads is not None
    value = found.cells["farbensolo", 2].value
    assert value is not None and value.exact
    position = found.leads.position
    assert position.player == 0 and position.declarer == 2
    assert min(found.leads.cards.values()) == value.lower
    # In suit games a hand with suit cards leads one of them.
    assert set(found.leads.cards) == {card for card in range(22, 54) if deal.hands[0] >> card & 1}


# --- The command ---


def test_the_command_prints_a_table_of_80_columns() -> None:
    deal = dealt("koenigrufen", 1)
    words = ("--contract", "bettler", "--contract", "farbensolo", "--objective", "score")
    done = trull("table", deal.deal_string, *words, "--memory", "16")
    assert done.returncode == 0, done.stderr
    assert all(len(line) <= 80 for line in done.stdout.splitlines())
    assert "All numbers assume that everyone sees all cards from the deal on." in done.stdout
    row = next(line for line in done.stdout.splitlines() if line.startswith("farbensolo"))
    assert row.split() == ["farbensolo", "–", "-300", "-300", "-360"]
    assert "No par: forehand may bid none of" in done.stdout


def test_the_command_writes_the_same_json_for_any_number_of_workers() -> None:
    deal = dealt("texas", 0)
    line = json.dumps(deal.to_dict() | {"id": 7, "x_own": "kept"})
    words = ("--json", "--contract", "ze_ruky", "--contract", "povinost", "--memory", "16")
    words += ("--policy", "plain", "--objective", "score", "--objective", "made")
    answers = []
    for workers in ("1", "2"):
        done = trull("table", "-", *words, "--workers", workers, stdin=line)
        assert done.returncode == 0, done.stderr
        answers.append(json.loads(done.stdout))
        del answers[-1]["ms"]
    assert answers[0] == answers[1]
    data = answers[0]
    assert (data["id"], data["x_own"], data["deal"]) == (7, "kept", deal.deal_string)
    povinost, ze_ruky = data["contracts"]
    assert (povinost["contract"], povinost["unit"]) == ("povinost", "face")
    assert povinost["seats"][1] == {"seat": 1, "closed": "only forehand may bid it"}
    assert ze_ruky["seats"][2]["score"] == 12 and ze_ruky["seats"][2]["made"] is True
    assert ze_ruky["seats"][2]["exchanges"]["score"]["called"] == "T20"
    assert data["par"]["contract"] == "ze_ruky" and data["par"]["declarer"] == 2
    assert {"seat": 2, "bid": "ze_ruky"} in data["par"]["auction"]


def test_a_position_before_the_exchange_tells_its_deal() -> None:
    deal = dealt("koenigrufen", 1)
    position = deal.to_dict() | {"contract": "dreier", "id": "p"}
    words = ("--json", "--contract", "bettler", "--seat", "1", "--objective", "made")
    done = trull("table", json.dumps(position), *words)
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert (answer["id"], answer["deal"]) == ("p", deal.deal_string)


@pytest.mark.parametrize(
    ("change", "words", "message"),
    [
        ({"contract": "nonsense"}, (), "nonsense"),
        ({"hands": ["T1"]}, (), "hands"),
        ({}, ("--contract", "klop"), "has no contract 'klop'"),
        ({}, ("--contract", "bettler", "--leads"), "one --contract and one --seat"),
        ({}, ("--contract", "rufer", "--seat", "1", "--leads"), "only forehand"),
        ({}, ("--contract", "bettler", "--option", "emperors"), "emperors"),
    ],
)
def test_bad_input_gives_one_sentence_and_status_2(
    change: dict[str, object], words: tuple[str, ...], message: str
) -> None:
    given = dealt("koenigrufen", 1).to_dict() | change
    done = trull("table", "-", *words, stdin=json.dumps(given))
    assert done.returncode == 2 and done.stdout == ""
    assert message in done.stderr and len(done.stderr.strip().splitlines()) == 1


def test_played_cards_and_exchanged_talons_are_refused() -> None:
    deal = dealt("koenigrufen", 1)
    exchanged = exchange(deal, "dreier", 0, policy="plain").to_dict()
    done = trull("table", "-", "--json", stdin=json.dumps(exchanged))
    assert done.returncode == 2
    assert "exchanged already" in json.loads(done.stdout)["error"]


def test_scarecrow_and_missing_seats_are_refused() -> None:
    with pytest.raises(TableError, match="Scarecrow"):
        table(dealt("house", 0, 2))
    with pytest.raises(TableError, match="seat 3, expected 0 to 2"):
        table(dealt("house", 0, 3), "no_peek", seats=(3,), nodes=1)
