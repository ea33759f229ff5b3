"""The house's dataclasses behave as the library's."""

from __future__ import annotations

import dataclasses
import pickle
from dataclasses import FrozenInstanceError, field
from typing import Any, Generic, TypeVar

import pytest

from pi_app.base import values
from pi_app.rules.terms import Roll

T = TypeVar("T")
MAKERS = [dataclasses.dataclass, values.dataclass]


@pytest.fixture(params=MAKERS, ids=["library", "house"])
def dataclass(request: pytest.FixtureRequest) -> Any:
    return request.param


def pair(dataclass: Any, **options: bool) -> Any:
    @dataclass(**options)
    class Totalled:
        left: int
        right: list[int] = field(default_factory=list)
        note: str = field(default="", compare=False, repr=False)
        total: int = field(init=False)
        seen: int = field(init=False, default=7)

        def __post_init__(self) -> None:
            object.__setattr__(self, "total", self.left + sum(self.right))

    return Totalled


@pytest.mark.parametrize("slots", [False, True])
@pytest.mark.parametrize("frozen", [False, True])
def test_fields_get_what_is_given_or_their_defaults(
    dataclass: Any, frozen: bool, slots: bool
) -> None:
    made = pair(dataclass, frozen=frozen, slots=slots)
    one = made(1, [2], note="n")
    assert (one.left, one.right, one.note, one.total, one.seen) == (1, [2], "n", 3, 7)
    assert made(1).right == []
    assert made(1).right is not made(1).right
    assert repr(one).endswith("Totalled(left=1, right=[2], total=3, seen=7)")
    assert dataclasses.replace(one, left=5).total == 7
    with pytest.raises(TypeError):
        made()
    with pytest.raises(TypeError):
        made(1, [], "", 3)


def test_values_are_equal_by_their_compared_fields(dataclass: Any) -> None:
    made, other = pair(dataclass, frozen=True), pair(dataclass, frozen=True)
    assert made(1, [2], note="n") == made(1, [2])
    assert made(1, [2]) != made(1, [3])
    assert made(1) != other(1)
    with pytest.raises(TypeError):
        hash(made(1))  # its list


def test_a_hash_is_that_of_the_fields(dataclass: Any) -> None:
    @dataclass(frozen=True, slots=True)
    class Numbered:
        number: int
        side: str = "white"

    @dataclass(slots=True)
    class Unfrozen:
        number: int

    assert hash(Numbered(3)) == hash((3, "white"))
    assert len({Numbered(3), Numbered(3, "white"), Numbered(4)}) == 2
    assert Numbered.__match_args__ == ("number", "side")
    with pytest.raises(TypeError):
        hash(Unfrozen(1))


def test_without_eq_a_value_is_itself_alone(dataclass: Any) -> None:
    @dataclass(frozen=True, eq=False, slots=True)
    class Lonely:
        what: str

    one = Lonely("a")
    assert one == one  # noqa: PLR0124, its identity
    assert one != Lonely("a")
    assert len({one, Lonely("a")}) == 2


def test_own_methods_are_kept(dataclass: Any) -> None:
    @dataclass(frozen=True, slots=True)
    class SelfMade:
        number: int

        def __repr__(self) -> str:
            return "own"

        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return 1

    assert (repr(SelfMade(1)), SelfMade(1) == SelfMade(2), hash(SelfMade(3))) == ("own", True, 1)


@pytest.mark.parametrize("slots", [False, True])
def test_a_frozen_value_cannot_be_changed(dataclass: Any, slots: bool) -> None:
    one = pair(dataclass, frozen=True, slots=slots)(1)
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'left'"):
        one.left = 2
    with pytest.raises(FrozenInstanceError, match="cannot delete field 'left'"):
        del one.left
    assert one.left == 1


def test_fields_by_name_alone(dataclass: Any) -> None:
    @dataclass(frozen=True, slots=True, kw_only=True)
    class ByName:
        put: int
        self_made: bool = False

    assert ByName(put=1).put == 1
    with pytest.raises(TypeError):
        ByName(1)


def test_a_derived_value_has_all_fields(dataclass: Any) -> None:
    @dataclass(frozen=True, slots=True)
    class TwoOf(Generic[T]):
        white: T
        black: T

    @dataclass(frozen=True, slots=True)
    class TwoScored(TwoOf[int]):
        target: int = 5

    assert TwoScored(1, 2) == TwoScored(1, 2, 5)
    assert TwoScored(1, 2) != TwoOf(1, 2)
    assert dataclasses.astuple(TwoScored(1, 2)) == (1, 2, 5)


def test_a_value_goes_to_another_process() -> None:
    assert pickle.loads(pickle.dumps(Roll.of(6, 4))) == Roll.of(6, 4)


def test_a_value_that_contains_itself_can_be_printed(dataclass: Any) -> None:
    one = pair(dataclass)(1)
    one.right.append(one)
    assert repr(one).endswith("Totalled(left=1, right=[...], total=1, seen=7)")


@pytest.mark.parametrize("makers", [MAKERS, MAKERS[::-1]], ids=["from the library's", "from ours"])
def test_frozen_classes_of_both_kinds_cannot_derive_from_each_other(makers: list[Any]) -> None:
    first, second = makers

    @first(frozen=True)
    class Base:
        number: int

    with pytest.raises(TypeError, match="cannot inherit"):

        @second(frozen=True)
        class Derived(Base):
            pass


def test_the_order_of_values_is_the_librarys_alone() -> None:
    with pytest.raises(ValueError, match="eq must be true"):

        @values.dataclass(order=True)
        class Ordered:
            number: int


def test_a_frozen_class_may_derive_from_one_that_is_not_and_not_the_other_way_round() -> None:
    @values.dataclass()
    class Changing:
        number: int

    @values.dataclass(frozen=True)
    class Fixed(Changing):  # type: ignore[misc]
        pass

    @values.dataclass()
    class ChangingAgain(Fixed):  # type: ignore[misc]
        pass

    with pytest.raises(FrozenInstanceError):
        Fixed(1).number = 2  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        ChangingAgain(1)


def test_a_class_without_a_docstring_has_its_name() -> None:
    @values.dataclass(frozen=True)
    class Unexplained:
        number: int

    assert Unexplained.__doc__ == "Unexplained"
    assert Unexplained.__init__.__annotations__ == {}
