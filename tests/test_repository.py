"""What people see of the repository before they run anything: pictures, licences, history."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from datetime import UTC, datetime
from pathlib import Path

import pytest
from pages import PROJECT
from PIL import Image, ImageChops

from pi_app.cli.main import main

PICTURES = {"wrong": "nannon-wrong", "fevga": "fevga-moving"}
"""The README's pictures of the screen, each with the scenario that it shows."""
DIFFERENT, MANY = 64, 100
"""Of 255: a pixel that looks different; and how many of them make a different picture."""

LOOKED_AT_FROM = datetime(2026, 11, 28, 6, 45, tzinfo=UTC)
"""Commits that were written later have a message that is looked at.  A date holds in a shallow
clone and after a rebase as well; a commit's name would not."""

LONGEST = 72
"""Letters of a message's first line."""

NO_IMPERATIVE = re.compile(
    r"A|An|All|And|Both|But|Each|Every|How|It|Its|No|Now|Of|On|One|Some|That|The|There|They|This"
    r"|Two|What|When|Where|Which|Who|Why|With|[^A-Z].*|.*(ed|ing|[^s]s)"
)
"""First words as they are not asked for."""

IMPERATIVE = re.compile(
    "Bring|Bypass|Embed|Exceed|Feed|Focus|Need|Proceed|Ring|Seed|Shed|Speed|Succeed"
)
"""Those that only look like another form."""

NAMED = re.compile(r"#\d+\b|^(co-authored|signed-off)-by:", re.MULTILINE | re.IGNORECASE)
"""Tickets and people."""


@pytest.mark.parametrize("name", PICTURES)
def test_the_readme_shows_the_screen_of_today(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Processors round colours differently, and letters of another text differ in more."""
    monkeypatch.chdir(PROJECT)
    picture, drawn = f".readme/{name}.png", tmp_path / f"{name}.png"
    draws = ["screenshot", f"tests/scenarios/{PICTURES[name]}.jsonl", "-o"]
    assert main([*draws, str(drawn)]) == 0
    with Image.open(picture) as kept, Image.open(drawn) as today:
        assert kept.size == today.size
        apart = ImageChops.difference(kept.convert("L"), today.convert("L")).histogram()
    assert sum(apart[DIFFERENT:]) < MANY, f"run: spotter {' '.join(draws)} {picture}"


def test_every_licence_that_is_named_is_there() -> None:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]
    files = [file for pattern in project["license-files"] for file in PROJECT.glob(pattern)]
    texts = [file.read_text("utf-8") for file in files]
    assert len(project["license"].split(" AND ")) == len(texts) == 3
    for words in ("MIT License", "SIL OPEN FONT LICENSE", "Bitstream Vera"):
        assert any(words in text for text in texts), words


def fault_in(message: str) -> str | None:
    """What a commit's message has not as CONTRIBUTING asks for it."""
    first, *rest = message.rstrip("\n").split("\n")
    word = first.partition(" ")[0]
    if first.startswith('Revert "'):
        return None  # git writes it
    if len(first) > LONGEST:
        return f"the first line has {len(first)} letters"
    if first.endswith(".") or (rest and rest[0]):
        return "the first line ends in a full stop, or no empty line follows"
    if NO_IMPERATIVE.fullmatch(word) and not IMPERATIVE.fullmatch(word):
        return f"{word!r} is no imperative"
    if named := NAMED.search(message):
        return f"{named[0]!r} names a ticket or a person"
    return None


def messages_since(moment: datetime) -> list[str]:
    """Those of the commits that this clone has; it may be shallow."""
    if not shutil.which("git") or not (PROJECT / ".git").exists():
        pytest.skip("this is no clone")
    words = ["git", "log", "--no-merges", "--format=%at%n%B%x00"]
    done = subprocess.run(words, cwd=PROJECT, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(done.stderr.strip())  # such as a clone that belongs to somebody else
    commits = (one.lstrip("\n").partition("\n") for one in done.stdout.split("\0") if one.strip())
    return [message for when, _, message in commits if int(when) > moment.timestamp()]


def test_a_clone_has_the_messages_of_its_commits() -> None:
    assert len(messages_since(datetime.fromtimestamp(0, UTC))) >= 1


def test_new_commits_say_what_they_do_and_why() -> None:
    faults = {one.split("\n")[0]: fault_in(one) for one in messages_since(LOOKED_AT_FROM)}
    assert {first: fault for first, fault in faults.items() if fault} == {}


@pytest.mark.parametrize(
    ("message", "fault"),
    [
        ("Read hit marks of XG's text export\n\nThey were taken for moves.\n", None),
        ("Bring the catalogues up to date", None),
        ('Revert "' + "x" * 80 + '"\n\nThis reverts commit 1.', None),
        ("Fix " + "x" * 69, "the first line has 73 letters"),
        ("Fix it\nand that", "the first line ends in a full stop, or no empty line follows"),
        ("Fix it.", "the first line ends in a full stop, or no empty line follows"),
        ("The board is read once", "'The' is no imperative"),
        ("Fixed the board", "'Fixed' is no imperative"),
        ("Adds a board", "'Adds' is no imperative"),
        ("Fixing the board", "'Fixing' is no imperative"),
        ("Access the board", None),
        ("Ring twice", None),
        ("Add a board (#12)", "'#12' names a ticket or a person"),
        ("Add it\n\nCo-authored-by: Ada", "'Co-authored-by:' names a ticket or a person"),
        ("tests/run: compile once", "'tests/run:' is no imperative"),
        ("fixup! Fix it", "'fixup!' is no imperative"),
    ],
)
def test_a_message_that_is_not_as_asked_is_noticed(message: str, fault: str | None) -> None:
    assert fault_in(message) == fault


def test_what_is_made_is_kept_out_of_diffs() -> None:
    """Made drawings are the greater part of all changed lines."""
    made = ["hardware/tables-24/board.svg", "pi_app/players/tables/backgammon.net"]
    made += [str(path.relative_to(PROJECT)) for path in PROJECT.glob("hardware/*/**/*.dxf")]
    read = ["README.md", "hardware/make/__main__.py", "tests/scenarios/nannon-wrong.jsonl"]
    words = ["git", "check-attr", "diff", "--", *made, *read]
    done = subprocess.run(words, cwd=PROJECT, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(done.stderr.strip())
    told = [line.rpartition(": ")[2] for line in done.stdout.splitlines()]
    assert told == ["unset"] * len(made) + ["unspecified"] * len(read)


def test_what_the_build_server_runs_elsewhere_is_there() -> None:
    """A file that has moved would leave nothing to run there."""
    run = (PROJECT / ".ci/run").read_text().replace("\\\n", " ")
    (words,) = re.findall(r"^\.ci/elsewhere (.+?) \|\|", run, re.MULTILINE)
    named = subprocess.run(
        ["bash", "-c", f"printf '%s\\n' {words}"], capture_output=True, text=True, check=True
    ).stdout.split()
    assert len(named) > 10
    assert [name for name in named if not (PROJECT / "tests" / name).exists()] == []
