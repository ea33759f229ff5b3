"""A test file is left out only if nothing that it can reach has changed since it passed."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import unchanged
from unchanged import NOT_FOLLOWED, PASSED, PROJECT, Reach, Unchanged, fingerprints

TEST, OTHER = "tests/hardware/test_box.py", "tests/hardware/test_lid.py"
PLAYED = "tests/rules/test_dice.py"
FILES = {
    PLAYED: "import make.saw\n",
    TEST: "def test_it() -> None:\n    from make.box import side\n",
    OTHER: "import make\n",
    "make/__init__.py": "",
    "make/box.py": "from make import saw, glue\nfrom make.wood import (\n    OAK,\n    ELM,\n)\n",
    "make/saw.py": "",
    "make/wood.py": "",
    "make/beside.py": "import make.box\n",
    "hardware/parts.toml": "price = 3\n",
    "pyproject.toml": "",
    "pi_app/requirements.lock": "",
    "tests/requirements.lock": "",
    "tests/conftest.py": "",
    "tests/unchanged.py": "",
}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.setattr(unchanged, "PROJECT", tmp_path)
    return tmp_path


def told() -> dict[str, str]:
    unchanged._hash.cache_clear()
    return fingerprints(["."])


@pytest.mark.parametrize(
    ("changed", "run_again"),
    [
        (TEST, {TEST, OTHER, PLAYED}),
        (PLAYED, {PLAYED}),
        ("make/saw.py", {TEST, PLAYED}),
        ("make/wood.py", {TEST}),
        ("make/__init__.py", {TEST, OTHER, PLAYED}),
        ("make/beside.py", set()),
        ("hardware/parts.toml", {TEST, OTHER, PLAYED}),
        ("hardware/new.svg", {TEST, OTHER, PLAYED}),
        ("tests/scenarios/one.jsonl", {PLAYED}),
        ("pi_app/words/de.po", {PLAYED}),
        ("tests/helper.py", set()),
        ("hardware/make/__pycache__/a.pyc", set()),
        ("tests/requirements.lock", {TEST, OTHER, PLAYED}),
        ("tests/conftest.py", {TEST, OTHER, PLAYED}),
    ],
)
def test_what_is_changed_is_run_again(changed: str, run_again: set[str], project: Path) -> None:
    before = told()
    assert set(before) == {TEST, OTHER, PLAYED}
    (project / changed).parent.mkdir(parents=True, exist_ok=True)
    with (project / changed).open("a", encoding="utf-8") as file:
        file.write("# changed\n")
    after = told()
    assert {name for name in after if after[name] != before[name]} == run_again


@pytest.mark.parametrize("variable", ["THOROUGH", "SEED"])
def test_another_tool_or_share_runs_all_again(
    variable: str, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = told()
    monkeypatch.setenv(variable, "7")
    thorough = told()
    monkeypatch.setattr(unchanged, "TOOLS", (str(project / "pyproject.toml"),))
    assert not {*before.values()} & {*thorough.values()}
    assert not {*told().values()} & {*thorough.values()}


class Cache(dict[str, Any]):
    set = dict.__setitem__


def session(cache: Cache, exitstatus: int = 0, **failed: bool) -> Unchanged:
    """A session in which these tests ran."""
    config: Any = SimpleNamespace(cache=cache, getini=lambda name: ["."])
    unchanged._hash.cache_clear()
    plugin = Unchanged(config)
    for name, has_failed in failed.items():
        for outcome in (False, has_failed, False):
            report: Any = SimpleNamespace(
                nodeid=f"tests/hardware/test_{name}.py::test_it", failed=outcome
            )
            plugin.pytest_runtest_logreport(report)
    plugin.pytest_sessionfinish(exitstatus)
    return plugin


def test_what_passed_is_left_out_until_it_is_changed(project: Path) -> None:
    cache = Cache()
    assert session(cache, 1, box=False, lid=True).left_out == set()
    assert session(cache).left_out == {TEST}, "what failed runs again"
    assert session(cache, lid=False).left_out == {TEST}
    assert session(cache).left_out == {TEST, OTHER}
    (project / "make/saw.py").write_text("CHANGED = 1\n", encoding="utf-8")
    assert session(cache, 1, box=True).left_out == {OTHER}
    (project / "make/saw.py").write_text("", encoding="utf-8")
    assert session(cache).left_out == {OTHER}, "it failed since then"


def test_a_session_that_was_interrupted_proves_nothing(project: Path) -> None:
    cache = Cache()
    session(cache, pytest.ExitCode.INTERRUPTED, box=False)
    assert PASSED not in cache


def reach_of(room: str) -> dict[str, set[str]]:
    paths = ["tests", "tests/players", "tests/kernel/guest", "tests/cli", "tests/app", "."]
    reach = Reach([PROJECT / path for path in paths], NOT_FOLLOWED)
    return {
        str(file.relative_to(PROJECT)): {str(one.relative_to(PROJECT)) for one in reach.by(file)}
        for file in sorted((PROJECT / room).glob("test_*.py"))
    }


def test_the_drawings_depend_on_their_makers_and_not_on_the_screen() -> None:
    reached = reach_of("tests/hardware")["tests/hardware/test_hardware_change.py"]
    assert {"hardware/make/underside.py", "tests/hardware/workshop.py", "tests/known.py"} <= reached
    assert {"pi_app/sensing/description.py", "pi_app/rules/nannon.py"} <= reached
    assert not [name for name in reached if name.startswith(("pi_app/screen", "pi_app/export"))]


NAMES = {"tests/known.py", "pi_app/referee/view.py", "pi_app/referee/view_of.py"}
"""They hand on names that these rooms take from none of them."""


@pytest.mark.parametrize("room", unchanged.MACHINES)
def test_no_room_uses_the_parts_of_a_game_that_are_not_followed(room: str) -> None:
    """Who used a game's face or export would depend on the screen and on other programs' forms."""
    uses: Callable[[str], Any] = re.compile(
        r"\.(?:faces?|forms)\b|known import.*FACES|games\.problem\("
    ).search
    for test, reached in reach_of(room).items():
        if any(name.startswith("pi_app/screen") for name in reached):
            continue
        own = [name for name in reached if not name.startswith("pi_app/games/")]
        found = [name for name in own if uses((PROJECT / name).read_text(encoding="utf-8"))]
        assert set(found) <= NAMES, test
