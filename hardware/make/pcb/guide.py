"""The files of a board's strips: drawings, what the maker of boards gets, pages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from string import Template

from hardware.make import tables
from hardware.make.bill import Entry, total
from hardware.make.bill import to_csv as bill_csv
from hardware.make.files import MadeFile, MadeFiles
from hardware.make.mega import Mega
from hardware.make.pages import BOARD_KINDS, WORDS, Made
from hardware.make.parts import Parts
from hardware.make.pcb.below import label, pin_of, ribbons, strip_carrier, strips_below
from hardware.make.pcb.count import ByMaker, shared_lines, strip_bill, strip_work, wired_work
from hardware.make.pcb.design import StripDesign
from hardware.make.pcb.lines import Axis, Strip
from hardware.make.pcb.order import order_files
from hardware.make.pcb.panels import StripPanel, panel_of
from hardware.make.pcb.section import depth, strip_section, tail
from hardware.make.sheets import sheet
from hardware.make.support import marked, support
from hardware.make.svg import number, to_svg

CHEAP_MM = 100.0
"""Up to this, both ways, makers sell boards cheapest."""
LIST_HEAD = ("strip", "design", "its line", "Mega", "reeds, from pin 1's end")
STRIP_KINDS = frozenset(
    {
        *("strip panel", "strip order", "strip diode", "box header", "pin", "own wires"),
        *("ribbon socket", "ribbon", "strip screws"),
    }
)


def strip_files(made: Made, mega: Mega, parts: Parts) -> MadeFiles:
    """Every file by its name below the board's folder; none for a board without strips."""
    return dict(_files(made, mega, parts)) if made.strips else {}


def _files(made: Made, mega: Mega, parts: Parts) -> Iterator[tuple[str, MadeFile]]:
    board, designs, strip = made.board, made.strips, parts.strip
    panel = panel_of(board.name, designs, strip)
    entries = strip_bill(board, made.entries, designs, parts)
    yield "README.md", _page(made, mega, parts)
    yield "order.md", _order(made, panel, parts, entries)
    yield "bom.csv", bill_csv(entries)
    yield "section.svg", to_svg(strip_section(parts.measures, strip))
    yield "underside.svg", to_svg(strips_below(board, parts.measures, mega, designs))
    shapes = strip_carrier(
        board, parts.measures, designs, marked(support(board, parts.measures, designs))
    )
    title = f"{board.name}: carrier for strips, from below"
    yield from sheet("carrier", title, board.size, shapes, parts.measures)
    yield from order_files(board.name, panel, parts, ORDERED, {})


def decision(made: Sequence[Made], parts: Parts) -> str:
    """Strips against wires, with the figures of every board that can have them."""
    lines = []
    for one in made:
        if one.strips:
            work = wired_work(one.board), *(strip_work(one.strips, by) for by in ByMaker)
            entries = strip_bill(one.board, one.entries, one.strips, parts)
            cells = (
                f"`{one.board.name}`",
                *(str(way.joints) for way in work),
                *(f"{way.hours:.1f} h" for way in work),
                *(f"{_below(bought)} €" for bought in (one.entries, entries)),
            )
            lines.append(f"| {' | '.join(cells)} |")
    return _fill("strips-decision.md", {"figures": "\n".join(lines)})


def _below(entries: Sequence[Entry]) -> int:
    """What the electronics below a board cost, roughly."""
    return total([e for e in entries if e.article.kind in BOARD_KINDS | STRIP_KINDS])


