"""A board that cheats or fails: both boards report it, and nothing is rolled."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from fair_record import UnfairError, check_fair
from linked_boards import LINK, LinkedBoard, LinkedMatch
from shares import some

from pi_app.base.identifiers import BoardName
from pi_app.club.far_player import MOST_AT_ONCE, LetterWay, read_correspondence
from pi_app.club.linked.letters import (
    Commitments,
    CommonEntry,
    Consent,
    Invitation,
    LetterBody,
    LinkLetter,
    Objection,
    Request,
    Response,
    Revelation,
    read_letter,
    write_letter,
)
from pi_app.club.linked.talk import LinkTalk, OwnNumbers
from pi_app.match.acts import Act
from pi_app.match.turns import Phase
from pi_app.referee.effects import Propose
from pi_app.referee.events import FarSeat
from pi_app.rules.terms import Side

Forge = Callable[[LetterBody], LetterBody]


def forging(match: LinkedMatch, forge: Forge) -> None:
    """White's letters are forged from now on, on their way out."""
    put = match.wire._put

    def forged(to: Side, message: bytes) -> None:
        letter = read_letter(message)
        if to is Side.BLACK and letter.body is not None:
            letter = replace(letter, body=forge(letter.body))
        put(to, write_letter(letter))

    match.wire._put = forged  # type: ignore[method-assign]


def in_play(tmp_path: Path) -> LinkedMatch:
    """Some turns were played, and White is to roll."""
    match = LinkedMatch(tmp_path, "nannon", 5, seed="3")
    match.until(
        lambda: (
            len(match.white.record) > 8
            and all(
                (b.view.phase, b.view.to_act, b.view.awaiting_roll)
                == (Phase.TO_ROLL, Side.WHITE, False)
                for b in match.boards.values()
            )
        )
    )
    return match


def other_number(body: LetterBody) -> LetterBody:
    return replace(body, number="0" * 64) if isinstance(body, Revelation) else body


def other_dice(body: LetterBody) -> LetterBody:
    if not isinstance(body, CommonEntry) or '"decided": "roll"' not in body.line:
        return body
    die = next(die for die in "123456" if f'"dice": "{die}"' in body.line)
    better = "6" if die != "6" else "5"
    return replace(body, line=body.line.replace(f'"{die}"', f'"{better}"'))


def other_score(body: LetterBody) -> LetterBody:
    if not isinstance(body, CommonEntry):
        return body
    return replace(body, line=body.line.replace('"white": 0', '"white": 4'))


def other_chain(body: LetterBody) -> LetterBody:
    return replace(body, chain="0" * 64) if isinstance(body, CommonEntry) else body


def nonsense(body: LetterBody) -> LetterBody:
    return replace(body, line='{"decided": "roll"}') if isinstance(body, CommonEntry) else body


@pytest.mark.parametrize(
    ("forge", "said", "rolls"),
    [
        (other_number, "town-1 broke its commitment", False),
        (other_dice, "town-1 reports", False),
        (other_score, "Records differ from", True),
        (other_chain, "Records differ from", True),
        (nonsense, "cannot be read: ", False),
    ],
)
def test_what_does_not_fit_ends_the_link_and_is_told_on_both(
    forge: Forge, said: str, rolls: bool, tmp_path: Path
) -> None:
    match = in_play(tmp_path)
    before = len(match.black.record)
    forging(match, forge)
    match.white.presses()
    match.steps(6)
    assert said in (match.black.session.trouble or "")
    assert said in (match.white.session.trouble or ""), "the other board is told why"
    assert (len(match.black.record) > before) is rolls
    match.black.killed()
    assert said in (match.black.session.trouble or ""), "after a restart too"


def test_a_board_that_says_it_rolled_alone_is_told(tmp_path: Path) -> None:
    match = in_play(tmp_path)
    black, before = match.black, len(match.black.record)
    black.far.talk.read(CommonEntry(black.far.talk.place, _rolled_six(black.record[-1]), "0" * 64))
    black.waits()
    assert "rolled without this board" in (black.session.trouble or "")
    assert len(black.record) == before


def _rolled_six(last: str) -> str:
    fields = json.loads(last)
    kept = {
        key: fields[key]
        for key in ("position", "game", "score", "cube", "crawford")
        if key in fields
    }
    told = {"decided": "roll", "by": "white", "dice": "6", "phase": "moving", "to_act": "white"}
    return json.dumps({**told, "roll": "6", **kept})


def test_who_knows_his_dice_rolls_them(tmp_path: Path) -> None:
    match = in_play(tmp_path)
    match.white.presses()
    match.wire.deliver(match.boards)
    black = match.black
    black.waits()
    assert black.far.talk.to_write() is None, "Black has revealed its number"
    place = black.far.talk.place
    doubled = _rolled_six(black.record[-1]).replace('"roll", "by"', '"double", "by"', 1)
    doubled = doubled.replace(', "dice": "6"', "").replace(', "roll": "6"', "")
    black.far.talk.read(CommonEntry(place, doubled, "0" * 64))
    black.waits()
    assert "knew its roll and did something else" in (black.session.trouble or "")


