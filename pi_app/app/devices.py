"""The devices that the program runs on, and how they follow the settings and the view."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from pi_app.app.touchscreen import Front
from pi_app.devices.backlight import Backlight
from pi_app.devices.clock import WallClock
from pi_app.devices.dice import Dice
from pi_app.devices.oled import SmallDisplay
from pi_app.devices.source import DeviceError, SensorSource
from pi_app.match.turns import Phase
from pi_app.referee.effects import Cue
from pi_app.referee.view import View
from pi_app.screen.sound import Speaker
from pi_app.sensing.reading import ALARMS
from pi_app.settings import Settings
from pi_app.words.sentences import Sentence

NOT_DIMMED = Sentence("Cannot change the brightness: {why}")


@dataclass(frozen=True, slots=True)
class Devices:
    """The OLED may be missing, and the backlight where no display can be dimmed.

    `watch` receives each view as it is shown.
    """

    source: SensorSource
    front: Front
    speaker: Speaker
    oled: SmallDisplay | None
    dice: Dice
    watch: Callable[[View], None] | None = None
    backlight: Backlight | None = None
    wall: WallClock = field(default_factory=WallClock)

    @property
    def brightness(self) -> int | None:
        """The display's, in per cent; None where it cannot be changed."""
        return self.backlight.percent if self.backlight else None

    def follow(self, setting: str, settings: Settings) -> tuple[str, ...]:
        """Let the devices follow a setting that has changed; what they refuse, as notices."""
        match setting:
            case "screen.fullscreen":
                self.front.set_fullscreen(settings.screen.fullscreen)
            case "screen.brightness" if self.backlight:
                try:
                    self.backlight.set(settings.screen.brightness)
                except DeviceError as error:
                    return (NOT_DIMMED(why=str(error)),)
            case "sound.on" | "sound.volume":
                self.speaker.on = settings.sound.on
                self.speaker.set_volume(settings.sound.volume)
                self.speaker.play(Cue.LEGAL)
        return ()

    def light(self, view: View) -> None:
        """Light the legal targets, or the machine's play; blink the spots to be put right."""
        if view.board in ALARMS or view.phase is Phase.SET_UP:
            self.source.lights(frozenset(), frozenset(view.fill + view.clear))
        else:
            to_make = (spot for move in view.to_make for spot in (move.origin, move.target))
            self.source.lights(frozenset(view.targets or to_make), frozenset())

    def close(self) -> None:
        for device in (self.source, self.speaker, self.front, self.oled):
            if device:
                device.close()
