"""`spotter matches`: the matches that were kept, a line each; or their players, a line each."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

from pi_app.cli.arguments import Parser
from pi_app.cli.ending import Status
from pi_app.export.retold import Kept
from pi_app.export.statistics import (
    Faces,
    Fairness,
    by_name,
    chance_of,
    figures_of,
    judge_dice,
    names_counted,
)
from pi_app.files import is_there
from pi_app.games.equipment import Compendium
from pi_app.journal.archive import Archive, MatchSummary, Tally
from pi_app.journal.opening import FILE, data_folder
from pi_app.rules.contract import Games
from pi_app.words.texts import columns
from pi_app.words.wall_time import local_time

_PLAYER_HEADS = (
    *("player", "matches", "over", "won", "points", "plays", "minutes", "taken back", "warned"),
    *("rolled", "p", "typed", "p"),
)
_HEADS = ("number", "date", "game", "White", "Black", "to", "score", "state")


def run(argv: list[str], games: Compendium) -> int:
    parser = Parser("matches", "List the kept matches.")
    parser.add_argument(
        "--players", action="store_true", help="list the players instead: matches, points, dice"
    )
    rows = _players if parser.parse_args(argv).players else _matches
    path = data_folder() / FILE
    table: list[tuple[str, ...]] = []
    if is_there(path) or Tally(path).read():
        with closing(Archive(path)) as archive:
            table = list(rows(archive, games.rules))
    if len(table) > 1:
        print(columns(table))
    else:
        print("No matches yet: the first one begins with `spotter`.")
    return Status.DONE


def _matches(archive: Archive, _: Games) -> Iterator[tuple[str, ...]]:
    yield _HEADS
    yield from map(_row, archive.matches())


def _players(archive: Archive, games: Games) -> Iterator[tuple[str, ...]]:
    """Totals of each named player; `p` is the chance that fair dice fall this unevenly."""
    yield _PLAYER_HEADS
    played = (
        (names_counted(kept.start, kept.game.side_names), figures_of(kept))
        for match in archive.matches()
        if match.start.game in games
        for kept in (Kept(match.start, archive.decisions(match.number), games),)
    )
    for name, totals in by_name(played).items():
        yield (
            name,
            str(totals.matches),
            str(totals.over),
            str(totals.won),
            f"{totals.points}–{totals.against}",
            f"{totals.mean_plays:.0f}",
            f"{totals.mean_minutes:.0f}",
            str(totals.taken_back),
            f"{totals.warned}/{totals.watched}" if totals.watched else "–",
            *_dice(totals.rolled),
            *_dice(totals.typed),
        )


def _dice(faces: Faces) -> tuple[str, str]:
    """The number of dice and the chance that fair dice fall this unevenly, if there are enough."""
    told = judge_dice(faces) is not Fairness.TOO_FEW
    return str(sum(faces)), f"{chance_of(faces):.3f}" if told else "–"


def _row(match: MatchSummary) -> tuple[str, ...]:
    start, score = match.start, match.score
    state = "over" if match.is_over else match.phase.value
    return (
        str(match.number),
        local_time(match.date),
        start.game,
        *start.players,
        str(start.match_to or "–"),
        f"{score.white}–{score.black}",
        state,
    )
