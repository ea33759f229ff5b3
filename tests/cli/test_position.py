"""`spotter position` and `spotter rules`: what they print, and what they say to bad texts."""

from pathlib import Path

import pytest
from shelves import played
from stored import store

from pi_app.__main__ import main
from pi_app.export.leaves import leaves
from pi_app.journal.opening import FILE
from pi_app.match.turns import Phase
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
        ([], "a position text is missing"),
        (["nannon"], "after the game comes its position"),
        (["ludo", "1ww..bb1 w"], "game 'ludo' is not known"),
    ],
)
def test_a_command_without_sense_says_what_is_wrong(
    argv: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["position", *argv]) == 2
    assert said in capsys.readouterr().err


def test_an_id_is_printed_as_text_and_as_code(capsys: pytest.CaptureFixture[str]) -> None:
    xgid = "XGID=-b----E-C---eE---c-e----B-:1:-1:1:31:3:5:0:11:10"
    text = "backgammon -b----E-C---eE---c-e----B- w roll=31 score=3-5 cube=2 owner=black to=11"
    assert main(["position", "--qr", xgid]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert text in printed
    assert xgid in printed
    assert "█" in printed[-5]


def test_any_moment_of_a_stored_match_is_a_position(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    table = played("nannon")
    (tmp_path / "spotter").mkdir()
    store(tmp_path / "spotter" / FILE, table)
    states = [leaf.state for leaf in leaves(table.kept)]
    at = next(n for n, state in enumerate(states, 1) if state.phase is Phase.TO_ROLL)
    assert main(["position", "--at", str(at), "1"]) == 0
    text = capsys.readouterr().out.splitlines()[-1]
    assert text.startswith(f"nannon {states[at - 1].position}")
    assert main(["position", text]) == 0
    assert main(["position", "--at", "9999", "1"]) == 2
    assert "the replay of match 1 has" in capsys.readouterr().err


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
