"""The rules that hands and journals are judged by agree with the case file."""

from __future__ import annotations

import json
from pathlib import Path

from reference import plays

CASES = Path(__file__).parent.parent / "cases" / "nannon.jsonl"


def test_the_reference_knows_every_legal_result_of_the_cases() -> None:
    cases = list(map(json.loads, CASES.read_text().splitlines()))
    assert len(cases) > 1000
    for case in cases:
        led = plays(case["position"], int(case["roll"]))
        assert sorted(led.values()) == sorted(case["after"]), case
