"""A board as KiCad 6 opens it, with its maker's rules: a `.kicad_pcb` and a `.kicad_pro`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise

from hardware.make.pcb.artwork import Artwork, Body, Bore, Land, Surface
from hardware.make.pcb.gerber import FIDUCIAL_MM, MASK_MM, OUTLINE_MM
from hardware.make.pcb.layout import Extent
from hardware.make.pcb.legend import PEN_MM
from hardware.make.pcb.measures import StripMeasures
from hardware.make.shapes import PointMm
from hardware.make.svg import number

LIBRARY, SCREW = "spotter", "screw"
"""The name of the project's own library, and of the footprint of a screw's hole."""
SHEET_MM = 30.0
"""From the sheet's upper left corner to the board's, both ways; KiCad's y runs down."""
LAYERS: Mapping[int, str] = {
    **{0: "F.Cu", 31: "B.Cu", 34: "B.Paste", 35: "F.Paste", 36: "B.SilkS", 37: "F.SilkS"},
    **{38: "B.Mask", 39: "F.Mask", 41: "Cmts.User", 44: "Edge.Cuts"},
    **{46: "B.CrtYd", 47: "F.CrtYd", 48: "B.Fab", 49: "F.Fab"},
}
MAKER: Mapping[str, float] = {
    "min_clearance": 0.15,
    "min_track_width": 0.15,
    "min_copper_edge_clearance": 0.4,
    "min_through_hole_diameter": 0.3,
    "min_hole_clearance": 0.25,
    "min_hole_to_hole": 0.45,
    "min_via_diameter": 0.6,
    "min_via_annular_width": 0.2,
    "min_silk_clearance": 0.15,
}
"""Limits in mm that cheap makers meet without a surcharge. JLCPCB offers finer: 0.10 mm for tracks
and gaps, 0.2 mm rings, 0.45 mm between holes, 0.4 mm to a V-score."""
NOT_OURS = frozenset({"missing_courtyard", "npth_inside_courtyard", "pth_inside_courtyard"})
"""Checks that do not apply: a screw hole has no room of its own, and a header stands over wires."""
CHECKS = (
    *("annular_width", "clearance", "copper_edge_clearance", "courtyards_overlap"),
    *("drill_out_of_range", "duplicate_footprints", "footprint_type_mismatch", "hole_clearance"),
    *("hole_near_hole", "invalid_outline", "item_on_disabled_layer", "items_not_allowed"),
    *("malformed_courtyard", "missing_courtyard", "npth_inside_courtyard", "padstack"),
    *("pth_inside_courtyard", "shorting_items", "silk_over_copper", "silk_overlap"),
    *("through_hole_pad_without_hole", "too_many_vias", "track_dangling", "track_width"),
    *("tracks_crossing", "unconnected_items", "unresolved_variable", "via_dangling"),
    *("zone_has_empty_net", "zones_intersect"),
)


@dataclass(frozen=True, slots=True)
class Footprint:
    """A part's room and lands, from its middle, seen from the side where it stands, y downwards.

    The lands have no part and no net: parts of one shape share a footprint.
    """

    value: str
    room: PointMm
    lands: tuple[Land, ...]


def footprints(artworks: Iterable[Artwork]) -> Mapping[Footprint, str]:
    """Name every footprint of some boards after its value; parts of one value that have another
    shape get a number."""
    names: dict[Footprint, str] = {}
    for artwork in artworks:
        for body in artwork.bodies:
            shape = footprint_of(body, artwork)
            if shape not in names:
                alike = sum(one.value == shape.value for one in names)
                names[shape] = plain(shape.value) + (f"-{alike + 1}" if alike else "")
    return names


def footprint_of(body: Body, artwork: Artwork) -> Footprint:
    """A part's footprint: on the back it is seen from there, as if turned over about x."""
    down = -1 if body.surface is Surface.FRONT else 1
    lands = (
        replace(land, part="", net="", at=_rounded(land.at, body.at, down))
        for land in artwork.lands
        if land.part == body.part
    )
    return Footprint(body.value, body.size, tuple(lands))


def _rounded(at: PointMm, middle: PointMm, down: int) -> PointMm:
    return round(at[0] - middle[0], 3) + 0.0, round(down * (at[1] - middle[1]), 3) + 0.0


def footprint_file(shape: Footprint, name: str) -> str:
    """The text of a `.kicad_mod`: the footprint in a library, on the front."""
    lines = _shaped(shape, Surface.FRONT, "REF**", {})
    return _in_library(name, [f"(attr {_mounted(shape)})", *lines])


