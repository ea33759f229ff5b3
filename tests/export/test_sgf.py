"""`.sgf` files: GNU Backgammon's own are read as its `.mat` files are, and ours are read by it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from gnubg import ask_gnubg, needs_gnubg
from known import GAMES

from pi_app.export.match_files import read_match_file
from pi_app.export.retold import Kept
from pi_app.export.sgf import read_sgf, sgf_lines
from pi_app.export.transcript import EntryError
from pi_app.match.acts import Act
from pi_app.match.turns import OVER
from pi_app.rules.terms import Side

PLAYED = """
import gnubg, json
for line in (
    "set automatic game on", "set automatic roll on", "set automatic move on",
    "set confirm new off", "set confirm save off", "set rng mersenne",
    "set player 0 gnubg", "set player 1 gnubg",
    "set player 0 chequerplay evaluation plies 0", "set player 1 chequerplay evaluation plies 0",
    "set player 0 cubedecision evaluation plies 0", "set player 1 cubedecision evaluation plies 0",
):
    gnubg.command(line)
for variation, points, crawford, path in json.loads(ASKED):
    gnubg.command("set variation " + variation)
    gnubg.command("set automatic crawford " + crawford)
    gnubg.command("set seed %d" % (points + 40))
    gnubg.command("new match %d" % points)
    gnubg.command('export match mat "%s.mat"' % path)
    gnubg.command('save match "%s.sgf"' % path)
open(ANSWER, "w").write("{}")
"""
READ_AGAIN = """
import gnubg, json
gnubg.command("set confirm new off")
read = []
for load, path in json.loads(ASKED):
    gnubg.command("%s \\"%s\\"" % (load, path))
    games = gnubg.match(analysis=0, boards=1)["games"]
    read.append([
        [[a.get("action"), a.get("player"), sorted(a.get("dice", ())), a.get("board")]
         for a in game["game"]] + [[game["info"]["winner"], game["info"]["points-won"]]]
        for game in games
    ])
with open(ANSWER, "w") as answer:
    json.dump(read, answer)
"""
MATCHES = (
    ("standard", 3, "on"),
    ("standard", 5, "off"),
    ("nackgammon", 1, "on"),
)


def decided(kept: Kept) -> list[tuple[object, ...]]:
    return [
        (one.what, one.by, one.dice, one.play, one.state.position, one.state.standing)
        for one in kept.decisions
    ]


@needs_gnubg
def test_matches_of_gnu_backgammon_come_back_in_both_forms(tmp_path: Path) -> None:
    asked = [(*match, str(tmp_path / f"m{n}")) for n, match in enumerate(MATCHES)]
    ask_gnubg(PLAYED, asked, tmp_path)
    loads = []
    for _, points, _, path in asked:
        mat, sgf = (read_match_file(Path(f"{path}{form}"), GAMES) for form in (".mat", ".sgf"))
        assert (mat.faults, sgf.faults) == ((), ())
        assert decided(mat.kept) == decided(sgf.kept)
        last = tuple(sgf.kept.decisions)[-1].state
        assert last.phase in OVER
        assert last.standing.score.best >= points
        written = Path(f"{path}-again.sgf")
        lines = "\n".join(sgf_lines(sgf.kept, "2026-03-01T20:15"))
        written.write_text(lines, encoding="utf-8")
        assert decided(read_sgf(lines, GAMES).kept) == decided(sgf.kept)
        loads += [("load match", f"{path}.sgf"), ("load match", str(written))]
    told = json.loads(ask_gnubg(READ_AGAIN, loads, tmp_path))
    assert told[0::2] == told[1::2]
    assert min(len(games) for games in told) > 0


def test_a_board_that_was_set_begins_the_game_there() -> None:
    tree = (
        "(;GM[6]MI[length:3][game:0][ws:0][bs:0]PW[A]PB[B]RU[Crawford]RE[W+1R]"
        ";AE[a][f]AW[a][a][b][c][d][e][f][f][f][f][f][f][f][f][f]"
        "AB[x][x][x][x][x][x][x][x][x][x][x][x][x][x][x];W[21edca])"
    )
    read = read_sgf(tree, GAMES)
    first, roll, play, *_ = read.kept.decisions
    assert (first.what, play.by) == (Act.CORRECT, Side.WHITE)
    assert roll.state.position == "-BAAAAI-----------------o- w"
    assert play.play == "5/4 3/1"


def test_what_no_tree_can_say_is_named() -> None:
    with pytest.raises(EntryError, match="line 1: the board was set within the game"):
        read_sgf("(;GM[6]MI[length:1][game:0][ws:0][bs:0];W[31hefe];AW[a];B[66])", GAMES)
