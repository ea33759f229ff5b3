"""The decision on Hall sensors, with the figures of all boards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from string import Template

from hardware.make import hands, tables
from hardware.make.hall.demands import HallSetup, hall_reached, hall_setup
from hardware.make.hall.hands import column_of, missed, radius, touching
from hardware.make.hall.pages import COUNT_MT, REST_COUNTS, nominal
from hardware.make.hall.race import RACE_HEAD, race_rows
from hardware.make.hall.sixth import SIXTH_HEAD, sixth_rows
from hardware.make.hands_page import SIGMAS
from hardware.make.magnetics import flux
from hardware.make.pages import Made
from hardware.make.parts import Parts
from hardware.make.reach import SPARE, MagnetRule, reached
from hardware.make.svg import number
from pi_app.sensing.description import Board

WORDS = Path(__file__).parent.parent / "words"
RULES: Mapping[MagnetRule, str] = {
    MagnetRule.OWN: "own",
    MagnetRule.NEXT: "next",
    MagnetRule.ALL: "all others",
    MagnetRule.LOBE: "other pole",
    MagnetRule.STACKED: "stacked",
    MagnetRule.PUSH: "push in a row",
    MagnetRule.CARRIED: "carried",
}
HEIGHTS = (1, 3, 5)
TRIED = (
    ("**as chosen**: 8 × 1 mm, N35", (8.0, 1.0), (1.17, 1.22)),
    ("6 × 1 mm, N48, as with reeds", (6.0, 1.0), (1.36, 1.42)),
    ("8 × 1 mm, N48", (8.0, 1.0), (1.36, 1.42)),
    ("10 × 1 mm, N35", (10.0, 1.0), (1.17, 1.22)),
    ("12 × 0.5 mm, N35", (12.0, 0.5), (1.17, 1.22)),
)


def decision(made: Sequence[Made], parts: Parts) -> str:
    """The page."""
    boards = [one.board for one in made]
    strips = next(board for board in boards if board.tells_sides and board.scanner)
    switches = next(board for board in boards if board.tells_sides and not board.scanner)
    found, small = hall_setup(strips, parts), hall_setup(switches, parts)
    half = replace(found.weakest, remanence=found.weakest.remanence / 2)
    depth = max(found.depths)
    one, two = (flux(found.setup.strong, 0.0, depth + up) for up in (0.0, found.setup.storey))
    words = {
        "spare": number(SPARE),
        "margins": tables.markdown(("board", *RULES.values()), map(_margins, made)),
        "stacks": tables.markdown(
            ("board", "poles", *(f"{storeys} high" for storeys in HEIGHTS)),
            [row for one in made for row in _stacks(one.board, parts)],
        ),
        "touching": tables.markdown(
            ("board", *(f"{n} touching" for n in range(2, 6))),
            [row for one in made for row in _columns(one, parts)],
        ),
        "hands": tables.markdown(
            ("board", *(f"σ = {number(sigma)} mm" for sigma in SIGMAS)),
            [_hands(one, parts) for one in made],
        ),
        "reach": number(round(found.reach(), 1)),
        "depth": number(round(depth, 2)),
        "magnets": tables.markdown(
            ("magnet", "own", "all others", "other pole", "stacked", "felt to"),
            _magnets(strips, parts),
        ),
        "half": number(round(found.reach(half), 1)),
        "race": tables.markdown(RACE_HEAD, race_rows()),
        "sixth": tables.markdown(SIXTH_HEAD, sixth_rows(found, COUNT_MT)),
        "share": f"{400 * COUNT_MT / nominal(found.hall.operate):.0f}",
        "least_steps": f"{found.own(found.setup.shift + found.creep) / COUNT_MT:.0f}",
        "rest": str(REST_COUNTS),
        "operate": f"{nominal(found.hall.operate) / COUNT_MT:.0f}",
        "release": f"{nominal(found.hall.release) / COUNT_MT:.0f}",
        "operate_mt": f"{nominal(found.hall.operate):.1f}",
        "release_mt": f"{nominal(found.hall.release):.1f}",
        "second": f"{100 * two / one:.0f}",
        "as_offset": number(_as_offset(found, two / one)),
        "radius": number(round(radius(found), 1)),
        "near": number(round(min(small.depths), 2)),
        "top": number(small.hall.top),
        "least": number(small.hall.operate[0]),
    }
    text = (WORDS / "hall-decision.md").read_text(encoding="utf-8")
    return Template(text).substitute(words)


def _as_offset(found: HallSetup, share: float) -> float:
    """Return how far off centre, in mm, a checker gives this share less."""
    middle = found.own(0.0)
    return next(n / 10 for n in range(100) if found.own(n / 10) <= (1 - share) * middle)


def _margins(one: Made) -> tuple[str, ...]:
    spares = {demand.rule: demand.spare for demand in one.reached.demands}
    cells = (f"{spares[rule]:.2f}" if spares.get(rule, 99) < 10 else "" for rule in RULES)
    told = (
        cell or ("over 10" if rule in spares else "–")
        for rule, cell in zip(RULES, cells, strict=True)
    )
    return (f"`{one.board.name}`", *told)


def _stacks(board: Board, parts: Parts) -> Iterator[tuple[str, ...]]:
    """Compare lower and higher piles of checkers: the own field and that of all others. Empty for a
    board without columns, where nothing is piled."""
    if len(column_of(board).reeds) == 1:
        return
    found = hall_reached if board.tells_sides else reached
    for mixed, words in ((False, "the same up"), (True, "mixed")):
        piled = [found(board, parts, storeys, mixed) for storeys in HEIGHTS]
        cells = (
            " / ".join(f"{one.of(rule).spare:.2f}" for rule in (MagnetRule.OWN, MagnetRule.ALL))
            for one in piled
        )
        yield f"`{board.name}`", words, *cells


def _columns(one: Made, parts: Parts) -> Iterator[tuple[str, ...]]:
    """Tell how many checkers of a touching column are felt; empty for a board without columns."""
    board, counts = one.board, range(2, 6)
    if board.tells_sides and board.scanner:
        for words, rail in (("from the rail", True), ("from the middle", False)):
            read = (str(touching(board, parts, n, from_rail=rail)) for n in counts)
            yield (f"`{board.name}`, {words}", *read)
    elif not board.tells_sides:
        driven = [hands.pushed_together(board, parts, one.reached, n) for n in counts]
        if all(driven):
            read = (str(hands.read(drives, parts.magnetics.pull_in)) for drives in driven)
            yield (f"`{board.name}`, from the rail", *read)


def _hands(one: Made, parts: Parts) -> tuple[str, ...]:
    """Tabulate the share of checkers that are not felt."""
    board, pull_in = one.board, parts.magnetics.pull_in
    shares = (
        missed(hall_setup(board, parts), sigma)
        if board.tells_sides
        else hands.missed(one.reached, pull_in, sigma)
        for sigma in SIGMAS
    )
    return (f"`{board.name}`", *(f"{100 * share:.2f} %" for share in shares))


def _magnets(board: Board, parts: Parts) -> Iterator[tuple[str, ...]]:
    for name, size, remanence in TRIED:
        tried = replace(
            parts, hall_strip=replace(parts.hall_strip, magnet=size, remanence=remanence)
        )
        found = hall_reached(board, tried)
        rules = (MagnetRule.OWN, MagnetRule.ALL, MagnetRule.LOBE, MagnetRule.STACKED)
        spares = (f"{found.of(rule).spare:.2f}" for rule in rules)
        yield name, *spares, f"{number(round(hall_setup(board, tried).reach(), 1))} mm"
