"""`spotter doctor --first-time`: the owner answers, and learns what to do after a no."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from pi_app.__main__ import main
from pi_app.cli.first_time import OBSERVATIONS, For, chosen, go_through


def answering(*answers: str) -> Callable[[str], str]:
    left: Iterator[str] = iter(answers)

    def ask(_: str) -> str:
        try:
            return next(left)
        except StopIteration:
            raise EOFError from None

    return ask


def test_a_no_says_what_to_do_and_is_listed_at_the_end(
    capsys: pytest.CaptureFixture[str],
) -> None:
    first, second, third, *_ = observations = chosen(has_scanner=False)
    assert go_through(observations, answering("y", "No", "", "n")) == 1
    said = capsys.readouterr().out
    assert said.count(second.remedy) == 2
    assert first.remedy not in said
    assert third.remedy not in said
    assert "1 well, 2 to repair, 1 skipped" in said


def test_where_all_is_well(capsys: pytest.CaptureFixture[str]) -> None:
    observations, questions = chosen(has_scanner=True), list[str]()

    def yes(question: str) -> str:
        questions.append(question.strip())
        return "yes"

    assert go_through(observations, yes) == 0
    said = capsys.readouterr().out
    for number, one in enumerate(observations, 1):
        assert f"{number} of {len(observations)}  {one.name}\n  {one.do}\n" in said
    assert questions == [one.question for one in observations]
    assert f"{len(observations)} well, 0 to repair" in said


def test_a_board_is_asked_about_what_it_has() -> None:
    without, with_scanner = ({one.boards for one in chosen(has)} for has in (False, True))
    assert (without, with_scanner) == ({For.ALL, For.PINS}, {For.ALL, For.SCANNER})
    assert len({one.name for one in OBSERVATIONS}) == len(OBSERVATIONS)


def test_without_a_terminal_it_is_a_list_for_paper(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--first-time"]) == 0
    assert capsys.readouterr().out.count("[ ]") == len(chosen(has_scanner=False))
