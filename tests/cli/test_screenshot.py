"""`spotter screenshot`: pictures of every screen, and one line for what cannot be."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image

from pi_app.__main__ import main
from pi_app.cli.screenshot import SCREENS, shown_on
from pi_app.match.phases import Phase
from pi_app.sensing.reading import BoardState


@pytest.mark.parametrize("screen", SCREENS)
def test_every_screen_becomes_a_picture(screen: str, tmp_path: Path) -> None:
    file = tmp_path / "screen.png"
    assert main(["screenshot", screen, "--size", "640x400", "-o", str(file)]) == 0
    with Image.open(file) as image:
        assert image.size == (640, 400)
        assert len(image.convert("RGB").getcolors(640 * 400)) > 5


def test_the_panel_becomes_a_picture(tmp_path: Path) -> None:
    file = tmp_path / "panel.png"
    assert main(["screenshot", "panel", "--of", "wrong", "-o", str(file)]) == 0
    with Image.open(file) as image:
        assert image.size == (128, 64)


@pytest.mark.parametrize("screen", ["moving", "panel"])
def test_a_picture_goes_to_the_output_too(
    screen: str, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert main(["screenshot", screen, "-o", "-"]) == 0
    with Image.open(io.BytesIO(capfdbinary.readouterr().out)) as image:
        assert image.size == ((128, 64) if screen == "panel" else (800, 480))


@pytest.mark.parametrize(
    ("screen", "phase", "board"),
    [
        ("set-up", Phase.SET_UP, BoardState.IN_HAND),
        ("opening-throw", Phase.OPENING_THROW, BoardState.RESTING),
        ("to-roll", Phase.TO_ROLL, BoardState.RESTING),
        ("moving", Phase.MOVING, BoardState.RESTING),
        ("in-hand", Phase.MOVING, BoardState.IN_HAND),
        ("played", Phase.MOVING, BoardState.PLAYED),
        ("wrong", Phase.MOVING, BoardState.WRONG),
        ("disturbed", Phase.MOVING, BoardState.DISTURBED),
        ("choose", Phase.MOVING, BoardState.CHOOSE),
        ("forfeit", Phase.MOVING, BoardState.RESTING),
        ("double", Phase.DOUBLE_OFFERED, BoardState.RESTING),
        ("game-over", Phase.GAME_OVER, BoardState.RESTING),
        ("match-over", Phase.MATCH_OVER, BoardState.RESTING),
        ("cannon-set-up", Phase.SET_UP, BoardState.IN_HAND),
        ("cannon-town", Phase.MOVING, BoardState.RESTING),
        ("cannon-town-placed", Phase.MOVING, BoardState.PLAYED),
        ("cannon-moving", Phase.MOVING, BoardState.RESTING),
        ("cannon-in-hand", Phase.MOVING, BoardState.IN_HAND),
        ("cannon-played", Phase.MOVING, BoardState.PLAYED),
        ("cannon-shot", Phase.MOVING, BoardState.PLAYED),
        ("cannon-choose", Phase.MOVING, BoardState.CHOOSE),
        ("cannon-wrong", Phase.MOVING, BoardState.WRONG),
        ("cannon-disturbed", Phase.MOVING, BoardState.DISTURBED),
        ("cannon-sensors-off", Phase.MOVING, BoardState.RESTING),
        ("cannon-game-over", Phase.GAME_OVER, BoardState.RESTING),
    ],
)
def test_a_screen_shows_what_its_name_says(screen: str, phase: Phase, board: BoardState) -> None:
    view = shown_on(SCREENS[screen]).view
    assert view
    assert (view.phase, view.board) == (phase, board)


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["nothing", "-o", "x.png"], "invalid choice: 'nothing'"),
        (["moving", "--size", "big", "-o", "x.png"], "'big' is no size; write it like 800x480"),
        (["moving", "--size", "10x10", "-o", "x.png"], "'10' is no whole number from 320 to 4096"),
        (["moving"], "-o/--output"),
        (["moving", "-o", "x.jpg"], "'x.jpg': pictures are PNG; end it in .png"),
        (["panel", "-o", "x"], "'x': pictures are PNG; end it in .png"),
    ],
)
def test_what_cannot_be_asked_for_is_told(
    argv: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["screenshot", *argv]) == 2
    err = capsys.readouterr().err
    assert words in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("screen", ["moving", "panel"])
def test_a_file_that_cannot_be_written_is_told_in_one_line(
    screen: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "missing" / "x.png"
    assert main(["screenshot", screen, "-o", str(file)]) == 1
    err = capsys.readouterr().err
    assert err.startswith(f"spotter: {file}: No such file or directory")
    assert err.count("\n") == 1


def test_help_lists_every_screen(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["screenshot", "--help"])
    out = capsys.readouterr().out
    assert all(name in out for name in (*SCREENS, "panel"))
