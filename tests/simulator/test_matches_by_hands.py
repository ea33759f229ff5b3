"""Whole matches by simulated hands, and proof that they would notice a product that guesses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pi_app.board.tracker import Tracker
from pi_app.boards import load_board
from pi_app.cli.replay import run as replay
from pi_app.journal.store import Journal
from pi_app.simulator.faults import read_faults
from pi_app.simulator.figures import Count, Figures
from pi_app.simulator.people import Temper
from pi_app.simulator.table import Incident, Plan, Table

BOARD = load_board("nannon-6")


def plan(spec: str = "default", **temper: float) -> Plan:
    return Plan(BOARD, "nannon-6", "nannon", 3, read_faults(spec, BOARD), temper=Temper(**temper))


def played(plan: Plan, *seeds: str) -> tuple[Figures, list[Incident]]:
    figures, incidents = Figures(), list[Incident]()
    for seed in seeds:
        table = Table(plan, seed, figures)
        table.play()
        incidents += table.incidents
    return figures, incidents


def test_hands_that_often_err_lose_nothing() -> None:
    restless = plan(attempt=0.3, early=0.1, twice=0.1, take_back=0.05, other_play=0.2, adjust=0.3)
    figures, incidents = played(restless, "a", "b", "c", "d")
    assert incidents == []
    assert figures.counts[Count.TURNS] > 100
    assert figures.counts[Count.ATTEMPTS] == figures.counts[Count.CAUGHT] > 20
    assert figures.counts[Count.TAKEBACKS] > 2


def test_calm_hands_on_sound_reeds_never_tap() -> None:
    calm = plan("none", attempt=0, early=0, twice=0, before_roll=0, take_back=0)
    figures, incidents = played(calm, "e", "f", "g")
    assert incidents == []
    assert figures.counts[Count.UNTAPPED] == figures.counts[Count.PLAYS] > 80


@pytest.mark.parametrize("sensor", "123456")
def test_a_broken_reed_is_set_aside_and_the_match_ends(sensor: str) -> None:
    for kind in ("dead", "stuck"):
        figures, incidents = played(plan(f"default,{kind}={sensor}"), "h")
        assert [i for i in incidents if i.what is not Count.CAUGHT] == []
        assert not figures.failed
        assert figures.counts[Count.GAMES] >= 1


def test_deaf_reeds_are_nudged() -> None:
    figures, incidents = played(plan("default,miss=0.1", attempt=0), "i", "j")
    assert incidents == []
    assert figures.counts[Count.NUDGES] >= 3


def figures_of(figures: Figures) -> dict[str, object]:
    return {key: value for key, value in figures.as_json().items() if key != "latency_us"}


def test_the_same_seed_gives_the_same_figures() -> None:
    first, second, other = (figures_of(played(plan(), seed)[0]) for seed in ("k", "k", "l"))
    assert first == second != other


def test_a_product_that_takes_unproved_hits_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Tracker, "_saw_hit", lambda self, move: True)
    figures, incidents = played(plan(early=0.3), *"mnopqr")
    assert figures.counts[Count.WRONG] > 0
    assert figures.failed
    assert any(incident.what is Count.WRONG for incident in incidents)


def test_a_product_that_never_warns_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Tracker, "_unproved", lambda self, *_: self.reading)
    figures, incidents = played(plan(attempt=0.5), *"st")
    assert figures.counts[Count.CAUGHT] < figures.counts[Count.ATTEMPTS]
    assert any(incident.what is Count.CAUGHT for incident in incidents)


def test_a_product_without_patience_warns_falsely(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Tracker, "_in_the_air", lambda self, *_: False)
    figures, _ = played(plan(attempt=0, early=0), *"uv")
    assert figures.counts[Count.FALSE_WARNINGS] > 0
    assert figures.counts[Count.AIR_WARNINGS] > 0


def test_an_incident_can_be_replayed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = Table(plan(), "w", Figures())
    table.play()
    table.note(Count.STUCK, "only to see")
    (incident,) = table.incidents
    file = tmp_path / "events.jsonl"
    file.write_text("\n".join(incident.events), encoding="utf-8")
    assert replay([str(file)]) == 0
    last = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (last["phase"], last["position"]) == ("match over", table.view.position)


def test_a_match_can_be_kept_while_it_is_played(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "matches.db")
    table = Table(plan(), "x", Figures(), journal)
    table.play()
    (match,) = journal.matches()
    journal.close()
    assert match.is_over
    assert match.standing.score == table.view.score