def screw_file(bore: Bore) -> str:
    """The text of the `.kicad_mod` of a screw's hole."""
    return _in_library(SCREW, _screw(bore, "REF**"))


def _in_library(name: str, lines: Iterable[str]) -> str:
    head = f'(footprint "{name}" (version 20211014) (generator spotter) (layer "F.Cu")'
    return "\n".join([head, *(f"  {line}" for line in lines), ")", ""])


def project_file(measures: StripMeasures) -> str:
    """The text of the `.kicad_pro`: what KiCad's check of the rules holds the board to."""
    kinds = {check: "ignore" if check in NOT_OURS else "error" for check in CHECKS}
    track = {
        "name": "Default",
        "clearance": measures.clearance,
        "track_width": measures.track,
        "via_diameter": measures.via[0],
        "via_drill": measures.via[1],
    }
    project = {
        "board": {"design_settings": {"rule_severities": kinds, "rules": dict(MAKER)}},
        "meta": {"version": 1},
        "net_settings": {"classes": [track], "meta": {"version": 2}},
    }
    return json.dumps(project, indent=2) + "\n"


def board_file(artwork: Artwork, measures: StripMeasures, names: Mapping[Footprint, str]) -> str:
    """The text of the `.kicad_pcb`; `names` has its footprints' names in the library."""
    used = dict.fromkeys(_net(land) for land in artwork.lands)
    nets = {name: place for place, name in enumerate(("", *used))}
    lines = [
        "(kicad_pcb (version 20211014) (generator spotter)",
        f"  (general (thickness {number(measures.thickness)}))",
        '  (paper "A2")',
        "  (layers",
        *(
            f'    ({place} "{name}" {"signal" if name.endswith("Cu") else "user"})'
            for place, name in LAYERS.items()
        ),
        "  )",
        f"  (setup (pad_to_mask_clearance {number(MASK_MM)}))",
        *(f'  (net {place} "{name}")' for name, place in nets.items()),
        *(line for body in artwork.bodies for line in _part(body, artwork, names, nets)),
        *(
            line
            for place, bore in enumerate(artwork.bores, 1)
            for line in _hole(place, bore, artwork)
        ),
        *(
            line
            for place, at in enumerate(artwork.fiducials, 1)
            for line in _fiducial(place, at, artwork)
        ),
        *_copper(artwork, measures, nets),
        *_drawn(artwork),
    ]
    return "\n".join([*lines, ")", ""])


def _net(land: Land) -> str:
    """A net's name; that of a pin which is joined with nothing is KiCad's own."""
    return land.net or f"unconnected-({land.part}-Pad{land.pin})"


def _part(
    body: Body, artwork: Artwork, names: Mapping[Footprint, str], nets: Mapping[str, int]
) -> Iterator[str]:
    """A part's lands and its room, on the side where it stands."""
    shape = footprint_of(body, artwork)
    on = {land.pin: _net(land) for land in artwork.lands if land.part == body.part}
    joined = {pin: f' (net {nets[net]} "{net}")' for pin, net in on.items()}
    side, at = body.surface, _at(body.at, artwork)
    yield f'  (footprint "{LIBRARY}:{names[shape]}" (layer "{side.value}.Cu") (at {at})'
    yield f"    (attr {_mounted(shape)})"
    yield from (f"    {line}" for line in _shaped(shape, side, body.part, joined))
    yield "  )"


def _mounted(shape: Footprint) -> str:
    return "through_hole" if shape.lands[0].drill else "smd"


def _shaped(shape: Footprint, side: Surface, ref: str, joined: Mapping[str, str]) -> Iterator[str]:
    """A footprint's texts, room and lands; `joined` has what is said of a pin's net."""
    yield from _words(ref, shape.value, side)
    wide, high = shape.room
    yield (
        f"(fp_rect (start {_pair((-wide / 2, -high / 2))}) (end {_pair((wide / 2, high / 2))}) "
        f'(layer "{side.value}.CrtYd") (width 0.05) (fill none))'
    )
    down = 1 if side is Surface.FRONT else -1
    for land in shape.lands:
        at = _pair((land.at[0], down * land.at[1] + 0.0))
        net = joined.get(land.pin, "")
        yield f'(pad "{land.pin}" {_land(land)} (at {at}){_metal(land)}{net})'


