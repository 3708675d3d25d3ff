"""What the documentation shows is what happens: Python sessions, shell sessions, docstrings."""

from __future__ import annotations

import doctest
import os
import pkgutil
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import trull.analysis
import trull.solver
from commands import REPOSITORY, environment

README = (REPOSITORY / "README.md").read_text(encoding="utf-8")

_COSTS = (r'"nodes": \d+', r'"ms": [\d.]+', r"[\d,]+ nodes, [\d.]+ m?s")


def blocks(language: str) -> list[str]:
    """Return the README's code blocks in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def sessions() -> list[tuple[str, str]]:
    """Return every command of the README's shell sessions with what it prints."""
    parts = [part for block in blocks("console") for part in re.split(r"^\$ ", block, flags=re.M)]
    return [
        (command, shown)
        for command, _, shown in (part.partition("\n") for part in parts)
        if command
    ]


def modules() -> list[str]:
    """Return the names of all modules."""
    return [
        module.name
        for package in (trull.solver, trull.analysis)
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    ] + [trull.solver.__name__, trull.analysis.__name__]


def without_costs(text: str) -> str:
    """Return a text without what depends on the machine."""
    for cost in _COSTS:
        text = re.sub(cost, "…", text)
    return text


def test_the_readme_in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(REPOSITORY)
    session = "\n".join(blocks("python"))
    test = doctest.DocTestParser().get_doctest(session, {}, "README.md", "README.md", 0)
    assert test.examples
    assert doctest.DocTestRunner().run(test).failed == 0


@pytest.mark.parametrize(("command", "shown"), sessions())
def test_the_readme_in_a_shell(command: str, shown: str) -> None:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        command,
        shell=True,
        cwd=REPOSITORY,
        stdout=subprocess.PIPE,
        encoding="utf-8",
        env=environment(PATH=path, PYTHONIOENCODING="utf-8"),
        check=False,
    )
    assert without_costs(done.stdout) == without_costs(shown)


@pytest.mark.parametrize("name", modules())
def test_docstrings(name: str) -> None:
    assert doctest.testmod(import_module(name)).failed == 0
