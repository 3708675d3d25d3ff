"""Runs the studies of docs/studies.md again and writes their tables and plots.

    python docs/make_studies.py FOLDER

FOLDER holds the rows of the studies; what is already there is not solved again. The tables go to
docs/studies/*.csv, the plots to docs/studies/*.svg, and both into docs/studies.md, between the
comments `<!-- name -->` and `<!-- end -->`. The text of that page is kept as it stands.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import matplotlib as mpl
import pandas as pd
from matplotlib.ticker import MaxNLocator, PercentFormatter
from scipy.stats import hypergeom

from trull.analysis.study import open_study, read_spec, run_study
from trull.analysis.study.catalogue import read_preset
from trull.analysis.summary import score_means, win_rates
from trull.analysis.summary.drawing import (
    BAND,
    FAINT,
    GREY,
    INK,
    MEAN,
    RATE,
    STYLE,
    bars,
    marks,
    new_figure,
    rendered,
    settled,
)
from trull.analysis.summary.intervals import FEW, wilson
from trull.analysis.summary.rates import mean_table, rate_table
from trull.analysis.summary.scanning import COUNT

PAGE = Path(__file__).with_name("studies.md")
SUMMARIES = PAGE.with_name("studies")

DEALS: Mapping[str, int] = {
    "dreier12": 480,
    "sechserdreier10": 600,
    "pagatrufer": 240,
    "uhurufer": 240,
    "kakadurufer": 240,
    "quapilrufer": 240,
    "solorufer": 480,
    "solorufer_ultimo": 60,
    "solodreier": 4000,
    "talon_trumps": 720,
    "suit_tricks": 480,
    "povinost": 40,
    "second_duty": 100,
}
"""Presets of the page and how many deals of each."""

_COLUMNS = ("series", "x", "n", "result", "low", "high")
_COLOURS = (RATE, MEAN, GREY, BAND)
_FEWEST = 5  # rows behind a point of a plot


@dataclass(frozen=True, slots=True)
class Summary:
    """A table and a plot of the page.

    Attributes:
        presets: the studies behind it.
        x: what the table goes by, in words.
        rows: makes of a folder with the studies a frame with the columns `series`, `x`, `n`,
            `result`, `low`, `high`; the interval is empty where the result is exact.
        y: what the results are, in words.
        rate: whether they are shares; means of scores otherwise.
        even: the result from which a game pays, drawn as a line.
    """

    presets: tuple[str, ...]
    x: str
    rows: Callable[[Path], pd.DataFrame]
    y: str = "made"
    rate: bool = True
    even: float | None = None


# --- Rows ---


def _rates(study: Path, by: str, where: str = "", series: str = "") -> pd.DataFrame:
    """Return win rates; a series each game, or all of one name."""
    table = win_rates(study, by, where=where)
    table["series"] = series or table["game"].astype(str).map(_short)
    return _renamed(table, by, "win_rate")


def _short(game: str) -> str:
    """Return the part of a game's name that differs between the games of a study."""
    return re.split("[:/]", game)[-1]


def _renamed(table: pd.DataFrame, by: str, result: str) -> pd.DataFrame:
    return table.rename(columns={by: "x", result: "result"})[list(_COLUMNS)]


def _birds(data: Path) -> pd.DataFrame:
    names = ("pagat", "uhu", "kakadu", "quapil")
    return pd.concat(_rates(data / f"{name}rufer", "trumps") for name in names)


def _solorufer(data: Path) -> pd.DataFrame:
    kinds = {"without": "top_trumps == 0", "with": "top_trumps >= 1"}
    return pd.concat(
        _rates(
            data / "solorufer",
            "trumps",
            f"{condition} and policy == '{policy}'",
            f"{policy}, {kind} XXI or Sküs",
        )
        for kind, condition in kinds.items()
        for policy in ("plain", "best")
    )


def _solodreier(data: Path) -> pd.DataFrame:
    trumps = "big_trumps >= 4 and honours >= 1"
    suits = "short_kings >= 1 and open_suits <= 1"
    kinds = {
        "high trumps and suits as advised": f"{trumps} and {suits}",
        "high trumps only": f"{trumps} and not ({suits})",
        "suits only, or neither": f"not ({trumps})",
    }
    return pd.concat(
        _rates(data / "solodreier", "trumps", condition, kind) for kind, condition in kinds.items()
    )


