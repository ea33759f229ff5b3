"""All of a player's analysed matches together."""

from __future__ import annotations

from pi_app.coach.report import UNDATED, reports
from pi_app.coach.study import ErrorKind, OfKind, Rating
from pi_app.players.contract import Unit


def rating(match: int, began: str, against: str, equity: float, **more: str) -> Rating:
    kinds = (
        OfKind(ErrorKind.PLAY, 30, 1, 1, 1, equity / 2, equity / 2),
        OfKind(ErrorKind.DOUBLE, 20, 0, 1, 0, equity / 2, equity / 2),
    )
    return Rating(
        *(Unit.POINTS, 50, 1, 2, 1, equity, None, equity, kinds),
        match=match,
        began=began,
        game=more.get("game", "backgammon"),
        name=more.get("name", "Ann"),
        against=against,
        judge="gnubg-2",
        exact=False,
    )


SOME = (
    rating(1, "2019-05-04 12:00", "Ben", 1.0),
    rating(2, "2019-05-30 12:00", "Cid", 0.2),
    rating(3, "2018-12-01 12:00", "Ben", 0.3),
    rating(4, "date unknown", "Ben", 0.5),
    rating(5, "2019-05-04 12:00", "Ann", 9.0, name="Ben"),
    rating(6, "2019-05-04 12:00", "Ben", 0.1, game="nannon"),
)


def test_a_report_counts_by_month_kind_and_opponent() -> None:
    gammon, nannon = reports(SOME, "Ann")
    assert (gammon.game, nannon.game) == ("backgammon", "nannon")
    assert (gammon.total.matches, gammon.total.decisions, gammon.total.blunders) == (4, 200, 4)
    assert gammon.total.rating is not None
    assert abs(gammon.total.rating - 500 * 2.0 / 200) < 1e-9
    months = {row.name: (row.matches, row.rating) for row in gammon.months}
    assert list(months) == ["2018-12", "2019-05", UNDATED]
    assert months["2019-05"][0] == 2
    assert abs((months["2019-05"][1] or 0) - 500 * 1.2 / 100) < 1e-9
    assert [(row.name, row.matches) for row in gammon.opponents] == [("Ben", 3), ("Cid", 1)]
    kinds = {row.name: (row.decisions, row.errors) for row in gammon.kinds}
    assert kinds == {ErrorKind.PLAY.value: (120, 4), ErrorKind.DOUBLE.value: (80, 4)}


def test_an_unknown_equity_gives_no_rating() -> None:
    unknown = Rating(
        *(Unit.SCORE, 5, 0, 0, 0, 1.0, None, None),
        match=7,
        began="",
        game="backgammon",
        name="Ann",
        against="Ben",
        judge="greedy",
        exact=False,
    )
    (found,) = reports((*SOME[:1], unknown), "Ann")
    assert found.total.rating is None
    assert found.total.matches == 2
    assert list(reports(SOME, "Eva")) == []
