"""Stated confidences against what was made: counting, judging, merging, and the report."""

from __future__ import annotations

import json
import random
from html.parser import HTMLParser
from math import sqrt
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as some
from known import load_board
from lab.calibration import (
    UNIT,
    Bin,
    Calibration,
    CalibrationError,
    Claim,
    Z,
    merged,
    name_of,
    nines_of,
    page,
    plot,
    read_run,
)
from lab.figures import Count, Figures
from lab.match_by_hands import MatchByHands, Plan

from pi_app.referee.match import LiveMatch
from pi_app.sensing.noise import PUBLISHED
from pi_app.simulator.reeds import read_faults

NANNON = load_board("nannon-6")


def counted(claim: float, plays: int, wrong: int) -> Calibration:
    calibration = Calibration()
    for number in range(plays):
        calibration.add(claim, number >= wrong)
    return calibration


def line(calibration: Calibration, **told: object) -> str:
    return json.dumps({**told, "calibration": calibration.as_json()})


@given(some.integers(1, UNIT))
def test_a_bin_holds_the_doubts_of_its_nines(doubt: int) -> None:
    nines = nines_of(doubt)
    assert doubt <= UNIT // 10**nines
    assert nines == 9 or doubt > UNIT // 10 ** (nines + 1)


@pytest.mark.parametrize(
    ("confidence", "name"),
    [
        (0.0, "0.0 to 0.9"),
        (0.9, "0.9 to 0.99"),
        (0.98, "0.9 to 0.99"),
        (0.999998731, "0.99999 to 0.999999"),
        (0.999999, "0.999999 to 0.9999999"),
        (0.999999998, "0.99999999 to 0.999999999"),
        (0.999999999, "0.999999999 or more"),
    ],
)
def test_a_play_is_counted_with_those_as_sure(confidence: float, name: str) -> None:
    calibration = counted(confidence, 1, 0)
    ((there, _), (whole, _)) = calibration.rows
    assert (there, whole) == (name, "all of these")
    assert name_of(next(iter(calibration.bins))) == name


@pytest.mark.parametrize(("plays", "wrong"), [(10, 3), (1000, 1), (50_000, 20), (7, 7)])
def test_the_ends_of_the_interval_are_as_far_from_the_share_as_chance_goes(
    plays: int, wrong: int
) -> None:
    one = Bin(plays, plays - wrong)
    for end in one.interval:
        reach = Z * sqrt(end * (1 - end) / plays)
        assert abs(end - wrong / plays) == pytest.approx(reach, abs=1e-9)


def test_where_nothing_was_wrong_the_interval_begins_at_nothing() -> None:
    low, high = Bin(1000, 1000).interval
    assert low == 0.0
    assert high == pytest.approx(Z * Z / (1000 + Z * Z))


@pytest.mark.parametrize(
    ("claim", "plays", "wrong", "held"),
    [
        (0.999, 10_000, 0, Claim.PROVED),
        (0.9999, 10_000, 0, Claim.OPEN),
        (0.99999, 10_000, 1, Claim.OPEN),  # chance lets that happen every tenth time
        (0.99999, 10_000, 3, Claim.BROKEN),
        (0.999999999, 10_000, 1, Claim.BROKEN),
        (0.9, 5000, 500, Claim.OPEN),
        (0.9, 5000, 700, Claim.BROKEN),
        (0.5, 4000, 100, Claim.PROVED),
        (0.0, 50, 50, Claim.PROVED),
    ],
)
def test_a_claim_is_judged_by_what_was_wrong(
    claim: float, plays: int, wrong: int, held: Claim
) -> None:
    calibration = counted(claim, plays, wrong)
    (one,) = calibration.bins.values()
    assert one.held is held
    assert calibration.broken == (held is Claim.BROKEN)


@pytest.mark.parametrize("seed", range(5))
def test_honest_confidences_are_believed_and_lying_ones_are_not(seed: int) -> None:
    """Breaks promises: resolves a third of all doubts at once."""
    chance, honest, lying = random.Random(f"table {seed}"), Calibration(), Calibration()
    for _ in range(20_000):
        doubt = 10 ** chance.uniform(-5, -1)
        right = chance.random() >= doubt
        honest.add(round(1 - doubt, 9), right)
        lying.add(round(1 - doubt / 3, 9), right)
    assert not honest.broken
    assert lying.broken
    assert {one.held for one in lying.bins.values() if one.claimed > 0.003} == {Claim.BROKEN}


PLAYS = some.lists(
    some.tuples(some.none() | some.integers(0, UNIT - 1).map(lambda n: n / UNIT), some.booleans())
)


