"""`spotter doctor --first-time`: what only the owner of a real Raspberry Pi can check."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum

from pi_app.base.values import dataclass
from pi_app.cli.ending import Status
from pi_app.words.texts import columns


class For(Enum):
    """The boards that an observation applies to."""

    ALL = "all"
    PINS = "pins"
    SCANNER = "scanner"


@dataclass(frozen=True, slots=True)
class Observation:
    """What the owner does, a question whose good answer is yes, and what to do after a no."""

    name: str
    do: str
    question: str
    remedy: str
    boards: For = For.ALL


OBSERVATIONS = (
    Observation(
        "start",
        "Restart the Pi: sudo reboot",
        "Does Spotter appear by itself, in full screen?",
        "run: spotter setup; then read: journalctl --user -u spotter",
    ),
    Observation(
        "picture",
        "Look at the whole screen.",
        "Is the picture sharp, upright and complete?",
        "set screen.rotation to 90, 180 or 270; if it is black run: spotter doctor",
    ),
    Observation(
        "doctor",
        "Quit Spotter and run: spotter doctor",
        "Are pins, I2C, OLED, sound, voice, display and groups ok?",
        "do what stands below each FAIL",
    ),
    Observation(
        "touch",
        "Start Spotter and tap buttons in all four corners.",
        "Does each tap do one thing, under your finger?",
        "under a desktop: Menu, Preferences, Screen Configuration; else set screen.rotation",
    ),
    Observation(
        "rotation",
        "Set screen.rotation to 180, restart Spotter and tap buttons; then set it back.",
        "Is the picture upside down, and does each tap act under your finger?",
        "report the display, and whether a desktop runs",
    ),
    Observation(
        "desktop",
        "If the Pi has a desktop, look at its panel and notifications while Spotter runs.",
        "Does Spotter cover all of them?",
        "press F11; report the desktop's name",
    ),
    Observation(
        "brightness",
        "Menu, Settings: lower the brightness, then raise it.",
        "Does the screen follow?",
        "run: spotter doctor (group video); displays on HDMI cannot be dimmed",
    ),
    Observation(
        "sound",
        "Menu, Settings: change the volume.",
        "Do you hear a sound?",
        "run: sudo raspi-config (System, Audio)",
    ),
    Observation(
        "voice",
        "On the first page hold the button for a second; again, to end it.",
        "Does a voice say so, clearly and at once?",
        "run: spotter doctor (voice)",
    ),
    Observation(
        "OLED",
        "Begin a match and look at the OLED.",
        "Is the picture whole, upright and without noise?",
        "set oled.chip in the settings to the chip that its seller names; check the wires",
    ),
    Observation(
        "reeds",
        "Menu, Sensors: lift a checker and put it on every place in turn.",
        "Does the screen follow at once, and at no other place?",
        "run: spotter walk",
    ),
    Observation(
        "button",
        "Press the button, then hold it for a second.",
        "Does the first press roll, and is the long one another thing?",
        "check its wires with: spotter doctor",
        For.PINS,
    ),
    Observation(
        "fast hands",
        "Make ten plays as fast as you can; slide some checkers over the board.",
        "Was every play taken as you made it?",
        "run: spotter walk; if a reed bounces for long, raise times.debounce_ms",
    ),
    Observation(
        "lights",
        "Make an illegal move and wait two seconds.",
        "Do the lights blink at the place to put right?",
        "check the lights' polarity in the building guide",
        For.PINS,
    ),
    Observation(
        "scanner",
        "Unplug the scanner for five seconds and plug it in again.",
        "Does the warning on the screen go away by itself?",
        "run: spotter scanner",
        For.SCANNER,
    ),
    Observation(
        "power",
        "Pull the Pi's plug in the middle of a turn and start it again.",
        "Does Resume show the position as it was?",
        "run: spotter doctor (storage); report what it says",
    ),
    Observation(
        "load",
        "Leave Spotter alone for a minute and run: top",
        "Does spotter use less than a tenth of a processor?",
        "report the Raspberry Pi's model and the figure",
    ),
    Observation(
        "blanking",
        "Leave the touchscreen alone for ten minutes.",
        "Is it still lit?",
        "switch screen blanking off: sudo raspi-config (Display)",
    ),
)
"""In a sensible order; about ten minutes, plus ten of waiting."""

AskOwner = Callable[[str], str]
"""Shows a question and returns the typed answer. Raises EOFError at the end of the input."""


def chosen(has_scanner: bool) -> tuple[Observation, ...]:
    here = For.SCANNER if has_scanner else For.PINS
    return tuple(one for one in OBSERVATIONS if one.boards in (For.ALL, here))


def listed(observations: Iterable[Observation]) -> str:
    """All observations at once, for paper."""
    return "\n".join(
        f"[ ] {one.name}\n    {one.do}\n    {one.question}\n    if not: {one.remedy}"
        for one in observations
    )


def go_through(observations: tuple[Observation, ...], ask: AskOwner) -> int:
    """Ask about each, and say what to do after a no. Return a failure if anything must be fixed."""
    print("Answer y for yes, n for no; Enter skips.\n")
    answers = []
    for number, one in enumerate(observations, 1):
        print(f"{number} of {len(observations)}  {one.name}\n  {one.do}")
        try:
            answer = ask(f"  {one.question} ").strip().lower()[:1]
        except EOFError:
            break
        if answer == "n":
            print(f"  → {one.remedy}")
        answers.append((one, answer))
    return _conclude(answers)


def _conclude(answers: list[tuple[Observation, str]]) -> int:
    faults = [(one.name, one.remedy) for one, answer in answers if answer == "n"]
    well = sum(answer == "y" for _, answer in answers)
    skipped = len(answers) - well - len(faults)
    print(f"\n{well} well, {len(faults)} to repair, {skipped} skipped")
    if faults:
        print(columns(faults))
    return Status.FAILED if faults else Status.DONE
