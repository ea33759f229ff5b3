"""A player's process that dies, is stopped or babbles: nothing else is affected."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from queue import SimpleQueue
from typing import TypeAlias

import pytest
from known import find_game
from offspring import alive
from thinkers import impostor

from pi_app.base.microseconds import ms
from pi_app.players.contract import Opinion, Question, Situation
from pi_app.players.process import (
    Advice,
    Conversation,
    Deadlines,
    PlayerProcess,
    Reply,
    Trouble,
    call_process,
    command_of,
)
from pi_app.rules.terms import Roll, Side

GAME = find_game("nannon")
QUESTION = Question(Situation(GAME.start(Side.WHITE)), Roll.of(3))
HELLO = "asker.send(FromPlayer(None)); "
ASKED = HELLO + "number, _ = asker.recv(); "
PATIENCE_S = 300
"""Only what never comes takes so long: this also runs emulated, on busy machines."""
PATIENCE_MS = PATIENCE_S * 1000

Replies: TypeAlias = "SimpleQueue[Reply]"
Opener: TypeAlias = Callable[..., tuple[PlayerProcess, Replies]]


@pytest.fixture
def start() -> Iterator[Opener]:
    """Opens players: this Spotter's own, or an impostor in its place."""
    with ExitStack() as stack:

        def start(
            script: str | None = None, answer_ms: float = PATIENCE_MS
        ) -> tuple[PlayerProcess, Replies]:
            told: Replies = SimpleQueue()
            command = impostor(script) if script else command_of(GAME, "random")
            deadlines = Deadlines(ms(PATIENCE_MS), ms(answer_ms))
            player = PlayerProcess(command, Conversation(GAME, "random", deadlines), told.put)
            stack.callback(player.close)
            return player, told

        yield start


def test_a_player_knows_what_was_agreed_on() -> None:
    """An option of Fevga forbids a play here that its usual rules allow."""
    usual = find_game("fevga")
    agreed = usual.under(("four points",))
    position, roll = usual.read_position("-----A-AAAA-e-A-------j-I- w"), Roll.of(3, 1)
    assert set(agreed.plays(position, roll)) != set(usual.plays(position, roll))
    told: Replies = SimpleQueue()
    with closing(call_process(agreed, "random", told.put)) as player:
        player.ask(1, Question(Situation(position), roll))
        report = next_of(told)
    assert isinstance(report, Advice), report


def next_of(told: Replies) -> Reply:
    return told.get(timeout=PATIENCE_S)


def trouble(told: Replies) -> Trouble:
    report = next_of(told)
    assert isinstance(report, Trouble), report
    return report


def answered(told: Replies) -> int:
    report = next_of(told)
    assert isinstance(report, Advice), report
    assert isinstance(report.opinion, Opinion)
    assert len(report.opinion.plays) == 2
    return report.number


def comes_about(what: Callable[[], object]) -> bool:
    end = time.monotonic() + PATIENCE_S
    while not what():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def gone(pid: int) -> bool:
    return comes_about(lambda: not alive(pid))


def test_a_player_killed_and_stopped_comes_back_and_answers(start: Opener) -> None:
    """One life: asked, killed between two questions, stopped in the middle of one, closed."""
    player, told = start(answer_ms=2500)
    player.ask(1, QUESTION)
    assert answered(told) == 1
    first = player.pid
    assert first
    os.kill(first, signal.SIGKILL)
    assert trouble(told).said == ("Restarting random: it was killed by signal 9")
    player.ask(2, QUESTION)
    assert answered(told) == 2
    second = player.pid
    assert second
    assert second != first
    os.kill(second, signal.SIGSTOP)
    player.ask(3, QUESTION)
    assert told.empty(), "who asks never waits"
    late = trouble(told)
    assert "it did not answer within 2.5 s" in late.said
    assert late.number is None
    assert answered(told) == 3
    assert gone(second)
    third = player.pid
    assert third
    player.close()
    assert gone(third)


@pytest.mark.parametrize(
    ("script", "why"),
    [
        ("sys.exit(3)", "it exited with status 3"),
        (
            "asker.send(FromPlayer(None, refused='not here')); time.sleep(9)",
            "it reports: not here",
        ),
        (ASKED + "sys.exit(4)", "it exited with status 4"),
        (HELLO + "time.sleep(60)", "it did not answer within 0.3 s"),
        (ASKED + "asker.send(FromPlayer(2)); time.sleep(60)", "an answer to no question"),
        (ASKED + "asker.send(FromPlayer(1, 'play 2/5')); time.sleep(60)", "its answer is invalid"),
        (ASKED + "os.write(asker.fileno(), b'\\0\\0\\0\\4play'); time.sleep(60)", "signal 9"),
        (HELLO + "asker.close(); time.sleep(60)", "it was killed by signal 9"),
    ],
    ids=["dead", "refuses", "dies", "hangs", "another", "words", "bytes", "mute"],
)
def test_what_goes_wrong_twice_is_said_and_play_goes_on_without(
    start: Opener, script: str, why: str
) -> None:
    # Only who never answers is waited for; however slow this machine is, the others get there.
    player, told = start(script, answer_ms=300 if "within 0.3 s" in why else PATIENCE_MS)
    player.ask(1, QUESTION)
    reports = [trouble(told)]
    while reports[-1].number is None:
        reports.append(trouble(told))
    assert [report.said for report in reports if why not in report.said] == []
    assert len(reports) in (2, 3)  # one more where it was gone before it could be asked
    assert reports[-1].number == 1
    assert player.pid is None


def test_a_program_that_is_not_there_is_said_in_one_line() -> None:
    told: Replies = SimpleQueue()
    player = PlayerProcess(("/no/such/player",), Conversation(GAME, "random"), told.put)
    try:
        assert "it cannot start: No such file or directory" in trouble(told).said
    finally:
        player.close()


def test_what_a_player_has_started_ends_with_it(start: Opener, tmp_path: Path) -> None:
    note = tmp_path / "started"
    starts = f"open({str(note)!r}, 'a').write(f'{{subprocess.Popen([\"sleep\", \"600\"]).pid}} '); "
    player, told = start(starts + HELLO + "time.sleep(60)", answer_ms=300)
    player.ask(1, QUESTION)
    assert "it did not answer" in trouble(told).said
    started = [int(pid) for pid in note.read_text().split()]
    assert started
    assert gone(started[0])


def test_closing_twice_and_while_it_thinks_leaves_nothing(start: Opener) -> None:
    player, told = start(HELLO + "time.sleep(60)", answer_ms=60_000)
    player.ask(1, QUESTION)
    assert comes_about(lambda: player.pid)
    pid = player.pid
    assert pid
    player.close()
    assert gone(pid)
    assert told.empty()
    player.close()


def test_the_command_is_this_spotters_own() -> None:
    assert command_of(GAME, "exact")[:2] == (sys.executable, "-m")
