"""`spotter export --mat`, read by GNU Backgammon: every turn, cube action and result comes back."""

from __future__ import annotations

import base64
import json
import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from gammon_table import GammonMatch, MatEntry
from gnubg import ask_gnubg, needs_gnubg
from shares import one_in

from pi_app.match.acts import Act
from pi_app.match.turns import Phase
from pi_app.referee.events import Tap
from pi_app.rules.tables.ids import write_position_id
from pi_app.rules.terms import Side

MATCHES = 20 // one_in(2)
TOLD = {"move", "double", "take", "drop"}
UNTOLD = {"set", "resign"}
"""A roll that was not played because the game was resigned: the result shows it."""

SCRIPT = """
import gnubg, json
for line in ("set confirm new off", "set jacoby off", "set automatic game off"):
    gnubg.command(line)
read = []
for path in json.loads(ASKED):
    gnubg.command("new session")
    gnubg.command('import mat "%s"' % path)
    match = gnubg.match(analysis=0, boards=1)
    read.append([match["games"], gnubg.positionid(), gnubg.matchid()])
with open(ANSWER, "w") as answer:
    json.dump(read, answer)
"""


@dataclass(frozen=True, slots=True)
class Told:
    """A match as GNU Backgammon reads it."""

    games: list[dict[str, Any]]
    position: str
    match: int

    def bits(self, first: int, length: int) -> int:
        """A field of the match ID."""
        return self.match >> first & (1 << length) - 1

    @property
    def cube(self) -> int:
        return 1 << self.bits(0, 4)

    @property
    def owner(self) -> Side | None:
        return {0: Side.WHITE, 1: Side.BLACK, 3: None}[self.bits(4, 2)]

    @property
    def crawford(self) -> bool:
        return bool(self.bits(7, 1))

    @property
    def turn(self) -> Side:
        return Side.BLACK if self.bits(11, 1) else Side.WHITE

    @property
    def match_to(self) -> int:
        return self.bits(21, 15)

    @property
    def score(self) -> tuple[int, int]:
        return self.bits(36, 15), self.bits(51, 15)

    def entries(self, game: int) -> list[MatEntry]:
        sides = {"X": "white", "O": "black"}
        found: list[MatEntry] = []
        for entry in self.games[game]["game"]:
            if entry["action"] in UNTOLD:
                continue
            if entry["action"] not in TOLD:
                raise ValueError(f"{entry} is not understood")
            dice = "".join(map(str, sorted(entry.get("dice", ()), reverse=True))) or None
            board = entry["board"] if dice else None
            found.append((entry["action"], sides[entry["player"]], dice, board))
        return found


def read_by_gnubg(matches: list[GammonMatch], folder: Path) -> list[Told]:
    """GNU Backgammon reads the exported matches."""
    paths = [folder / f"{number}.mat" for number in range(len(matches))]
    for path, match in zip(paths, matches, strict=True):
        path.write_text("\n".join(match.lines()) + "\n", encoding="utf-8")
    told = json.loads(ask_gnubg(SCRIPT, list(map(str, paths)), folder))
    assert len(told) == len(matches)
    return [
        Told(games, position, int.from_bytes(base64.b64decode(identifier), "little"))
        for games, position, identifier in told
    ]


def agrees(match: GammonMatch, told: Told) -> None:
    """Every turn and cube action of every game, and where the match stands now."""
    view = match.view
    assert [told.entries(game) for game in range(len(told.games))] == match.told
    assert told.score == (view.score.white, view.score.black)
    assert (told.cube, told.owner) == (view.cube.value, view.cube.owner)
    # To one point the cube is dead; gnubg has no Crawford game then.
    assert told.crawford == (view.crawford and view.match_to != 1)
    assert told.match_to == (view.match_to or 0)
    assert told.position == write_position_id(match.position)


def a_match_to_five(seed: int = 7) -> GammonMatch:
    """A drop, a redoubled game, Crawford's game a gammon, and a resigned last one."""
    match = GammonMatch(5, seed)
    match.plays_on(until=7)
    match.rolls_next()
    match.doubles(taken=False)
    match.presses()
    for _ in range(2):
        match.plays_on(until=len(match.told[-1]) + 5)
        match.rolls_next()
        match.doubles(taken=True)
    match.plays_until(Phase.GAME_OVER)
    match.presses()
    match.plays_until(Phase.GAME_OVER)
    match.presses()
    match.plays_on(until=9)
    match.resigns(2)
    return match


def by_chance(seed: int) -> GammonMatch:
    """A match of any length with every act there is, sometimes broken off."""
    chance = random.Random(seed)
    match = GammonMatch(chance.choice((1, 2, 3, 5, None)), seed)
    acts = chance.randint(20, 120)
    while match.view.phase is not Phase.MATCH_OVER and (
        acts > 0 or match.view.phase in (Phase.SET_UP, Phase.OPENING_THROW)
    ):
        acts -= 1
        offers = match.view.offers
        if Act.DOUBLE in offers and match.view.cube.value < 64 and chance.random() < 0.1:
            match.doubles(taken=chance.random() < 0.7)
        elif Act.RESIGN in offers and chance.random() < 0.01:
            match.resigns(chance.choice([*match.view.resignations]))
        elif match.may_take_back and chance.random() < 0.03:
            match.takes_back()
        else:
            match.goes_on()
    return match


@pytest.mark.slow
@needs_gnubg
def test_a_match_is_read_as_it_was_played(tmp_path: Path) -> None:
    match = a_match_to_five()
    text = "\n".join(match.lines())
    for part in ("Doubles => 2", "Doubles => 4", " Drops", " Takes", " 25/22*", "/0 ", " 66: "):
        assert part in text
    (told,) = read_by_gnubg([match], tmp_path)
    agrees(match, told)
    assert told.score == (4, 6)
    results = [
        (game["info"]["winner"], game["info"]["points-won"], game["info"]["resigned"])
        for game in told.games
    ]
    assert results == [("O", 1, False), ("X", 4, False), ("O", 3, False), ("O", 2, True)]
    crawford = [game["info"].get("crawford", False) for game in told.games]
    assert crawford == [False, False, True, False]


@pytest.mark.slow
@needs_gnubg
def test_matches_by_chance_are_read_as_they_were_played(tmp_path: Path) -> None:
    matches = [by_chance(seed) for seed in range(MATCHES)]
    told = read_by_gnubg(matches, tmp_path)
    for match, read in zip(matches, told, strict=True):
        agrees(match, read)
        if match.view.phase in (Phase.TO_ROLL, Phase.MOVING):
            assert read.turn is match.view.to_act
    intents = {event.intent for m in matches for event in m.events if isinstance(event, Tap)}
    assert {Act.TAKE_BACK, Act.RESIGN, Act.DOUBLE, Act.PASS} <= intents
    assert {match.view.phase for match in matches} > {Phase.MATCH_OVER, Phase.TO_ROLL}
    assert None in {match.view.match_to for match in matches}