def test_a_takeback_that_nobody_agreed_to_is_told(tmp_path: Path) -> None:
    match = in_play(tmp_path)
    white, black = match.white, match.black
    before = black.record
    white.far.learn([Propose(Act.TAKE_BACK, 1)])
    white.far.talk._consented = white.far.talk.asking
    white.waits()
    match.steps(3)
    assert "needed your consent" in (black.session.trouble or "")
    assert black.record == before


def test_everything_can_be_checked_afterwards(tmp_path: Path) -> None:
    match = LinkedMatch(tmp_path, "nannon", 1, trouble=0.2)
    match.play()
    for board in match.boards.values():
        kept = read_correspondence(board.folder / f"{LINK}.jsonl")
        letters = [(way is LetterWay.WROTE, body) for way, body in kept.letters]
        throws = check_fair(LINK, board.near, letters, board.record)
        rolled = [line for line in board.record if '"roll"' in line[:20] or "opening" in line[:30]]
        fresh = [line for line in rolled if '"again"' not in line]
        assert len(throws) == len(fresh) > 3
        place = throws[-1].place
        forged = board.record[place].replace('"dice": "', '"dice": "7')
        with pytest.raises(UnfairError, match=f"decision {place + 1}: "):
            check_fair(LINK, board.near, letters, (*board.record[:place], forged))
        others = [
            (own, replace(body, number="1" * 64) if isinstance(body, Revelation) else body)
            for own, body in letters
        ]
        with pytest.raises(UnfairError, match="had not committed to"):
            check_fair(LINK, board.near, others, board.record)


def is_fair(board: LinkedBoard) -> bool:
    kept = read_correspondence(board.folder / f"{LINK}.jsonl")
    letters = [(way is LetterWay.WROTE, body) for way, body in kept.letters]
    try:
        return len(check_fair(LINK, board.near, letters, board.record)) > 3
    except UnfairError:
        return False


def test_what_is_revealed_again_for_another_decision_is_told_and_changes_nothing(
    tmp_path: Path,
) -> None:
    match = in_play(tmp_path)
    white, black = match.white, match.black
    assert is_fair(black)
    old = next(body for _, body in white.letters.letters if isinstance(body, Revelation))
    white.letters.write(replace(old, place=old.place + 500))
    match.steps(6)
    assert "used its number for roll 1 twice" in (black.session.trouble or "")
    assert is_fair(black)


def test_what_is_committed_to_again_changes_nothing_afterwards(tmp_path: Path) -> None:
    match = in_play(tmp_path)
    match.white.letters.write(Commitments(0, ("0" * 64,) * 16))
    match.steps(6)
    assert "out of order" in (match.black.session.trouble or "")
    assert is_fair(match.black)


ENDLESS: list[Callable[[int], LetterBody]] = [
    lambda number: Commitments(16 + 64 * number, ("0" * 64,) * 64),
    lambda number: CommonEntry(1000 + number, "{}", "0" * 64),
    lambda number: Request(number, Act.TAKE_BACK, 1, "x" * 1000),
    lambda number: Consent(number, False),
    lambda number: Response(False, "x" * 1000),
    lambda number: Invitation("x" * 1000, Side.WHITE, BoardName("town-1")),
    lambda number: Objection("x" * 1000),
]


@pytest.mark.parametrize("body", some(ENDLESS, 2))
def test_letters_without_end_are_not_kept_without_end(
    body: Callable[[int], LetterBody], tmp_path: Path
) -> None:
    match = in_play(tmp_path)
    black = match.black
    first = black.letters.post.got + 1
    written = 0
    for number in range(3000):
        black.far.hear(LinkLetter(LINK, first + number, 0, body(number)))
        before = len(black.letters.letters)
        black.waits(50)
        written = max(written, len(black.letters.letters) - before)
    assert written <= MOST_AT_ONCE + 2, "the loop waits for the disk that often"
    assert len(black.letters.letters) < 1400
    assert black.session.trouble
    assert black.view.board


def test_a_letter_that_nobody_thought_of_ends_the_link_and_not_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = in_play(tmp_path)

    def stumble(*_: object) -> None:
        raise ZeroDivisionError("nobody thought of it")

    monkeypatch.setattr("pi_app.club.linked.talk.LinkTalk._read_entry", stumble)
    match.white.presses()
    match.steps(6)
    assert "ZeroDivisionError: nobody thought of it" in (match.black.session.trouble or "")
    match.black.killed()
    assert "ZeroDivisionError: nobody thought of it" in (match.black.session.trouble or "")


def test_who_is_told_of_an_objection_does_not_tell_it_back() -> None:
    numbers = OwnNumbers(bytes(32), "f00d", Side.WHITE)
    talk = LinkTalk(FarSeat(Side.BLACK, "town-2", "f00d"), numbers, 2, "town-2")
    assert talk.to_write() is not None
    talk.read(Objection("no"))
    assert talk.objection == "no"
    assert talk.to_write() is None
