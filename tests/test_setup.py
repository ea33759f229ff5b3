"""The setup and start by ./pi_app/run, with a stand-in for pip."""

from __future__ import annotations

import os
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
    "-m pi_app.base.pinned "*) echo "$3" >"$4";;
    *"pip install"*)
        for trouble in offline early spoilt; do
            if [ -e "$SCENE/$trouble" ] && [[ $* = *requirement* ]]; then
                cat "$SCENE/$trouble" >.venv/pip.log
                cat "$SCENE/$trouble" >&2
                exit 1
            fi
        done
        all=$*
        echo "${all#*version-check }" | sed "s|$PWD|.|g" >>"$SCENE/calls";;
esac
"""
PIP_SAYS = {
    "offline": """\
Retrying after connection broken by 'NewConnectionError('<pip._vendor.urllib3 object at 0x7f>')'
ERROR: Could not find a version that satisfies the requirement pygame==2.6.1
""",
    "early": """\
Retrying after connection broken by 'SSLError(CERTIFICATE_VERIFY_FAILED)'
ERROR: No matching distribution found for pygame==2.6.1
""",
    "spoilt": "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES\n",
}
EDITABLE = "--no-deps --no-build-isolation --editable ."


class Checkout:
    """A checkout with its own virtual environment and a pip that only records its arguments."""

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
        """Its output, errors last."""
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
        """Packages that pip installed since the last call."""
        file = self.folder / "calls"
        lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
        file.unlink(missing_ok=True)
        return lines

    def trouble(self, kind: str) -> None:
        """Let pip fail in this way from now on."""
        (self.folder / kind).write_text(PIP_SAYS[kind], encoding="utf-8")

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
    checkout.trouble("offline")
    checkout.ask_for_more()
    said = checkout.run("doctor")
    assert "the network is not up" in said
    assert ". Going on with what is installed\n" in said
    assert "spotter doctor\n" in said
    (checkout.folder / "offline").unlink()
    assert "Going on" not in checkout.run()  # and now it is brought up to date
    assert checkout.run() == "spotter play --sim\n"


@pytest.mark.parametrize(
    ("trouble", "why"),
    [
        ("offline", "the network is not up"),
        ("early", "the certificate of the package index is not accepted; is the date right?"),
        ("spoilt", "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES"),
    ],
)
def test_why_nothing_could_be_installed_is_one_line(
    checkout: Checkout, trouble: str, why: str
) -> None:
    checkout.trouble(trouble)
    began, said = checkout.run(status=1).splitlines()
    assert began.startswith("Installing Spotter in ")
    assert f"pip could not install Spotter: {why}" in said
    assert "Error(" not in said
    assert str(checkout.project / ".venv/pip.log") in said


# A computer on which something of the system's is lacking


class BareComputer:
    """A checkout without a virtual environment, and the system's programs as stand-ins."""

    def __init__(self, folder: Path) -> None:
        self.checkout = Checkout(folder)
        shutil.rmtree(self.checkout.project / ".venv")
        self.bin = folder / "bin"
        self.bin.mkdir()
        for name in ("bash", "env", "dirname", "readlink", "grep", "head", "tail", "cat", "cksum"):
            self.program(name, f'exec /usr/bin/{name} "$@"')
        self.program("id", 'if [ "$1" = -u ]; then echo 1000; else echo pi; fi')
        self.program("sudo", 'echo "sudo $*" >>"$SCENE/asked"; exec "$@"')
        # A system's Python without its module venv, until apt brings that.
        self.program(
            "python3",
            """case $* in
                --version) echo Python 3.13.5;;
                *ensurepip*) [ -e "$SCENE/venv" ];;
                *"-m venv"*) exit 1;;
            esac""",
        )
        self.program(
            "apt-get",
            """if [ -e "$SCENE/offline" ]; then
                echo "W: Failed to fetch somewhere" >&2
                echo "E: Unable to locate package" >&2; exit 100
            fi
            [[ $* = *update* ]] || touch "$SCENE/venv" """,
        )

    def program(self, name: str, does: str) -> None:
        file = self.bin / name
        file.write_text(f"#!/bin/bash\n{does}\n", encoding="utf-8")
        file.chmod(0o755)

    def set_up(self, venv: str = ".venv") -> list[str]:
        """Messages when no environment can be made."""
        done = subprocess.run(
            ["/bin/bash", "-c", f'. pi_app/setup.sh; {FIND} set_up "$PWD" "" {venv}'],
            cwd=self.checkout.project,
            env={"PATH": str(self.bin), "SCENE": str(self.checkout.folder)},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 1
        return (done.stdout + done.stderr).splitlines()

    @property
    def asked(self) -> list[str]:
        """The commands given to sudo."""
        return (self.checkout.folder / "asked").read_text(encoding="utf-8").splitlines()


# The real one looks at this computer's own Python first.
FIND = 'find_python() { python3 -c "import ensurepip" && echo python3; };'


@pytest.fixture
def computer(tmp_path: Path) -> BareComputer:
    return BareComputer(tmp_path)


def test_the_compiler_comes_in_the_same_step_as_venv(computer: BareComputer) -> None:
    computer.set_up()
    assert [line.split("install ")[1] for line in computer.asked if "install " in line] == [
        "-y python3 python3-venv gcc libc6-dev"
    ]


def test_a_compiler_that_is_there_is_not_asked_for(computer: BareComputer) -> None:
    computer.program("cc", "")
    computer.set_up()
    assert computer.asked[-1].endswith("install -y python3 python3-venv")


def test_a_python_without_venv_is_not_called_too_old(computer: BareComputer) -> None:
    (computer.checkout.folder / "offline").touch()
    _, why, last = computer.set_up()
    assert why == "apt-get cannot fetch its lists of packages; is the network up?"
    assert last == (
        "Python 3.13.5 is here without its module venv; as root: apt-get install python3-venv"
    )


def test_a_python_that_is_too_old_is(computer: BareComputer) -> None:
    (computer.checkout.folder / "offline").touch()
    computer.program("python3", "if [ $1 = --version ]; then echo Python 3.9.2; else exit 1; fi")
    assert computer.set_up()[-1].startswith(
        "Spotter needs Python 3.11 or later, and here is Python 3.9.2; "
    )


def test_whom_sudo_refuses_is_asked_once(computer: BareComputer) -> None:
    computer.program(
        "sudo", 'echo "sudo $*" >>"$SCENE/asked"; echo "pi is not in the sudoers file." >&2; exit 1'
    )
    said = computer.set_up()
    assert len(computer.asked) == 1
    assert said[1] == "pi is not in the sudoers file."


def test_in_a_folder_of_others_it_says_what_to_do(computer: BareComputer) -> None:
    """Root, who may run this, could write in any that is there."""
    (line,) = computer.set_up("theirs/.venv")
    assert line.startswith("pi cannot write in theirs; copy Spotter's folder into your home and ")


def test_a_moved_checkout_is_followed_without_a_network(checkout: Checkout) -> None:
    checkout.run()
    assert checkout.calls
    moved = checkout.folder / "elsewhere"
    checkout.project.rename(moved)
    checkout.project = moved
    checkout.trouble("offline")
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


@pytest.mark.slow
def test_the_shell_is_clean() -> None:
    shellcheck = shutil.which("shellcheck")
    if shellcheck is None:
        pytest.skip("shellcheck is not installed")
    scripts = [
        *("pi_app/run", "pi_app/setup.sh", "hardware/package/build"),
        *map(str, (PROJECT / "hardware/package/scripts").iterdir()),
        *("tests/run", "tests/lock", "tests/languages", "tests/attack", "tests/kernel/build"),
        *(".ci/run", ".ci/elsewhere", "tests/kernel/linux/init", "findings/run"),
        *map(str, PROJECT.glob("findings/*.sh")),
    ]
    done = subprocess.run(
        [shellcheck, "--external-sources", *scripts],
        cwd=PROJECT,
        env={**os.environ, "LC_ALL": "C.UTF-8"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stdout == ""


@needs_gnubg
def test_gnubg_that_is_there_is_not_installed_again(checkout: Checkout) -> None:
    checkout.run()
    assert checkout.run("--with-gnubg") == "spotter play --sim\n"
    assert checkout.run("--with-gnubg", "doctor") == "spotter doctor\n"
