"""A kept match retold: its events go through a fresh referee, what was decided comes out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pi_app.board.description import Board
from pi_app.match.phases import Phase
from pi_app.referee.effects import Keep
from pi_app.referee.events import Event, Start, Tick
from pi_app.referee.lines import EventError
from pi_app.referee.options import read_options
from pi_app.referee.referee import Referee
from pi_app.referee.view import View
from pi_app.rules.contract import AnyGame
from pi_app.rules.registry import find_game

OVER = (Phase.GAME_OVER, Phase.MATCH_OVER)


@dataclass(frozen=True, slots=True)
class Decision:
    """One event that changed the match: what it did, in order, and the views around it."""

    kept: tuple[str, ...]
    before: View
    after: View
    event: Event

    @property
    def ends_game(self) -> bool:
        """Whether the game was over after it and not before."""
        return self.after.phase in OVER and self.before.phase not in OVER


def agreed_game(start: Start) -> AnyGame:
    """The game of a match under its options; they must have been found good."""
    game = find_game(start.game)
    return find_game(start.game, read_options(start, game).agreed)


def opening_view(board: Board, start: Start) -> View:
    """What a match begins with; raises EventError for a start that cannot be."""
    return Referee(board, start).view


def decisions(board: Board, start: Start, events: Iterable[Event]) -> Iterator[Decision]:
    """Every decision of a match; `events` are those after `start`.

    Raises EventError for a start that cannot be.
    """
    referee = Referee(board, start)
    before = referee.view
    for event in events:
        for moment in _moments(referee, event):
            try:
                effects = referee.handle(moment)
            except EventError:
                continue  # it was refused when it happened, too
            kept = tuple(effect.what for effect in effects if isinstance(effect, Keep))
            if kept:
                after = referee.view
                yield Decision(kept, before, after, moment)
                before = after


def _moments(referee: Referee, event: Event) -> Iterator[Event]:
    """What time alone decides comes first, one thing at a time; then the event."""
    while (due := referee.due) is not None and due <= event.us:
        yield Tick(due)
    yield event
