"""A match as a score sheet: players, every game's rolls and plays in order, and the results.

It is made by replaying the events, so it says what the referee decided and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pi_app.board.description import Board
from pi_app.cli.decisions import Decision, agreed_game, decisions, opening_view
from pi_app.match.phases import Phase
from pi_app.referee.events import Event, Rolled, Source, Start, Tap
from pi_app.referee.view import View
from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Roll, Side, read_roll


def score_sheet(board: Board, start: Start, events: Iterable[Event]) -> Iterator[str]:
    """The lines of a match; `events` are those after `start`.

    Raises EventError for a start that cannot be.
    """
    view = opening_view(board, start)
    sheet = _Sheet(agreed_game(start))
    yield from _heading(start, view)
    yield from _game_heading(view)
    for decision in decisions(board, start, events):
        yield from sheet.lines(decision)
        view = decision.after
    yield from _ending(view)


class _Sheet:
    """What is to be remembered from line to line."""

    def __init__(self, game: AnyGame) -> None:
        self._game = game
        self._turn = 0
        self._typed = False

    def lines(self, decision: Decision) -> Iterator[str]:
        """What one decision added to the sheet."""
        if isinstance(decision.event, Rolled):
            second = "opening throw" in decision.kept and len(_throws(decision)) == 2
            typed = decision.event.source is Source.TYPED
            self._typed = typed or (second and self._typed)
        for what in decision.kept:
            yield from self._line(what, decision)
        if decision.ends_game:
            yield f"  {decision.after.last_result}."
            yield f"  Score: {_score(decision.after)}"

    def _line(self, what: str, decision: Decision) -> Iterator[str]:
        before, after, event = decision.before, decision.after, decision.event
        mover = _name(before, before.to_act)
        match what:
            case "opening throw" if len(_throws(decision)) == 2:
                yield f"  Opening throw: {_thrown(decision)}{self._mark()}"
            case "play":
                self._turn += 1
                who = f"{mover:<5} {before.roll}" if before.roll else mover
                yield f"  {self._turn:3}. {who}: {self._play(before, after)}{self._mark()}"
            case "double":
                # A long press on a finished play accepts it and doubles in one.
                doubler = _name(after, after.to_act.other)
                yield f"       {doubler} doubles to {after.cube.value * 2}"
            case "take" | "pass":
                yield f"       {mover} {'takes' if what == 'take' else 'passes'}"
            case "resigned":
                rolled = f", having rolled {before.roll}" if before.roll else ""
                yield f"       {mover} resigns{rolled}"
            case "take back":
                yield f"       Taken back to {_name(after, after.to_act)}'s {after.roll or 'turn'}"
            case "correction":
                played = f" after {mover}'s {before.roll}" if before.roll and not after.roll else ""
                yield f"       The board is right{played}: {after.position}"
            case "sensor off" | "sensor on" if isinstance(event, Tap):
                yield f"       Sensor {event.sensor} is {what.removeprefix('sensor ')}"
            case "next game":
                self._turn, self._typed = 0, False
                yield from _game_heading(after)
            case _:
                pass

    def _play(self, before: View, after: View) -> str:
        """The play that leads from one accepted position to the next: no two lead to the same."""
        game = self._game
        position = game.read_position(before.position)
        roll = read_roll(before.roll, game.dice) if before.roll else Roll(())
        for play in game.plays(position, roll):
            if game.write_position(game.after(position, play)) == after.position:
                return game.write_play(play)
        return f"to {after.position}"

    def _mark(self) -> str:
        return "  (typed)" if self._typed else ""


def _heading(start: Start, view: View) -> Iterator[str]:
    target = f"to {start.match_to}" if start.match_to else "unlimited"
    yield f"{view.title}, match {target}"
    sides = (f"{_name(view, side)}: {_player(view, side)}" for side in Side)
    yield "   ".join(sides)


def _game_heading(view: View) -> Iterator[str]:
    crawford = ", Crawford" if view.crawford else ""
    yield ""
    yield f"Game {view.game_number}{crawford}   {_score(view)}"


def _ending(view: View) -> Iterator[str]:
    yield ""
    if view.phase is Phase.MATCH_OVER:
        yield f"{view.message}."
        return
    roll = f", {_name(view, view.to_act)} has rolled {view.roll}" if view.roll else ""
    yield f"Not finished: {view.phase.value}, {view.position}{roll}"


def _name(view: View, side: Side) -> str:
    return view.side_names[side is Side.BLACK]


def _player(view: View, side: Side) -> str:
    return view.players[side is Side.BLACK]


def _score(view: View) -> str:
    white, black = view.players
    return f"{white} {view.score.white} – {view.score.black} {black}"


def _throws(decision: Decision) -> tuple[tuple[Side, int], ...]:
    """The throw so far; the view forgets a full one where the winner rolls afresh."""
    event, thrown = decision.event, decision.before.thrown
    if not isinstance(event, Rolled):
        return ()
    first = thrown if len(thrown) == 1 else ()
    return (*first, (event.by, event.dice.dice[0]))


def _thrown(decision: Decision) -> str:
    view = decision.after
    throws = ", ".join(f"{_name(view, side)} {die}" for side, die in _throws(decision))
    if view.phase is not Phase.OPENING_THROW:
        return throws
    turned = view.cube.value != decision.before.cube.value
    return f"{throws}, again{f'; the cube turns to {view.cube.value}' * turned}"