@given(some.lists(PLAYS, max_size=3))
def test_runs_that_are_read_and_merged_are_one_run(
    runs: list[list[tuple[float | None, bool]]],
) -> None:
    whole, lines = Calibration(), []
    for plays in runs:
        part = Calibration(uncompared=len(plays))
        whole.uncompared += len(plays)
        for confidence, right in plays:
            part.add(confidence, right)
            whole.add(confidence, right)
        lines.append(line(part))
    assert merged(map(read_run, lines)) == whole


def spoilt(**changes: object) -> str:
    return json.dumps({"calibration": {**counted(0.99, 3, 1).as_json(), **changes}})


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "not JSON: "),
        ("[" * 100_000, "not JSON: "),
        ("[]", "no calibration in it; it is in what selfplay --json prints"),
        ('{"calibration": 3}', "no calibration in it"),
        (spoilt(bins={"10": {}}), "calibration.bins.10 = {} is not known; known here: 0, 1, 2"),
        (
            spoilt(bins={"2": {"plays": 3, "right": 4, "doubt": 0}}),
            "calibration.bins.2.right is 4; it must be from 0 to 3",
        ),
        (spoilt(asked={"plays": -1, "right": 0, "doubt": 0}), "asked.plays is -1"),
        (spoilt(uncompared="many"), "calibration.uncompared is 'many'; it must be a whole number"),
        (spoilt(more=1), "calibration.more = 1 is not known"),
    ],
)
def test_a_line_that_holds_no_counts_says_why(text: str, says: str) -> None:
    with pytest.raises(CalibrationError) as caught:
        read_run(text)
    assert says in str(caught.value)


def test_a_bin_without_plays_is_no_row() -> None:
    empty = {"plays": 0, "right": 0, "doubt": 0}
    run = read_run(spoilt(bins={"3": empty}))
    assert list(run.counted.rows) == []
    assert not run.counted.broken


class ReadPage(HTMLParser):
    """The classes of the rows, and whatever would be fetched."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.rows: list[str | None] = []
        self.fetched: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "tr":
            self.rows.append(given.get("class"))
        self.fetched += [key for key in given if key in ("src", "href")]


def test_the_report_needs_no_other_file_and_marks_what_claims_too_much() -> None:
    honest, lying = counted(0.99, 1000, 9), counted(0.9999, 1000, 9)
    honest.add(None, True)
    text = page(read_run(line(one, game="<b>&", matches=2)) for one in (honest, lying))
    read = ReadPage(text)
    # The heading, two bins, both together, and those asked about.
    assert read.rows == [None, None, "broken", None, None]
    assert read.fetched == []
    assert text.count("game &lt;b>&amp;, matches 2") == 2
    assert "url(" not in text


def test_the_plot_has_a_bar_a_bin_and_a_dot_where_plays_were_wrong() -> None:
    calibration = counted(0.9999, 1000, 9)
    calibration.merge(counted(0.99, 1000, 0))
    drawn = ElementTree.fromstring(plot(calibration))
    bars = [one for one in drawn.iter("line") if one.get("class") in ("kept", "broken")]
    assert [bar.get("class") for bar in bars] == ["kept", "broken"]
    (dot,) = drawn.iter("circle")
    assert dot.get("class") == "broken"
    stated, (low, high) = float(bars[1].get("x1", "")), (float(bars[1].get(y, "")) for y in Y)
    assert low > float(dot.get("cy", "")) > high
    # Below the line on which what is observed is what was stated.
    (claim,) = (one for one in drawn.iter("line") if one.get("class") == "claim")
    assert high > float(claim.get("y1", "")) - (stated - float(claim.get("x1", "")))


Y = ("y1", "y2")


# Counted at a table


def at_tables(*seeds: str) -> tuple[list[MatchByHands], Figures]:
    figures = Figures()
    plan = Plan(NANNON, "nannon-6", "nannon", 1, read_faults("default", NANNON, PUBLISHED))
    tables = [MatchByHands(plan, seed, figures) for seed in seeds]
    for table in tables:
        table.play()
    return tables, figures


def test_every_play_with_a_claim_is_compared_with_what_was_made() -> None:
    _, figures = at_tables("b")
    stated, plays = figures.calibration.stated, figures.counts[Count.PLAYS]
    assert plays > 5
    # Forfeited turns claim nothing.
    assert plays // 2 < stated.plays + figures.calibration.asked.plays <= plays
    assert stated.right == stated.plays
    assert figures.as_json()["calibration"] == figures.calibration.as_json()


def test_a_play_that_was_not_made_is_counted_as_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    accept = LiveMatch.accept

    def accept_another(match: LiveMatch, play: Any) -> None:
        others = (result.play for result in match.table.legal.results if result.play != play)
        accept(match, next(others, play))

    monkeypatch.setattr(LiveMatch, "accept", accept_another)
    tables, figures = at_tables("b", "c", "d")
    assert [incident.what for t in tables for incident in t.incidents] == [Count.WRONG] * 3
    stated = figures.calibration.stated
    assert stated.plays - stated.right == 3
    assert figures.calibration.broken
