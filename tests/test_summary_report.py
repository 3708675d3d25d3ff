"""`trull report`: what it prints and writes about a study."""

from __future__ import annotations

import re
import tomllib
from html.parser import HTMLParser
from pathlib import Path

import pandas as pd
import pytest

from commands import trull
from made_up_studies import made_up_rows, made_up_study, spec_of, write_study
from trull.analysis.cli import run
from trull.analysis.study.making import STUDY
from trull.analysis.study.manifest import read_manifest
from trull.analysis.study.reading import read_spec
from trull.analysis.study.store import LocalStore
from trull.analysis.summary import win_rates
from trull.analysis.summary.reporting import report_study

_VOID = {"meta", "br", "path", "use", "image"}


class Page(HTMLParser):
    """Collects what a page refers to, its ids, and tags that are not closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.references: list[str] = []
        self.ids: list[str] = []
        self.open: list[str] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.references += [
            str(value) for name, value in attrs if name in ("src", "href", "xlink:href", "data")
        ]
        self.references += re.findall(r"url\((.*?)\)", " ".join(str(value) for _, value in attrs))
        self.ids += [str(value) for name, value in attrs if name == "id"]
        if tag not in _VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in _VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if tag not in _VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a study of which half of the deals are there, with its report."""
    place = tmp_path_factory.mktemp("studies") / "study"
    folder = made_up_study(place, 300, 2, planned=1200, conditions=["trumps >= 0"])
    assert report_study(str(folder), by=["trumps", "dreier_points,kings"]) == 0
    return folder


def test_files_of_a_report(folder: Path) -> None:
    tables = {"games", "by_trumps", "by_dreier_points_and_kings", "differences"}
    figures = {
        f"{game}_by_{by}"
        for game in ("dreier", "solorufer")
        for by in ("trumps", "dreier_points_and_kings")
    }
    expected = {f"{name}.{form}" for name in tables | {"thresholds"} for form in ("csv", "md")}
    expected |= {f"{name}.{form}" for name in figures | {"differences"} for form in ("png", "svg")}
    expected |= {"report.html", "study.toml"}
    assert {path.name for path in (folder / "report").iterdir()} == expected


def test_tables_hold_what_the_functions_return(folder: Path) -> None:
    found = pd.read_csv(folder / "report" / "by_trumps.csv")
    expected = win_rates(folder, "trumps")
    assert found["n"].tolist() == expected["n"].tolist()
    assert found["win_low"].to_numpy() == pytest.approx(expected["low"].to_numpy())
    first = expected[expected["n"] >= 30].iloc[0]
    markdown = (folder / "report" / "by_trumps.md").read_text()
    cells = f"| {first.trumps} | {first.n} | {first.made} | {100 * first.win_rate:.1f} % "
    cells += f"| {100 * first.low:.1f} to {100 * first.high:.1f} % |"
    assert cells in markdown
    assert "\\* fewer than 30 rows" in markdown


def test_the_page_stands_alone(folder: Path) -> None:
    page = Page((folder / "report" / "report.html").read_text(encoding="utf-8"))
    assert page.open == []
    assert len(page.ids) == len(set(page.ids))
    inside = {f"#{name}" for name in page.ids}
    for reference in page.references:
        assert reference in inside or reference.startswith("data:image/png;base64,")
    assert "@import" not in page.text and "http" not in page.text
    assert "600 of 1,200 planned; the study is not complete" in page.text
    assert "double dummy" in page.text
    assert re.search(r"Mean score positive from \d+ trumps \(95 %: \d+( to \d+)?\)", page.text)


def test_words_of_a_study_are_no_markup(tmp_path: Path) -> None:
    folder = made_up_study(tmp_path / "study", 40, 1, title="<b>[red]& 1")
    assert report_study(str(folder), by=["kings"], formats=["html"]) == 0
    assert "&lt;b&gt;[red]&amp; 1" in (folder / "report" / "report.html").read_text()


def test_the_specification_makes_the_study_again(folder: Path) -> None:
    written = tomllib.loads((folder / "report" / "study.toml").read_text(encoding="utf-8"))
    manifest = read_manifest(LocalStore(str(folder)), STUDY)
    assert manifest is not None
    assert read_spec(written) == manifest.spec


