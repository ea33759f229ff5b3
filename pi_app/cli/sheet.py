"""A match as a score sheet: players, every game's rolls and plays in order, and the results.

It is made by replaying the events, so it says what the referee decided and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pi_app.board.description import Board
from pi_app.match.phases import Phase
from pi_app.referee.effects import Effect, Keep
from pi_app.referee.events import Event, Rolled, Source, Start, Tap, Tick
from pi_app.referee.lines import EventError
from pi_app.referee.referee import Referee
from pi_app.referee.view import View
from pi_app.rules.registry import find_game
from pi_app.rules.terms import read_roll

_OVER = (Phase.GAME_OVER, Phase.MATCH_OVER)


def score_sheet(board: Board, start: Start, events: Iterable[Event]) -> Iterator[str]:
    """The lines of a match; `events` are those after `start`.

    Raises EventError for a start that cannot be.
    """
    referee = Referee(board, start)
    sheet = _Sheet()
    yield from _heading(start, referee.view)
    yield from _game_heading(referee.view)
    for event in events:
        for moment in _moments(referee, event):
            before = referee.view
            try:
                effects = referee.handle(moment)
            except EventError:
                continue  # it was refused when it happened, too
            yield from sheet.lines(before, referee.view, moment, effects)
    yield from _ending(referee.view)


def _moments(referee: Referee, event: Event) -> Iterator[Event]:
    """What time alone decides comes first, one thing at a time; then the event."""
    while (due := referee.due) is not None and due < event.ms:
        yield Tick(due)
    yield event


class _Sheet:
    """What is to be remembered from line to line."""

    def __init__(self) -> None:
        self._turn = 0
        self._source = Source.DEVICE

    def lines(
        self, before: View, after: View, event: Event, effects: Iterable[Effect]
    ) -> Iterator[str]:
        """What one event added to the sheet."""
        if isinstance(event, Rolled):
            self._source = event.source
        for effect in effects:
            if isinstance(effect, Keep):
                yield from self._line(effect.what, before, after, event)
        if after.phase in _OVER and before.phase not in _OVER:
            yield f"  {after.last_result}."
            yield f"  Score: {_score(after)}"

    def _line(self, what: str, before: View, after: View, event: Event) -> Iterator[str]:
        mover = before.to_act.value.capitalize()
        match what:
            case "opening throw" if len(after.thrown) == 2:
                yield f"  Opening throw: {_thrown(after)}{self._typed()}"
            case "play":
                self._turn += 1
                play = _play(before, after)
                yield f"  {self._turn:3}. {mover:<5} {before.roll}: {play}{self._typed()}"
            case "double":
                # A long press on a finished play accepts it and doubles in one.
                doubler = after.to_act.other.value.capitalize()
                yield f"       {doubler} doubles to {after.cube.value * 2}"
            case "take" | "pass":
                yield f"       {mover} {'takes' if what == 'take' else 'passes'}"
            case "resigned":
                yield f"       {mover} resigns"
            case "take back":
                yield f"       Taken back to {after.to_act.value.capitalize()}'s {after.roll}"
            case "correction":
                yield f"       The board is right: {after.position}"
            case "sensor off" | "sensor on" if isinstance(event, Tap):
                yield f"       Sensor {event.sensor} is {what.removeprefix('sensor ')}"
            case "next game":
                self._turn = 0
                yield from _game_heading(after)
            case _:
                pass

    def _typed(self) -> str:
        return "  (typed)" if self._source is Source.TYPED else ""


def _heading(start: Start, view: View) -> Iterator[str]:
    target = f"to {start.match_to}" if start.match_to else "unlimited"
    white, black = start.players
    yield f"{view.title}, match {target}"
    yield f"White: {white}   Black: {black}"


def _game_heading(view: View) -> Iterator[str]:
    crawford = ", Crawford" if view.crawford else ""
    yield ""
    yield f"Game {view.game_number}{crawford}   {_score(view)}"


def _ending(view: View) -> Iterator[str]:
    yield ""
    if view.phase is Phase.MATCH_OVER:
        yield f"{view.message}."
        return
    roll = f", {view.to_act.value.capitalize()} has rolled {view.roll}" if view.roll else ""
    yield f"Not finished: {view.phase.value}, {view.position}{roll}"


def _score(view: View) -> str:
    white, black = view.players
    return f"{white} {view.score.white} – {view.score.black} {black}"


def _thrown(view: View) -> str:
    throws = ", ".join(f"{side.value.capitalize()} {die}" for side, die in view.thrown)
    return throws if view.phase is Phase.MOVING else f"{throws}, again"


def _play(before: View, after: View) -> str:
    """The play that leads from one accepted position to the next: no two lead to the same."""
    game = find_game(before.game)
    position = game.read_position(before.position)
    roll = read_roll(before.roll or "", game.dice)
    for play in game.plays(position, roll):
        if game.write_position(game.after(position, play)) == after.position:
            return game.write_play(play)
    return f"to {after.position}"
