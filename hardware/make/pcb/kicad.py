"""A board as KiCad 6 opens it, with its maker's rules: a `.kicad_pcb` and a `.kicad_pro`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import pairwise

from hardware.make.pcb.artwork import Artwork, Body, Bore, Land, Surface
from hardware.make.pcb.gerber import FIDUCIAL_MM, MASK_MM, OUTLINE_MM
from hardware.make.pcb.layout import Extent
from hardware.make.pcb.legend import PEN_MM
from hardware.make.pcb.measures import StripMeasures
from hardware.make.shapes import PointMm
from hardware.make.svg import number

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


def board_file(artwork: Artwork, measures: StripMeasures) -> str:
    """The text of the `.kicad_pcb`."""
    nets = {name: place for place, name in enumerate(("", *artwork.nets))}
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
        *(line for body in artwork.bodies for line in _part(body, artwork, nets)),
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


def _part(body: Body, artwork: Artwork, nets: Mapping[str, int]) -> Iterator[str]:
    """A part's lands and its room, on the side where it stands."""
    side = body.surface.value
    lands = [land for land in artwork.lands if land.part == body.part]
    kind = "through_hole" if lands[0].drill else "smd"
    name, at = plain(body.value), _at(body.at, artwork)
    yield f'  (footprint "spotter:{name}" (layer "{side}.Cu") (at {at})'
    yield f"    (attr {kind})"
    yield from _words(body, side)
    wide, high = body.size
    yield (
        f"    (fp_rect (start {_pair((-wide / 2, -high / 2))}) (end {_pair((wide / 2, high / 2))}) "
        f'(layer "{side}.CrtYd") (width 0.05) (fill none))'
    )
    for land in lands:
        away = land.at[0] - body.at[0], body.at[1] - land.at[1]
        net = f' (net {nets[land.net]} "{land.net}")' if land.net else ""
        yield f'    (pad "{land.pin}" {_land(land)} (at {_pair(away)}){_metal(land)}{net})'
    yield "  )"


def _words(body: Body, side: str) -> Iterator[str]:
    """Yield reference and value for KiCad's lists; the printed legend consists of strokes."""
    mirror = " (justify mirror)" if side == "B" else ""
    font = f"(effects (font (size 1 1) (thickness 0.15)){mirror})"
    for what, word, y in (("reference", body.part, 0.0), ("value", body.value, 1.5)):
        yield f'    (fp_text {what} "{word}" (at 0 {number(y)}) (layer "{side}.Fab") {font})'


def _land(land: Land) -> str:
    kind = "thru_hole" if land.drill else "smd"
    return f"{kind} {'rect' if land.square else 'circle'}"


def _metal(land: Land) -> str:
    layers = '"*.Cu" "*.Mask"' if land.drill else '"F.Cu" "F.Paste" "F.Mask"'
    drill = f" (drill {number(land.drill)})" if land.drill else ""
    return f" (size {_pair(land.size)}){drill} (layers {layers})"


def _hole(place: int, bore: Bore, artwork: Artwork) -> Iterator[str]:
    size = number(bore.diameter)
    yield f'  (footprint "spotter:screw" (layer "F.Cu") (at {_at(bore.at, artwork)})'
    yield "    (attr exclude_from_pos_files exclude_from_bom)"
    yield from _words(Body(f"H{place}", "screw", bore.at, (0.0, 0.0), Surface.FRONT), "F")
    yield (
        f'    (pad "" np_thru_hole circle (at 0 0) (size {size} {size}) (drill {size}) '
        '(layers "*.Cu" "*.Mask"))'
    )
    yield "  )"


def _fiducial(place: int, at: PointMm, artwork: Artwork) -> Iterator[str]:
    size, mask = FIDUCIAL_MM
    yield f'  (footprint "spotter:fiducial" (layer "F.Cu") (at {_at(at, artwork)})'
    yield "    (attr exclude_from_pos_files exclude_from_bom)"
    yield from _words(Body(f"FID{place}", "fiducial", at, (0.0, 0.0), Surface.FRONT), "F")
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
