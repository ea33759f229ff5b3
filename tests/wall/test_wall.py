"""Messages are delayed, shown in order, and never harm."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from club_night import ToldMatch, told_match
from known import GAMES, load_board
from linked_boards import LinkedMatch

from pi_app.base.identifiers import MatchKey, board_name
from pi_app.base.microseconds import Us
from pi_app.club.friends import Friend
from pi_app.club.linked.meeting import MeetingRole, pact_of
from pi_app.club.records import SEALED, Presence, Record, RecordId, Summary
from pi_app.games.all import ALL
from pi_app.languages import load_language
from pi_app.referee.events import FarSeat
from pi_app.referee.lines import write_decision, write_event
from pi_app.rules.terms import Side
from pi_app.screen import theme
from pi_app.screen.canvas import Box, Disc, Rect
from pi_app.screen.svg import svg
from pi_app.screen.theme import Theme
from pi_app.wall.pictures import Gallery
from pi_app.wall.standing import StandError, Teller
from pi_app.wall.wall import LONGEST_DELAY, Spotlit, Wall

NOW, MINUTE = Us(1_000_000), Us(60_000_000)


@pytest.fixture
def teller() -> Teller:
    return Teller(ALL, Gallery(ALL, load_board))


@pytest.fixture
def match() -> ToldMatch:
    return told_match("table-1", "backgammon")


def shown(wall: Wall, match: ToldMatch) -> Spotlit:
    place = wall.place(match.board)
    assert place
    return place


def sequence(wall: Wall, match: ToldMatch) -> int | None:
    place = wall.place(match.board)
    return place.stand.sequence if place and place.stand else None


def after(us: int) -> Us:
    return Us(NOW + us)


def test_records_go_on_from_a_summary_and_neither_ever_goes_back(
    teller: Teller, match: ToldMatch
) -> None:
    wall = Wall(teller)
    for news in (match.record(1), match.summary(4), match.record(5), match.summary(3)):
        wall.hear(news, NOW)
    assert wall.show(NOW) == {match.board}
    assert sequence(wall, match) == 5
    wall.hear(match.summary(5, warning="Clear 4"), after(7))
    wall.show(after(7))
    place = shown(wall, match)
    assert place.stand
    assert place.stand.warning == "Clear 4"
    assert place.since == NOW, "a warning is no decision: the clock goes on"


def test_nothing_is_shown_before_its_time(teller: Teller, match: ToldMatch) -> None:
    wall = Wall(teller, MINUTE)
    wall.hear(match.summary(3), NOW)
    wall.hear(match.record(4), after(5))
    assert wall.due == NOW + MINUTE
    assert wall.show(Us(NOW + MINUTE - 1)) == frozenset()
    assert wall.boards == ()
    wall.show(Us(NOW + MINUTE))
    assert sequence(wall, match) == 3
    wall.show(Us(NOW + MINUTE + 5))
    assert sequence(wall, match) == 4


def test_how_long_the_clock_of_what_the_archive_had_ran_nobody_knows(
    teller: Teller, match: ToldMatch
) -> None:
    wall = Wall(teller, MINUTE)
    wall.found([match.summary(9)], NOW)
    assert wall.show(after(5)) == frozenset()
    wall.show(Us(NOW + MINUTE))
    assert shown(wall, match).since is None


def test_the_operator_changes_the_delay(teller: Teller, match: ToldMatch) -> None:
    wall = Wall(teller, MINUTE)
    wall.hear(match.summary(3), NOW)
    wall.hold_back(Us(0))
    wall.show(NOW)
    assert sequence(wall, match) == 3
    wall.hold_back(Us(LONGEST_DELAY * 9))
    assert wall.delay == LONGEST_DELAY
    wall.hear(match.summary(4), NOW)
    wall.show(Us(NOW + MINUTE))
    assert sequence(wall, match) == 3, "what was shown stays"


def test_a_board_goes_and_comes_and_begins_anew(teller: Teller, match: ToldMatch) -> None:
    wall = Wall(teller)
    anew = replace(match, match=MatchKey("2@later"))
    for news in (match.summary(8), Presence(match.board, False)):
        wall.hear(news, NOW)
    wall.show(NOW)
    assert not shown(wall, match).here
    for told in (anew.summary(0), match.record(9), Presence(match.board, True)):
        wall.hear(told, NOW)
    wall.show(NOW)
    place = shown(wall, match)
    assert (place.here, place.match, sequence(wall, match)) == (True, anew.match, 0)


def test_boards_are_sorted_as_people_count(teller: Teller) -> None:
    wall = Wall(teller)
    for name in ("table-10", "table-9", "a", "table-1"):
        wall.hear(told_match(name, "nannon").summary(0), NOW)
    wall.show(NOW)
    assert wall.boards == ("a", "table-1", "table-9", "table-10")


BAD: dict[str, Callable[[ToldMatch], Summary | Record]] = {
    "no json": lambda match: Summary(match.summary(3).id, "{", None),
    "no start": lambda match: Summary(match.summary(3).id, '{"ms": 0, "event": "tick"}', None),
    "another game": lambda match: replace(
        match.summary(3), start=match.start.replace("backgammon", "chess")
    ),
    "a list": lambda match: replace(match.summary(3), decision="[]"),
    "deep": lambda match: replace(match.summary(3), decision="[" * 60_000),
    "huge": lambda match: replace(match.summary(3), decision='{"ms": 1e999}'),
    "a position of another game": lambda match: replace(
        match.summary(3),
        decision=match.lines[2].replace('"position": "', '"position": "zz'),
    ),
    "a lone half of a letter": lambda match: replace(match.summary(3), decision='"\\ud800"'),
}


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD)
def test_what_cannot_be_shown_is_counted_and_the_board_stays(
    teller: Teller, match: ToldMatch, bad: Callable[[ToldMatch], Summary]
) -> None:
    wall = Wall(teller)
    wall.hear(bad(match), NOW)
    wall.show(NOW)
    assert wall.refused == 1
    assert shown(wall, match).trouble
    wall.hear(match.summary(4), NOW)
    wall.show(NOW)
    assert shown(wall, match).trouble is None


def test_a_seal_is_no_decision(teller: Teller, match: ToldMatch) -> None:
    wall = Wall(teller)
    wall.hear(match.summary(4), NOW)
    wall.hear(Record(RecordId(match.board, match.match, SEALED + 4), "{}"), NOW)
    wall.hear(match.record(5), NOW)
    wall.show(NOW)
    assert sequence(wall, match) == 5
    assert not wall.refused


@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_told_and_retold(teller: Teller, game: str) -> None:
    match = told_match("table-1", game)
    stand, english, german = None, load_language("en"), load_language("de")
    for number in range(len(match.lines) + 1):
        stand = teller.stand(match.summary(number), stand)
        page = teller.page(stand, english)
        assert page["told"], number
        assert page["players"] == ["Ada", "Ben"]
        assert re.fullmatch(r"[\w .,:;?!'’-]+", str(page["said"])), page["said"]
    assert stand
    assert teller.page(stand, german)["told"] != page["told"]
    replayed = teller.replay(match.records(), english)
    steps = replayed["steps"]
    assert isinstance(steps, list)
    assert len(steps) > 5
    assert steps[-1]["score"] == page["score"]


def test_a_replay_ends_where_a_record_is_missing(teller: Teller, match: ToldMatch) -> None:
    records = list(match.records())
    language = load_language("en")
    whole, cut = (
        teller.replay(some, language)["steps"] for some in (records, records[:20] + records[21:])
    )
    assert isinstance(whole, list)
    assert isinstance(cut, list)
    assert whole[: len(cut) - 1] == cut[:-1]
    assert len(cut) < len(whole)
    with pytest.raises(StandError, match="start"):
        teller.replay(records[1:], language)


def test_a_board_file_of_a_boards_own_is_never_opened(teller: Teller, match: ToldMatch) -> None:
    told = replace(match.summary(3), start=match.start.replace("tables-24", "/etc/passwd.toml"))
    assert "/etc/passwd.toml" in told.start
    assert teller.stand(told, None).start.board == "tables-24"


CLOCK = (
    '"clock": {"white": {"left": 61000.5, "spent": 5000},'
    ' "black": {"left": 9000, "overtime": true}, "holder": "white"}'
)


def test_the_clock_of_a_line_is_told(teller: Teller, match: ToldMatch) -> None:
    line = match.lines[5].removesuffix("}") + f", {CLOCK}}}"
    start = json.loads(match.start)
    start["options"] |= {"clock": "delay", "turn_s": 8}
    summary = replace(match.summary(6), start=json.dumps(start), decision=line)
    stand = teller.stand(summary, None)
    told = teller.page(stand, load_language("en"))["clock"]
    assert isinstance(told, dict)
    assert told["left"] == [61000, 9000]
    assert told["overtime"] == [False, True]
    assert told["holder"] == "white"
    assert told["free"] == 3000, "of this match's eight seconds five are used"


def test_a_picture_has_the_light_of_the_screens() -> None:
    checker = Disc((50, 50), 20, theme.GROUND, light=0.16, lift=3)
    hollow = Box(Rect(10, 20, 100, 40), theme.GROUND, light=-0.07)
    drawn = svg([checker, hollow], Rect(0, 0, 200, 100), Theme.DARK)
    for defined, used in (("light160", 1), ("lightm70", 1), ("lift3", 1)):
        assert drawn.count(f'id="{defined}"') == 1
        assert drawn.count(f"url(#{defined})") == used
    flat = svg([checker, hollow], Rect(0, 0, 200, 100), Theme.CONTRAST)
    assert "url(#" not in flat


def test_in_a_picture_an_edge_lies_inside_its_shape() -> None:
    """SVG itself centres a stroke on the bounds."""
    box = Box(Rect(10, 20, 100, 40), theme.GROUND, 0, theme.EDGE, 4)
    disc = Disc((50, 50), 20, None, theme.EDGE, 4)
    drawn = svg([box, disc], Rect(0, 0, 200, 100), Theme.DARK)
    assert 'x="12" y="22" width="96" height="36"' in drawn
    assert 'cx="50" cy="50" r="18" fill="none"' in drawn


def test_a_page_has_pips_and_its_picture_the_cube(match: ToldMatch) -> None:
    gallery = Gallery(ALL, load_board)
    teller = Teller(ALL, gallery)
    page = teller.page(teller.stand(match.summary(4), None), load_language("en"))
    pips, name = page["pips"], page["picture"]
    assert isinstance(pips, list)
    assert [text.endswith(" pips") for text in pips] == [True, True]
    drawn = gallery.picture(str(name), Theme.DARK, "en")
    assert drawn
    assert ">64<" in gzip.decompress(drawn).decode()


def test_a_game_without_pips_has_none_on_its_page(teller: Teller) -> None:
    cannon = told_match("table-1", "cannon")
    page = teller.page(teller.stand(cannon.summary(2), None), load_language("en"))
    assert page["pips"] == []


def test_the_wall_of_either_board_shows_a_friends_match(teller: Teller, tmp_path: Path) -> None:
    """The players' names and the same position; nothing of the room at which the friends meet."""
    match = LinkedMatch(tmp_path, "nannon", 1, seed="a wall")
    match.until(lambda: all(len(board.record) > 8 for board in match.boards.values()))
    match.until(lambda: match.white.record == match.black.record)
    pages = []
    for side, board in match.boards.items():
        pact = pact_of(bytes(32), MeetingRole.SHOWS if side is Side.WHITE else MeetingRole.READS)
        friend = Friend(pact).board
        seat = FarSeat(side.other, friend, board.seat.link).seat
        start = write_event(replace(board.start, options={**board.start.options, **seat.options}))
        decisions = tuple(map(write_decision, board.journal.decisions(board.number)))
        told = ToldMatch(board_name("table-1"), MatchKey("1@"), start, decisions)
        stand = None
        for sequence in range(len(decisions) + 1):
            stand = teller.stand(told.summary(sequence), stand)
        assert stand
        page = teller.page(stand, load_language("en"))
        assert page["players"] == list(board.start.players)
        assert friend not in json.dumps(page)
        pages.append(page)
    assert pages[0]["told"]
    assert pages[0] == pages[1]
