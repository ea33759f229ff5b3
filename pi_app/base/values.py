"""Dataclasses that are made in a third of the time, for a quick start.

Before Python 3.13 the library compiles up to six methods of each dataclass one by one while it is
imported. Spotter imports about 400: with the library's own a start without a display takes a third
more processor time on Python 3.11. Here `__init__`, `__eq__` and `__hash__` are compiled together,
and the other methods are the same for all classes.

Fields, defaults, `replace`, `slots`, `kw_only`, matching and pickling are the library's. Type
checkers see the library's `dataclass`. What differs:

- `order` raises ValueError, and `InitVar` is not understood.
- A frozen class of the library and a class of these cannot derive from each other (TypeError).
- A frozen class may derive from one of these that is not. The other way round its values cannot
  be made (FrozenInstanceError).
- A class without a docstring gets its name as one, and `__init__` has no annotations.

`words`, which this room imports, has the library's.
"""

from __future__ import annotations

import dataclasses
from dataclasses import MISSING, Field, FrozenInstanceError, fields
from functools import partial
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any


def _dataclass(
    plain: type | None = None, /, *, frozen: bool = False, eq: bool = True, **options: bool
) -> Any:
    """As the library's, with `slots` and `kw_only` among the options."""
    if plain is None:
        return partial(_dataclass, frozen=frozen, eq=eq, **options)
    if plain.__doc__ is None:
        plain.__doc__ = plain.__name__  # without one the library computes a signature
    made: Any = dataclasses.dataclass(init=False, repr=False, eq=False, **options)(plain)
    methods = {"__repr__": _repr, **_compiled(made, frozen)}
    if not eq:
        del methods["__eq__"], methods["__hash__"]
    elif not frozen:
        methods["__hash__"] = None
    if frozen:
        methods |= _frozen(made)
    for name, method in methods.items():
        if made.__dict__.get(name) is None:
            setattr(made, name, method)
    return made


if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass  # noqa: PLC0414, named for others to import
else:
    dataclass = _dataclass


def _compiled(cls: Any, frozen: bool) -> dict[str, Any]:
    """`__init__`, `__eq__` and `__hash__`, in one go."""
    methods: dict[str, Any] = {}
    scope: dict[str, Any] = {"__name__": cls.__module__, "_put": object.__setattr__}
    for field in fields(cls):
        scope[f"_default_{field.name}"] = field.default
        scope[f"_make_{field.name}"] = field.default_factory
    mine, other = (
        f"({''.join(f'{who}.{one.name}, ' for one in fields(cls) if one.compare)})"
        for who in ("self", "other")
    )
    exec(
        f"{_init(cls, frozen)}"
        f"def __hash__(self):\n return hash({mine})\n"
        "def __eq__(self, other):\n"
        f" return {mine} == {other} if other.__class__ is self.__class__ else NotImplemented\n",
        scope,
        methods,
    )
    for name, method in methods.items():
        method.__qualname__ = f"{cls.__qualname__}.{name}"
    return methods


def _init(cls: Any, frozen: bool) -> str:
    """The text of `__init__`."""
    set_one = "_put(self, {0!r}, {1})" if frozen else "self.{0} = {1}"
    given, body = [one for one in fields(cls) if one.init], list[str]()
    positional = [_parameter(one) for one in given if not one.kw_only]
    by_name = [_parameter(one) for one in given if one.kw_only]
    for field in fields(cls):
        if value := _value(field):
            body.append(set_one.format(field.name, value))
    if hasattr(cls, "__post_init__"):
        body.append("self.__post_init__()")
    parameters = ["self", *positional, *(["*"] if by_name else []), *by_name]
    return f"def __init__({', '.join(parameters)}):\n {'; '.join(body) or 'pass'}\n"


def _parameter(field: Field[Any]) -> str:
    if field.default is not MISSING:
        return f"{field.name}=_default_{field.name}"
    if field.default_factory is not MISSING:
        return f"{field.name}=_make_{field.name}"
    return field.name


def _value(field: Field[Any]) -> str:
    """What `__init__` sets a field to; empty if it leaves that to `__post_init__`."""
    name, made = field.name, f"_make_{field.name}()"
    if field.default_factory is not MISSING:
        return f"{made} if {name} is _make_{name} else {name}" if field.init else made
    if field.init:
        return name
    return f"_default_{name}" if field.default is not MISSING else ""


@recursive_repr()
def _repr(self: Any) -> str:
    shown = (f"{one.name}={getattr(self, one.name)!r}" for one in fields(self) if one.repr)
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _frozen(cls: Any) -> dict[str, object]:
    names = frozenset(one.name for one in fields(cls))

    def __setattr__(self: Any, name: str, value: object) -> None:  # noqa: N807
        if type(self) is cls or name in names:
            raise FrozenInstanceError(f"cannot assign to field {name!r}")
        super(cls, self).__setattr__(name, value)

    def __delattr__(self: Any, name: str) -> None:  # noqa: N807
        if type(self) is cls or name in names:
            raise FrozenInstanceError(f"cannot delete field {name!r}")
        super(cls, self).__delattr__(name)

    methods: dict[str, object] = {"__setattr__": __setattr__, "__delattr__": __delattr__}
    if hasattr(cls, "__slots__"):
        methods |= {"__getstate__": _state, "__setstate__": _set_state}
    return methods


def _state(self: Any) -> list[object]:
    return [getattr(self, one.name) for one in fields(self)]


def _set_state(self: Any, state: list[object]) -> None:
    for one, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, one.name, value)
