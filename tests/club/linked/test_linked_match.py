"""Linked matches of every game: whatever the wire does, both boards keep the same record."""

from __future__ import annotations

import errno
import json
import os
import time
from pathlib import Path

import linked_boards
import pytest
from known import GAMES
from linked_boards import LINK, NAMES, LinkedBoard, LinkedMatch
from shares import some

from pi_app.app.linking import Linking
from pi_app.base.microseconds import ms
from pi_app.club import far_player
from pi_app.club.far_player import CorrespondenceError, worded_request
from pi_app.club.linked.letters import read_letter
from pi_app.games.all import TAVLI
from pi_app.journal.disk import JournalError
from pi_app.match.acts import Act
from pi_app.match.turns import IN_PLAY, OVER, Phase
from pi_app.referee.events import Press, Rolled, RollSource
from pi_app.rules.terms import Roll, Side
from pi_app.sensing.reading import BoardState


def agrees(match: LinkedMatch) -> None:
    assert match.white.far.talk.objection is match.black.far.talk.objection is None
    assert match.white.record == match.black.record
    assert match.white.far.talk.record == match.white.record


@pytest.mark.parametrize(
    ("game", "match_to"),
    some([("nannon", 5), ("backgammon", 2), ("portes", 1), ("pin", 1), ("cannon", 1)], 3),
)
def test_cut_and_killed_in_every_phase_on_a_bad_wire(
    game: str, match_to: int, tmp_path: Path
) -> None:
    match = LinkedMatch(tmp_path, game, match_to, trouble=0.25)
    met = match.play_with_cuts()
    agrees(match)
    assert len(match.white.record) > 10
    phases = {phase for _, phase in met}
    if game == "nannon":
        assert phases >= {*IN_PLAY} - {Phase.RESIGNATION_OFFERED} | {*OVER, Phase.SET_UP}
    elif game != "cannon":
        assert Phase.RESIGNATION_OFFERED in phases


@pytest.mark.slow
def test_tavli_goes_from_game_to_game_on_both_boards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(linked_boards, "TIRED", 15)
    match = LinkedMatch(tmp_path, "tavli", 7, trouble=0.25)
    match.play_with_cuts()
    agrees(match)
    decisions = match.white.journal.decisions(match.white.number)
    plays = [one.state.standing.decided for one in decisions if one.what is Act.PLAY]
    assert {TAVLI.at(decided).name for decided in plays} == {"portes", "plakoto", "fevga"}


def to_roll(tmp_path: Path, side: Side = Side.WHITE) -> LinkedMatch:
    """Some turns of Nannon were played; this side is to roll, and both boards stand so."""
    match = LinkedMatch(tmp_path, "nannon", 5, seed="3")

    def stands(board: LinkedBoard) -> bool:
        view = board.view
        ready = view.board is BoardState.RESTING and not view.awaiting_roll
        return view.phase is Phase.TO_ROLL and view.to_act is side and ready and not view.note

    match.until(
        lambda: (
            len(match.white.record) > 8
            and match.white.record == match.black.record
            and all(map(stands, match.boards.values()))
            and Act.TAKE_BACK in match.white.view.offers
        )
    )
    return match


def exchange(match: LinkedMatch, rounds: int = 4) -> None:
    """Letters come and go; no hand does anything."""
    for _ in range(rounds):
        for board in match.boards.values():
            board.waits()
        match.wire.deliver(match.boards)


def goes_on(match: LinkedMatch) -> None:
    """Some turns more, and both records are the same."""
    longer = len(match.white.record) + 6
    match.until(lambda: len(match.white.record) >= longer)
    match.until(lambda: match.white.record == match.black.record)
    assert match.white.far.talk.objection is match.black.far.talk.objection is None


def put_right(match: LinkedMatch) -> None:
    for board in match.boards.values():
        board.shows(board.view.accepted)


@pytest.mark.parametrize("side", Side)
@pytest.mark.parametrize("asker", Side)
def test_a_takeback_that_is_agreed_happens_on_both(side: Side, asker: Side, tmp_path: Path) -> None:
    match = to_roll(tmp_path, side)
    asking, other, before = match.boards[asker], match.boards[asker.other], match.white.record
    asking.taps(Act.TAKE_BACK)
    assert asking.record == before, "nothing is taken back by one alone"
    exchange(match)
    assert other.far.question is not None
    asked = worded_request(other.far.question)
    assert asking.session.trouble == f"Waiting for {asking.seat.board} to agree: {asked}"
    other.killed()
    assert other.far.question is not None, "after a restart it is asked still"
    other.session.answer(yes=True)
    exchange(match)
    put_right(match)
    assert '"take back"' in match.white.record[len(before)]
    agrees(match)
    assert match.white.view.phase is match.black.view.phase is Phase.MOVING
    goes_on(match)


