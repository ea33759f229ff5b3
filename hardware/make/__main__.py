"""`python -m hardware.make` generates the drawings, tables, lists and pages, or checks them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from pi_app.base.extras import to_install
from pi_app.base.strict import ConfigError

try:
    from hardware.make import erc, magnet_page
    from hardware.make.everything import Source, files_of, make, read_source, shared_files
    from hardware.make.files import MadeFile, MadeFiles, data
    from hardware.make.mega import Mega, read_mega
    from hardware.make.pages import Made
    from hardware.make.parts import Parts, read_parts
except ModuleNotFoundError as error:
    sys.exit(f"hardware.make: {error}; run: {to_install('hardware')}")

HERE = Path(__file__).parent.parent
BOARDS = HERE.parent / "pi_app" / "boards"
FIRMWARE = HERE.parent / "firmware" / "README.md"


def main(argv: Sequence[str] | None = None) -> int:
    """Generate or check. Returns 1 if a check fails and 2 for a wrong description."""
    args = _parser().parse_args(argv)
    try:
        mega = read_mega(str(FIRMWARE), FIRMWARE.read_text(encoding="utf-8"))
        parts = _parts(args.reed)
        made = [make(source, mega, parts) for source in _sources(args.board, args.boards)]
    except (ConfigError, OSError, ValueError) as error:
        print(f"hardware.make: {error}", file=sys.stderr)
        return 2
    for one in made:
        if one.without:
            print(f"hardware.make: no strips for {one.without}", file=sys.stderr)
    if args.rules:
        return _rules(made)
    if not _works(made, args.reed is not None) and not args.anyway:
        return 1
    files = _one(made, mega, parts) if args.board else all_files(made, mega, parts)
    return _compare(files, args.into) if args.check else _write(files, args.into)


def all_files(made: Sequence[Made], mega: Mega, parts: Parts) -> MadeFiles:
    """Every generated file, by its path below `hardware/`."""
    files = dict(shared_files(tuple(made), parts))
    for one in made:
        of_it = files_of(one, mega, parts)
        files |= {f"{one.board.name}/{name}": file for name, file in of_it.items()}
    return files


def _parts(reed: float | None) -> Parts:
    """The parts, with reeds whose pull-in was measured."""
    parts = read_parts("parts.toml", (HERE / "parts.toml").read_text(encoding="utf-8"))
    if reed is None:
        return parts
    return replace(parts, magnetics=replace(parts.magnetics, pull_in=reed))


def _works(made: Sequence[Made], told: bool) -> bool:
    """Whether the magnets work on every board; prints the reason if they do not, or on request."""
    for one in made:
        words = f"{one.board.name}: {magnet_page.verdict(one.reached)}"
        if one.reached.spare < 1:
            print(f"hardware.make: {words} See decisions/magnet.md; --anyway.", file=sys.stderr)
        elif told:
            print(words)
    return all(one.reached.spare >= 1 for one in made)


def _ampere_turns(text: str) -> float:
    """Raises ArgumentTypeError for a text that is no pull-in."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 1 <= value <= 200:
        raise argparse.ArgumentTypeError(f"{text!r} is no pull-in; give ampere-turns from 1 to 200")
    return value


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m hardware.make", description=__doc__)
    parser.add_argument("--boards", type=Path, default=BOARDS, help="the folder of descriptions")
    parser.add_argument("--board", type=Path, help="one description of your own, and only it")
    parser.add_argument("--into", type=Path, default=HERE, help="where the files go")
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    parser.add_argument(
        "--reed", type=_ampere_turns, metavar="AT", help="your reeds' pull-in, measured, 1 to 200"
    )
    parser.add_argument(
        "--anyway", action="store_true", help="make a board too whose magnets do not work"
    )
    parser.add_argument("--rules", action="store_true", help="electrical rules check, by SKiDL")
    return parser


def _sources(board: Path | None, boards: Path) -> list[Source]:
    paths = [board] if board else sorted(boards.glob("*.toml"))
    sources = [read_source(path.name, path.read_text(encoding="utf-8")) for path in paths]
    return sorted(sources, key=lambda source: (len(source.board.sensors), source.board.name))


def _one(made: Sequence[Made], mega: Mega, parts: Parts) -> MadeFiles:
    return files_of(made[0], mega, parts)


def _write(files: MadeFiles, into: Path) -> int:
    for name, file in files.items():
        path = into / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data(file))
    print(f"{len(files)} files made in {into}")
    return 0


def _compare(files: MadeFiles, into: Path) -> int:
    stale = [name for name, file in files.items() if not _same(into / name, file)]
    for name in stale:
        print(f"{name} is not what the descriptions say; run: python -m hardware.make")
    return 1 if stale else 0


def _same(path: Path, file: MadeFile) -> bool:
    return path.is_file() and path.read_bytes() == data(file)


def _rules(made: Sequence[Made]) -> int:
    wrong = 0
    for one in made:
        try:
            found = erc.check(one.circuit)
        except RuntimeError as error:
            print(f"hardware.make: {error}", file=sys.stderr)
            return 2
        wrong += len(found)
        print(f"{one.board.name}: {'; '.join(found) or 'no fault'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
