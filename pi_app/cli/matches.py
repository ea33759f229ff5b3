"""`spotter matches`: the matches that were kept, a line each."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from pi_app.cli.arguments import Parser
from pi_app.cli.ending import Status
from pi_app.games.equipment import Compendium
from pi_app.journal.archive import Archive, MatchSummary
from pi_app.journal.opening import FILE, data_folder
from pi_app.journal.tally import Tally
from pi_app.rejudging import Rejudging
from pi_app.rules.contract import Games
from pi_app.texts import columns
from pi_app.wall_time import local_time

_HEADS = ("number", "date", "game", "White", "Black", "to", "score", "state")


def run(argv: list[str], games: Compendium) -> int:
    """List the matches."""
    Parser("matches", "List the kept matches.").parse_args(argv)
    matches = _kept_in(data_folder() / FILE, games.rules)
    if matches:
        print(columns([_HEADS, *map(_row, matches)]))
    else:
        print("No matches yet: the first one begins with `spotter`.")
    return Status.DONE


def _kept_in(path: Path, games: Games) -> tuple[MatchSummary, ...]:
    """Every match; raises JournalError when the journal cannot be read."""
    if not path.exists() and Tally(path).read() is None:
        return ()
    with closing(Archive(path, Rejudging(games))) as archive:
        return archive.matches()


def _row(match: MatchSummary) -> tuple[str, ...]:
    start, score = match.start, match.score
    state = "over" if match.is_over else match.phase.value
    return (
        str(match.number),
        local_time(match.began),
        start.game,
        *start.players,
        str(start.match_to or "–"),
        f"{score.white}–{score.black}",
        state,
    )
