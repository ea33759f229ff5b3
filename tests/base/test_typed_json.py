"""JSON as typed values: what does not fit is refused by its place and value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, NamedTuple

import pytest
from msgspec import Meta

from pi_app.base.typed_json import JsonError, one_of, parse, plain, read, there, write
from pi_app.rules.terms import Side
from pi_app.words.sentences import Sentence


class Stride(NamedTuple):
    origin: str
    dice: int


@dataclass(frozen=True, slots=True)
class Outing:
    by: Side
    steps: tuple[Stride, ...] = ()
    points: Annotated[int, Meta(ge=0)] = 0
    marks: dict[str, float] | None = None
    before: Outing | None = None


@dataclass(frozen=True, slots=True)
class Stopover:
    seconds: int


KINDS: Mapping[str, type[Outing | Stopover]] = {"turn": Outing, "pause": Stopover}


def test_an_object_becomes_its_class_and_is_written_back() -> None:
    text = '{"by": "white", "steps": [["a", 1]], "points": 2, "marks": {"b": 1.5}, "before": null}'
    turn = Outing(Side.WHITE, (Stride("a", 1),), 2, {"b": 1.5})
    assert read(text, Outing) == read(text.encode(), Outing) == turn
    assert write(turn) == text


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"points": 1}', "$.by is missing"),
        ('{"by": "green"}', "$.by is 'green': Invalid enum value 'green'"),
        ('{"by": "white", "points": -1}', "$.points is -1: Expected int >= 0"),
        ('{"by": "white", "points": true}', "$.points is True: Expected int, got bool"),
        ('{"by": "white", "points": 1.0}', "$.points is 1.0: Expected int, got float"),
        ('{"by": "white", "steps": [["a", 1], ["b", "2"]]}', "$.steps[1][1] is '2': Expected int"),
        ('{"by": "white", "marks": {"a": "b"}}', "$.marks[...]: Expected float, got str"),
        ('{"by": "white", "before": {"by": 1}}', "$.before.by is 1: Expected str, got int"),
        ('{"by": "white", "before": {}}', "$.before.by is missing"),
        ('{"by": "white", "before": {"by": "black", "why": 1}}', "$.before.why is not known"),
        ('{"by": "white", "a\\n\\u202e": 1}', "$.a\\n\\u202e is not known"),
        ("[]", "$ is []: Expected object, got array"),
    ],
)
def test_what_does_not_fit_is_named_by_place_and_value(text: str, says: str) -> None:
    with pytest.raises(JsonError) as caught:
        read(text, Outing)
    assert str(caught.value).startswith(says)


def test_unknown_keys_are_found_in_lists_too() -> None:
    with pytest.raises(JsonError, match=r"^\$\[1\]\.why is not known$"):
        read('[{"seconds": 1}, {"seconds": 2, "why": 3}]', list[Stopover])


@pytest.mark.parametrize(
    "text",
    ["", "{", "nan", "NaN", "1e999", "[" * 99_999, '{"a":' * 9999, "9" * 9999, '"\\ud800"', "1 2"],
)
def test_what_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(JsonError, match=r"^not JSON: "):
        parse(text)


def test_a_tag_tells_the_class() -> None:
    assert one_of({"is": "pause", "seconds": 3}, "is", KINDS) == Stopover(3)
    tags: tuple[object, ...] = ("rest", None, 1, [])
    for tag in tags:
        with pytest.raises(JsonError, match=r"\$\.is is .*; it must be one of: turn, pause"):
            one_of({"is": tag, "seconds": 3}, "is", KINDS)
    with pytest.raises(JsonError, match=r"\$\.by is missing"):
        one_of({"is": "turn", "seconds": 3}, "is", KINDS)
    with pytest.raises(JsonError, match=r"\$ is 3: Expected object"):
        one_of(3, "is", KINDS)


def test_parts_may_be_typed_already() -> None:
    turn = Outing(Side.BLACK)
    made = one_of({"is": "turn", "by": "white", "before": turn}, "is", KINDS)
    assert made == Outing(Side.WHITE, before=turn)


def test_sentences_are_written_as_plain_texts() -> None:
    said = Sentence("Both rolled {die}")(die=3)
    assert write({"said": said}) == '{"said": "Both rolled 3"}'
    assert type(plain(said)) is str


def test_none_is_left_out_at_every_depth() -> None:
    assert there({"a": None, "b": {"c": None, "d": 0}, "e": False}) == {"b": {"d": 0}, "e": False}


def test_no_number_is_written_that_json_does_not_have() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        write({"a": float("inf")})
