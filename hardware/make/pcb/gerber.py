"""Files for the maker of a board: Gerber (RS-274X with X2 attributes) and Excellon drill files.
Millimetres with six decimals, y upwards, without date and version: the same board gives the same
bytes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from hardware.make.pcb.artwork import Artwork, Land, Surface
from hardware.make.pcb.legend import PEN_MM
from hardware.make.pcb.measures import StripMeasures
from hardware.make.shapes import PointMm

MASK_MM = 0.05
"""The solder mask keeps so far from a land."""
OUTLINE_MM = 0.1
FIDUCIAL_MM = (1.0, 2.0)
"""A dot of copper, and the mask's opening around it."""
OTHER = {Surface.FRONT: "Top", Surface.BACK: "Bot"}


@dataclass(slots=True)
class _Plot:
    """A Gerber file being written: its apertures by shape, its strokes and its flashes."""

    function: str
    negative: bool = False
    apertures: dict[str, int] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    chosen: int = 0

    def choose(self, shape: str) -> None:
        number = self.apertures.setdefault(shape, 10 + len(self.apertures))
        if number != self.chosen:
            self.chosen = number
            self.lines.append(f"D{number}*")

    def flash(self, at: PointMm, shape: str) -> None:
        self.choose(shape)
        self.lines.append(f"{_at(at)}D03*")

    def draw(self, points: Iterable[PointMm], wide: float) -> None:
        self.choose(_round(wide))
        for number, (one, other) in enumerate(pairwise(points)):
            if not number:
                self.lines.append(f"{_at(one)}D02*")
            self.lines.append(f"{_at(other)}D01*")

    def text(self) -> str:
        shapes = [f"%ADD{number}{shape}*%" for shape, number in self.apertures.items()]
        return "\n".join(
            [
                "%TF.GenerationSoftware,Spotter,hardware.make*%",
                f"%TF.FileFunction,{self.function}*%",
                f"%TF.FilePolarity,{'Negative' if self.negative else 'Positive'}*%",
                "%TF.SameCoordinates,Original*%",
                "%FSLAX46Y46*%",
                "%MOMM*%",
                "%LPD*%",
                *shapes,
                "G01*",
                *self.lines,
                "M02*",
                "",
            ]
        )


def gerbers(artwork: Artwork, measures: StripMeasures) -> Mapping[str, str]:
    """Every file of a board by its ending, as KiCad would name it."""
    files = {
        "Edge_Cuts.gbr": _edges(artwork),
        "PTH.drl": _drill(_plated(artwork, measures), "Plated,1,2,PTH"),
        "NPTH.drl": _drill(
            [(bore.at, bore.diameter) for bore in artwork.bores], "NonPlated,1,2,NPTH"
        ),
        "F_Paste.gbr": _paste(artwork),
    }
    for surface in Surface:
        files[f"{surface.value}_Cu.gbr"] = _copper(artwork, measures, surface)
        files[f"{surface.value}_Mask.gbr"] = _mask(artwork, surface)
        files[f"{surface.value}_Silkscreen.gbr"] = _silk(artwork, surface)
    if artwork.scores:
        files["V_Score.gbr"] = _scores(artwork)
    return dict(sorted(files.items()))


def _copper(artwork: Artwork, measures: StripMeasures, surface: Surface) -> str:
    layer = "L1,Top" if surface is Surface.FRONT else "L2,Bot"
    plot = _Plot(f"Copper,{layer}")
    for track in artwork.tracks:
        if track.surface is surface:
            plot.draw((track.start, track.end), measures.track)
    for land in _lands(artwork, surface):
        plot.flash(land.at, _shape(land))
    for via in artwork.vias:
        plot.flash(via.at, _round(measures.via[0]))
    for at in artwork.fiducials if surface is Surface.FRONT else ():
        plot.flash(at, _round(FIDUCIAL_MM[0]))
    return plot.text()


def _mask(artwork: Artwork, surface: Surface) -> str:
    """The mask leaves lands and screw holes free and covers vias."""
    plot = _Plot(f"Soldermask,{OTHER[surface]}", negative=True)
    for land in _lands(artwork, surface):
        plot.flash(land.at, _shape(land, MASK_MM))
    for bore in artwork.bores:
        plot.flash(bore.at, _round(bore.diameter + 2 * MASK_MM))
    for at in artwork.fiducials if surface is Surface.FRONT else ():
        plot.flash(at, _round(FIDUCIAL_MM[1]))
    return plot.text()


def _silk(artwork: Artwork, surface: Surface) -> str:
    plot = _Plot(f"Legend,{OTHER[surface]}")
    for stroke in artwork.strokes:
        if stroke.surface is surface:
            plot.draw(stroke.points, PEN_MM)
    return plot.text()


def _paste(artwork: Artwork) -> str:
    """For a stencil: the lands without a hole."""
    plot = _Plot("Paste,Top")
    for land in artwork.lands:
        if not land.drill:
            plot.flash(land.at, _shape(land))
    return plot.text()


def _edges(artwork: Artwork) -> str:
    wide, high = artwork.size
    plot = _Plot("Profile,NP")
    plot.draw([(0, 0), (wide, 0), (wide, high), (0, high), (0, 0)], OUTLINE_MM)
    return plot.text()


def _scores(artwork: Artwork) -> str:
    """Draw where the panel is V-scored, from edge to edge."""
    plot = _Plot("Vcut,Top")
    for height in artwork.scores:
        plot.draw([(0, height), (artwork.size[0], height)], OUTLINE_MM)
    return plot.text()


def _lands(artwork: Artwork, surface: Surface) -> Iterator[Land]:
    return (land for land in artwork.lands if land.drill or surface is Surface.FRONT)


def _plated(artwork: Artwork, measures: StripMeasures) -> Iterator[tuple[PointMm, float]]:
    yield from ((land.at, land.drill) for land in artwork.lands if land.drill)
    yield from ((via.at, measures.via[1]) for via in artwork.vias)


def _drill(holes: Iterable[tuple[PointMm, float]], function: str) -> str:
    """An Excellon file: a tool a diameter, its holes in the order of their places."""
    tools: dict[float, list[PointMm]] = {}
    for at, diameter in holes:
        tools.setdefault(diameter, []).append(at)
    found = sorted(tools.items())
    lines = ["M48", f"; #@! TF.FileFunction,{function}", "FMAT,2", "METRIC,TZ"]
    lines += [f"T{number}C{diameter:.3f}" for number, (diameter, _) in enumerate(found, start=1)]
    lines += ["G90", "%", "G05"]
    for number, (_, places) in enumerate(found, start=1):
        lines.append(f"T{number}")
        lines += [f"X{x:.3f}Y{y:.3f}" for x, y in sorted(places)]
    return "\n".join([*lines, "T0", "M30", ""])


def _shape(land: Land, grown: float = 0.0) -> str:
    wide, high = (length + 2 * grown for length in land.size)
    return f"R,{wide:.3f}X{high:.3f}" if land.square else _round(wide)


def _round(diameter: float) -> str:
    return f"C,{diameter:.3f}"


def _at(at: PointMm) -> str:
    return f"X{round(at[0] * 1e6)}Y{round(at[1] * 1e6)}"
