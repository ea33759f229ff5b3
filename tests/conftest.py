"""Which tests there are, how workers share them, and what is no garbage.

Files in kernel/guest/ are tests for the guest: the kernel's own tests run them there.
"""

from __future__ import annotations

import gc
import os
import signal
from pathlib import Path
from typing import Any

import pytest
from shares import SHORT, left_out
from unchanged import PROJECT, Unchanged

HERE = Path(__file__).parent
collect_ignore = [] if "IN_THE_GUEST" in os.environ else ["kernel/guest"]
LONGEST = (
    *("kernel/", "coach/test_gnubg_match.py", "phones/", "club/test_friends.py", "screen/"),
    "simulator/test_whole_matches_in_the_window.py",
    *("simulator/test_matches_by_hands.py", "test_package.py", "hardware/", "simulator/"),
)
TOGETHER = "tests/screen/"
"""A room of one worker: its files share scenes that take seconds to make."""
ALONE = ("tests/kernel/", "tests/simulator/test_matches_by_hands.py")
"""Files of long tests that share nothing: each goes to any worker."""


@pytest.fixture
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a command keeps is not found by other tests, nor by the user's own Spotter."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


def pytest_configure(config: pytest.Config) -> None:
    # A run in the background ignores Ctrl-C, and so would what tests interrupt.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if config.pluginmanager.hasplugin("hypothesispytest"):
        from hypothesis import settings  # noqa: PLC0415 -- not everywhere

        # A busy machine takes as long as it likes: no test judges by wall time.
        examples = 50 if SHORT else 100
        settings.register_profile("no deadline", deadline=None, max_examples=examples)
        settings.load_profile("no deadline")
    if SHORT and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Unchanged(config), "unchanged")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    if hasattr(config, "workerinput"):
        left_out = config.workerinput.get("unchanged", ())
    else:
        plugin = config.pluginmanager.get_plugin("unchanged")
        left_out = plugin.left_out if plugin else ()
    return str(collection_path.relative_to(PROJECT)) in left_out or None


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """A file, or a room, stays with one worker: what it shares is made once."""
    from xdist.scheduler import LoadScopeScheduling  # noqa: PLC0415 -- not everywhere

    config.option.loadscopereorder = False
    scheduler = LoadScopeScheduling(config, log)
    scheduler._split_scope = _shared_by
    return scheduler


def _shared_by(test: str) -> str:
    if test.startswith(ALONE):
        return test
    return TOGETHER if test.startswith(TOGETHER) else test.split("::", 1)[0]


def pytest_collection() -> None:
    """What is collected stays: to look through it for garbage took a third of the time."""
    gc.disable()


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest begin first: at the end all other workers would wait for them."""
    if SHORT:
        slow = [item.nodeid for item in items if item.get_closest_marker("slow")]
        others = left_out((item.nodeid for item in items), slow)
        items[:] = [item for item in items if item.nodeid not in others]
    first = tuple(f"{HERE}/{one}" for one in LONGEST)

    def place(item: pytest.Item) -> int:
        path = str(item.path)
        return next((at for at, one in enumerate(first) if path.startswith(one)), len(first))

    items.sort(key=place)
