"""Files that GNU Backgammon writes: all are read, each decision as it has it, and read by it again
when Spotter has written them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from gnubg import ask_gnubg, needs_gnubg
from known import GAMES
from shares import SEED, one_in

from pi_app.app.importing import key_of
from pi_app.export.mat import mat_lines
from pi_app.export.match_files import read_match_file
from pi_app.export.retold import Kept
from pi_app.export.sgf import sgf_lines
from pi_app.match.acts import Act
from pi_app.match.turns import OVER
from pi_app.rules.tables.ids import write_position_id
from pi_app.rules.terms import Side

FILES = 12 if one_in(2) > 1 else 20
ROUNDS = 1 if one_in(2) > 1 else 15
"""With THOROUGH=1 there are 300 matches."""
BEGUN = "2026-03-01T20:15"

WRITES = """
import gnubg, json, random
asked = json.loads(ASKED)
chance, do = random.Random(asked["seed"]), gnubg.command
SET_UP = ("automatic roll on", "automatic move on", "automatic bearoff on", "confirm new off",
    "confirm save off", "display off", "evaluation chequer evaluation plies 0")
AS_USUAL = ("variation standard", "automatic crawford on", "jacoby on", "automatic doubles 0",
    "beavers 0", "automatic game off")
KINDS = {"nack": "variation nackgammon", "hyper": "variation 3-chequer-hypergammon",
    "plain": "automatic crawford off", "tied": "automatic doubles 3", "beavers": "beavers 3",
    "money": "jacoby off", "jacoby": "jacoby on", "match": "automatic crawford on",
    "resigned": "jacoby on", "resigned match": "automatic crawford on"}
for line in SET_UP:
    do("set " + line)
for player in (0, 1):
    do("set player %d gnubg" % player)
    for part in ("chequer", "cubedecision"):
        do("set player %d %s evaluation plies 0" % (player, part))
        do("set player %d %s evaluation noise 0.15" % (player, part))

def resign():
    for player in (0, 1):
        do("set player %d human" % player)
    do("resign " + chance.choice(("normal", "gammon", "backgammon")))
    do("accept")
    for player in (0, 1):
        do("set player %d gnubg" % player)

told = []
for number in range(asked["files"]):
    kind = sorted(KINDS)[number % len(KINDS)]
    do("set seed %d" % chance.randint(1, 10**8))
    for line in (*AS_USUAL, KINDS[kind]):
        do("set " + line)
    do("set player 0 name " + chance.choice(("Ann", "Annabella Constantinopoulos", "J. R. O-Neil")))
    do("set player 1 name Ben")
    in_match = kind in ("match", "plain", "nack", "resigned match")
    do("new match %d" % chance.choice((3, 5)) if in_match else "new session")
    for game in range(chance.randint(1, 3)):
        if "resigned" in kind:
            resign()
        do("new game")
    name = "%s/%d" % (asked["folder"], number)
    do("export match mat %s.mat" % name)
    do("save match %s.sgf" % name)
    do("load match %s.sgf" % name)
    told.append(gnubg.match(analysis=0, boards=1)["games"])
open(ANSWER, "w").write(json.dumps(told))
"""
READS = """
import gnubg, json
for line in ("confirm new off", "jacoby off", "automatic game off", "display off",
    "player 0 human", "player 1 human"):
    gnubg.command("set " + line)
told = []
for path in json.loads(ASKED):
    gnubg.command("new session")
    gnubg.command('%s "%s"' % ("import mat" if path.endswith(".mat") else "load match", path))
    told.append(gnubg.match(analysis=0, boards=1)["games"])
open(ANSWER, "w").write(json.dumps(told))
"""
SIDES = {"X": Side.WHITE, "O": Side.BLACK}
DONE = {Act.DOUBLE: "double", Act.BEAVER: "double", Act.TAKE: "take", Act.PASS: "drop"}


def told_by_gnubg(games: list[dict[str, Any]]) -> list[list[tuple[object, ...]]]:
    """Its decisions, game by game: plays with the position before, and what was done with the
    cube. A roll that nobody played because the game was resigned is left out, and so are takes
    after a beaver, which Spotter's files do not tell."""
    return [list(_of_game(one["game"])) for one in games]


def _of_game(entries: list[dict[str, Any]]) -> Iterator[tuple[object, ...]]:
    for entry in entries:
        if entry["action"] == "move":
            dice = "".join(map(str, sorted(entry["dice"], reverse=True)))
            yield "move", SIDES[entry["player"]], dice, entry["board"]
        elif entry["action"] in DONE.values():
            yield entry["action"], SIDES[entry["player"]]


def told_by_spotter(kept: Kept) -> list[list[tuple[object, ...]]]:
    games: list[list[tuple[object, ...]]] = [[]]
    for step in kept.steps():
        act, before = step.decision.what, step.before
        if act is Act.NEXT_GAME:
            games.append([])
        elif act is Act.PLAY:
            position = step.game.read_position(before.position)
            board = write_position_id(position)
            games[-1].append(("move", before.to_act, str(before.roll), board))
        elif act in DONE:
            games[-1].append((DONE[act], before.to_act))
    return games


@pytest.mark.slow
@needs_gnubg
@pytest.mark.parametrize("number", range(ROUNDS))
def test_each_file_of_gnubg_is_read_and_written_back(number: int, tmp_path: Path) -> None:
    asked = {"seed": 4900 + SEED * ROUNDS + number, "files": FILES, "folder": str(tmp_path)}
    by_gnubg = json.loads(ask_gnubg(WRITES, asked, tmp_path))
    back: list[str] = []
    for place, games in enumerate(by_gnubg):
        readings = [read_match_file(tmp_path / f"{place}.{form}", GAMES) for form in ("sgf", "mat")]
        for reading in readings:
            assert reading.faults == (), place
            told = told_by_spotter(reading.kept)
            assert [one for one in told if one] == [one for one in told_by_gnubg(games) if one]
        assert ends_of(readings[0].kept) == ends_of(readings[1].kept)
        back += written(readings, tmp_path / f"back-{place}")
    again = json.loads(ask_gnubg(READS, back, tmp_path))
    for path, games in zip(back, again, strict=True):
        expected = told_by_gnubg(by_gnubg[int(Path(path).stem.split("-")[1])])
        found = told_by_gnubg(games)
        assert [one for one in found if one] == [one for one in expected if one], path


def ends_of(kept: Kept) -> list[tuple[int, int]]:
    """The score after each game."""
    states = (one.state for one in kept.decisions)
    return [tuple(state.standing.score) for state in states if state.phase in OVER]  # type: ignore[misc]


def written(readings: list[Any], path: Path) -> list[str]:
    files = []
    for reading, lines, form in zip(readings, (sgf_lines, mat_lines), ("sgf", "mat"), strict=True):
        file = path.with_suffix(f".{form}")
        file.write_text("\n".join(lines(reading.kept, BEGUN)) + "\n", encoding="utf-8")
        again = read_match_file(file, GAMES)
        assert key_of(again.kept) == key_of(reading.kept)
        files.append(str(file))
    return files
