"""What is said in every scenario, in every language.

This writes the file anew; read its changes:

    PYTHONPATH=.:tests:$(echo tests/{app,club,club/linked,games,players,screen} | tr ' ' :) \
        .venv/bin/python tests/speech/test_scenarios.py
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from known import FACES, GAMES, load_board
from scenes import FILES

from pi_app.base.microseconds import US_A_MS
from pi_app.cli.replay import replayed
from pi_app.languages import LANGUAGES, load_language
from pi_app.screen.ui import Shown
from pi_app.speech.aloud import aloud
from pi_app.speech.commentary import Commentary
from pi_app.speech.telling import Manner
from pi_app.speech.utterance import Detail

SAID = Path(__file__).with_name("said.json")


def said_in(name: str, detail: Detail = Detail.ALL) -> dict[str, list[str]]:
    """Every utterance of a scenario with its milliseconds, by language."""
    told: dict[str, list[str]] = {language: [] for language in LANGUAGES}
    announcer = Commentary(Manner(detail))
    for _, referee in replayed(GAMES, str(FILES[name])):
        view = referee.view
        utterance = announcer.hear(view, view.us)
        if utterance is None:
            continue
        for language, lines in told.items():
            spoken = Shown(
                load_board("nannon-6"), FACES, view, language=load_language(language)
            ).spoken
            lines.append(f"{view.us // US_A_MS} {aloud(utterance.text, spoken)}")
    return told


@pytest.mark.parametrize("name", FILES)
def test_what_is_said(name: str) -> None:
    kept = json.loads(SAID.read_text("utf-8"))
    assert name in kept, "write the file anew, as the head of this one says"
    assert said_in(name) == kept[name]


def test_with_only_warnings_nothing_else_is_said() -> None:
    told = said_in("nannon-wrong", Detail.WARNINGS)
    assert told["en"] == ["12400 You moved 1 spot; the die shows 2. Back to spot 2."]


def test_spectators_hear_no_word_to_the_players() -> None:
    told = " ".join(said_in("backgammon-cube-taken", Detail.SPECTATORS)["en"])
    assert "24 to 18, 13 to 9." in told
    assert "Ben: doubled to 2." in told
    assert "press" not in told


def main() -> None:
    said = {name: said_in(name) for name in FILES}
    SAID.write_text(json.dumps(said, ensure_ascii=False, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