def test_a_double_comes_again_with_its_roll_on_both_boards(tmp_path: Path) -> None:
    match = LinkedMatch(tmp_path, "backgammon", 5, seed="3")
    match.until(
        lambda: (
            match.white.view.phase is Phase.TO_ROLL
            and match.white.record == match.black.record
            and Act.TAKE_BACK in match.white.view.offers
            and Act.DOUBLE in match.boards[match.white.view.to_act].view.offers
        )
    )
    doubler, taker = (match.boards[side] for side in side_and_other(match))
    doubler.taps(Act.DOUBLE)
    exchange(match)
    taker.taps(Act.TAKE)
    exchange(match)
    doubler.presses()
    exchange(match)
    assert doubler.view.phase is taker.view.phase is Phase.MOVING
    rolled = doubler.view.roll
    doubler.taps(Act.TAKE_BACK)
    exchange(match)
    taker.session.answer(yes=True)
    exchange(match)
    put_right(match)
    assert doubler.view.to_act is taker.near
    before = len(match.white.record)
    match.until(lambda: len(match.white.record) >= before + 4)
    match.until(lambda: match.white.record == match.black.record)
    again = [json.loads(line) for line in match.white.record[before : before + 4]]
    assert [line["decided"] for line in again] == ["play", "double", "take", "roll"]
    assert again[-1]["dice"] == rolled
    assert match.white.far.talk.objection is match.black.far.talk.objection is None
    goes_on(match)


def side_and_other(match: LinkedMatch) -> tuple[Side, Side]:
    side = match.white.view.to_act
    return side, side.other


def test_a_declined_takeback_changes_nothing(tmp_path: Path) -> None:
    match = to_roll(tmp_path)
    before = match.white.record
    match.white.taps(Act.TAKE_BACK)
    exchange(match)
    match.black.session.answer(yes=False)
    exchange(match)
    assert match.white.session.trouble == "town-2 does not agree"
    assert match.white.record == match.black.record == before
    assert match.black.far.question is None
    goes_on(match)


def test_who_asked_and_rolls_instead_takes_nothing_back(tmp_path: Path) -> None:
    match = to_roll(tmp_path)
    match.white.taps(Act.TAKE_BACK)
    exchange(match)
    match.wire.cut = True
    match.black.session.answer(yes=True)
    match.white.presses()
    exchange(match)
    match.wire.cut = False
    exchange(match, 40)
    assert '"decided": "roll"' in match.white.record[-1]
    agrees(match)


def test_what_cannot_be_done_alone_waits_in_one_line_and_goes_on_by_itself(tmp_path: Path) -> None:
    match = to_roll(tmp_path)
    place = len(match.white.record)
    match.wire.cut = True
    match.white.presses()
    exchange(match, 20)
    waits = "Waiting for town-2; the match resumes by itself"
    assert match.white.session.trouble == waits
    assert (match.white.view.message, len(match.white.record)) == ("Ann rolls", place)
    for press in Press:
        match.white.presses(press)
    match.white.taps(Act.RESIGN, points=1)
    assert len(match.white.record) == place, "who has asked for his dice does nothing else"
    match.white.killed()
    assert match.white.view.awaiting_roll, "and a restart is no way out"
    match.wire.cut = False
    exchange(match, 60)
    assert match.white.record == match.black.record
    assert '"decided": "roll"' in match.white.record[place]
    assert match.white.session.trouble is None


def test_a_far_play_is_shown_and_another_one_told_as_wrong(tmp_path: Path) -> None:
    match = to_roll(tmp_path)
    black = match.black
    match.until(lambda: black.view.chosen is not None and len(black.view.to_make) > 0)
    (move, *_), before = black.view.to_make, black.view.accepted
    assert black.view.message.startswith("Ann plays ")
    elsewhere = next(
        spot
        for spot in before
        if spot.number and not before[spot] and spot not in (move.origin, move.target)
    )
    lifted = {**before, move.origin: before[move.origin][:-1]}
    black.shows(lifted)
    black.shows({**lifted, elsewhere: before[move.origin][-1:]})
    black.waits(2500)
    assert black.view.board is BoardState.WRONG
    black.presses()
    assert black.view.chosen is not None
    goes_on(match)


def test_nobody_types_dice_in_a_linked_match(tmp_path: Path) -> None:
    match = to_roll(tmp_path)
    place = len(match.white.record)
    match.white.does(Rolled(match.white.later(), Roll.of(6), Side.WHITE, RollSource.TYPED))
    assert len(match.white.record) == place


