"""The delay buffer is bounded: a board that sends too much loses entries, reported once."""

from __future__ import annotations

from club_night import told_match
from hypothesis import given
from hypothesis import strategies as st
from known import load_board

from pi_app.base.identifiers import board_name
from pi_app.base.microseconds import Us
from pi_app.club.records import News, Presence, Record, RecordId, board_of
from pi_app.games.all import ALL
from pi_app.wall.pictures import Gallery
from pi_app.wall.standing import Teller
from pi_app.wall.wall import EACH, HeldNews, Holding, Wall

HOUR = Us(3_600_000_000)
LINE = "x" * 800
NAMES = ("table-1", "table-2", "table-3")


def record(number: int, board: str = "table-1") -> Record:
    match = told_match(board, "nannon")
    return Record(RecordId(match.board, match.match, number), LINE)


def taken(holding: Holding, until: int) -> list[News]:
    return [held.news for held in holding.take(Us(until))]


def test_one_board_cannot_fill_the_memory_and_its_first_and_newest_stay() -> None:
    holding = Holding(of_board=10 * (EACH + len(LINE)), in_all=1 << 30)
    for number in range(1_000):
        assert holding.put(HeldNews(Us(number), record(number))) is (number < 10)
        assert holding.size <= 11_000
    assert holding.put(HeldNews(Us(2_000), record(0, "table-2"))), "another board has room"
    told = taken(holding, 3_000)
    numbers = [news.id.sequence for news in told if isinstance(news, Record)]
    assert numbers == [*range(9), 999, 0]
    assert holding.size == 0
    assert holding.first is None


def test_whoever_never_stops_is_still_shown() -> None:
    holding = Holding(of_board=0)
    shown = []
    for now in range(100):
        holding.put(HeldNews(Us(now), record(now)))
        shown += taken(holding, now - 10)
    assert len(shown) > 5


@given(
    st.lists(
        st.tuples(st.sampled_from(NAMES), st.integers(0, 3), st.booleans(), st.booleans()),
        max_size=80,
    )
)
def test_all_comes_out_in_the_order_in_which_it_was_told(
    told: list[tuple[str, int, bool, bool]],
) -> None:
    holding, now, put, out = Holding(), 0, list[News](), list[News]()
    for board, pause, is_presence, takes in told:
        now += pause
        news = Presence(board_name(board), True) if is_presence else record(now, board)
        holding.put(HeldNews(Us(now), news))
        put.append(news)
        if takes:
            out += taken(holding, now - 4)
    out += taken(holding, now)
    for name in NAMES:
        assert [one for one in out if board_of(one) == name] == [
            one for one in put if board_of(one) == name
        ]
    assert holding.size == 0


def test_who_tells_too_much_is_named_once() -> None:
    wall = Wall(Teller(ALL, Gallery(ALL, load_board)), HOUR, Holding(of_board=5_000))
    match = told_match("table-1", "backgammon")
    lines = [wall.hear(match.summary(number), Us(number)) for number in range(50)]
    lines += [wall.hear(Presence(match.board, True), Us(number)) for number in range(50, 99)]
    (line,) = filter(None, lines)
    assert "board table-1 tells more than can be held back" in line
    wall.show(Us(HOUR + 100))
    place = wall.place("table-1")
    assert place
    assert place.stand
    assert place.stand.sequence
