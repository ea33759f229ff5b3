"""`spotter position` and `spotter rules`: what they print, and what they say to bad texts."""

import pytest

from pi_app.__main__ import main
from pi_app.rules.nannon import BOOK


@pytest.mark.parametrize("words", [["1ww..bb1 w"], ["1ww..bb1", "w"]])
def test_a_position_is_drawn(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["position", "nannon", *words]) == 0
    printed = capsys.readouterr()
    assert "○  ○  ·  ·  ●  ●" in printed.out
    assert "White to move" in printed.out
    assert printed.err == ""


def test_every_reason_is_a_line_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["position", "nannon", "4wx..bb1 ?"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.splitlines() == [
        "spotter: position '4wx..bb1 ?': the mover is '?'; end with ' w' or ' b'",
        "spotter: position '4wx..bb1 ?': White's HOME is '4'; write 0 to 3",
        "spotter: position '4wx..bb1 ?': spot 2 is 'x'; write w, b or .",
    ]


@pytest.mark.parametrize("text", ["-h----E-C---eE w", "-h"])
def test_a_text_that_begins_with_a_dash_is_a_text(
    text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["position", "nannon", text]) == 2
    assert f"position {text!r}: " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        ([], "required: GAME"),
        (["nannon"], "a position text is missing"),
        (["ludo", "1ww..bb1 w"], "invalid choice: 'ludo'"),
    ],
)
def test_a_command_without_sense_says_what_is_wrong(
    argv: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["position", *argv]) == 2
    assert said in capsys.readouterr().err


def test_the_numbered_rules_are_printed_with_the_warnings_that_cite_them(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["rules", "nannon"]) == 0
    title, *lines = capsys.readouterr().out.splitlines()
    assert title == "NANNON Rules"
    numbered = [line for line in lines if line[:1].isdigit()]
    assert [line.split(".")[0] for line in numbered] == list("1234567")
    cited = [line.split()[0] for line in lines if line.startswith("   ")]
    assert sorted(cited) == sorted(BOOK)
    assert lines[-3:] == [
        "",
        "7. All three in SAFETY wins 1, or 2 (a NANNON) when the loser has none there.",
        "   safety-is-final    A checker in SAFETY stays there.",
    ]