def _words(ref: str, value: str, side: Surface) -> Iterator[str]:
    """Yield reference and value for KiCad's lists; the printed legend consists of strokes."""
    mirror = " (justify mirror)" if side is Surface.BACK else ""
    font = f"(effects (font (size 1 1) (thickness 0.15)){mirror})"
    for what, word, y in (("reference", ref, 0.0), ("value", value, 1.5)):
        yield f'(fp_text {what} "{word}" (at 0 {number(y)}) (layer "{side.value}.Fab") {font})'


def _land(land: Land) -> str:
    kind = "thru_hole" if land.drill else "smd"
    return f"{kind} {'rect' if land.square else 'circle'}"


def _metal(land: Land) -> str:
    layers = '"*.Cu" "*.Mask"' if land.drill else '"F.Cu" "F.Paste" "F.Mask"'
    drill = f" (drill {number(land.drill)})" if land.drill else ""
    return f" (size {_pair(land.size)}){drill} (layers {layers})"


def _hole(place: int, bore: Bore, artwork: Artwork) -> Iterator[str]:
    yield f'  (footprint "{LIBRARY}:{SCREW}" (layer "F.Cu") (at {_at(bore.at, artwork)})'
    yield from (f"    {line}" for line in _screw(bore, f"H{place}"))
    yield "  )"


def _screw(bore: Bore, ref: str) -> Iterator[str]:
    """No part of the schematic."""
    size = number(bore.diameter)
    yield "(attr board_only exclude_from_pos_files exclude_from_bom)"
    yield from _words(ref, SCREW, Surface.FRONT)
    yield (
        f'(pad "" np_thru_hole circle (at 0 0) (size {size} {size}) (drill {size}) '
        '(layers "*.Cu" "*.Mask"))'
    )


def _fiducial(place: int, at: PointMm, artwork: Artwork) -> Iterator[str]:
    size, mask = FIDUCIAL_MM
    yield f'  (footprint "spotter:fiducial" (layer "F.Cu") (at {_at(at, artwork)})'
    yield "    (attr board_only exclude_from_pos_files exclude_from_bom)"
    yield from (f"    {line}" for line in _words(f"FID{place}", "fiducial", Surface.FRONT))
    yield (
        f'    (pad "" smd circle (at 0 0) (size {number(size)} {number(size)}) '
        f'(layers "F.Cu" "F.Mask") (solder_mask_margin {number((mask - size) / 2)}))'
    )
    yield "  )"


def _copper(artwork: Artwork, measures: StripMeasures, nets: Mapping[str, int]) -> Iterator[str]:
    for track in artwork.tracks:
        yield (
            f"  (segment (start {_at(track.start, artwork)}) (end {_at(track.end, artwork)}) "
            f'(width {number(measures.track)}) (layer "{track.surface.value}.Cu") '
            f"(net {nets[track.net]}))"
        )
    for via in artwork.vias:
        yield (
            f"  (via (at {_at(via.at, artwork)}) (size {number(measures.via[0])}) "
            f'(drill {number(measures.via[1])}) (layers "F.Cu" "B.Cu") (net {nets[via.net]}))'
        )


def _drawn(artwork: Artwork) -> Iterator[str]:
    """Draw the legend, the V-scores and the edge."""
    for stroke in artwork.strokes:
        for ends in pairwise(stroke.points):
            yield _line(ends, f"{stroke.surface.value}.SilkS", PEN_MM, artwork)
    for height in artwork.scores:
        yield _line(((0.0, height), (artwork.size[0], height)), "Cmts.User", OUTLINE_MM, artwork)
    edge = Extent(0.0, 0.0, *artwork.size)
    ring = [(edge.left, edge.low), (edge.right, edge.low), (edge.right, edge.high)]
    ring += [(edge.left, edge.high), (edge.left, edge.low)]
    for ends in pairwise(ring):
        yield _line(ends, "Edge.Cuts", OUTLINE_MM, artwork)


def _line(ends: tuple[PointMm, PointMm], layer: str, wide: float, artwork: Artwork) -> str:
    start, end = (_at(at, artwork) for at in ends)
    return f'  (gr_line (start {start}) (end {end}) (layer "{layer}") (width {number(wide)}))'


def _at(at: PointMm, artwork: Artwork) -> str:
    return _pair((SHEET_MM + at[0], SHEET_MM + artwork.size[1] - at[1]))


def _pair(at: PointMm) -> str:
    return f"{number(at[0])} {number(at[1])}"


def plain(value: str) -> str:
    """Return the part's name in a library."""
    return value.replace(" ", "-")
