"""A reader reads any input or explains in short lines why it cannot."""

from __future__ import annotations

import io
import json
import random
import re
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from importlib import resources

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from known import GAMES, case_file, load_board
from nasty import NASTY, mutated
from samples import DECISIONS

from pi_app.__main__ import main
from pi_app.base.errors import GivenError
from pi_app.boards import board_names
from pi_app.cli import rules
from pi_app.cli.ending import MOST_LINES
from pi_app.club.setting_up import read_brokers
from pi_app.club.tournament.model import read_lines
from pi_app.coach.training import read_training
from pi_app.export.mat_reading import read_mat
from pi_app.games.all import ALL
from pi_app.referee.lines import read_decision, read_event, write_decision
from pi_app.rules.terms import Side, read_roll
from pi_app.sensing.description import read_board
from pi_app.simulator.reeds import read_faults
from pi_app.user.settings import Settings, read_settings, write_settings

XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10"
MAT = """; [Variation "Backgammon"]

 5 point match

 Game 1
 Ada : 0                          Ben : 0
  1) 31: 8/5 6/5                   Doubles => 2
  2)  Takes                       42: 8/4 6/4
      Wins 2 points
"""
TOURNAMENT = (
    '{"tournament": "A", "system": "swiss"}\n{"player": "Ada"}\n{"player": "Ben"}',
    '{"tournament": "A", "system": "swiss"}\n{"round": 1, "first": "Ada", "second": "Ben"}',
)
EVENTS = (
    '{"ms": 0, "event": "start", "game": "nannon", "board": "nannon-6", "match_to": 5, '
    '"players": ["Ann", "Bea"], "options": {"cube": true, "commit": "settle"}}',
    '{"ms": 1, "event": "picture", "closed": ["1", "2"]}',
    '{"ms": 2.5, "event": "sensor", "sensor": "4", "closed": true}',
    '{"ms": 3, "event": "button", "press": "short", "side": "white"}',
    '{"ms": 4, "event": "roll", "dice": "31", "by": "black", "source": "typed"}',
    '{"ms": 5, "event": "tap", "intent": "resign", "points": 2}',
    '{"ms": 6, "event": "tap", "intent": "choose", "play": "2/4"}',
    '{"ms": 7, "event": "lost", "device": "oled"}',
)


def first_case(game: str) -> str:
    with case_file(game).open(encoding="utf-8") as lines:
        return str(json.loads(next(lines))["position"])


def board_text(name: str) -> str:
    return (resources.files("pi_app.boards") / f"{name}.toml").read_text(encoding="utf-8")


def ask(game: str, text: str) -> None:
    rules.answer(GAMES[game], text.encode("utf-8", "surrogatepass"))


def question(game: str) -> str:
    return json.dumps({"game": game, "position": first_case(game), "roll": "31"})


def reads_position(game: str, text: str) -> None:
    GAMES[game].read_position(text)


def reads_play(game: str, text: str) -> None:
    GAMES[game].read_play(GAMES[game].start(Side.WHITE), text)


READERS: dict[str, tuple[Callable[[str], object], tuple[str, ...]]] = {
    "settings": (partial(read_settings, "s.toml"), (write_settings(Settings()),)),
    "board": (partial(read_board, "b.toml", games=GAMES), tuple(map(board_text, board_names()))),
    "event": (read_event, EVENTS),
    "decision": (read_decision, tuple(map(write_decision, DECISIONS))),
    "roll": (lambda text: read_roll(text, 2), ("31", "66")),
    "faults": (lambda text: read_faults(text, load_board("nannon-6")), ("default,dead=4,miss=1",)),
    **{
        f"position of {game}": (partial(reads_position, game), (first_case(game), "4HPwATDgc/ABMA"))
        for game in GAMES
    },
    "mat": (partial(read_mat, games=GAMES), (MAT,)),
    "tournament": (read_lines, TOURNAMENT),
    "training": (
        read_training,
        ('{"version": 1, "players": {"Ada": []}}', '{"version": 99, "players": {}}'),
    ),
    "brokers": (read_brokers, ("club.local:8883, [::1]:1",)),
    "position of any game": (ALL.problem, (first_case("backgammon"), "4HPwATDgc/ABMA", XGID)),
    **{
        f"play of {game}": (partial(reads_play, game), ("13/8 6/5*(2)", "b4-b5", "HOME/3*"))
        for game in GAMES
    },
    **{f"question about {game}": (partial(ask, game), (question(game),)) for game in GAMES},
}


