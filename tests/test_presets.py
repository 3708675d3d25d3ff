"""Presets: each is a study that can be run, is shipped, and is summed up in docs/studies.md."""

from __future__ import annotations

import runpy
import tomllib
from pathlib import Path
from typing import Any

import pytest

from commands import REPOSITORY
from trull.analysis.deals import Sampler
from trull.analysis.study import read_spec, run_study
from trull.analysis.study.catalogue import preset_names, read_preset

NAMES = preset_names()
PAGE = (REPOSITORY / "docs" / "studies.md").read_text(encoding="utf-8")
RULES_OF_THUMB = {
    "dreier12", "sechserdreier10", "pagatrufer", "uhurufer", "kakadurufer", "quapilrufer",
    "solorufer", "solodreier", "talon_trumps", "suit_tricks", "povinost", "second_duty",
}  # fmt: skip


@pytest.fixture(scope="module")
def maker() -> dict[str, Any]:
    return runpy.run_path(str(REPOSITORY / "docs" / "make_studies.py"))


def test_every_rule_of_thumb_has_its_preset() -> None:
    assert set(NAMES) >= RULES_OF_THUMB


def test_presets_are_package_data() -> None:
    """Every file in the folder is matched by what pyproject.toml puts into the wheel."""
    setup = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
    setup = setup["tool"]["setuptools"]
    package = REPOSITORY / setup["package-dir"]["trull.analysis.study"]
    shipped = {
        path
        for pattern in setup["package-data"]["trull.analysis.study"]
        for path in package.glob(pattern)
    }
    assert shipped >= set((package / "presets").iterdir())
    assert {path.stem for path in shipped} >= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_all_deals_are_built_and_none_is_drawn_in_vain(name: str) -> None:
    """Conditions are possible, and cheap however rare their deals are."""
    spec = read_spec(read_preset(name))
    for variant, players in {(game.variant, game.players) for game in spec.games}:
        deals = Sampler(variant, players, spec.conditions, spec.seed)
        assert deals.deal(0) != deals.deal(1)
        assert 0 < deals.share <= 1
        assert deals.acceptance == 1


@pytest.mark.parametrize("name", NAMES)
def test_the_contract_can_be_played_on_its_deals(name: str, tmp_path: Path) -> None:
    """A few nodes a solve do not prove much, but whatever refuses a deal has refused it by then."""
    spec = read_spec(read_preset(name) | {"deals": 2, "nodes": 300, "memory": 1})
    rows = run_study(spec, str(tmp_path / name)).frame(["deal", "game", "reason", "f_trumps"])
    assert len(rows) == 2 * len(spec.games)
    assert rows["reason"].isna().all()


def test_the_page_says_what_its_tables_hold(maker: dict[str, Any]) -> None:
    assert maker["page"](PAGE, maker["read_tables"]()) == PAGE, "run python docs/make_studies.py"


def test_the_page_sums_up_every_rule_of_thumb(maker: dict[str, Any]) -> None:
    assert set(maker["DEALS"]) >= RULES_OF_THUMB
    for name, deals in maker["DEALS"].items():
        assert f"trull study --preset {name} --deals {deals}" in PAGE


def test_the_plots_of_the_page_are_there(maker: dict[str, Any]) -> None:
    plots = {path.stem: path for path in (REPOSITORY / "docs" / "studies").glob("*.svg")}
    assert set(plots) == set(maker["SUMMARIES_BY_NAME"])
    for name, path in plots.items():
        assert f"(studies/{name}.svg)" in PAGE
        assert path.stat().st_size < 60_000