def _talon(data: Path) -> pd.DataFrame:
    """Return how often so many trumps lie in the talon, counted and exact, and the Rufer by it."""
    rufer = _rates(data / "talon_trumps", "talon_trumps", series="Rufer made")
    total = rufer["n"].sum()
    low, high = wilson(rufer["n"], total)
    counted = rufer.assign(series="deals", result=rufer["n"] / total, low=low, high=high, n=total)
    exact = pd.DataFrame({"series": "exact", "x": range(7), "n": 0})
    exact["result"] = hypergeom(54, 22, 6).pmf(exact["x"])
    return pd.concat((exact, counted, rufer))


def _tricks(data: Path) -> pd.DataFrame:
    """Return how often suit games are made by the tricks that the declarer can force."""
    rows = open_study(str(data / "suit_tricks")).frame(
        ["deal", "contract", "objective", "value", "made"]
    )
    asked = {name: part.set_index(["deal", "contract"]) for name, part in rows.groupby("objective")}
    joined = asked["made"][["made"]].join(asked["tricks"][["value"]]).dropna().reset_index()
    table = rate_table(joined.assign(**{COUNT: 1}), ["contract", "value"], 0.95)
    table["series"] = table["contract"].astype(str)
    return _renamed(table, "value", "win_rate")


def _povinost(data: Path) -> pd.DataFrame:
    """Return what seat 0 writes by playing, by passing on, and the difference, by its trumps."""
    rows = open_study(str(data / "povinost")).frame(
        ["deal", "game", "f_trumps", "partner", "score"]
    )
    games = {name: part.set_index("deal") for name, part in rows.groupby("game", observed=True)}
    played, passed = games["played"], games["passed"]
    share = passed["partner"].map({0: 1.0}).fillna(-1.0).mask(passed["partner"].isna(), -1 / 3)
    writes = pd.DataFrame({"played": played["score"], "passed": passed["score"] * share})
    writes["difference"] = writes["played"] - writes["passed"]
    tables = []
    for x in (played["f_trumps"], pd.Series("all", played.index)):
        long = writes.assign(x=x.astype(str), **{COUNT: 1}).dropna()
        for series in ("played", "passed", "difference"):
            table = mean_table(long, series, ["x"], 0.95).assign(series=series)
            tables.append(_renamed(table, "x", "mean"))
    return pd.concat(tables)


def _scores(name: str, series: Mapping[str, str]) -> Callable[[Path], pd.DataFrame]:
    """Return what makes the mean scores of a study by trumps, and by all of them.

    Args:
        name: the preset.
        series: conditions on rows by the names of the series.
    """

    def rows(data: Path) -> pd.DataFrame:
        return pd.concat(
            _renamed(table.assign(series=kind), "trumps", "mean")
            for kind, where in series.items()
            for table in (
                score_means(data / name, "trumps", where=where),
                score_means(data / name, where=where).assign(trumps="all"),
            )
        )

    return rows


SUMMARIES_BY_NAME: Mapping[str, Summary] = {
    "dreier12": Summary(
        ("dreier12",),
        "points of the hand",
        lambda data: _rates(data / "dreier12", "dreier_points"),
        even=1 / 2,
    ),
    "sechserdreier10": Summary(
        ("sechserdreier10",),
        "points of the hand",
        lambda data: _rates(data / "sechserdreier10", "dreier_points"),
        even=2 / 3,
    ),
    "birds": Summary(
        ("pagatrufer", "uhurufer", "kakadurufer", "quapilrufer"), "trumps", _birds, even=1 / 2
    ),
    "solorufer": Summary(("solorufer",), "trumps", _solorufer, even=1 / 2),
    "solorufer_ultimo": Summary(
        ("solorufer_ultimo",),
        "trumps",
        _scores(
            "solorufer_ultimo", {"all deals": "", "king not in the talon": "partner in (1, 2, 3)"}
        ),
        "mean score",
        rate=False,
        even=0,
    ),
    "solodreier": Summary(("solodreier",), "trumps", _solodreier, even=1 / 2),
    "talon_trumps": Summary(("talon_trumps",), "trumps in the talon", _talon, "share"),
    "suit_tricks": Summary(("suit_tricks",), "tricks", _tricks),
    "povinost": Summary(
        ("povinost",), "trumps of forehand", _povinost, "mean score, chips", rate=False, even=0
    ),
    "second_duty": Summary(
        ("second_duty",),
        "trumps",
        _scores("second_duty", {"mean score": ""}),
        "mean score",
        rate=False,
        even=0,
    ),
}


# --- Page ---


