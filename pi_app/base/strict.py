"""Strict reading of configuration: every unknown key and every bad value is reported,
all at once."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar, cast

from pi_app.base.errors import GivenError
from pi_app.words.texts import both_ends, one_line, quoted

T = TypeVar("T")
Name = TypeVar("Name", bound=str)

MOST_OF_LINE = 1000
"""The most characters of a line of a file."""
MOST_OF_PLACE = 1e6
"""The greatest coordinate, a kilometre in mm."""


class ConfigError(GivenError, ValueError):
    """A configuration that cannot be used; `reasons` name file, key, value and remedy."""

    def __init__(self, file: str, reasons: Iterable[str]) -> None:
        self.file = file
        self.reasons = tuple(reasons)
        super().__init__("\n".join(self.lines))

    @property
    def lines(self) -> tuple[str, ...]:
        return tuple(one_line(f"{both_ends(self.file, 100)}: {reason}") for reason in self.reasons)


def parse_toml(file: str, text: str) -> Mapping[str, object]:
    """Return the tables of a TOML text. Raises ConfigError with the place of a syntax error."""
    for number, line in enumerate(text.splitlines(), start=1):
        # The time that a key takes to read grows with the square of its parts.
        if len(line) > MOST_OF_LINE and not line.lstrip().startswith("#"):
            what = f"line {number}, {quoted(line)}, has {len(line)} characters"
            raise ConfigError(file, [f"{what}; it can have {MOST_OF_LINE}"])
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(file, [f"not valid TOML: {one_line(str(error), 150)}"]) from None
    except RecursionError:
        raise ConfigError(file, ["not valid TOML: brackets are nested too deeply"]) from None


class Reader:
    """One table being read. Each key that is asked for is checked; the others are unknown keys.

    Faults are collected in `faults`, which nested readers share, so that a user sees all of them.
    """

    def __init__(
        self, table: Mapping[str, object], path: str = "", faults: list[str] | None = None
    ) -> None:
        self.faults: list[str] = [] if faults is None else faults
        self._left = dict(table)
        self._path = path
        self._faulty: set[str] = set()

    def take(self, key: str, kind: type[T], default: T | None = None) -> T:
        """Return the value of a key; without a default the key must exist.

        A whole number is accepted as a float. After a fault the kind's empty value is returned.
        """
        if key not in self._left:
            if default is None:
                self.fault(key, f"is missing; give it {_a(kind)}")
                return kind()
            return default
        value = self._left.pop(key)
        if kind is float and type(value) is int:
            value = _float(value)
        if type(value) is not kind:
            self.fault(key, f"is {quoted(value)}; it must be {_a(kind)}")
            return kind()
        if isinstance(value, str) and not value.isprintable():
            self.fault(key, f"is {quoted(value)}; it must be a text without control characters")
            return kind()
        return value

    def named(self, key: str, name: Callable[[str], Name], default: str | None = None) -> Name:
        """Return a text converted by `name`, which may raise ValueError. After a fault
        it is empty."""
        try:
            return name(self.take(key, str, default))
        except ValueError as error:
            self.fault(key, f"is wrong: {error}")
            return cast(Name, "")

    def number(
        self, key: str, low: float, high: float, default: float | None = None, unit: str = ""
    ) -> float:
        """A number within [low, high]; 0 after a fault."""
        value = self.take(key, float, default)
        return value if self._within(key, value, low, high, unit) else 0.0

    def whole(self, key: str, low: int, high: int, default: int | None = None) -> int:
        """A whole number within [low, high]; 0 after a fault."""
        value = self.take(key, int, default)
        return value if self._within(key, value, low, high, "") else 0

    def choice(self, key: str, choices: Iterable[str], default: str | None = None) -> str:
        words = tuple(choices)
        value = self.take(key, str, default)
        if value not in words:
            self.fault(key, f"is {quoted(value)}; choose one of: {', '.join(words)}")
            return words[0]
        return value

    def pair(self, key: str, default: tuple[float, float] | None = None) -> tuple[float, float]:
        """Two numbers: x and y in millimetres."""
        if key not in self._left and default is not None:
            return default
        value = self.take(key, list)
        if len(value) != 2 or not all(map(_is_place, value)):
            self.fault(key, f"is {quoted(value)}; it must be two numbers, [x, y]")
            return (0.0, 0.0)
        return (float(value[0]), float(value[1]))

    def words(self, key: str, default: tuple[str, ...] | None = None) -> tuple[str, ...]:
        if key not in self._left and default is not None:
            return default
        value = self.take(key, list)
        if any(type(part) is not str or not part.isprintable() for part in value):
            self.fault(key, f"is {quoted(value)}; it must be a list of words")
            return ()
        return tuple(value)

    def has(self, key: str) -> bool:
        return key in self._left

    def drop(self, key: str) -> None:
        self._left.pop(key, None)

    def table(self, key: str) -> Reader:
        """A nested table; empty if it is missing."""
        value = self._left.pop(key, {})
        if not isinstance(value, dict):
            self.fault(key, f"is {quoted(value)}; it must be a table, [{key}]")
            value = {}
        return Reader(value, self._name(key), self.faults)

    def tables(self, key: str) -> list[Reader]:
        value = self._left.pop(key, [])
        if not isinstance(value, list) or any(not isinstance(part, dict) for part in value):
            self.fault(key, f"is {quoted(value)}; it must be a list of tables, [[{key}]]")
            value = []
        return [
            Reader(part, f"{self._name(key)}[{number}]", self.faults)
            for number, part in enumerate(value, start=1)
        ]

    def fault(self, key: str, what: str) -> None:
        """Note a fault of a key; only the first of each key, because others follow from it."""
        if key not in self._faulty:
            self._faulty.add(key)
            self.faults.append(f"{self._name(key)} {what}")

    def done(self, known: str = "") -> None:
        """Report all keys that nobody asked for."""
        for key, value in self._left.items():
            hint = f"; known here: {known}" if known else ""
            self.fault(key, f"= {quoted(value)} is not known{hint}")
        self._left.clear()

    def _within(self, key: str, value: float, low: float, high: float, unit: str) -> bool:
        inside = low <= value <= high
        if not inside:
            bounds = f"it must be from {low}{unit} to {high}{unit}"
            self.fault(key, f"is {quoted(value)}{unit}; {bounds}")
        return inside

    def _name(self, key: str) -> str:
        name = one_line(key, 40)
        return f"{self._path}.{name}" if self._path else name


def _float(whole: int) -> float:
    return float(whole) if abs(whole) < 1e300 else math.inf


def _is_place(part: object) -> bool:
    return type(part) in (int, float) and abs(part) <= MOST_OF_PLACE  # type: ignore[arg-type]


def _a(kind: type[object]) -> str:
    names = {str: "a text", int: "a whole number", float: "a number", bool: "true or false"}
    return names.get(kind, "a list")
