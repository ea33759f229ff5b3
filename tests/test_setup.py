"""What ./pi_app/run sets up, with a stand-in for pip, and what it starts."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from gnubg import needs_gnubg

PROJECT = Path(__file__).parent.parent
FILES = (
    *("pyproject.toml", "pi_app/run", "pi_app/setup.sh"),
    *("pi_app/requirements.lock", "tests/requirements.lock"),
)
PYTHON = """#!/bin/bash
case $* in
    --version) echo Python 3.11.2;;
    "-c import pip") ;;
    "-m pi_app.pinned "*) echo "${4:-$3}" | sed "s|$PWD/||";;
    *"pip install"*)
        if [ -e "$SCENE/offline" ] && [[ $* = *requirement* ]]; then echo no network; exit 1; fi
        all=$*
        echo "${all#*version-check }" | sed "s|$PWD|.|g" >>"$SCENE/calls";;
esac
"""
EDITABLE = "--no-deps --no-build-isolation --editable ."


class Checkout:
    """A checkout with its own virtual environment, whose pip only writes down what it is told."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.project = folder, folder / "spotter"
        for file in FILES:
            (self.project / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(PROJECT / file, self.project / file)
        self.program(".venv/bin/python", PYTHON)
        self.program(".venv/bin/spotter", '#!/bin/bash\necho "spotter $*"\n')

    def program(self, path: str, text: str) -> None:
        file = self.project / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        file.chmod(0o755)

    def do(self, *words: str, status: int = 0) -> str:
        """What it prints, errors last."""
        done = subprocess.run(
            words,
            cwd=self.project,
            env={"PATH": "/usr/bin:/bin", "SCENE": str(self.folder)},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == status, done.stdout + done.stderr
        return done.stdout + done.stderr

    def run(self, *words: str, status: int = 0) -> str:
        return self.do("pi_app/run", *words, status=status)

    @property
    def calls(self) -> list[str]:
        """What pip was told to install, since the last time."""
        file = self.folder / "calls"
        lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
        file.unlink(missing_ok=True)
        return lines

    def ask_for_more(self) -> None:
        with (self.project / "pyproject.toml").open("a", encoding="utf-8") as file:
            file.write("# another dependency\n")


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path)


def test_what_is_pinned_is_installed_by_its_hashes_and_nothing_else(checkout: Checkout) -> None:
    assert "Installing Spotter" in checkout.run()
    assert checkout.calls == [
        "--no-deps --require-hashes --requirement ./.venv/pinned.txt --only-binary :all:",
        EDITABLE,
    ]
    assert checkout.run() == "spotter play --sim\n"
    assert checkout.calls == []


def test_the_tests_have_pins_of_their_own(checkout: Checkout) -> None:
    checkout.do("bash", "-c", '. pi_app/setup.sh; set_up "$PWD" test')
    assert len(checkout.calls) == 3
    checkout.run()  # is there already
    assert checkout.calls == []


@pytest.mark.parametrize("file", ["pyproject.toml", "pi_app/requirements.lock"])
def test_other_pins_are_installed(checkout: Checkout, file: str) -> None:
    checkout.run()
    with (checkout.project / file).open("a", encoding="utf-8") as text:
        text.write("# changed\n")
    assert len(checkout.calls) == 2
    assert "Installing Spotter" in checkout.run()
    assert len(checkout.calls) == 2


def test_without_a_network_what_is_installed_is_started(checkout: Checkout) -> None:
    checkout.run()
    (checkout.folder / "offline").touch()
    checkout.ask_for_more()
    said = checkout.run("doctor")
    assert "is the network up? Going on with what is installed\n" in said
    assert "spotter doctor\n" in said
    (checkout.folder / "offline").unlink()
    assert "Going on" not in checkout.run()  # and now it is brought up to date
    assert checkout.run() == "spotter play --sim\n"


def test_without_a_network_and_with_nothing_installed_it_ends(checkout: Checkout) -> None:
    (checkout.folder / "offline").touch()
    assert "is the network up?" in checkout.run(status=1)


def test_a_moved_checkout_is_followed_without_a_network(checkout: Checkout) -> None:
    checkout.run()
    assert checkout.calls
    moved = checkout.folder / "elsewhere"
    checkout.project.rename(moved)
    checkout.project = moved
    (checkout.folder / "offline").touch()
    checkout.run()
    assert checkout.calls == [EDITABLE]
    (checkout.folder / "offline").unlink()
    checkout.run()
    assert checkout.run() == "spotter play --sim\n"


@pytest.mark.parametrize(
    ("words", "started"),
    [
        ("", "play --sim"),
        ("--board cannon-10", "play --sim --board cannon-10"),
        ("--sim --once", "play --sim --sim --once"),
        ("play --board cannon-10", "play --board cannon-10"),
        ("doctor --help", "doctor --help"),
        ("--help", "--help"),
        ("--version", "--version"),
    ],
)
def test_options_alone_never_mean_the_real_board(
    checkout: Checkout, words: str, started: str
) -> None:
    checkout.run()
    assert checkout.run(*words.split()) == f"spotter {started}\n"


@needs_gnubg
def test_gnubg_that_is_there_is_not_installed_again(checkout: Checkout) -> None:
    checkout.run()
    assert checkout.run("--with-gnubg") == "spotter play --sim\n"
    assert checkout.run("--with-gnubg", "doctor") == "spotter doctor\n"
