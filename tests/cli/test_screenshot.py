"""`spotter screenshot`: a picture of every scenario and page, and one line for what cannot be."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from known import GAMES
from PIL import Image
from scenes import FILES, shown_in, view_in
from shares import some

from pi_app.__main__ import main
from pi_app.base.microseconds import Us, ms
from pi_app.cli.replay import BEFORE, PAGES, opened, replayed, shown_after
from pi_app.games.all import ALL
from pi_app.languages import LANGUAGES
from pi_app.match.turns import Phase
from pi_app.rules.terms import Side
from pi_app.sensing.reading import BoardState
from pi_app.user.settings import SETTINGS

MOVING = str(FILES["nannon-moving"])


@pytest.mark.parametrize("name", some([*FILES], 5))
def test_every_scenario_becomes_a_picture(name: str, tmp_path: Path) -> None:
    file = tmp_path / "screen.png"
    assert main(["screenshot", str(FILES[name]), "--size", "640x400", "-o", str(file)]) == 0
    with Image.open(file) as image:
        assert image.size == (640, 400)
        assert len(image.convert("RGB").getcolors(640 * 400) or ()) > 5


def drawn(*words: str, capfdbinary: pytest.CaptureFixture[bytes]) -> bytes:
    assert main(["screenshot", *words, "-o", "-"]) == 0
    return capfdbinary.readouterr().out


@pytest.mark.slow
def test_every_page_is_another_picture(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    pictures = [drawn(MOVING, "--page", page, capfdbinary=capfdbinary) for page in PAGES]
    pictures += [drawn("--page", page, capfdbinary=capfdbinary) for page in BEFORE]
    alike = (
        "two of settings, three of set-up, number, tournament, games and opponents know no names"
    )
    # A board for Nannon shows no puzzle: both stay where they were.
    assert len({*pictures}) == len(PAGES) + len(BEFORE) - 9 - 2, alike


def test_the_oled_becomes_a_picture(tmp_path: Path) -> None:
    file = tmp_path / "oled.png"
    for events in ((str(FILES["nannon-wrong"]),), ()):
        assert main(["screenshot", *events, "--oled", "-o", str(file)]) == 0
        with Image.open(file) as image:
            assert image.size == (128, 64)


@pytest.mark.parametrize("more", [(), ("--oled",)])
def test_a_picture_goes_to_the_output_too(
    more: tuple[str, ...], capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    with Image.open(io.BytesIO(drawn(MOVING, *more, capfdbinary=capfdbinary))) as image:
        assert image.size == ((128, 64) if more else (800, 480))


def test_upright_and_turned_are_other_pictures(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    upright = drawn(MOVING, "--size", "480x800", capfdbinary=capfdbinary)
    with Image.open(io.BytesIO(upright)) as image:
        assert image.size == (480, 800)
    straight = drawn(MOVING, capfdbinary=capfdbinary)
    assert drawn(MOVING, "--turned", capfdbinary=capfdbinary) != straight


@pytest.mark.parametrize("option", ["theme", "text"])
def test_every_theme_and_size_of_text_is_another_picture(
    option: str, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    values = SETTINGS[f"screen.{option}"].choices
    pictures = {drawn(MOVING, f"--{option}", one, capfdbinary=capfdbinary) for one in values}
    assert len(pictures) == len(values)
    assert drawn(MOVING, capfdbinary=capfdbinary) in pictures


def test_the_numbers_of_the_points_are_those_asked_for(
    capfdbinary: pytest.CaptureFixture[bytes],
) -> None:
    """Those of the side to act, whichever is the near one; as engraved they are White's."""
    by_white, by_black = (str(FILES[f"backgammon-{name}"]) for name in ("wrong", "to-roll"))
    told = {
        drawn(by_white, "--oled", *more, capfdbinary=capfdbinary)
        for more in ((), ("--turned",), ("--turned", "--engraved"))
    }
    assert len(told) == 1
    own, engraved = (
        drawn(by_black, *more, capfdbinary=capfdbinary) for more in ((), ("--engraved",))
    )
    assert own != engraved


