"""A part of every attack of `tests/attack`, which takes ten minutes for the whole."""

from __future__ import annotations

import time
from pathlib import Path

import attacks
import monkeys
import pytest
from attack_findings import Findings
from attacks import ATTACKS, Attack
from shares import SEED, one_in

PART = 50 * one_in(32)


@pytest.mark.parametrize("name", ATTACKS)
def test_nothing_ends_in_a_traceback(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(variable, str(tmp_path))
    findings = ATTACKS[name].run(f"today {SEED}", max(8, ATTACKS[name].total // PART))
    assert findings.done >= ATTACKS[name].total // PART
    assert (findings.tracebacks, findings.growths) == ([], [])


def hang(seed: str, number: int) -> Findings:
    time.sleep(600)
    return Findings()


def stumble(seed: str, number: int) -> Findings:
    findings = Findings()
    findings.attempt(lambda: int("x") / 0, "nothing")
    return findings


def test_an_attack_that_hangs_ends_in_time_and_is_a_failure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(attacks, "ATTACKS", {"hanging": Attack(2, 1, hang)})
    began = time.monotonic()
    assert attacks.report(attacks.attack("1", seconds=0.5)) == 1
    assert time.monotonic() - began < 30
    assert "0 of         2, 0 tracebacks, 0 growths" in capsys.readouterr().out


def spin(_: monkeys.Monkey) -> None:
    while True:
        pass


def test_a_step_of_the_walk_that_hangs_is_a_finding_with_its_stack(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setattr(monkeys.Monkey, "_step", spin)
    monkeypatch.setattr(monkeys, "MOST_S", 0.05)
    findings = attacks.touches("today", 1)
    (told,) = findings.tracebacks
    assert "in spin" in told
    assert "TooLongError: not done after 0.05 s of the processor's time" in told


def test_a_traceback_is_shown_and_is_a_failure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(attacks, "ATTACKS", {"stumbling": Attack(1, 1, stumble)})
    assert attacks.report(attacks.attack("1", seconds=60)) == 1
    assert "ValueError" in capsys.readouterr().out
