"""Files in guest/ are tests for the guest: the kernel's own tests run them there."""

import os
from pathlib import Path

import pytest

HERE = Path(__file__).parent
collect_ignore = [] if "IN_THE_GUEST" in os.environ else ["guest"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The kernel's tests begin first: they mostly wait, and other workers compute meanwhile."""
    items.sort(key=lambda item: HERE not in item.path.parents)
