"""A board page's section on magnets: every figure of the model and its limit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from string import Template

from hardware.make import hands_page, tables
from hardware.make.hands import pushed_together, read
from hardware.make.magnetics import drive
from hardware.make.parts import Parts
from hardware.make.reach import (
    CARRIED_MM,
    DOUBT,
    NEIGHBOURS_IN_LINE,
    STOREYS,
    Demand,
    MagnetRule,
    Reached,
)
from hardware.make.svg import number
from pi_app.sensing.description import MOST_PLACES, Board

WORDS = Path(__file__).with_name("words") / "magnets.md"
HEAD = ("what", "computed", "must be", "spare")
COVERS = range(1, 7)
FORCES = frozenset({MagnetRule.STACKED, MagnetRule.PUSH, MagnetRule.CARRIED})


def section(board: Board, parts: Parts, found: Reached) -> str:
    """The section of a board's page."""
    measures, known = parts.measures, parts.magnetics
    covers = (("covers", *map(str, COVERS)), ("AT", *_through(parts, found)))
    words = {
        "magnet": " × ".join(number(length) for length in measures.magnet),
        "checker": f"{number(found.setup.diameter)} × {number(measures.checker_height)}",
        "pull_in": number(known.pull_in),
        "drop_out": number(known.drop_out),
        "shift": number(found.setup.shift),
        "wood": number(known.wood),
        "top": number(measures.top),
        "storeys": str(STOREYS),
        "middle": f"{found.middle:.0f}",
        "least": f"{found.least:.0f}",
        "most": f"{found.most:.0f}",
        "demands": tables.markdown(HEAD, rows(board, found)),
        "verdict": verdict(found),
        **hands_page.allowed(found, known.pull_in),
        "pushed": _pushed(board, parts, found),
        "covers": tables.markdown(*covers[:1], covers[1:]),
    }
    return Template(WORDS.read_text(encoding="utf-8")).substitute(words).rstrip("\n")


def _pushed(board: Board, parts: Parts, found: Reached) -> str:
    """Say how many checkers of a full column are felt if they are pushed together."""
    if not (driven := pushed_together(board, parts, found, MOST_PLACES)):
        return ""
    counted = read(driven, parts.magnetics.pull_in)
    return f" Of {MOST_PLACES} pushed together on a point its {len(driven)} reeds count {counted}."


def verdict(found: Reached) -> str:
    """Whether a board works, with its margin or its failure."""
    failed = [demand for demand in found.demands if demand.spare < 1]
    if not failed:
        return f"All is met {_spared(found.spare)} times over."
    said = "; ".join(
        f"{_what(demand.rule)}: {_amount(demand, found.unit)}, must be {_limit(demand, found.unit)}"
        for demand in failed
    )
    return f"This board does not work: {said}."


def rows(board: Board, found: Reached) -> Iterator[tuple[str, ...]]:
    """Every demand with its figure, its limit and its spare."""
    for demand in found.demands:
        what = _what(demand.rule)
        if found.unit != "AT":
            what = what.replace("a reed's own", "the own")
        if demand.rule is MagnetRule.NEXT:
            what = f"{what}: {_nearest(board, found)}"
        yield (what, _amount(demand, found.unit), _limit(demand, found.unit), _spared(demand.spare))


def _what(rule: MagnetRule) -> str:
    row = NEIGHBOURS_IN_LINE + 1
    return {
        MagnetRule.OWN: "a reed's own magnet at its weakest, all others against it",
        MagnetRule.NEXT: "the one neighbour felt most",
        MagnetRule.ALL: "all others together, on an empty place",
        MagnetRule.STACKED: "pull between a checker and one that lies on it",
        MagnetRule.PUSH: f"push on the last of {row} checkers that touch in a row",
        MagnetRule.CARRIED: f"pull on a checker by one carried {number(CARRIED_MM)} mm above it",
        MagnetRule.LOBE: "the other pole beside a magnet, all others with it",
    }[rule]


def _nearest(board: Board, found: Reached) -> str:
    """Say which reed feels which neighbour most."""
    names: Mapping[object, str] = {
        reed.at: str(reed.name) for place in board.places for reed in place.reeds
    }
    sensor, site = found.nearest
    what = "reed" if found.unit == "AT" else "sensor"
    return f"{names.get(site, 'one beside it')} at the {what} of {sensor}"


def _amount(demand: Demand, unit: str) -> str:
    if demand.rule in FORCES:
        return f"{demand.value * 1000:.1f} mN"
    digits = 1 if demand.rule is MagnetRule.OWN else 2
    return f"{demand.value:.{digits}f} {unit}"


def _limit(demand: Demand, unit: str) -> str:
    limit = f"{number(demand.limit)} {unit}"
    force = f"under {demand.limit * 1000:.0f} mN"
    reeds = unit == "AT"
    kept = f"drop-out / {number(DOUBT)}" if reeds else "what a sensor may need to let go"
    own = f"{number(DOUBT)} × pull-in" if reeds else "what the deafest needs"
    return {
        MagnetRule.OWN: f"at least {limit}, {own}",
        MagnetRule.NEXT: f"at most {limit}, {kept}",
        MagnetRule.ALL: f"at most {limit}, {kept}",
        MagnetRule.STACKED: f"{force}, a checker's weight",
        MagnetRule.PUSH: f"{force}, the felt's friction",
        MagnetRule.CARRIED: f"{force}, a checker's weight",
        MagnetRule.LOBE: f"at most {limit}, what the keenest needs",
    }[demand.rule]


def _spared(spare: float) -> str:
    return f"{spare:.2f}" if spare < 9.995 else "over 10"


def _through(parts: Parts, found: Reached) -> Iterator[str]:
    """A typical magnet's drive of the reed in the middle of its place, in AT."""
    setup = found.setup
    share = (1 + setup.weak.remanence / setup.strong.remanence) / 2
    for covers in COVERS:
        height = round(setup.height + (covers - 1) * parts.measures.top, 3)
        yield f"{share * drive(setup.strong, setup.reed, -found.offset, 0.0, height):.0f}"
