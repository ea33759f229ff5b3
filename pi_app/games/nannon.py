"""Nannon's equipment."""

from __future__ import annotations

from pi_app.games.equipment import Equipment
from pi_app.players.nannon.exact import EXACT
from pi_app.rules.nannon import Nannon
from pi_app.rules.terms import SpotKind
from pi_app.screen.boards.nannon import draw_nannon
from pi_app.screen.face import Editing, Face, single
from pi_app.words.sentences import Sentence

NANNON_EQUIPMENT = Equipment(
    Nannon(),
    Face(
        draw_nannon,
        Editing(
            single,
            SpotKind.SAFETY,
            Sentence("Tap a spot until it matches the board."),
            counted=SpotKind.HOME,
        ),
    ),
    board="nannon-6",
    players=(EXACT,),
)
