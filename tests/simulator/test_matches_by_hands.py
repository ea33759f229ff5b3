"""Whole matches by simulated hands, and proof that they would notice a product that guesses."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from math import inf
from pathlib import Path
from typing import Any

import pytest
from known import load_board
from lab.figures import Count, Figures
from lab.match_by_hands import Incident, MatchByHands, Plan
from shares import some

from pi_app.boards import board_names
from pi_app.cli.replay import replay
from pi_app.games.all import ALL
from pi_app.journal.store import Journal
from pi_app.referee import controls
from pi_app.referee.match import LiveMatch
from pi_app.sensing.decision import Verdict
from pi_app.sensing.noise import ILLEGAL, PUBLISHED, Noise
from pi_app.sensing.reading import BoardState, Reading
from pi_app.sensing.readings import Readings
from pi_app.simulator.reeds import read_faults

BOARDS = {name: load_board(name) for name in board_names()}
GAMES_ON_BOARDS = [(game, name) for name, board in BOARDS.items() for game in board.games]


NO_OTHERS: Mapping[Noise, float] = {}
FORBEARING = dict.fromkeys(ILLEGAL, 0.0)
CALM = dict.fromkeys(
    (*ILLEGAL, Noise.EARLY_PRESS, Noise.DOUBLE_PRESS, Noise.MOVED_EARLY, Noise.TAKEBACK), 0.0
)


def plan(spec: str = "default", shares: Mapping[Noise, float] = NO_OTHERS) -> Plan:
    return plan_of("nannon", "nannon-6", 3, spec, shares)


def plan_of(
    game: str,
    name: str,
    match_to: int = 1,
    spec: str = "default",
    shares: Mapping[Noise, float] = NO_OTHERS,
) -> Plan:
    board = BOARDS[name]
    faults = read_faults(spec, board)
    return Plan(board, name, game, match_to, faults, noise=PUBLISHED.but(shares))


def attempting(share: float) -> Mapping[Noise, float]:
    """Share of illegal attempts; their kinds keep their proportions."""
    usual = sum(map(PUBLISHED.share, ILLEGAL))
    return {kind: share * PUBLISHED.share(kind) / usual for kind in ILLEGAL}


def played(
    plan: Plan, *seeds: str, until: Collection[Count] = ()
) -> tuple[Figures, list[Incident]]:
    """A match of each seed; no more once each of `until` has been counted."""
    figures, incidents = Figures(), list[Incident]()
    for seed in seeds:
        table = MatchByHands(plan, seed, figures)
        table.play()
        incidents += table.incidents
        if until and all(figures.counts[one] for one in until):
            break
    return figures, incidents


def without_asking(incidents: list[Incident]) -> list[Incident]:
    """Failures; an extra question is none."""
    return [incident for incident in incidents if incident.what is not Count.NEEDLESS]


def test_hands_that_often_err_lose_nothing() -> None:
    shares = {
        **attempting(0.3),
        **{Noise.EARLY_PRESS: 0.1, Noise.DOUBLE_PRESS: 0.1, Noise.TAKEBACK: 0.05},
        **{Noise.CHANGE_OF_MIND: 0.2, Noise.ADJUST: 0.3},
    }
    figures, incidents = played(plan("default", shares), "a", "b", "c", "d")
    assert without_asking(incidents) == []
    assert figures.counts[Count.TURNS] > 100
    assert figures.counts[Count.ATTEMPTS] == figures.counts[Count.CAUGHT] > 20
    assert figures.counts[Count.TAKEBACKS] > 2


def test_calm_hands_on_sound_reeds_never_tap() -> None:
    figures, incidents = played(plan("none", CALM), "e", "f", "g")
    assert without_asking(incidents) == []
    assert figures.counts[Count.UNTAPPED] == figures.counts[Count.PLAYS] > 80
    assert figures.counts[Count.MEANT] == figures.counts[Count.PLAYS]


def test_without_any_noise_nothing_is_asked() -> None:
    figures, incidents = played(plan("none", dict.fromkeys(Noise, 0.0)), "e", "f")
    assert without_asking(incidents) == []
    assert figures.counts[Count.ASKED] == figures.counts[Count.UNCLEAR] == 0
    assert figures.counts[Count.MEANT] > 30


@pytest.mark.slow
def test_early_and_doubled_presses_are_not_counted_as_asked() -> None:
    hasty = {**CALM, Noise.ADJUST: 0.0, Noise.EARLY_PRESS: 0.5, Noise.DOUBLE_PRESS: 0.3}
    figures, _ = played(plan("none", hasty), *"efghij")
    plays, meant = figures.counts[Count.PLAYS], figures.counts[Count.MEANT]
    assert 0.2 * plays < meant < 0.5 * plays
    assert figures.counts[Count.ASKED] == 0


@pytest.mark.parametrize("sensor", some("123456", 2))
def test_a_broken_reed_is_set_aside_and_the_match_ends(sensor: str) -> None:
    """With a reed fewer it may ask now and then about a play that the others tell."""
    for kind in ("dead", "stuck"):
        figures, incidents = played(plan(f"default,{kind}={sensor}"), "h")
        assert [i for i in without_asking(incidents) if i.what is not Count.CAUGHT] == []
        assert 10 * figures.counts[Count.NEEDLESS] <= figures.counts[Count.PLAYS]
        assert not figures.failed
        assert figures.counts[Count.GAMES] >= 1


def test_deaf_reeds_are_nudged() -> None:
    figures, incidents = played(plan("default,miss=0.1", FORBEARING), *"ijk")
    assert without_asking(incidents) == []
    assert figures.counts[Count.NUDGES] >= 3


@pytest.mark.parametrize(
    ("what", "game", "board", "seeds"),
    some(
        [
            (Noise.BEFORE_ROLL, "nannon", "nannon-6", "ac"),
            (Noise.IDLE_PRESS, "nannon", "nannon-6", "ac"),
            (Noise.FAST, "nannon", "nannon-6", "ac"),
            (Noise.ASTRAY, "backgammon", "tables-24", "c"),  # with "a" nothing is hit
            (Noise.ASTRAY, "portes", "tables-24-thrifty", "ac"),
            (Noise.SHIFT, "backgammon", "tables-24", "ac"),
            (Noise.OTHER_HAND, "backgammon", "tables-24", "ac"),
            (Noise.ADJUST_BETWEEN, "backgammon", "tables-24", "ac"),
            (Noise.DISORDER, "backgammon", "tables-24", "ac"),
        ],
        4,
    ),
)
def test_whatever_hands_do_no_play_is_wrong_or_lost(
    what: Noise, game: str, board: str, seeds: str
) -> None:
    points = 3 if game == "nannon" else 1
    often = plan_of(game, board, points, shares={**CALM, what: 0.5})
    figures, incidents = played(often, *some(seeds, 2))
    assert not figures.failed
    assert without_asking(incidents) == []
    assert figures.noise[what] > 0


def test_reeds_that_stay_closed_for_a_while_are_nudged_or_waited_for() -> None:
    figures, incidents = played(plan("default,linger=0.1", CALM), "a", "b")
    assert not figures.failed
    assert without_asking(incidents) == []
    assert figures.counts[Count.NUDGES] > 0
    assert figures.counts[Count.ASKED] > 0


@pytest.mark.slow
@pytest.mark.parametrize(("game", "board"), some(GAMES_ON_BOARDS, 11))
def test_ten_times_the_noise_makes_no_play_wrong_or_lost(game: str, board: str) -> None:
    worse, faults = PUBLISHED.worse(10), read_faults("default", BOARDS[board], PUBLISHED.worse(10))
    figures, _ = played(Plan(BOARDS[board], board, game, 1, faults, noise=worse), "n1")
    assert not figures.failed
    assert sum(figures.noise.values()) > figures.counts[Count.TURNS] > 0


def figures_of(figures: Figures) -> dict[str, object]:
    return {key: value for key, value in figures.as_json().items() if key != "latency_us"}


def test_the_same_seed_gives_the_same_figures() -> None:
    first, second, other = (figures_of(played(plan(), seed)[0]) for seed in ("k", "k", "l"))
    assert first == second != other


@pytest.mark.slow
@pytest.mark.parametrize(("game", "board"), some(GAMES_ON_BOARDS, 7))
def test_every_game_is_played_on_every_board_it_fits(game: str, board: str) -> None:
    points = 5 if game in ("nannon", "hypergammon") else 1  # their games are short
    figures, incidents = played(plan_of(game, board, points, shares=attempting(0.15)), "s1")
    assert without_asking(incidents) == []
    assert not figures.failed
    assert figures.counts[Count.GAMES] >= 1
    assert figures.counts[Count.ATTEMPTS] == figures.counts[Count.CAUGHT] > 1
    assert figures.counts[Count.UNTAPPED] > 0.85 * figures.counts[Count.PLAYS]


@pytest.mark.slow
def test_turns_of_several_moves_are_tried_half_right_and_too_short() -> None:
    figures, incidents = played(plan_of("backgammon", "tables-24", shares=attempting(0.6)), "z")
    assert without_asking(incidents) == []
    assert figures.counts[Count.ATTEMPTS] == figures.counts[Count.CAUGHT] > 10
    assert figures.by_rule["both-dice"] > 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "board", "spec"),
    some(
        [
            ("backgammon", "tables-24", "default,dead=8.2,stuck=20.1"),
            ("cannon", "cannon-10", "default,dead=e5,stuck=c4"),
        ],
        2,
    ),
)
def test_two_broken_reeds_of_a_large_board_end_no_match(game: str, board: str, spec: str) -> None:
    figures, incidents = played(plan_of(game, board, 1, spec), "a")
    assert [i for i in incidents if i.what is not Count.CAUGHT] == []
    assert not figures.failed
    assert figures.counts[Count.SET_ASIDE] >= 1


def test_a_product_that_takes_unproved_hits_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Verdict, "_under_way", inf)
    monkeypatch.setattr(Verdict, "_is_sure", lambda _, best: True)
    hasty = plan(shares={Noise.EARLY_PRESS: 0.3})
    figures, incidents = played(hasty, *"onmpqr", until=[Count.WRONG])
    assert figures.counts[Count.WRONG] > 0
    assert figures.failed
    assert any(incident.what is Count.WRONG for incident in incidents)


def test_a_product_that_guesses_between_plays_is_found_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Verdict, "_ask", lambda said, played: said._shown(played[0]))
    thrifty = plan_of("backgammon", "tables-24-thrifty")
    figures, _ = played(thrifty, *"hfabcdeg", until=[Count.WRONG, Count.UNCLEAR])
    assert figures.counts[Count.WRONG] > 0
    assert figures.counts[Count.UNCLEAR] > 0


def test_a_product_that_never_warns_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    nothing: Reading = Reading(BoardState.RESTING)
    monkeypatch.setattr(Verdict, "_wrong", lambda _, wrongs: nothing)
    monkeypatch.setattr(Verdict, "_not_played", lambda _: nothing)
    figures, incidents = played(plan(shares=attempting(0.5)), *"st")
    assert figures.counts[Count.CAUGHT] < figures.counts[Count.ATTEMPTS]
    assert any(incident.what is Count.CAUGHT for incident in incidents)


def test_a_product_without_patience_warns_falsely(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Readings, "hands", ())
    patient = plan(shares={**FORBEARING, Noise.EARLY_PRESS: 0.0})
    figures, _ = played(patient, *"wuvxyzabcd", until=[Count.FALSE_WARNINGS, Count.AIR_WARNINGS])
    assert figures.counts[Count.FALSE_WARNINGS] > 0
    assert figures.counts[Count.AIR_WARNINGS] > 0


def test_a_play_that_was_put_right_is_not_one_to_be_taken_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shown = controls._shown_play

    def seldom(match: LiveMatch) -> Any:
        return shown(match) if match.now // 1000 % 2 else None

    monkeypatch.setattr(controls, "_shown_play", seldom)
    figures, _ = played(plan("none", {**CALM, Noise.TAKEBACK: 0.2}), "y", "z")
    assert not figures.failed
    assert figures.counts[Count.CORRECTIONS] > 0 < figures.counts[Count.TAKEBACKS]


def test_an_incident_can_be_replayed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = MatchByHands(plan(), "w", Figures())
    table.play()
    table.note(Count.STUCK, "only to see")
    (incident,) = without_asking(table.incidents)
    file = tmp_path / "events.jsonl"
    file.write_text("\n".join(incident.events), encoding="utf-8")
    assert replay([str(file)], ALL) == 0
    last = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (last["phase"], last["position"]) == ("match over", table.view.position)


def test_a_match_can_be_kept_while_it_is_played(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "matches.db")
    table = MatchByHands(plan(), "x", Figures(), journal)
    table.play()
    (match,) = journal.matches()
    journal.close()
    assert match.is_over
    assert match.score == table.view.score
