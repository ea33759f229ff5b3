"""The networks' files: what is shipped, and what becomes of a broken one."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from known import find_game

from pi_app.players.tables.player import NetworkError, load, network_path
from pi_app.rules.tables.position import one
from pi_app.rules.terms import Side

NETWORKS = ("backgammon", "fevga", "hypergammon", "pin")


def damaged(tmp_path: Path, change: Callable[[dict[str, Any]], Any], cut: int = 0) -> Path:
    """The Pin game's file with something changed in its header, or its end cut off."""
    head, _, body = network_path("pin").read_bytes().partition(b"\n")
    header = json.loads(head)
    change(header)
    file = tmp_path / "broken.net"
    file.write_bytes(json.dumps(header).encode() + b"\n" + (body[:-cut] if cut else body))
    return file


@pytest.mark.parametrize("name", NETWORKS)
def test_a_file_says_what_it_is_of(name: str) -> None:
    path = network_path(name)
    header = json.loads(path.read_bytes().partition(b"\n")[0])
    assert header["game"] == name
    assert header["games"] > 0
    assert header["seed"] > 0
    assert 60_000 < path.stat().st_size < 2_200_000
    network = load(path)
    assert sum(network.shares) == pytest.approx(1, abs=1e-4)
    assert network.points == network.points[::-1]
    assert len(network.points) == network.ends


@pytest.mark.parametrize("name", NETWORKS)
def test_chances_are_chances_and_both_sides_begin_alike(name: str) -> None:
    game, network = find_game(name), load(network_path(name))
    start = game.start(Side.WHITE)
    ends = network.judge(start.white, start.black)
    assert sum(ends) == pytest.approx(1)
    assert min(ends) >= 0
    won = sum(ends[(len(ends) + 1) // 2 :])
    assert 0.45 < won < 0.6


def test_who_bears_off_the_last_checker_next_wins_and_who_is_far_behind_loses() -> None:
    network = load(network_path("backgammon"))
    nearly, far = one(1) + 14 * one(0), 15 * one(6)
    ahead, behind = network.judge(nearly, far), network.judge(far, nearly)
    assert sum(ahead[3:]) > 0.97
    assert sum(behind[:3]) > 0.97


def test_more_checkers_than_there_are_make_no_other_number_of_chances() -> None:
    """Whatever stands on a board that a hand has set up, there is an answer."""
    network = load(network_path("pin"))
    ends = network.judge(15 * one(24), one(1) + 14 * one(0))
    assert len(ends) == network.ends
    assert sum(ends) == pytest.approx(1)


@pytest.mark.parametrize(
    ("change", "cut", "told"),
    [
        (lambda header: header.update(crc32=1), 0, "its checksum is wrong"),
        (lambda header: None, 1, "its checksum is wrong"),
        (lambda header: header.update(format=2), 0, "it is of .*, not "),
        (lambda header: header.update(features="other"), 0, "it is of .*, not "),
        (lambda header: header.pop("hidden"), 0, "it is damaged .*hidden"),
        (lambda header: header.update(scale=0), 0, "it is damaged .*scale 0"),
        (lambda header: header.update(rows=[1, 2]), 0, "it is damaged .*rows"),
        (lambda header: header.update(hidden=95), 0, "it is damaged .*bytes of weights"),
        (
            lambda header: header.update(game="backgammon", features="tables-2"),
            0,
            "it is damaged .*rows",
        ),
        (lambda header: header.update(points=[1.0]), 0, "it is damaged .*points"),
    ],
)
def test_a_broken_file_is_told_in_one_line(
    change: Callable[[dict[str, Any]], Any], cut: int, told: str, tmp_path: Path
) -> None:
    with pytest.raises(NetworkError, match=f"broken.net: {told}") as caught:
        load(damaged(tmp_path, change, cut))
    assert "\n" not in str(caught.value)


def test_a_file_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(NetworkError, match="it cannot be read"):
        load(tmp_path / "nowhere.net")
    for data in (b"", b"\n", b"[]\n", b"\xff\xfe", b"7\nabc"):
        (tmp_path / "x.net").write_bytes(data)
        with pytest.raises(NetworkError, match="it is damaged"):
            load(tmp_path / "x.net")
