"""JSON as typed values: dataclasses, named tuples, enums, and collections of them.

A class describes its JSON object: its fields are the keys, its types the types of the values.
`msgspec` converts strictly; unknown keys are rejected too. If the class depends on the object, a
key tells which: `one_of`, with a table of the classes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

from pi_app.base.errors import GivenError
from pi_app.words.texts import one_line, quoted

T = TypeVar("T")


class JsonError(GivenError, ValueError):
    """JSON of another form. The message has the place, as in `$.moves[2].origin`, and the value."""


def parse(text: str | bytes) -> Any:
    """Return what a JSON text contains. Raises JsonError for invalid JSON, and for deep nesting."""
    try:
        return msgspec.json.decode(text)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise JsonError(f"not JSON: {error}") from None


def read_object(text: str | bytes) -> dict[str, Any]:
    """The keys and values of a JSON object. Raises JsonError."""
    found = parse(text)
    if not isinstance(found, dict):
        raise JsonError(f"{quoted(found)} is no JSON object; write {{…}}")
    return found


def read(text: str | bytes, kind: type[T]) -> T:
    """A JSON text as a value of this type. Raises JsonError."""
    return typed(parse(text), kind)


def typed(found: object, kind: type[T]) -> T:
    """Convert parsed JSON to this type; parts of it may have their types already.

    Raises JsonError.
    """
    try:
        made = msgspec.convert(found, kind)
    except msgspec.ValidationError as error:
        raise JsonError(_named(str(error), found)) from None
    unknown = _unknown(found, plain(made), "$")
    if unknown:
        raise JsonError(f"{unknown} is not known")
    return made


def one_of(found: object, tag: str, kinds: Mapping[str, type[T]]) -> T:
    """Convert parsed JSON to the class that the key `tag` names. Raises JsonError."""
    fields = typed(found, dict[str, Any])
    name = fields.pop(tag, None)
    kind = kinds.get(name) if isinstance(name, str) else None
    if kind is None:
        raise JsonError(f"$.{tag} is {quoted(name)}; it must be one of: {', '.join(kinds)}")
    return typed(fields, kind)


def plain(value: object) -> Any:
    """Convert a value to dictionaries, lists, texts, numbers and None."""
    return msgspec.to_builtins(value, str_keys=True, enc_hook=_copied)


def there(fields: Mapping[str, object]) -> dict[str, object]:
    """The fields that are not None, also within objects among them."""
    return {
        key: there(value) if isinstance(value, dict) else value
        for key, value in fields.items()
        if value is not None
    }


def write(value: object) -> str:
    """A value as JSON on one line."""
    return json.dumps(plain(value), ensure_ascii=False, allow_nan=False)


def _copied(value: object) -> object:
    """Convert what `msgspec` does not know: sentences."""
    if isinstance(value, str):
        return str(value)
    # msgspec expects this error from a hook that cannot convert a value.
    raise NotImplementedError(f"{quoted(value)} has no form in JSON")


def _unknown(found: object, made: object, place: str) -> str | None:
    """The first key that is not in the value made from it; None if all are."""
    parts: list[tuple[str, object, object]] = []
    if isinstance(found, dict) and isinstance(made, dict):
        for key, value in found.items():
            if key not in made:
                return one_line(f"{place}.{key}")
            parts.append((f"{place}.{key}", value, made[key]))
    elif isinstance(found, list) and isinstance(made, list | tuple):
        pairs = enumerate(zip(found, made, strict=False))
        parts = [(f"{place}[{number}]", value, part) for number, (value, part) in pairs]
    return next(filter(None, (_unknown(value, part, at) for at, value, part in parts)), None)


_FAULT = re.compile(r"(.*?)(?: - at `([^`]*)`)?", re.DOTALL)
_MISSING = re.compile(r"Object missing required field `([^`]*)`")
_STEP = re.compile(r"\.(\w+)|\[(\d+)\]")


def _named(fault: str, found: object) -> str:
    """Reword the library's error as place, value and what is wrong."""
    parts = _FAULT.fullmatch(fault)
    what, place = (parts[1], parts[2] or "$") if parts else (fault, "$")
    missing = _MISSING.fullmatch(what)
    if missing:
        return f"{place}.{missing[1]} is missing"
    what = one_line(what.replace("`", ""))
    if _STEP.sub("", place) != "$":
        return f"{place}: {what}"
    for key, number in _STEP.findall(place):
        found = found[key] if key else found[int(number)]  # type: ignore[index]
    return f"{place} is {quoted(found)}: {what}"