def page(text: str, tables: Mapping[str, pd.DataFrame]) -> str:
    """Return the page with its tables and commands replaced.

    Args:
        text: the page as it stands.
        tables: the rows of each summary, by its name.
    """
    for name, table in tables.items():
        summary = SUMMARIES_BY_NAME[name]
        body = "\n".join([_commands(summary), _markdown(summary, table), _image(name, summary)])
        text, found = re.subn(
            rf"(<!-- {name} -->\n).*?(<!-- end -->)",
            lambda match, body=body: f"{match[1]}{body}{match[2]}",
            text,
            flags=re.DOTALL,
        )
        if found != 1:
            raise ValueError(f"{PAGE.name}: expected <!-- {name} --> and <!-- end --> once")
    return text


def _commands(summary: Summary) -> str:
    """Return the commands of the studies, and their seeds."""
    lines = []
    for name in summary.presets:
        seed = read_preset(name)["seed"]
        lines.append(f"trull study --preset {name} --deals {DEALS[name]}  # seed {seed}")
    return "\n".join(["", "```bash", *lines, "```", ""])


def _markdown(summary: Summary, table: pd.DataFrame) -> str:
    """Return a table: a row a value of x, a column a series."""
    series = list(dict.fromkeys(table["series"]))
    lines = [[summary.x, *series], ["---:"] * (len(series) + 1)]
    cells = {(row.x, row.series): _cell(summary, row) for row in table.itertuples()}
    for x in dict.fromkeys(table["x"]):
        lines.append([str(x), *(cells.get((x, name), "–") for name in series)])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def _cell(summary: Summary, row: object) -> str:
    """Return a result with its interval and number of rows; few rows are marked."""
    _, _, _, n, result, low, high = row  # type: ignore[misc]
    if not n:
        return f"{100 * result:.1f} %"
    if summary.rate:
        text = f"{100 * result:.0f} % ({100 * low:.0f}–{100 * high:.0f}) of {n:,}"
    else:
        inside = "" if pd.isna(low) else f" ({low:+.1f} to {high:+.1f})"
        text = f"{result:+.1f}{inside} of {n:,}"
    return f"{text}\\*" if n < FEW else text


def _image(name: str, summary: Summary) -> str:
    return f"![{summary.y} by {summary.x}](studies/{name}.svg)\n"


# --- Plot ---


def plot(summary: Summary, table: pd.DataFrame) -> bytes:
    """Return the plot of a summary as SVG: results with their intervals, a colour a series.

    Cells with very few rows are left to the table.
    """
    drawn = pd.to_numeric(table["x"], errors="coerce").notna()
    table = table[drawn & ~table["n"].between(1, _FEWEST - 1)]
    with mpl.rc_context(STYLE):
        figure = new_figure(5.6, 3.2)
        ax = figure.subplots()
        if summary.even is not None:
            ax.axhline(summary.even, color=INK, linewidth=0.8, linestyle=(0, (4, 3)))
        parts = list(table.groupby("series", sort=False))
        for place, ((series, part), colour) in enumerate(zip(parts, _COLOURS, strict=False)):
            shift = 0.12 * (place - (len(parts) - 1) / 2)
            at = part["x"].astype(float) + shift
            ends = (part[end].to_numpy(float) for end in ("result", "low", "high"))
            middle, low, high = ends
            style = marks(colour)
            ax.errorbar(at, middle, yerr=bars(middle, low, high), label=series, **style)
        ax.grid(axis="y", color=FAINT, linewidth=0.6)
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
        if summary.rate:
            ax.set_ylim(-0.03, 1.03)
            ax.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
        ax.set_xlabel(summary.x)
        ax.set_title(f"{summary.y}, 95 % intervals")
        if len(parts) > 1:
            figure.legend(loc="outside lower center", ncols=2, frameon=False, fontsize=8)
        return rendered(settled(figure), "svg")


# --- Files ---


def read_tables() -> dict[str, pd.DataFrame]:
    """Return the tables that are kept in docs/studies."""
    return {
        name: pd.read_csv(SUMMARIES / f"{name}.csv", dtype={"x": str}) for name in SUMMARIES_BY_NAME
    }


def main(folder: str) -> None:
    """Run all studies and write the page with its files.

    Args:
        folder: where the rows of the studies are kept.
    """
    data = Path(folder)
    for name, deals in DEALS.items():
        run_study(read_spec(read_preset(name) | {"deals": deals}), str(data / name))
    SUMMARIES.mkdir(exist_ok=True)
    for name, summary in SUMMARIES_BY_NAME.items():
        table = summary.rows(data)
        text = table.to_csv(index=False, lineterminator="\n", float_format="%.6g")
        (SUMMARIES / f"{name}.csv").write_text(text, encoding="utf-8")
        (SUMMARIES / f"{name}.svg").write_bytes(plot(summary, table))
    written = page(PAGE.read_text(encoding="utf-8"), read_tables())
    PAGE.write_text(written, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
