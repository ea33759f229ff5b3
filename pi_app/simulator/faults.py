"""How badly simulated reeds behave, as a value and as the text of `--faults`."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pi_app.errors import GivenError
from pi_app.microseconds import write_ms
from pi_app.sensing.description import Board, Sensor
from pi_app.sensing.noise import PUBLISHED, Noise, NoiseModel
from pi_app.words.texts import quoted


class FaultsError(GivenError, ValueError):
    """A text that tells no faults; names the word and what would do."""


@dataclass(frozen=True, slots=True)
class Faults:
    """How reeds fail.

    `bounce_ms` and `chatter_ms` are the longest bursts of edges when a checker is put or lifted,
    and when it is slid or rocked.  `miss` is the share of placed checkers that a reed does not
    feel until they are nudged; a weak reed misses every third.  `linger` is the share of lifted
    checkers whose reed stays closed: for `linger_ms` at most, or until it is nudged or another
    checker comes and goes.  Dead reeds never close, stuck ones never open.
    """

    bounce_ms: float = 0.0
    chatter_ms: float = 0.0
    miss: float = 0.0
    linger: float = 0.0
    linger_ms: float = 0.0
    dead: frozenset[Sensor] = frozenset()
    stuck: frozenset[Sensor] = frozenset()
    weak: frozenset[Sensor] = frozenset()

    def miss_rate(self, sensor: Sensor) -> float:
        """How likely the reed misses a checker that is put over it."""
        return max(self.miss, WEAK_MISS) if sensor in self.weak else self.miss

    @property
    def broken(self) -> frozenset[Sensor]:
        """The reeds that never tell the truth for long."""
        return self.dead | self.stuck


WEAK_MISS = 1 / 3
NONE = Faults()


def usual(noise: NoiseModel) -> Faults:
    """Reeds as they are: some milliseconds of bounce, longer chatter, now and then a deaf one."""
    return Faults(
        bounce_ms=write_ms(noise.longest(Noise.BOUNCE)),
        chatter_ms=write_ms(noise.longest(Noise.ROCK)),
        miss=noise.share(Noise.MISSED_CLOSING),
        linger=noise.share(Noise.MISSED_OPENING),
        linger_ms=write_ms(noise.longest(Noise.MISSED_OPENING)),
    )


DEFAULT = usual(PUBLISHED)

SPEC = (
    "default, none, miss=SHARE, linger=SHARE, bounce=MS, chatter=MS, "
    "dead=SENSOR, stuck=SENSOR, weak=SENSOR, comma-joined"
)


def read_faults(text: str, board: Board, noise: NoiseModel = PUBLISHED) -> Faults:
    """Read "default,dead=4"; raises FaultsError for a word, a number or a sensor there is not.

    By default reeds are as bad as the noise model says.
    """
    faults = NONE
    for word in text.split(","):
        faults = _worse(faults, word.strip(), board, noise)
    return faults


def _worse(faults: Faults, word: str, board: Board, noise: NoiseModel) -> Faults:
    match word.partition("="):
        case "none", "", _:
            faults = NONE
        case "default", "", _:
            faults = usual(noise)
        case "dead", "=", name:
            faults = replace(faults, dead=faults.dead | _sensor(word, name, board))
        case "stuck", "=", name:
            faults = replace(faults, stuck=faults.stuck | _sensor(word, name, board))
        case "weak", "=", name:
            faults = replace(faults, weak=faults.weak | _sensor(word, name, board))
        case "miss", "=", share:
            faults = replace(faults, miss=_number(word, share, 1.0))
        case "linger", "=", share:
            longest = write_ms(noise.longest(Noise.MISSED_OPENING))
            faults = replace(faults, linger=_number(word, share, 1.0), linger_ms=longest)
        case "bounce", "=", time:
            faults = replace(faults, bounce_ms=_number(word, time, 50.0))
        case "chatter", "=", time:
            faults = replace(faults, chatter_ms=_number(word, time, 500.0))
        case _:
            raise FaultsError(f"fault {quoted(word)} is not known; write: {SPEC}")
    return faults


def _sensor(word: str, value: str, board: Board) -> frozenset[Sensor]:
    if value not in board.sensors:
        raise FaultsError(
            f"fault {quoted(word)}: the board has the sensors {', '.join(board.sensors)}"
        )
    return frozenset({Sensor(value)})


def _number(word: str, value: str, most: float) -> float:
    try:
        number = float(value)
    except ValueError:
        number = -1.0
    if not 0 <= number <= most:
        raise FaultsError(f"fault {quoted(word)}: write a number from 0 to {most:g}")
    return number
