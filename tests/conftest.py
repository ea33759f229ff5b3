"""Which tests there are, which begin first, and what is no garbage.

Files in kernel/guest/ are tests for the guest: the kernel's own tests run them there.
"""

import gc
import os
from pathlib import Path

import pytest

HERE = Path(__file__).parent
collect_ignore = [] if "IN_THE_GUEST" in os.environ else ["kernel/guest"]
LONGEST = ("kernel/", "simulator/test_whole_matches_in_the_window.py")


def pytest_collection() -> None:
    """What is collected stays: to look through it for garbage took a third of the time."""
    gc.disable()


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest begin first: at the end all other workers would wait for them."""
    first = tuple(f"{HERE}/{one}" for one in LONGEST)
    items.sort(key=lambda item: not str(item.path).startswith(first))
