"""What Hall sensors and the checkers of their boards are; read from `parts.toml`."""

from __future__ import annotations

from dataclasses import dataclass, fields

from hardware.make.shapes import PointMm
from pi_app.base.strict import Reader


@dataclass(frozen=True, slots=True)
class HallMeasures:
    """Lengths in mm, fields in mT, remanence in tesla; pairs are the least and the most.

    `below` is how deep under the top sheet's lower face White's and Black's sensing spots lie;
    `operate` and `release` bound what a sensor needs to tell a checker and to tell it gone, with
    all that its maker lets it differ; `drift` is what its zero may move meanwhile.
    """

    top: float
    carrier: float
    checker_gap: float
    drift: float
    magnet: PointMm
    remanence: PointMm
    below: PointMm
    operate: PointMm
    release: PointMm


def read_hall(reader: Reader) -> HallMeasures:
    """One of the two tables; its faults go to the reader."""
    measures = HallMeasures(
        top=reader.number("top", 0.5, 20, unit=" mm"),
        carrier=reader.number("carrier", 0.5, 20, unit=" mm"),
        checker_gap=reader.number("checker_gap", 0, 20, unit=" mm"),
        drift=reader.number("drift", 0, 20, unit=" mT"),
        **{key: reader.pair(key) for key in ("magnet", "remanence", "below")},
        **{key: reader.pair(key) for key in ("operate", "release")},
    )
    reader.done(", ".join(field.name for field in fields(HallMeasures)))
    return measures
