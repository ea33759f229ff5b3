"""A browser that does not start is skipped with its own words."""

from pathlib import Path

import pytest
from chromium import BrowserError, browser


def test_a_browser_that_ends_at_once_is_quoted(tmp_path: Path) -> None:
    program = tmp_path / "no browser"
    program.write_text("#!/bin/sh\necho 'No usable sandbox!' >&2\nexit 1\n", encoding="utf-8")
    program.chmod(0o755)
    with (
        pytest.raises(BrowserError, match=r"no browser does not start here: No usable sandbox!"),
        browser(tmp_path, str(program)),
    ):
        pytest.fail("it has no address")
