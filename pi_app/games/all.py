"""Spotter's own games; a new one is its own file and a line here."""

from __future__ import annotations

from pi_app.games.backgammon import BACKGAMMON_EQUIPMENT
from pi_app.games.cannon import CANNON_EQUIPMENT
from pi_app.games.equipment import Compendium
from pi_app.games.fevga import FEVGA_EQUIPMENT
from pi_app.games.hypergammon import HYPERGAMMON_EQUIPMENT
from pi_app.games.nackgammon import NACKGAMMON_EQUIPMENT
from pi_app.games.nannon import NANNON_EQUIPMENT
from pi_app.games.pin import PIN_EQUIPMENT
from pi_app.games.plakoto import PLAKOTO_EQUIPMENT
from pi_app.games.portes import PORTES_EQUIPMENT
from pi_app.rules.contract import Series
from pi_app.words.sentences import Sentence

TAVLI = Series(
    "tavli",
    Sentence("Tavli")(),
    (PORTES_EQUIPMENT.rules, PLAKOTO_EQUIPMENT.rules, FEVGA_EQUIPMENT.rules),
    match_length=5,
)
"""As one match (B. Condos, "Tavli"; bkgm.com). The winner of a game begins the next one; a tie is
played again after a new opening roll."""

ALL = Compendium(
    (
        NANNON_EQUIPMENT,
        BACKGAMMON_EQUIPMENT,
        NACKGAMMON_EQUIPMENT,
        HYPERGAMMON_EQUIPMENT,
        PORTES_EQUIPMENT,
        PIN_EQUIPMENT,
        PLAKOTO_EQUIPMENT,
        FEVGA_EQUIPMENT,
        CANNON_EQUIPMENT,
    ),
    (TAVLI,),
)
