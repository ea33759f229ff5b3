"""The sensors before a match: which are closed, and the walk test."""

from __future__ import annotations

from pi_app.microseconds import Us
from pi_app.referee.events import Button, Event, Picture, Press, SensorEdge
from pi_app.screen.ui import Inspected, TrialPart, WalkTest
from pi_app.sensing.description import Board, Sensor
from pi_app.sensing.walk import Walk, WalkStage, report


class Inspection:
    """Follows a board's contacts, open until it hears of them; a walk begins when asked for."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._closed: frozenset[Sensor] = frozenset()
        self._parts: frozenset[TrialPart] = frozenset()
        self._lifted: frozenset[Sensor] = frozenset()
        self._walk: Walk | None = None

    @property
    def shown(self) -> Inspected:
        """The walk for the screen, with the report at the end."""
        walk = self._walk
        if walk is None:
            return Inspected(self._closed, parts=self._parts)
        lines = report(walk) if walk.ask.stage is WalkStage.OVER else ()
        return Inspected(self._closed, WalkTest(walk.ask, walk.tried, walk.findings, lines))

    @property
    def due(self) -> Us | None:
        """When `advance` has something to do next."""
        return self._walk.due if self._walk else None

    def handle(self, event: Event) -> None:
        """Handle a changed contact or a full reading; the button is handled elsewhere."""
        match event:
            case SensorEdge(us=us, sensor=sensor, closed=closed):
                self._closed = self._closed | {sensor} if closed else self._closed - {sensor}
                self._try(sensor, closed)
                if self._walk:
                    self._walk.edge(us, sensor, closed)
            case Picture(us=us, closed=all_closed):
                self._closed = all_closed
                if self._walk:
                    self._walk.picture(us, all_closed)
            case Button(us=us, press=Press.SHORT):
                self._parts |= {TrialPart.PRESSED}
                self.skip(us)

    def _try(self, sensor: Sensor, closed: bool) -> None:
        """A checker counts as put where none was lifted: a reed can bounce."""
        if not closed:
            self._lifted |= {sensor}
            self._parts |= {TrialPart.LIFTED}
        elif self._lifted and sensor not in self._lifted:
            self._parts |= {TrialPart.PUT}

    def advance(self, us: Us) -> None:
        """Let time pass."""
        if self._walk:
            self._walk.advance(us)

    def walk(self, us: Us) -> None:
        """Begin a walk test, from the first sensor on."""
        self._walk = Walk(self._board, us, self._closed)

    def skip(self, us: Us) -> None:
        """Wait no longer for what the walk asks for."""
        if self._walk:
            self._walk.skip(us)
