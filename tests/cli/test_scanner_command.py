"""`spotter scanner` with a scanner behind a pseudo-terminal, and without one."""

from __future__ import annotations

import re
import threading
from pathlib import Path

import pytest
from pty_scanner import PtyScanner, until

from pi_app.__main__ import main
from pi_app.journal.lock import InstanceLock
from pi_app.journal.opening import LOCK, data_folder
from pi_app.link.messages import BUILD
from pi_app.sensing.description import Cell

BOARD = str(Path(__file__).parent.parent / "boards" / "nannon-scanner.toml")


@pytest.fixture(autouse=True)
def own_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))


def listened(scanner: PtyScanner, *words: str) -> int:
    return main(["scanner", "--port", str(scanner.port), "--seconds", "0.6", *words])


def test_what_a_scanner_says_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with PtyScanner(tmp_path) as scanner:
        scanner.reed(Cell(0, 1), True)
        later = threading.Timer(0.4, scanner.reed, (Cell(1, 2), True))
        later.start()
        assert listened(scanner, "--board", BOARD) == 0
        later.join()
    lines = capsys.readouterr().out.splitlines()
    hello = f"hello: not configured; firmware {BUILD:08x}; began by power; 0 bad frames, 0 overruns"
    assert hello in lines[0]
    assert "hello: 2 × 3, 5 ms" in "\n".join(lines)
    stamped = [line.split(maxsplit=1)[1] for line in lines if re.match(r" +\d", line)]
    # On a busy machine the reed may close before the first picture.
    assert stamped in (["up", "picture: 2", "6 closed"], ["up", "picture: 2, 6"])
    assert re.fullmatch(r"\d+ frames, 0 bad frames, .*, 0 resets", lines[-1])


def test_a_matrix_without_a_board_is_told_by_rows_and_columns(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with PtyScanner(tmp_path) as scanner:
        scanner.reed(Cell(9, 8), True)
        assert listened(scanner, "--rows", "10", "--columns", "10") == 0
    assert "picture: row 9 column 8" in capsys.readouterr().out


def test_a_port_on_which_nobody_speaks_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scanner = PtyScanner(tmp_path)
    scanner.plug_in()  # powered, but its program does not run
    assert listened(scanner, "--board", BOARD) == 1
    scanner.unplug()
    out = capsys.readouterr().out.splitlines()
    assert out[0].endswith("the scanner does not answer")
    assert out[-1] == "the scanner does not answer"


def test_a_port_that_dies_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with PtyScanner(tmp_path) as scanner:
        ended: list[int] = []
        words = ["--port", str(scanner.port), "--board", BOARD]
        thread = threading.Thread(target=lambda: ended.append(main(["scanner", *words])))
        thread.start()
        until(lambda: "picture" in capsys.readouterr().out)
        scanner.unplug()
        thread.join(10)
    assert ended == [1]
    assert "the port died" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--board", "nannon-6"], "it has no scanner; give --rows and --columns"),
        (["--rows", "32", "--columns", "4"], "1 to 31 rows and 1 to 16 columns, 128 cells"),
        (["--rows", "5"], "1 to 16 columns"),
        (["--rows", "5", "--columns", "5", "--board", BOARD], "or a board"),
        (["--board", "oak"], "no such board"),
    ],
)
def test_arguments_without_sense_are_one_clear_line(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["scanner", *words]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


def test_a_port_that_is_not_there_is_one_clear_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for more in ([], ["--flash"]):
        assert main(["scanner", "--board", BOARD, "--port", str(tmp_path / "none"), *more]) == 1
        error = capsys.readouterr().err
        assert "is not there" in error
        assert error.count("\n") == 1


AVRDUDE = """#!/bin/sh
for word; do
  case $word in flash:*) file=${word#flash:w:}; cat "${file%:i}" >"$0.flashed" ;; esac
done
printf '%s\\n' "$@" >"$0.told"
echo "avrdude: what it says" >&2
exit ${AVRDUDE_ENDS:-0}
"""
"""In the place of avrdude: it stores what it was to write, and its arguments."""


@pytest.fixture
def avrdude(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    program = tmp_path / "bin" / "avrdude"
    program.parent.mkdir()
    program.write_text(AVRDUDE, encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent), prepend=":")
    return program


@pytest.fixture
def port(tmp_path: Path) -> Path:
    """A scanner's port, as far as anybody looks before it is flashed."""
    found = tmp_path / "scanner"
    found.touch()
    return found


def test_one_line_flashes_the_program_that_travels_with_spotter(
    avrdude: Path, port: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["scanner", "--flash", "--port", str(port)]) == 0
    shipped = Path(__file__).parents[2] / "firmware" / "scanner.hex"
    assert avrdude.with_suffix(".flashed").read_bytes() == shipped.read_bytes()
    told = avrdude.with_suffix(".told").read_text(encoding="utf-8").splitlines()
    assert " ".join(told[:-1]) == f"-p atmega2560 -c wiring -P {port} -b 115200 -D -U"
    said = capfd.readouterr()
    assert "what it says" in said.err
    assert said.out == f"The scanner at {port} has Spotter's program.\n"


def test_a_flash_that_fails_is_told_and_fails(
    avrdude: Path,
    port: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("AVRDUDE_ENDS", "1")
    assert main(["scanner", "--flash", "--port", str(port)]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert f"avrdude has not flashed the scanner at {port}" in said.err


def test_nothing_is_flashed_beside_a_running_spotter(
    avrdude: Path, port: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = data_folder()
    folder.mkdir(parents=True)
    lock = InstanceLock(folder / LOCK)
    assert main(["scanner", "--flash", "--port", str(port)]) == 1
    lock.close()
    assert "end it first" in capsys.readouterr().err
    assert not avrdude.with_suffix(".told").exists()


def test_without_avrdude_it_is_said_how_to_get_it(
    avrdude: Path,
    port: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["scanner", "--flash", "--port", str(port)]) == 1
    assert "sudo apt install avrdude" in capsys.readouterr().err


def test_an_installation_without_the_program_says_who_has_it(
    avrdude: Path,
    port: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """As one from a wheel."""
    monkeypatch.setattr("pi_app.cli.doctor.PROGRAM", tmp_path / "scanner.hex")
    assert main(["scanner", "--flash", "--port", str(port)]) == 1
    assert "use Spotter's package or its source folder" in capsys.readouterr().err
    assert not avrdude.with_suffix(".told").exists()
