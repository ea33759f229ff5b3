"""The replay of a stored match: every play, answer and undo, and the board at that time."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from any_table import AnyTable
from known import FAMILIES, GAMES, find_game
from small_matches import double_passed_after_a_hit, taken_back_and_given_up

from pi_app.export.leaves import Leaf, leaves
from pi_app.export.retold import Kept
from pi_app.journal.archive import Archive, MatchSummary
from pi_app.languages import load_language
from pi_app.match.acts import Act
from pi_app.match.turns import Phase
from pi_app.rules.terms import Side

KEPT = Path(__file__).parent.parent / "journal" / "version6"


def told(table: AnyTable) -> list[str]:
    return [leaf.said for leaf in leaves(table.kept)]


def test_backgammon_is_told_with_names_and_results() -> None:
    assert told(double_passed_after_a_hit()) == [
        "Game 1",
        "Opening roll: Ann 3, Bea 1",
        "Ann 3-1: 13/10 6/5",
        "Bea 6-3: 24/15*",
        "Ann 6-6: no legal play",
        "Bea doubles to\u00a02",
        "Ann passes. Bea wins 1 point, double passed.",
        "Game 2, the Crawford game",
        "Opening roll: both 2, roll again",
        "Opening roll: Ann 5, Bea 1",
        "Ann rolled 5-1",
    ]


def test_a_takeback_a_take_and_a_resignation_are_told() -> None:
    assert told(taken_back_and_given_up(match_to=3))[2:] == [
        "Ann 3-1: 13/10 6/5",
        "Undone back to Ann's 3-1",
        "Ann 3-1: 8/5 6/5",
        "Bea doubles to\u00a02",
        "Ann takes",
        "Bea offers to resign",
        "Ann accepts. Ann wins 4 points by resignation.",
    ]


def test_who_gave_no_name_is_told_by_his_side_in_the_players_language() -> None:
    table = AnyTable("nannon", 3)
    table.opens("5", "3")
    kept = replace(table.kept, start=replace(table.start, players=("White", "Black")))
    *_, last = leaves(kept)
    assert load_language("de").say(last.said) == "Weiß würfelt 2"


@pytest.mark.parametrize("game", FAMILIES)
def test_the_moves_of_each_leaf_lead_from_what_stood_to_what_stands(game: str) -> None:
    table = AnyTable(game, 1, seed=5)
    while table.view.phase is not Phase.MATCH_OVER and len(table.decided) < 120:
        table.goes_on()
    rules, plays = find_game(game), [leaf for leaf in leaves(table.kept) if leaf.number]
    assert len(plays) > 5
    for leaf in plays:
        before = rules.read_position(leaf.before)
        after = rules.attempted(before, leaf.moves) if leaf.moves else before
        stands = rules.read_position(leaf.state.position)
        assert rules.checkers_at(after) == rules.checkers_at(stands)
        assert leaf.mover is rules.mover(before)


def test_plays_are_counted_from_game_to_game() -> None:
    table = AnyTable("nannon", 2, seed=3)
    while table.view.phase is not Phase.MATCH_OVER:
        table.goes_on()
    found = list(leaves(table.kept))
    games = [index for index, leaf in enumerate(found) if leaf.opens]
    assert [found[index].said for index in games] == [f"Game {n + 1}" for n in range(len(games))]
    for first, beyond in zip(games, [*games[1:], len(found)], strict=True):
        numbers = [leaf.number for leaf in found[first:beyond] if leaf.number]
        assert numbers == list(range(1, len(numbers) + 1))


def kept_matches(name: str, folder: Path) -> Iterator[tuple[MatchSummary, Kept]]:
    shutil.copy(KEPT / f"{name}.db", folder / "old.db")
    with closing(Archive(folder / "old.db")) as archive:
        for match in archive.matches():
            yield match, Kept(match.start, tuple(archive.decisions(match.number)), GAMES)


@pytest.mark.parametrize("name", ["kept", "every-phase"])
def test_matches_of_version_6_of_the_journal_are_looked_through(name: str, tmp_path: Path) -> None:
    for match, kept in kept_matches(name, tmp_path):
        found = list(leaves(kept))
        assert found[0].opens
        assert all(leaf.said for leaf in found)
        plays = [decision for decision in kept.decisions if decision.what is Act.PLAY]
        assert sum(bool(leaf.number) for leaf in found) == len(plays)
        assert found[-1].state.standing.score == match.score


def test_a_play_that_todays_rules_cannot_read_is_shown_without_its_moves() -> None:
    table = AnyTable("nannon", 3)
    table.opens("5", "3")
    table.plays("2/4")
    odd = [replace(one, play="somewhere") if one.what is Act.PLAY else one for one in table.decided]
    (leaf,) = (leaf for leaf in leaves(Kept(table.start, odd, GAMES)) if leaf.number)
    assert (leaf.said, leaf.moves, leaf.mover) == ("Ann 2: somewhere", (), Side.WHITE)
    assert isinstance(leaf, Leaf)
