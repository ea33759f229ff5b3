"""How a linked match begins: invited, accepted or declined, and begun after a power cut too."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from known import GAMES

from pi_app.app.linking import Linking, rematch_of
from pi_app.base.identifiers import BoardName
from pi_app.base.microseconds import Us, ms
from pi_app.club.far_player import Correspondence
from pi_app.club.linked.letters import (
    Invitation,
    LinkLetter,
    Objection,
    Response,
    read_letter,
    write_letter,
)
from pi_app.languages import load_language
from pi_app.referee.events import FarSeat, Start, far_seat_of
from pi_app.referee.lines import write_event
from pi_app.rules.terms import Side
from pi_app.user.commands import Invite, NewMatch

TOWN_1, TOWN_2 = BoardName("town-1"), BoardName("town-2")
OPTIONS: Mapping[str, bool | int | str] = {"cube": True, "commit": "settle"}
WISH = Invite(NewMatch("nannon", ("Ann", "Bea"), 5, OPTIONS), TOWN_2, Side.WHITE)

NO_CLOCK = "a match with another board has no clock, because neither can check the other's time"


class TwoTowns:
    """Two boards of a club, and what is on its way between them."""

    def __init__(
        self,
        folder: Path,
        plays: tuple[str, ...] = ("nannon",),
        inviter_plays: tuple[str, ...] = ("nannon",),
    ) -> None:
        self._folder, self.now = folder, 0
        self._plays = {TOWN_1: inviter_plays, TOWN_2: plays}
        self.on_the_way: list[tuple[BoardName, BoardName, bytes]] = []
        self.linking = {name: self._start(name) for name in (TOWN_1, TOWN_2)}

    def _start(self, own: BoardName) -> Linking:
        def send(to: BoardName, message: bytes) -> None:
            self.on_the_way.append((own, to, message))

        return Linking(self._folder / own, own, send, GAMES.only(self._plays[own]))

    def cut_power(self, own: BoardName) -> None:
        self.linking[own] = self._start(own)

    def pass_on(self, rounds: int = 3) -> dict[BoardName, list[NewMatch]]:
        """Letters arrive; the matches that begin by them."""
        begun: dict[BoardName, list[NewMatch]] = {TOWN_1: [], TOWN_2: []}
        for _ in range(rounds):
            self.now += 2000
            for name, linking in self.linking.items():
                begun[name] += [w for w in linking.wishes(self.us) if isinstance(w, NewMatch)]
            coming, self.on_the_way = self.on_the_way, []
            for sender, to, message in coming:
                if to in self.linking:
                    self.linking[to].hear(sender, message)
        return begun

    @property
    def us(self) -> Us:
        return ms(self.now)


@pytest.fixture
def towns(tmp_path: Path) -> TwoTowns:
    return TwoTowns(tmp_path)


def far_of(match: NewMatch) -> FarSeat:
    start = Start(ms(0), match.game, "", match.match_to, match.players, match.options)
    seat = far_seat_of(start)
    assert seat is not None
    return seat


def test_an_invitation_has_all_terms_and_both_begin_once_it_is_accepted(towns: TwoTowns) -> None:
    one, two = towns.linking[TOWN_1], towns.linking[TOWN_2]
    one.invite(WISH)
    assert towns.pass_on() == {TOWN_1: [], TOWN_2: []}
    assert one.notices == ("Waiting for town-2 to accept the match",)
    assert two.question == (
        "town-1 invites you: nannon, 5 points, Ann – Bea; this board plays black; options: cube"
    )
    two.answer(yes=True)
    begun = towns.pass_on()
    (here,), (there,) = begun[TOWN_1], begun[TOWN_2]
    assert (here.game, here.players, here.match_to) == ("nannon", ("Ann", "Bea"), 5)
    assert here.options["cube"] is there.options["cube"] is True
    assert "commit" not in here.options, "when plays count each board has for itself"
    assert (far_of(here).side, far_of(here).board) == (Side.BLACK, TOWN_2)
    assert (far_of(there).side, far_of(there).board) == (Side.WHITE, TOWN_1)
    assert far_of(here).link == far_of(there).link
    assert towns.pass_on() == {TOWN_1: [], TOWN_2: []}, "it begins once"


CANNON = GAMES["cannon"].write_position(GAMES["cannon"].start(Side.WHITE))
BACKGAMMON = "-b----E-C---eE---c-e----B- w roll=31 score=2-4 cube=2 owner=black game=3"


@pytest.mark.parametrize(
    ("game", "match_to", "origin"),
    [
        ("nannon", 5, "1ww.b.b1 w score=1-2 cube=2 owner=white"),
        ("backgammon", 7, BACKGAMMON),
        ("cannon", 1, CANNON),
    ],
)
def test_a_match_from_a_position_is_asked_and_begins(
    game: str, match_to: int, origin: str, tmp_path: Path
) -> None:
    towns = TwoTowns(tmp_path, plays=(game,), inviter_plays=(game,))
    one, two = towns.linking[TOWN_1], towns.linking[TOWN_2]
    options: dict[str, bool | int | str] = {"position": origin}
    one.invite(Invite(NewMatch(game, ("Ann", "Bea"), match_to, options), TOWN_2, Side.WHITE))
    towns.pass_on()
    assert one.notices == ("Waiting for town-2 to accept the match",)
    assert f"position {origin}" in (two.question or "")
    two.answer(yes=True)
    begun = towns.pass_on()
    assert [match.options["position"] for (match,) in begun.values()] == [origin, origin]


def test_a_match_length_that_does_not_exist_is_not_sent(towns: TwoTowns) -> None:
    wish = NewMatch("nannon", ("Ann", "Bea"), 0, {})
    towns.linking[TOWN_1].invite(Invite(wish, TOWN_2, Side.WHITE))
    assert towns.linking[TOWN_1].notices[0].startswith("town-2 cannot be invited: $.match_to")
    assert towns.on_the_way == []


def test_after_an_outage_the_boards_write_at_once(towns: TwoTowns) -> None:
    """Only one of them lost its connection, and it has nothing new for the other."""
    one, two = towns.linking[TOWN_1], towns.linking[TOWN_2]
    one.invite(WISH)
    towns.pass_on()
    two.answer(yes=True)
    for _ in range(1000):
        two.wishes(towns.us)
        towns.now += 100
    assert len(towns.on_the_way) < 10, "two writes more and more rarely"
    towns.on_the_way.clear()
    two.reconnected()
    two.wishes(towns.us)
    assert [to for _, to, _ in towns.on_the_way] == [TOWN_1]
    towns.on_the_way.clear()
    one.reconnected()
    one.wishes(towns.us)
    ((_, to, message),) = towns.on_the_way
    assert to == TOWN_2
    two.hear(TOWN_1, message)
    towns.on_the_way.clear()
    towns.now += 1000
    two.wishes(towns.us)
    assert [to for _, to, _ in towns.on_the_way] == [TOWN_1], "letters go to whom it hears"


def test_a_declined_invitation_is_told(towns: TwoTowns) -> None:
    towns.linking[TOWN_1].invite(WISH)
    towns.pass_on()
    towns.linking[TOWN_2].answer(yes=False)
    assert towns.pass_on() == {TOWN_1: [], TOWN_2: []}
    assert towns.linking[TOWN_2].question is None
    assert towns.linking[TOWN_1].notices == ("town-2 declines the match Ann – Bea",)


def test_who_lacks_the_board_declines_by_itself(tmp_path: Path) -> None:
    towns = TwoTowns(tmp_path, plays=("cannon",))
    towns.linking[TOWN_1].invite(WISH)
    towns.pass_on()
    assert towns.linking[TOWN_2].question is None
    told = "town-2 declines the match Ann – Bea: no board for nannon here"
    assert towns.linking[TOWN_1].notices == (told,)
    towns.linking[TOWN_2].invite(WISH)
    assert "no board for nannon here" in towns.linking[TOWN_2].notices[0]


@pytest.mark.parametrize("board", ["Town 3", "", "a/#"])
def test_a_board_that_has_no_such_name_is_not_invited(towns: TwoTowns, board: str) -> None:
    towns.linking[TOWN_1].invite(Invite(WISH.match, board, Side.WHITE))
    assert "cannot be invited" in towns.linking[TOWN_1].notices[0]
    assert towns.pass_on() == {TOWN_1: [], TOWN_2: []}


def test_the_power_may_go_at_any_time(towns: TwoTowns) -> None:
    towns.linking[TOWN_1].invite(WISH)
    towns.cut_power(TOWN_1)
    towns.pass_on()
    towns.cut_power(TOWN_2)
    towns.pass_on(30)
    assert "invites you" in (towns.linking[TOWN_2].question or ""), "it is sent again"
    towns.linking[TOWN_2].answer(yes=True)
    towns.cut_power(TOWN_2)
    towns.cut_power(TOWN_1)
    begun = towns.pass_on(6)
    assert [len(begun[name]) for name in (TOWN_1, TOWN_2)] == [1, 1]


NOTHING: Mapping[BoardName, list[NewMatch]] = {TOWN_1: [], TOWN_2: []}


@pytest.mark.parametrize("already", [True, False])
def test_where_a_match_is_played_nobody_is_asked_and_the_inviter_hears_that_it_is_busy(
    already: bool, towns: TwoTowns
) -> None:
    """The same if the match begins while the invitation waits there."""
    one, two = towns.linking[TOWN_1], towns.linking[TOWN_2]
    two.is_busy = already
    one.invite(WISH)
    towns.pass_on()
    two.is_busy = True
    assert towns.pass_on() == NOTHING
    assert (two.question, two.asker, one.inviting) == (None, None, ())
    (told,) = one.notices
    assert told == "town-2 declines the match Ann – Bea: busy with a match"
    german = load_language("de").say(told)
    assert german.endswith("ab: spielt gerade ein Match")
    two.is_busy = False
    assert two.question is None
    one.invite(WISH)
    towns.pass_on()
    assert two.asker == TOWN_1, "whoever asks again later is heard"


def test_the_board_that_one_plays_with_may_ask_for_the_next_match_before_the_last_play_is_made(
    towns: TwoTowns,
) -> None:
    one, two = towns.linking[TOWN_1], towns.linking[TOWN_2]
    seat = FarSeat(Side.WHITE, TOWN_1, "ab12")
    two._far = SimpleNamespace(seat=seat, question=None)  # type: ignore[assignment]
    two.is_busy = True
    one.invite(WISH)
    towns.pass_on()
    assert one.inviting == (TOWN_2,)
    assert two.question is None
    two.is_busy = False
    assert two.asker == TOWN_1


def test_an_invitation_is_withdrawn_and_nobody_waits_any_longer(towns: TwoTowns) -> None:
    one, two = towns.linking[TOWN_1], towns.linking[TOWN_2]
    one.invite(WISH)
    towns.pass_on()
    assert (one.inviting, two.asker) == ((TOWN_2,), TOWN_1)
    one.withdraw()
    assert (one.inviting, one.notices) == ((), ())
    towns.cut_power(TOWN_1)
    assert towns.pass_on(6) == NOTHING, "told over a power cut too"
    assert (two.question, two.asker) == (None, None)
    assert two.notices == ("town-1 withdrew its invitation",)
    two.answer(yes=True)
    assert towns.pass_on() == NOTHING


def test_who_begins_another_match_has_withdrawn_his_invitation(towns: TwoTowns) -> None:
    one, two = towns.linking[TOWN_1], towns.linking[TOWN_2]
    one.invite(WISH)
    towns.pass_on()
    one.is_busy = True
    assert towns.pass_on() == NOTHING
    assert two.question is None


def test_a_yes_that_crosses_the_withdrawal_begins_nothing_at_the_inviter(towns: TwoTowns) -> None:
    one, two = towns.linking[TOWN_1], towns.linking[TOWN_2]
    one.invite(WISH)
    towns.pass_on()
    one.withdraw()
    two.answer(yes=True)
    assert towns.pass_on(6)[TOWN_1] == []
    towns.cut_power(TOWN_1)
    assert towns.pass_on()[TOWN_1] == []


def test_nobody_answers_in_anothers_name(towns: TwoTowns) -> None:
    towns.linking[TOWN_1].invite(WISH)
    towns.pass_on()
    towns.linking[TOWN_2].answer(yes=True)
    towns.linking[TOWN_2].wishes(towns.us)
    coming, towns.on_the_way = towns.on_the_way, []
    for _, to, message in coming:
        towns.linking[to].hear(BoardName("town-3"), message)
    assert towns.linking[TOWN_1].wishes(towns.us) == ()
    assert towns.linking[TOWN_1].notices == ("Waiting for town-2 to accept the match",)


def test_a_rematch_with_another_board_is_an_invitation() -> None:
    seat = FarSeat(Side.BLACK, TOWN_2, "ab12")
    last = Start(
        ms(0), "nannon", "nannon-6", 5, ("Ann", "Bea"), {"cube": True} | dict(seat.seat.options)
    )
    again = rematch_of(last)
    assert again == Invite(
        NewMatch("nannon", ("Ann", "Bea"), 5, {"cube": True}), TOWN_2, Side.WHITE
    )
    alone = Start(ms(0), "nannon", "nannon-6", 5, ("Ann", "Bea"), {"cube": True})
    assert rematch_of(alone) == NewMatch("nannon", ("Ann", "Bea"), 5, {"cube": True})


# A stranger at the door


START_LINE = write_event(Start(ms(0), "nannon", "", 5, ("Eve", "Eve")))


def invitation(link: str, start: str = START_LINE) -> bytes:
    return write_letter(LinkLetter(link, 1, 0, Invitation(start, Side.WHITE, TOWN_1)))


def files_of(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*.jsonl"))


def test_nobody_accepts_his_own_invitation(tmp_path: Path) -> None:
    linking = Linking(tmp_path, TOWN_2, lambda to, message: None, GAMES)
    linking.hear(TOWN_1, invitation("f00d"))
    linking.hear(TOWN_1, write_letter(LinkLetter("f00d", 2, 0, Response(yes=True))))
    for second in range(5):
        assert linking.wishes(ms(1000 * second)) == ()
    assert "town-1 invites you" in (linking.question or "")


def test_nobody_who_invited_accepts_for_the_other_board(tmp_path: Path) -> None:
    """A file of an earlier Spotter may have such an answer already."""
    file = tmp_path / "f00d.jsonl"
    letters = Correspondence.begin(file, "f00d", TOWN_1, lambda _: None, bytes(32))
    letters.post.take(LinkLetter("f00d", 1, 0, Invitation(START_LINE, Side.WHITE, TOWN_1)))
    letters.post.take(LinkLetter("f00d", 2, 0, Response(yes=True)))
    assert letters.next()
    assert letters.next()
    linking = Linking(tmp_path, TOWN_2, lambda to, message: None, GAMES)
    assert linking.wishes(ms(0)) == ()
    assert files_of(tmp_path) == [], "it was neither accepted here nor invited from here"


def test_nobody_accepts_his_own_invitation_while_a_match_is_played_here(tmp_path: Path) -> None:
    linking = Linking(tmp_path, TOWN_2, lambda to, message: None, GAMES)
    linking.is_busy = True
    linking.hear(TOWN_1, invitation("f00d"))
    linking.hear(TOWN_1, write_letter(LinkLetter("f00d", 2, 0, Response(yes=True))))
    assert linking.wishes(ms(0)) == ()
    linking.is_busy = False
    assert linking.wishes(ms(1000)) == ()
    assert linking.question is None, "it was told that a match is being played"


@pytest.mark.parametrize("link", ["", "f" * 33, "f" * 300, "f" * 5000, "..", "a/b", "x", "٣", "F"])
def test_a_link_has_a_form_and_a_longest_length(tmp_path: Path, link: str) -> None:
    (tmp_path / "links").mkdir()
    linking = Linking(tmp_path / "links", TOWN_2, lambda to, message: None, GAMES)
    linking.hear(TOWN_1, invitation(link))
    assert linking.wishes(ms(0)) == ()
    assert linking.question is None
    assert "Ignored a message from town-1: $.link" in linking.notices[0]


NO_REFEREE_ACCEPTS = [
    ("nannon", 5, {"clock": "delay", "turn_s": 12, "reserve_s": 120}, "has no clock"),
    ("nannon", 5, {"policy": "responsible moves"}, "has no responsible moves"),
    ("nannon", 5, {"no such option": True}, "no such option"),
    ("nannon", 5, {"cube": "yes"}, "options.cube"),
    ("nannon", 5, {"turn_s": 12}, "options.turn_s goes with a clock"),
    ("nannon", 5, {"position": "nonsense"}, "options.position is wrong"),
    ("nannon", 0, {}, "match_to"),
    ("nannon", 5, {"jacoby": True}, "options.jacoby is true"),
    ("backgammon", None, {"beavers": True, "jacoby": True}, "no word for it"),
    ("ludo", 5, {}, "no board for ludo here"),
]


@pytest.mark.parametrize(("game", "to", "options", "why"), NO_REFEREE_ACCEPTS)
def test_an_invitation_that_no_referee_accepts_is_not_sent(
    tmp_path: Path, game: str, to: int | None, options: dict[str, Any], why: str
) -> None:
    sent: list[bytes] = []
    linking = Linking(tmp_path, TOWN_1, lambda to, message: sent.append(message), GAMES)
    linking.invite(Invite(NewMatch(game, ("Ann", "Bea"), to, options), TOWN_2, Side.WHITE))
    (notice,) = linking.notices
    assert notice.startswith("town-2 cannot be invited: ")
    assert why in notice
    assert linking.wishes(ms(2000)) == ()
    assert (sent, linking.inviting, files_of(tmp_path)) == ([], (), [])


@pytest.mark.parametrize(("game", "to", "options", "why"), NO_REFEREE_ACCEPTS)
def test_an_invitation_that_no_referee_accepts_is_declined_by_itself(
    tmp_path: Path, game: str, to: int | None, options: dict[str, Any], why: str
) -> None:
    sent: list[bytes] = []
    linking = Linking(tmp_path, TOWN_2, lambda to, message: sent.append(message), GAMES)
    start = Start(ms(0), game, "", to, ("Ann", "Bea"), options)
    linking.hear(TOWN_1, invitation("f00d", write_event(start)))
    assert linking.wishes(ms(0)) == ()
    assert linking.question is None
    (answer,) = sent
    body = read_letter(answer).body
    assert isinstance(body, Response)
    assert not body.yes
    assert why in body.why
    assert files_of(tmp_path) == []


@pytest.mark.parametrize("own", [TOWN_1, TOWN_2])
def test_a_match_agreed_on_that_no_referee_begins_is_closed_for_good(
    tmp_path: Path, own: BoardName
) -> None:
    """An earlier Spotter may have accepted it."""
    other = TOWN_2 if own == TOWN_1 else TOWN_1
    start = Start(ms(0), "nannon", "", 5, ("Ann", "Bea"), {"clock": "delay"})
    invited = Invitation(write_event(start), Side.WHITE, TOWN_1)
    letters = Correspondence.begin(
        tmp_path / "f00d.jsonl", "f00d", other, lambda _: None, bytes(32)
    )
    if own == TOWN_1:
        assert letters.write(invited)
        letters.post.take(LinkLetter("f00d", 1, 1, Response(yes=True)))
        assert letters.next()
    else:
        letters.post.take(LinkLetter("f00d", 1, 0, invited))
        assert letters.next()
        assert letters.write(Response(yes=True))
    sent: list[bytes] = []
    linking = Linking(tmp_path, own, lambda to, message: sent.append(message), GAMES)
    assert linking.wishes(ms(0)) == ()
    assert linking.notices == (f"The match with {other} cannot begin: {NO_CLOCK}",)
    assert read_letter(sent[-1]) == LinkLetter("f00d", 2, 0, Objection(NO_CLOCK))
    assert files_of(tmp_path) == []
    assert Linking(tmp_path, own, lambda to, message: None, GAMES).notices == ()


def test_a_flood_of_invitations_leaves_nothing_behind(tmp_path: Path) -> None:
    sent: list[bytes] = []
    linking = Linking(tmp_path, TOWN_2, lambda to, message: sent.append(message), GAMES)
    for number in range(1500):
        linking.hear(TOWN_1, invitation(f"{number:x}"))
        if not number % 100:
            linking.wishes(ms(number))
    assert linking.wishes(ms(2000)) == ()
    assert files_of(tmp_path) == []
    assert sent == []
    assert linking.question is not None
    linking.wishes(ms(2000 + 75_000))
    assert linking.question is None, "what is not repeated is forgotten"


def test_a_board_that_asks_and_asks_keeps_nobody_else_out(towns: TwoTowns) -> None:
    two = towns.linking[TOWN_2]
    two.hear(BoardName("eve"), invitation("e1"))
    towns.linking[TOWN_1].invite(WISH)
    towns.pass_on()
    assert "eve invites you" in (two.question or "")
    two.answer(yes=False)
    two.hear(BoardName("eve"), invitation("e2"))
    towns.pass_on(1)
    assert "town-1 invites you" in (two.question or ""), "one after the other"
    two.answer(yes=True)
    begun = towns.pass_on()
    assert [len(begun[name]) for name in (TOWN_1, TOWN_2)] == [1, 1]
    assert "eve invites you" in (two.question or ""), "who was declined may ask again"
    two.answer(yes=False)
    two.hear(BoardName("eve"), invitation("e3"))
    towns.pass_on()
    assert two.question is None, "but who asks and asks waits"
    towns.now += 75_000
    two.hear(BoardName("eve"), invitation("e3"))
    towns.pass_on(1)
    assert "eve invites you" in (two.question or "")


def test_an_invitation_that_nobody_answers_is_withdrawn(towns: TwoTowns, tmp_path: Path) -> None:
    one, two = towns.linking[TOWN_1], towns.linking[TOWN_2]
    one.invite(WISH)
    towns.pass_on()
    assert len(files_of(tmp_path)) == 1
    towns.now += 900_000
    towns.pass_on()
    assert one.notices == ("town-2 did not answer; invitation withdrawn",)
    assert two.question is None
    assert files_of(tmp_path) == []


def test_another_invitation_to_the_same_board_takes_the_firsts_place(
    towns: TwoTowns, tmp_path: Path
) -> None:
    one, two = towns.linking[TOWN_1], towns.linking[TOWN_2]
    one.invite(WISH)
    towns.pass_on()
    one.invite(Invite(NewMatch("nannon", ("Ann", "Bea"), 7, OPTIONS), TOWN_2, Side.WHITE))
    towns.pass_on()
    assert "7 points" in (two.question or "")
    assert len(one.notices) == len(files_of(tmp_path)) == 1


def test_who_accepts_what_was_withdrawn_is_told(towns: TwoTowns) -> None:
    one, two = towns.linking[TOWN_1], towns.linking[TOWN_2]
    one.invite(WISH)
    towns.pass_on()
    two.answer(yes=True)
    towns.now += 900_000
    assert one.wishes(towns.us) == ()
    towns.on_the_way.clear()
    two.wishes(towns.us)
    told = [message for _, _, message in towns.on_the_way]
    towns.on_the_way.clear()
    for message in told:
        one.hear(TOWN_2, message)
    one.wishes(towns.us)
    ((_, _, answer),) = towns.on_the_way
    assert read_letter(answer).body == Objection("the invitation was withdrawn before")


@pytest.mark.parametrize(
    "options",
    [
        {"cube": "x" * 100},
        {"x" * 100: True},
        {"cube": [1]},
        {"cube": {"a": 1}},
        {"cube": 1.5},
        {"cube": "\u202e"},
        {f"option {number}": True for number in range(40)},
    ],
)
def test_terms_that_cannot_be_shown_are_declined(tmp_path: Path, options: dict[str, Any]) -> None:
    sent: list[bytes] = []
    linking = Linking(tmp_path, TOWN_2, lambda to, message: sent.append(message), GAMES)
    start = Start(ms(0), "nannon", "", 5, ("Eve", "Eve"), options)
    linking.hear(TOWN_1, invitation("f00d", json.dumps(json.loads(write_event(start)))))
    linking.wishes(ms(0))
    assert linking.question is None
    (answer,) = sent
    body = read_letter(answer).body
    assert isinstance(body, Response)
    assert not body.yes


def test_what_nobody_thought_of_ends_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    linking = Linking(tmp_path, TOWN_2, lambda to, message: None, GAMES)

    def stumble(*_: object) -> None:
        raise ZeroDivisionError("nobody thought of it")

    monkeypatch.setattr("pi_app.club.linked.letters.Invitations.hear", stumble)
    linking.hear(TOWN_1, invitation("f00d"))
    assert linking.wishes(ms(0)) == ()
    assert "ZeroDivisionError: nobody thought of it" in linking.notices[0]


def test_a_letter_too_long_for_any_line_is_neither_stored_nor_sent(tmp_path: Path) -> None:
    sent: list[bytes] = []
    letters = Correspondence.begin(
        tmp_path / "a.jsonl", "a", BoardName("table-2"), sent.append, bytes(32)
    )
    before = letters.path.read_bytes()
    assert not letters.write(Invitation("x" * 16_384, Side.WHITE, BoardName("table-1")))
    assert letters.unkept == "it is too long to be sent"
    letters.carry(Us(0))
    assert (letters.path.read_bytes(), sent) == (before, [])
    assert letters.write(Invitation("x" * 16_000, Side.WHITE, BoardName("table-1")))
    letters.carry(Us(0))
    assert [len(letter) for letter in sent] == [pytest.approx(16_100, abs=200)]
