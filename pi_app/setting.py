"""One setting: what it is unless it is set, what it can be, how it is read, shown and stepped."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from pi_app.sentences import Sentence
from pi_app.strict import Reader

if TYPE_CHECKING:
    from pi_app.settings import Settings

Value: TypeAlias = bool | int | float | str
T = TypeVar("T", bool, int, float, str)


@dataclass(frozen=True, slots=True)
class Bounds:
    """A number from `low` to `high`, whole where the default is; `step` is a tap on the screen."""

    low: float
    high: float
    is_address: bool = False
    step: float = 0


Choices: TypeAlias = Mapping[Any, str]
"""A few values, in the order of taps on the screen's page, and what each is called there."""
ON, OFF = Sentence("on"), Sentence("off")
SWITCH: Choices = MappingProxyType({True: ON(), False: OFF()})


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: where it stands, what it is unless it is set, what it can be and what it does.

    A text that can be anything has only a hint in `can_be`.  With a `label` it stands on the
    screen's page, where the lamp beside it is out at the value `out`.
    """

    table: str
    key: str
    default: Value
    says: str
    can_be: Choices | Bounds | str
    label: str | None
    out: Value

    @property
    def name(self) -> str:
        """Table and key in one."""
        return f"{self.table}.{self.key}"

    @property
    def values(self) -> str:
        """What it can be, for people."""
        match self.can_be:
            case Bounds(low, high):
                return f"{self.show(low)} to {self.show(high)}"
            case str(hint):
                return hint
            case choices:
                return ", ".join(map(self.show, choices))

    @property
    def choices(self) -> Choices:
        """Its values on the screen's page."""
        return self.can_be if isinstance(self.can_be, Mapping) else {}

    def show(self, value: Value) -> str:
        """A value as people write it."""
        if isinstance(value, bool):
            return str(value).lower()
        if isinstance(self.can_be, Bounds):
            return f"0x{value:02X}" if self.can_be.is_address else f"{value:.12g}"
        return str(value)

    def beside(self, value: float, *, more: bool) -> Value:
        """The number that a tap leads to: the next step up or down, within its bounds."""
        assert isinstance(self.can_be, Bounds)
        step, count = self.can_be.step, round(value / self.can_be.step, 6)
        following = step * (math.floor(count) + 1 if more else math.ceil(count) - 1)
        within = min(max(following, self.can_be.low), self.can_be.high)
        return int(within) if isinstance(self.default, int) else round(within, 6)

    def of(self, settings: Settings) -> Value:
        """Its value among these."""
        value: Value = asdict(settings)[self.table][self.key]
        return value

    def read(self, reader: Reader) -> Value:
        """Its value in its table; faults are the reader's."""
        match self.can_be, self.default:
            case Bounds(low, high), int(default):
                return reader.whole(self.key, int(low), int(high), default)
            case Bounds(low, high), float(default):
                return reader.number(self.key, low, high, default)
            case Mapping() as choices, str(default):
                return reader.choice(self.key, map(str, choices), default)
            case _, default:
                return reader.take(self.key, type(default), default)


def setting(
    default: T,
    says: str,
    can_be: Choices | Bounds | str,
    label: str | None = None,
    out: Value = False,
) -> T:
    """A field that is a setting."""
    told = {"default": default, "says": says, "can_be": can_be, "label": label, "out": out}
    made: T = field(default=default, metadata=told)
    return made