def test_a_report_is_the_same_each_time(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "again"
    done = trull("report", folder, "--by", "trumps", "--by", "dreier_points,kings", "--out", out)
    assert done.returncode == 0
    names = {path.name for path in out.iterdir()}
    assert names == {path.name for path in (folder / "report").iterdir()}
    for name in names:
        assert (out / name).read_bytes() == (folder / "report" / name).read_bytes(), name


def test_the_command_prints_the_tables(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    words = ("--contract", "dreier", "--where", "trumps >= 6", "--confidence", "0.9")
    done = trull("report", folder, "--by", "kings", *words, "--format", "csv", "--out", out)
    assert done.stderr == ""
    assert {path.name for path in out.iterdir()} == {
        "by_kings.csv", "games.csv", "study.toml", "thresholds.csv"
    }  # fmt: skip
    expected = win_rates(folder, contracts="dreier", where="trumps >= 6")
    [n], [rate] = expected["n"], expected["win_rate"]
    assert re.search(rf"dreier +{n} +{100 * rate:.1f} % ", done.stdout)
    assert "win rate, 90 %" in done.stdout
    assert "dreier by kings" in done.stdout and "solorufer" not in done.stdout


def test_no_column_is_cropped(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("trull.analysis.summary.reporting._WIDTH", 30)
    assert report_study(str(folder), formats=["csv"]) == 0
    printed = capsys.readouterr().out
    assert "…" not in printed
    [rate] = win_rates(folder, contracts="dreier")["win_rate"]
    assert re.search(rf"dreier +[\d,]+ +{100 * rate:.1f} % ", printed)


def test_a_study_without_scores_counts_half_of_the_games(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = made_up_study(tmp_path / "study", 300, 1, objective="made")
    assert run(["report", str(folder), "--format", "md"]) == 0
    printed = capsys.readouterr().out
    assert "Win rate above 50 % from " in printed
    assert "mean score" not in printed
    assert "mean thirds" in printed


def test_rows_that_could_not_be_played_are_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = made_up_rows(50).astype({"made": "boolean", "value": "Int64"})
    unplayed = rows["contract"].eq("dreier") & rows["deal"].lt(20)
    rows.loc[unplayed, ["made", "score", "value"]] = None
    rows["reason"] = ["trumps <must> stay" if one else None for one in unplayed]
    folder = write_study(tmp_path / "study", [rows], spec_of(50, shard=50))
    assert run(["report", str(folder), "--by", "kings", "--format", "html"]) == 0
    assert re.search(r"dreier +30 .* 20 *\n", capsys.readouterr().out)
    page = Page((folder / "report" / "report.html").read_text())
    assert "Not played: 20 (trumps <must> stay)." in page.text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--by", "trumsp"), "by: there is no 'trumsp': did you mean 'trumps'?"),
        (("--by", "trumps,kings,queens"), "by: 'trumps,kings,queens', expected a feature, or two"),
        (("--contract", "dreyer"), "contract: there is no 'dreyer': did you mean 'dreier'?"),
        (("--where", "kings >"), "where: 'kings >' is not a condition"),
        (("--where", "kings > 4"), "there is no row to report"),
        (("--confidence", "nan"), "confidence: nan, expected a number between 0 and 1"),
        (("--format", "pdf"), "'pdf' is not one of 'csv', 'md', 'png', 'svg', 'html'"),
    ],
)
def test_faulty_options(
    folder: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    words: tuple[str, ...],
    message: str,
) -> None:
    out = tmp_path / "out"
    assert run(["report", str(folder), *words, "--out", str(out)]) == 2
    assert_refused(capsys, message)
    assert not out.exists()


def assert_refused(capsys: pytest.CaptureFixture[str], message: str) -> None:
    """Check that one sentence was printed, to standard error."""
    printed = capsys.readouterr()
    assert printed.out == ""
    assert message in printed.err and printed.err.count("\n") == 1


def test_folders_without_a_study(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    begun = made_up_study(tmp_path / "begun", 10, 0, planned=10)
    cases = [
        (tmp_path, "no study there"),
        (tmp_path / "missing", "no study there"),
        (begun, "no shard is complete yet"),
    ]
    for place, message in cases:
        assert run(["report", str(place)]) == 2
        assert_refused(capsys, message)
        assert not (place / "report").exists()


def test_a_study_that_was_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = str(tmp_path / "study")
    words = ["--contract", "koenigrufen:bettler", "--objective", "score", "--shard", "4"]
    assert run(["study", *words, "--deals", "8", "--seed", "5", "--out", place]) == 0
    assert run(["report", place, "--by", "trumps", "--format", "csv"]) == 0
    assert re.search(r"Deals: +8\n", capsys.readouterr().out)
    games = pd.read_csv(tmp_path / "study" / "report" / "games.csv").iloc[0]
    rows = pd.concat(
        pd.read_parquet(tmp_path / "study" / f"shard-0000{number}.parquet") for number in (0, 1)
    )
    assert games["n"] == games["score_n"] == 8
    assert games["score"] == rows["score"].mean()
    assert games["made"] == (rows["score"] > 0).sum()
