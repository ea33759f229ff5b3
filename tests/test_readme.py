"""The pages agree with the program and with each other: tables, links, no sentence twice."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from known import GAMES
from lab.noise import HEAD, rows
from pages import PROJECT, TEXTS, anchors, links, sentences

from pi_app.boards import board_names
from pi_app.cli.main import COMMANDS
from pi_app.match.turns import OF_TURNS, TABLE, Phase
from pi_app.sensing.noise import PUBLISHED
from pi_app.user.settings import SETTINGS

README = Path("README.md")
PROGRAM = Path("pi_app/README.md")
LONGEST_README = 150
"""Lines."""
SHORT = 5
"""Words of a sentence that may stand on several pages, such as a heading."""

FROM_ONE_TEMPLATE = "hardware/"
"""`hardware.make` writes these from shared templates, so that a builder needs one page only."""


def test_the_readme_is_short() -> None:
    assert len(TEXTS[README].splitlines()) <= LONGEST_README


def test_the_readme_names_every_game_and_board() -> None:
    text = TEXTS[README].lower()
    titles = [str(game.title).lower() for game in GAMES.values()]
    assert [title for title in titles if f"**{title}**" not in text] == []
    assert [name for name in board_names() if f"| `{name}` |" not in text] == []


def test_the_table_of_settings_is_made_of_them() -> None:
    """Where this fails, copy the printed table to the page."""
    rows = [
        f"| `{name}` | {one.show(one.default)} | {one.values} | {one.says} |"
        for name, one in SETTINGS.items()
    ]
    table = "\n".join(["| setting | default | can be | what it does |", "|---|---|---|---|", *rows])
    assert f"\n{table}\n\n" in TEXTS[PROGRAM], table


def test_the_noise_model_is_the_one_in_use() -> None:
    """Where this fails, copy the printed table to the page."""
    head, *rest = (f"| {' | '.join(row)} |" for row in (HEAD, *rows(PUBLISHED)))
    table = "\n".join([head, "|" + "---|" * len(HEAD), *rest])
    assert f"\n{table}\n\n" in TEXTS[Path("pi_app/sensing/README.md")], table


def phases() -> str:
    """The table of turns, a line for each phase and act."""
    verb = {act: act.name.lower().replace("_", " ") for act in OF_TURNS}
    first, second = (max(map(len, words)) for words in ((p.value for p in Phase), verb.values()))
    return "\n".join(
        f"{phase.value:<{first}} {verb[act]:<{second}} →"
        f" {' | '.join(target.value for target in row.to)}"
        for phase, acts in TABLE.items()
        for act, row in acts.items()
    )


def test_the_phases_are_those_of_the_table() -> None:
    """Where this fails, copy the printed table to the page."""
    assert phases() in TEXTS[Path("pi_app/match/README.md")]


def test_the_prices_are_those_of_the_boards() -> None:
    """`hardware.make --check` holds the guide's table to the boards' lists."""
    found = re.findall(r"^\| `([\w-]+)` \|.*\| (\d+) € \|", TEXTS[Path("hardware/README.md")], re.M)
    prices = {board: int(price) for board, price in found}
    large = [price for board, price in prices.items() if not board.startswith("nannon")]
    words = " ".join(TEXTS[README].split())
    assert f"about {prices['nannon-6']} € for `nannon-6`" in words
    assert f"costs {min(large)} to {max(large)} €" in words


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_named(command: str) -> None:
    name = "spotter" if command == "play" else f"spotter {command}"
    assert any(f"`{name}" in text for text in TEXTS.values())


def test_every_room_has_a_page_and_the_program_names_it() -> None:
    rooms = {path.parent.name for path in (PROJECT / "pi_app").glob("*/__init__.py")}
    assert {"app", "referee", "words"} <= rooms
    named = {Path(file).parent.name for file, _ in links(TEXTS[PROGRAM])}
    pages = {page.parent.name for page in TEXTS if page.match("pi_app/*/README.md")}
    assert (rooms - pages, rooms - named) == (set(), set())


@pytest.mark.parametrize("page", TEXTS, ids=str)
def test_links_and_anchors_lead_somewhere(page: Path) -> None:
    lost = []
    for file, anchor in links(TEXTS[page]):
        target = (PROJECT / page.parent / file).resolve() if file else (PROJECT / page).resolve()
        if not target.exists():
            lost.append(file)
        elif anchor and anchor not in anchors(target.read_text(encoding="utf-8")):
            lost.append(f"{file}#{anchor}")
    assert lost == []


def test_links_and_anchors_are_found() -> None:
    text = "# A `b`: c, d\n[one](x/y.md#to-it) [two](#a-b-c-d) [away](https://x.org/z)\n"
    assert links(text) == [("x/y.md", "to-it"), ("", "a-b-c-d")]
    assert anchors(text) == {"a-b-c-d"}
    assert len(links(TEXTS[README])) > 20


def test_no_sentence_stands_on_two_pages() -> None:
    first: dict[str, Path] = {}
    twice = []
    for page, text in TEXTS.items():
        for sentence in sentences(text):
            other = first.setdefault(sentence, page)
            template = all(str(one).startswith(FROM_ONE_TEMPLATE) for one in (page, other))
            if other != page and not template and len(sentence.split()) > SHORT:
                twice.append((str(other), str(page), sentence))
    assert twice == []


def test_sentences_are_found() -> None:
    text = (
        "# Head\n\nOne *two* [three](x.md).\nFour `f.g H`? Five\nsix.\n\n| a b | c. |\n|---|---|\n"
    )
    assert [s for s in sentences(text) if "-" not in s] == [
        *("Head", "One two three.", "Four `f.g H`?", "Five six.", "a b", "c."),
    ]
