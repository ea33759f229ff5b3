"""The page of the sensors: what is looked at before a match, and what touches on the page do."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pi_app.commands import Inspect
from pi_app.microseconds import Us
from pi_app.screen.actions import Acted
from pi_app.screen.ui import Page, Shown, Ui
from pi_app.sensing.description import Sensor


@dataclass(frozen=True, slots=True)
class LookAt:
    """Tell of this sensor; of the one that is told of already, no more."""

    sensor: Sensor

    def act(self, ui: Ui, shown: Shown, us: Us) -> Acted:
        sensor = None if ui.sensor == self.sensor else self.sensor
        return replace(ui, sensor=sensor, walk_asked=False), ()


@dataclass(frozen=True, slots=True)
class AskForWalk:
    """Tell how a walk test is come by while a match is under way."""

    def act(self, ui: Ui, shown: Shown, us: Us) -> Acted:
        return replace(ui, sensor=None, walk_asked=True), ()


@dataclass(frozen=True, slots=True)
class OpenSensors:
    """Open the page; before a match the program looks at the sensors for it."""

    def act(self, ui: Ui, shown: Shown, us: Us) -> Acted:
        looking = () if shown.view else (Inspect.LOOK,)
        return replace(ui, page=Page.SENSORS, sensor=None, walk_asked=False), looking


@dataclass(frozen=True, slots=True)
class LeaveSensors:
    """Back to the match, or to the start: there the program looks no longer."""

    def act(self, ui: Ui, shown: Shown, us: Us) -> Acted:
        """A walk test under way ends."""
        if shown.view:
            return replace(ui, page=Page.PLAY, sensor=None), ()
        return replace(ui, page=Page.START, sensor=None), (Inspect.STOP,)
