"""Whole matches of two friends over a real broker, which is killed, and so are the boards."""

from __future__ import annotations

import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import linked_boards
import pytest
from friends_broker import FriendsBroker
from hall import HAS_MOSQUITTO, until
from linked_boards import LinkedMatch, LossyWire
from shares import one_in, some

from pi_app.base.identifiers import BoardName
from pi_app.club import friends as friends_module
from pi_app.club.friends import FRIENDS, FriendBook, Friends
from pi_app.club.line import Access, Scheme
from pi_app.club.linked.letters import read_letter
from pi_app.games.all import ALL
from pi_app.rules.terms import Side

pytestmark = pytest.mark.skipif(not HAS_MOSQUITTO, reason="no mosquitto here")
CHANGES = 4
FLOODED = 20_000
"""Letters of a stranger a second."""
FLOOD = Path(__file__).parents[1] / "flood.py"
LENGTHS = {"nannon": 3, "tavli": 3}
SCHEMES = {Side.WHITE: Scheme.MQTTS, Side.BLACK: Scheme.WSS}


class FriendWire(LossyWire):
    """In the place of the lossy one: two homes that met by a code, and the broker between them.

    A cut kills the broker. Whoever asks for a sender again was killed, and its line with it.
    """

    def __init__(self, folder: Path, broker: FriendsBroker) -> None:
        self._folder, self._broker, self.carried = folder, broker, 0
        self._cut = False
        self.restarts = self.kills = 0
        self.homes = {side: self._home(side) for side in Side}
        self._mail: deque[tuple[Side, bytes]] = deque()
        self._back: set[Side] = set()
        self._asked: set[Side] = set()
        for side, friends in self.homes.items():
            self._start(side, friends)
        white, black = self.homes[Side.WHITE], self.homes[Side.BLACK]
        white.show_code("Ann")
        assert white.met
        black.take_code(str(white.met.code), "Bea")
        until(lambda: white.book.known and black.book.known)

    def _home(self, side: Side) -> Friends:
        access = Access((self._broker.at(SCHEMES[side]),), ca=self._broker.ca)
        return Friends(access, FriendBook(self._folder / side.value / FRIENDS))

    def _start(self, side: Side, friends: Friends) -> None:
        def hear(_: BoardName, letter: bytes) -> None:
            self._mail.append((side, letter))

        friends.listen(hear, lambda: self._back.add(side))
        friends.start()

    def close(self) -> None:
        for friends in self.homes.values():
            friends.close()

    @property
    def cut(self) -> bool:
        return self._cut

    @cut.setter
    def cut(self, cut: bool) -> None:
        if cut and not self._cut:
            self._broker.process.kill()
            self.kills += 1
        elif self._cut and not cut:
            self._broker.process.start()
        self._cut = cut

    def sender(self, to: Side):  # type: ignore[no-untyped-def]
        near = to.other
        if near in self._asked:
            self.homes[near].close()
            self.homes[near] = self._home(near)
            self._start(near, self.homes[near])
            self.restarts += 1
        self._asked.add(near)
        friends = self.homes[near]
        (friend,) = friends.book.known
        return lambda message: friends.post(friend.board, message)

    def deliver(self, boards) -> None:  # type: ignore[no-untyped-def]
        """What the broker has brought; a moment for it."""
        time.sleep(0.002)
        while self._back:
            boards[self._back.pop()].far.reconnected()
        while self._mail:
            to, letter = self._mail.popleft()
            boards[to].far.hear(read_letter(letter))
            self.carried += 1