def _page(made: Made, mega: Mega, parts: Parts) -> str:
    designs, strip = made.strips, parts.strip
    own = designs[0].laid.axis
    shared = Axis.COLUMN if own is Axis.ROW else Axis.ROW
    lines, joined = shared_lines(designs), ribbons(designs)
    red, black = ("a pin of the header", "the single pin")[:: 1 if own is Axis.ROW else -1]
    shared_pins = (mega.columns if shared is Axis.COLUMN else mega.rows)[:lines]
    words = {
        "name": made.board.name,
        "title": made.board.title,
        "designs": " and ".join(f"{len(one.strips)} × `{one.name}`" for one in designs),
        "pictures": "\n\n".join(f"![{d.name}: both sides]({d.name}.svg)" for d in designs),
        "own": own.value,
        "shared": shared.value,
        "last": str(lines - 1),
        "shared_pins": " ".join(line.printed for line in shared_pins),
        "wires": str(designs[0].laid.pins),
        "span": number(strip.span(parts.measures.glass[0])),
        "bend": number(strip.bend),
        "screw": number(strip.screw_length(parts.measures.carrier)),
        "deep": number(strip.thickness + parts.measures.carrier),
        "depth": number(depth(parts.measures)),
        "leg": number(parts.measures.leg),
        "tail": number(round(tail(parts.measures, strip), 1)),
        "cables": "\n".join(
            f"- {_from_to(one.strips)}: {_times(len(one.strips), 'socket')}, {one.length_m:.1f} m"
            for one in joined
        ),
        "red": red,
        "black": black,
        "table": tables.markdown(LIST_HEAD, _strip_rows(designs, mega)),
    }
    return _fill("strips.md", words)


def _strip_rows(designs: Sequence[StripDesign], mega: Mega) -> Iterator[tuple[str, ...]]:
    for design in designs:
        axis = design.laid.axis
        for one in design.strips:
            reeds = " ".join(str(reed.name) for reed in one.reeds)
            line = f"{axis.value} {one.own}"
            yield label(one), f"`{design.name}`", line, pin_of(axis, one, mega), reeds


def _order(made: Made, panel: StripPanel, parts: Parts, entries: Sequence[Entry]) -> str:
    wide, high = panel.artwork.size
    strip = parts.strip
    prices = {entry.article.kind: entry for entry in entries}
    cheap = max(wide, high) <= CHEAP_MM
    class_ = f"{number(CHEAP_MM)} × {number(CHEAP_MM)} mm"
    words = {
        "name": made.board.name,
        "size": f"{number(wide)} × {number(high)} mm",
        "strips": " and ".join(f"{count} × `{one.name}`" for one, count in panel.counts),
        "kinds": str(len(panel.counts)),
        "panels": str(strip.panels),
        "needed": " and ".join(f"{len(one.strips)} × `{one.name}`" for one, _ in panel.counts),
        "spare": _spare(panel, strip.panels),
        "thickness": number(strip.thickness),
        "scores": ", ".join(number(height) for height in panel.artwork.scores),
        "cheap": f"{'within' if cheap else 'more than'} the {class_} that makers sell cheapest",
        "track": number(strip.track),
        "gap": number(strip.clearance),
        "drill": number(strip.via[1]),
        "area": f"{prices['strip panel'].needed * 1e4:.0f}",
        "boards": f"{prices['strip panel'].price:.0f}",
        "order": f"{prices['strip order'].price:.0f}",
        "whole": f"{prices['strip panel'].price + prices['strip order'].price:.0f}",
        "diodes": str(sum(body.smd for body in panel.artwork.bodies)),
    }
    return _fill("strips-order.md", words)


ORDERED = {"1N4148W": "strip diode", "box header": "box header", "pin": "pin"}
"""How the value of a part that the maker may place begins, and its article: all but the reeds,
which are soldered in the carrier."""


def _spare(panel: StripPanel, panels: int) -> str:
    over = ((panels * count - len(one.strips), one.name) for one, count in panel.counts)
    said = [f"{more} × `{name}`" for more, name in over if more]
    return f", and {' and '.join(said)} to spare" if said else ""


def _fill(name: str, words: Mapping[str, str]) -> str:
    return Template((WORDS / name).read_text(encoding="utf-8")).substitute(words)


def _from_to(strips: Sequence[Strip]) -> str:
    return " … ".join(dict.fromkeys((label(strips[0]), label(strips[-1]))))


def _times(count: int, word: str) -> str:
    return f"{count} {word}{'s' if count != 1 else ''}"