def test_another_language_is_another_picture(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """Dice on the OLED need no words: there it is seen before a roll."""
    for file, *more in ((MOVING,), (str(FILES["nannon-to-roll"]), "--oled")):
        said = {
            drawn(file, "--language", language, *more, capfdbinary=capfdbinary)
            for language in LANGUAGES
        }
        assert len(said) == len(LANGUAGES)


def test_at_a_time_it_is_as_it_was_then() -> None:
    """Whatever was due by then has happened, and nothing of what comes later."""
    told = str(FILES["nannon-played"])
    *_, lifted, _, _, _ = [event.us for event, _ in replayed(GAMES, told)]
    for until, board in (
        (Us(lifted - 1), BoardState.RESTING),
        (Us(lifted + ms(300)), BoardState.IN_HAND),
        (Us(lifted + ms(99_000)), BoardState.PLAYED),
    ):
        view = shown_after(replayed(GAMES, told, until), ALL).view
        assert view
        assert (view.us, view.board) == (until, board)


def test_sides_whose_rolls_were_typed_go_on_to_type_them() -> None:
    assert not any(map(shown_in("nannon-to-roll").settings.play.types, Side))
    assert all(map(shown_in("nannon-typed-dice").settings.play.types, Side))


def test_a_device_that_was_lost_is_away_until_it_is_found(tmp_path: Path) -> None:
    assert shown_in("nannon-trouble").away == ("OLED",)
    file = tmp_path / "found.jsonl"
    found = '{"ms": 90000, "event": "found", "device": "OLED"}'
    file.write_text(FILES["nannon-trouble"].read_text("utf-8") + found, "utf-8")
    assert shown_after(replayed(GAMES, str(file)), ALL).away == ()


def test_the_start_offers_to_go_on_with_the_match() -> None:
    shown, _ = opened("start", shown_in("nannon-sensor-again"))
    assert (shown.view, shown.resumable) == (None, "Ada 0 – 1 Ben")


@pytest.mark.parametrize(
    ("name", "phase", "board"),
    [
        ("nannon-set-up", Phase.SET_UP, BoardState.IN_HAND),
        ("nannon-opening-throw", Phase.OPENING_THROW, BoardState.RESTING),
        ("nannon-to-roll", Phase.TO_ROLL, BoardState.RESTING),
        ("nannon-moving", Phase.MOVING, BoardState.RESTING),
        ("nannon-in-hand", Phase.MOVING, BoardState.IN_HAND),
        ("nannon-played", Phase.MOVING, BoardState.PLAYED),
        ("nannon-wrong", Phase.MOVING, BoardState.WRONG),
        ("nannon-disturbed", Phase.MOVING, BoardState.DISTURBED),
        ("nannon-choose", Phase.MOVING, BoardState.CHOOSE),
        ("nannon-forfeit", Phase.MOVING, BoardState.RESTING),
        ("nannon-double", Phase.DOUBLE_OFFERED, BoardState.RESTING),
        ("nannon-game-over", Phase.GAME_OVER, BoardState.RESTING),
        ("nannon-match-over", Phase.MATCH_OVER, BoardState.RESTING),
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
        ("backgammon-set-up", Phase.SET_UP, BoardState.IN_HAND),
        ("portes-opening-throw", Phase.OPENING_THROW, BoardState.RESTING),
        ("pin-moving", Phase.MOVING, BoardState.RESTING),
        ("backgammon-in-hand", Phase.MOVING, BoardState.IN_HAND),
        ("backgammon-played", Phase.MOVING, BoardState.PLAYED),
        ("pin-played", Phase.MOVING, BoardState.PLAYED),
        ("backgammon-to-roll", Phase.TO_ROLL, BoardState.RESTING),
        ("portes-wrong", Phase.MOVING, BoardState.WRONG),
        ("backgammon-disturbed", Phase.MOVING, BoardState.DISTURBED),
        ("backgammon-hit", Phase.MOVING, BoardState.PLAYED),
        ("backgammon-bearing-off", Phase.MOVING, BoardState.PLAYED),
        ("backgammon-choose", Phase.MOVING, BoardState.CHOOSE),
        ("pin-pins", Phase.MOVING, BoardState.PLAYED),
        ("backgammon-double", Phase.DOUBLE_OFFERED, BoardState.RESTING),
        ("pin-game-over", Phase.GAME_OVER, BoardState.RESTING),
    ],
)
def test_a_scenario_ends_as_its_name_says(name: str, phase: Phase, board: BoardState) -> None:
    assert (view_in(name).phase, view_in(name).board) == (phase, board)


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["-o", "x.png"], "there is nothing to draw: give a file of events, or --page start, "),
        (["--page", "menu", "-o", "x.png"], "--page menu is of a match: give a file of events"),
        (["moving", "-o", "x.png"], "'moving' cannot be read: No such file or directory; give a "),
        ([MOVING, "--page", "moon", "-o", "x.png"], "invalid choice: 'moon'"),
        ([MOVING, "--size", "big", "-o", "x.png"], "'big' is no size; write it like 800x480"),
        ([MOVING, "--size", "9x9", "-o", "x.png"], "'9' is no whole number from 320 to 4096"),
        ([MOVING, "--ms", "soon", "-o", "x.png"], "'soon' is no time; write milliseconds as in"),
        (["--page", "start", "--ms", "5", "-o", "x.png"], "--ms is a time in a file of events"),
        (
            [MOVING, "--oled", "--page", "menu", "-o", "x.png"],
            "--oled has one picture: leave out",
        ),
        ([MOVING], "-o/--output"),
        ([MOVING, "-o", "x.jpg"], "'x.jpg': pictures are PNG; end it in .png"),
        ([MOVING, "--oled", "-o", "x"], "'x': pictures are PNG; end it in .png"),
    ],
)
def test_what_cannot_be_asked_for_is_told(
    argv: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["screenshot", *argv]) == 2
    err = capsys.readouterr().err
    assert words in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("events", "words"),
    [
        ("", "nothing has happened: give a file with events, or a later --ms"),
        ('{"ms": 0, "event": "tick"}', "line 1: a match begins with the event 'start'"),
        ("moving", "line 1: not JSON"),
    ],
)
def test_events_that_make_no_picture_are_told_in_one_line(
    events: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "events.jsonl"
    file.write_text(events, "utf-8")
    assert main(["screenshot", str(file), "-o", "-"]) == 2
    err = capsys.readouterr().err
    assert words in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("more", [(), ("--oled",)])
def test_a_file_that_cannot_be_written_is_told_in_one_line(
    more: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "missing" / "x.png"
    assert main(["screenshot", MOVING, "-o", str(file), *more]) == 1
    err = capsys.readouterr().err
    assert err.startswith(f"spotter: {file}: No such file or directory")
    assert err.count("\n") == 1


def test_help_lists_every_page(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["screenshot", "--help"])
    out = " ".join(capsys.readouterr().out.split()).replace("- ", "-")
    assert all(name in out for name in PAGES)