def test_a_journal_that_cannot_be_written_sends_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = to_roll(tmp_path)
    place = len(match.black.record)

    def full() -> None:
        raise JournalError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(match.white.journal, "commit", full)
        match.white.presses(Press.LONG)
        exchange(match)
        assert match.white.session.unkept
        assert len(match.black.record) == place
    match.white.presses()
    goes_on(match)


def test_letters_that_cannot_be_kept_are_not_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = to_roll(tmp_path)

    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    place = len(match.black.record)
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        match.white.presses()
        exchange(match)
    assert "No space left" in (match.white.session.trouble or "")
    assert len(match.black.record) == place
    goes_on(match)


def test_letters_cut_short_by_a_power_cut_were_never_sent(tmp_path: Path) -> None:
    match = to_roll(tmp_path)
    path = match.white.folder / f"{LINK}.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"wrote": {"is": "reve')
    match.white.killed()
    assert path.read_bytes().startswith(whole)
    goes_on(match)
    path.write_bytes(whole.replace(b'"wrote"', b'"wr0te"', 1))
    with pytest.raises(CorrespondenceError, match=r"jsonl, line 2: "):
        match.white.killed()


def test_the_last_play_reaches_the_other_board_from_the_next_start_too(tmp_path: Path) -> None:
    match = LinkedMatch(tmp_path, "nannon", 1)

    def over() -> list[LinkedBoard]:
        boards = match.boards.values()
        return [board for board in boards if board.view.phase is Phase.MATCH_OVER]

    deliver = match.wire.deliver

    def cut_at_the_end(boards: object) -> None:
        match.wire.cut = bool(over())
        deliver(match.boards)

    match.wire.deliver = cut_at_the_end  # type: ignore[method-assign]
    match.until(lambda: bool(over()))
    (winner,) = over()
    other = match.boards[winner.near.other]
    match.wire.cut, match.wire.deliver = False, deliver  # type: ignore[method-assign]
    again = Linking(
        winner.folder,
        NAMES[winner.near],
        lambda _, message: other.far.hear(read_letter(message)),
        GAMES,
        begun=frozenset({LINK}),
        last=LINK,
    )
    for number in range(200):
        assert again.wishes(ms(1000 * number)) == ()
        other.acts()
        for _, message in match.wire._on_the_way:
            again.hear(NAMES[other.near], message)
        match.wire._on_the_way.clear()
    assert other.view.phase is Phase.MATCH_OVER
    assert other.record == winner.record
    assert again.question is None
    assert again.notices == ()


class PutClock:
    """Stands for the module `time`: what the wall says, and how long the system runs."""

    def __init__(self) -> None:
        self.wall, self.runs = time.time(), 1000.0

    def time(self) -> float:
        return self.wall

    def monotonic(self) -> float:
        return self.runs

    def passes(self, seconds: float) -> None:
        self.wall += seconds
        self.runs += seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> PutClock:
    clock = PutClock()
    monkeypatch.setattr(far_player, "time", clock)
    return clock


DAY = 86_400


def test_after_a_day_of_silence_a_match_is_closed_and_both_say_who_was_to_act(
    tmp_path: Path, clock: PutClock
) -> None:
    match = to_roll(tmp_path, Side.BLACK)
    white = match.white
    assert not white.far.can_close
    match.wire.cut = True
    clock.passes(DAY)
    assert white.far.can_close
    white.killed()
    assert not white.far.can_close, "the other board may be on, and was not heard yet"
    clock.passes(130)
    assert white.far.can_close, "a restart is no letter"
    white.far.close()
    assert not white.far.can_close
    match.wire.cut = False
    exchange(match)
    said = "Match closed after a day of silence, with black to act"
    assert [board.session.trouble for board in match.boards.values()] == [said, said]
    assert match.white.record == match.black.record


def test_a_clock_that_is_put_right_is_no_silence(tmp_path: Path, clock: PutClock) -> None:
    """A board without a clock of its own starts years behind, until the network tells the time."""
    match = to_roll(tmp_path)
    clock.wall += 50 * 366 * DAY
    assert not match.white.far.can_close, "there was a letter just now"
    match.white.killed()
    os.utime(match.white.letters.path, (1000, 1000))
    clock.wall += 366 * DAY
    clock.passes(DAY - 10)
    assert not match.white.far.can_close, "nobody knows when the last letter was"
    clock.passes(20)
    assert match.white.far.can_close, "a day of this run is one by any clock"


def test_a_letter_of_the_future_does_not_keep_a_match_open(tmp_path: Path, clock: PutClock) -> None:
    """The clock was years ahead when it was written."""
    match = to_roll(tmp_path)
    path = match.white.letters.path
    os.utime(path, (clock.wall + 20 * 366 * DAY,) * 2)
    match.white.killed()
    clock.passes(DAY - 10)
    assert not match.white.far.can_close
    clock.passes(20)
    assert match.white.far.can_close
