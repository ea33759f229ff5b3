"""The measures of a reed strip, as its maker and the reeds need them; read from `parts.toml`."""

from __future__ import annotations

from dataclasses import dataclass, fields
from math import floor

from hardware.make.shapes import PointMm
from pi_app.base.strict import Reader

LENGTHS = {
    "thickness": (0.8, 2.4),
    "reed_hole": (0.5, 3.0),
    "reed_land": (1.0, 5.0),
    "track": (0.15, 1.0),
    "clearance": (0.15, 1.0),
    "edge": (0.3, 3.0),
    "least_width": (5.0, 50.0),
    "screw": (1.0, 4.0),
    "screw_head": (1.0, 9.0),
    "rail": (3.0, 30.0),
    "least_panel": (10.0, 200.0),
    "apart": (1.0, 50.0),
}
"""Each length and its bounds, in mm."""


@dataclass(frozen=True, slots=True)
class StripMeasures:
    """Millimetres, each told in `parts.toml`; `via` is the ring's diameter and its drill's."""

    thickness: float
    lead: float
    leads: float
    bend: float
    reed_hole: float
    reed_land: float
    track: float
    clearance: float
    edge: float
    least_width: float
    screw: float
    screw_head: float
    rail: float
    least_panel: float
    apart: float
    via: PointMm
    panels: int

    @property
    def pitch(self) -> float:
        """The distance between the middles of two neighbouring tracks, in mm."""
        return self.track + self.clearance

    def screw_length(self, carrier: float) -> float:
        """The length of the wood screws that hold a strip to a carrier of this thickness, in whole
        mm; a longer one would pierce the playing surface."""
        return floor(self.thickness + carrier)

    def span(self, glass: float) -> float:
        """The distance between the legs of a bent reed with a glass of this length, in mm."""
        return glass + 2 * self.bend + self.lead


REED = ("lead", "leads", "bend")
"""The reed's, which are told with the other measures."""


def read_strip(reader: Reader, lead: float, leads: float, bend: float) -> StripMeasures:
    """The table `[strip]`, and the reed's measures; its faults go to the reader."""
    lengths = {key: reader.number(key, *bounds, unit=" mm") for key, bounds in LENGTHS.items()}
    measures = StripMeasures(
        **lengths,
        lead=lead,
        leads=leads,
        bend=bend,
        via=reader.pair("via"),
        panels=reader.whole("panels", 1, 1000),
    )
    reader.done(", ".join(f.name for f in fields(StripMeasures) if f.name not in REED))
    return measures