@pytest.mark.parametrize("name", READERS)
@settings(max_examples=60, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 2**32), text=st.one_of(st.none(), st.sampled_from(NASTY), st.text()))
def test_a_reader_reads_or_says_why_not(name: str, seed: int, text: str | None) -> None:
    read, good = READERS[name]
    chance = random.Random(seed)
    with suppress(GivenError):
        read(mutated(chance.choice(good), chance) if text is None else text)


SIGNS = " 0x9-/:;,=.\"'[{b\n\\"
"""Many of one of them come into the middle of a good text."""


@pytest.mark.parametrize("name", READERS)
def test_an_error_about_a_long_text_has_short_lines(name: str) -> None:
    read, good = READERS[name]
    for text in good[:2]:
        for place in range(0, len(text), max(1, len(text) // 4)):
            for sign in SIGNS:
                many = sign * (5000 if sign == "9" else 400)  # an integer of Python has 4300 digits
                try:
                    read(f"{text[:place]}{many}{text[place:]}")
                except GivenError as error:
                    lines = [*error.lines, *str(error).splitlines()]
                    assert all(len(line) <= 300 for line in lines), (place, sign)


SHORT, TIMES = 200, 8
QUICK_S = 0.004
"""Of processor time, for a text of SHORT × TIMES signs: even a square of them takes longer."""


def seconds(read: Callable[[str], object], text: str) -> float:
    began = time.process_time()
    with suppress(GivenError):
        read(text)
    return time.process_time() - began


def quickest(read: Callable[[str], object], text: str) -> float:
    return min(seconds(read, text) for _ in range(3))


@pytest.mark.parametrize("name", READERS)
def test_time_grows_with_the_text_and_no_faster(name: str) -> None:
    """Eight times as many signs may take sixteen times as long, where a square takes 64 times."""
    read, good = READERS[name]
    for text in good[:2]:
        for place in {0, *(len(text) * part // 5 for part in range(1, 5)), *ends_of_lines(text)}:
            for sign in (" ", "0", "x", "/", ":", '"', "\t"):
                for end in ("", "?"):
                    short, long = (
                        f"{text[:place]}{sign * count}{end}{text[place:]}"
                        for count in (SHORT, SHORT * TIMES)
                    )
                    if seconds(read, long) > QUICK_S:
                        ratio = quickest(read, long) / quickest(read, short)
                        assert ratio < 2 * TIMES, (place, sign, end)


def ends_of_lines(text: str) -> list[int]:
    return [found.end() for found in re.finditer(r"\S(?=\n)", text)][:8]


@pytest.mark.parametrize("name", [name for name in READERS if "position" in name])
def test_absurd_positions_are_one_error(name: str) -> None:
    read, _ = READERS[name]
    for text in (*NASTY, "-" * 100_000, "/" * 100_000, "1" * 100_000 + " w"):
        with pytest.raises(GivenError):
            read(text)


COMMANDS = (
    *("position", "perft", "plays", "rules", "replay", "screenshot", "settings", "help"),
    *("matches", "export", "scanner", "--board", "hint"),
)
WORDS = st.one_of(
    st.sampled_from(
        [*NASTY, *GAMES, "-o", "--size", "--page", "menu", "--oled", "-h", "-", "1", "--"]
    ),
    st.text(max_size=30),
)


@settings(max_examples=150, suppress_health_check=list(HealthCheck))
@given(command=st.sampled_from(COMMANDS), words=st.lists(WORDS, max_size=4))
def test_a_command_takes_its_words_or_says_why_not(
    tmp_path_factory: pytest.TempPathFactory, command: str, words: list[str]
) -> None:
    out, err = io.TextIOWrapper(io.BytesIO()), io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"{}\n")))
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", err)
        folder = str(tmp_path_factory.getbasetemp())
        for variable in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
            patch.setenv(variable, folder)
        try:
            status = main([command, *words])
        except SystemExit as end:  # --help
            status = int(end.code or 0)
    lines = err.getvalue().splitlines()
    assert status in (0, 1, 2)
    assert not any("should not happen" in line for line in lines), lines
    assert len(lines) <= MOST_LINES + 1
    assert all(len(line) <= 300 and line.isprintable() for line in lines)
    assert (status == 0) == (not lines) or command == "plays"
