"""Six Men's Morris and what it needs."""

from __future__ import annotations

from pathlib import Path

from pi_app.games.equipment import Equipment
from pi_app.rules.terms import SpotKind
from pi_app.screen.face import Editing, Face, single
from pi_app.words.sentences import Sentence
from six_mens_morris.drawing import draw_morris
from six_mens_morris.rules import SixMensMorris

EQUIPMENT = Equipment(
    SixMensMorris(),
    Face(
        draw_morris,
        Editing(
            single,
            SpotKind.OFF,
            Sentence("Tap a point until it matches the board."),
            counted=SpotKind.HOME,
        ),
    ),
    board=str(Path(__file__).with_name("board.toml")),
)