@pytest.fixture
def at_the_end() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10 // one_in(10)))
@pytest.mark.parametrize("game", some(sorted(ALL.rules.matches), len(ALL.rules.matches)))
def test_friends_play_whole_matches_while_lines_are_cut_and_boards_killed(
    game: str, seed: int, tmp_path: Path, at_the_end: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(friends_module, "TICK_S", 0.05)
    monkeypatch.setattr(linked_boards, "TIRED", 25)
    broker = at_the_end.enter_context(FriendsBroker(tmp_path))
    wire = FriendWire(tmp_path, broker)
    at_the_end.callback(wire.close)
    folder = tmp_path / "match"
    match = LinkedMatch(folder, game, LENGTHS.get(game, 1), seed=f"friends {seed}", wire=wire)
    match.play_with_cuts()
    # Its last play may have been undone while its letters were under way.
    match.until(lambda: match.is_over and match.white.record == match.black.record)
    assert match.white.far.talk.objection is match.black.far.talk.objection is None
    assert wire.carried > 20
    assert wire.kills >= 4
    assert wire.restarts >= 4


HOUR_MS = 3_600_000


@pytest.mark.slow
def test_broker_and_both_boards_away_for_an_hour(
    tmp_path: Path, at_the_end: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An hour of the boards' clocks passes. Then the match goes on without a touch, and before a
    letter that was repeated by time alone would have left."""
    monkeypatch.setattr(friends_module, "TICK_S", 0.05)
    broker = at_the_end.enter_context(FriendsBroker(tmp_path))
    wire = FriendWire(tmp_path, broker)
    at_the_end.callback(wire.close)
    match = LinkedMatch(tmp_path / "match", "nannon", 5, seed="an hour", wire=wire)
    match.until(lambda: len(match.white.record) > 5)
    for are_off in (False, True):
        before = len(match.white.record), len(match.black.record)
        wire.cut = True
        match.steps(10)
        for board in match.boards.values():
            board.waits(HOUR_MS)
            if are_off:
                board.killed()
        wire.cut = False
        until(lambda: wire._back == set(Side))
        match.until(
            lambda before=before: (  # type: ignore[misc]
                len(match.white.record) > before[0] + 1 and len(match.black.record) > before[1] + 1
            ),
            400,
        )
    match.play()
    assert match.white.record == match.black.record
    assert match.white.far.talk.objection is match.black.far.talk.objection is None


class LetterFlood:
    """A stranger in a process of its own, who writes so many letters a second to a room."""

    def __init__(self, folder: Path, port: int, room: str, rate: int) -> None:
        self._told = folder / "flood.txt"
        command = [sys.executable, str(FLOOD), str(port), room, str(rate)]
        with self._told.open("wb") as told:
            self._process = subprocess.Popen(command, stdout=told)

    @property
    def a_second(self) -> float:
        """The letters written each second so far."""
        told = self._told.read_text().splitlines()
        sent, seconds = told[-1].split() if told else ("0", "1")
        return int(sent) / float(seconds)

    def close(self) -> None:
        self._process.kill()
        self._process.wait()


@pytest.mark.slow
def test_play_goes_on_in_a_flood_of_letters(
    tmp_path: Path, at_the_end: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A broker drops what a board does not read in time, the friend's letters among it; they are
    repeated. The loops of the boards get no letter of the stranger's."""
    monkeypatch.setattr(friends_module, "TICK_S", 0.05)
    broker = at_the_end.enter_context(FriendsBroker(tmp_path))
    wire = FriendWire(tmp_path, broker)
    at_the_end.callback(wire.close)
    match = LinkedMatch(tmp_path / "match", "nannon", 9, seed="a flood", wire=wire)
    came, sealed, hears, posts = [0], [0], Friends._hear_at, Friends.post

    def counted(friends: Friends, topic: str, message: bytes) -> None:
        came[0] += 1
        hears(friends, topic, message)

    def posted(friends: Friends, to: BoardName, letter: bytes) -> None:
        sealed[0] += 1
        posts(friends, to, letter)

    monkeypatch.setattr(Friends, "_hear_at", counted)
    monkeypatch.setattr(Friends, "post", posted)
    room = wire.homes[Side.WHITE].book.known[0].pact.room
    flood = LetterFlood(tmp_path, broker.ports[Scheme.MQTT], room, FLOODED)
    at_the_end.callback(flood.close)
    until(lambda: came[0] > 100)
    began, had, carried, lines = time.monotonic(), came[0], wire.carried, len(match.white.record)
    match.until(lambda: len(match.white.record) >= lines + CHANGES)
    seconds, read = time.monotonic() - began, came[0] - had
    print(f"letters a second: {flood.a_second:.0f} written, {read / seconds:.0f} read")
    print(f"{CHANGES} changes in {seconds:.0f} s")
    assert read > 100 * CHANGES
    assert wire.carried - carried <= sealed[0]
    assert match.white.far.talk.objection is match.black.far.talk.objection is None
