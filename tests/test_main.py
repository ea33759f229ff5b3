"""The command line as a user meets it."""

from __future__ import annotations

import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from pi_app.__main__ import main
from pi_app.cli.main import COMMANDS


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    said = capsys.readouterr().out
    assert all(name in said for name in COMMANDS)


def test_an_unknown_command_is_one_clear_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dance"]) == 2
    assert "command 'dance' is not known" in capsys.readouterr().err


def test_the_version_is_that_of_the_project(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]
    assert capsys.readouterr().out == f"spotter {project['version']}\n"


def test_help_about_a_command_is_its_help(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["help", "export"])
    assert end.value.code == 0
    assert "usage: spotter export" in capsys.readouterr().out
    assert main(["help", "dance"]) == 2


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_its_help(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main([name, "--help"])
    assert end.value.code == 0
    assert "usage: spotter" in capsys.readouterr().out


def test_without_pins_the_real_board_says_what_to_do(tmp_path: object) -> None:
    environment = {"XDG_DATA_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    ended = subprocess.run(
        [sys.executable, "-m", "pi_app"],
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": "/usr/bin:/bin", "SDL_VIDEODRIVER": "dummy", **environment},
    )
    assert ended.returncode == 1
    assert "spotter --sim" in ended.stderr
    assert ended.stderr.count("\n") == 1


def test_a_reader_that_leaves_early_is_no_error() -> None:
    ended = subprocess.run(
        f"{shlex.quote(sys.executable)} -m pi_app rules nannon | true; echo ${{PIPESTATUS[0]}}",
        capture_output=True,
        text=True,
        check=True,
        shell=True,
        executable="/bin/bash",
    )
    assert ended.stdout.strip() == "0"
    assert ended.stderr == ""
