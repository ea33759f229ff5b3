"""Bought parts and their measures, read strictly from `parts.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace

from hardware.make.hall.measures import HallMeasures, read_hall
from hardware.make.pcb.measures import StripMeasures, read_strip
from hardware.make.shapes import PointMm
from pi_app.base.strict import ConfigError, Reader, parse_toml
from pi_app.sensing.description import Board, Mount


@dataclass(frozen=True, slots=True)
class Measures:
    """Millimetres, each told in `parts.toml`; pairs are length or width first."""

    top: float
    carrier: float
    lead: float
    leads: float
    bend: float
    leg: float
    light: float
    light_flange: float
    light_from_spot: float
    screw: float
    screw_length: float
    screw_inset: float
    frame: float
    frame_play: float
    rail: float
    rim: float
    below: float
    panel: float
    stand: float
    kerf: float
    checker_gap: float
    checker_layer: float
    checker_layers: int
    felt: float
    magnet_play: float
    oled_hole: float
    button_hole: float
    buzzer_hole: float
    glass: PointMm
    slot_play: PointMm
    led: PointMm
    bed: PointMm
    magnet: PointMm
    touchscreen_glass: PointMm
    touchscreen_window: PointMm
    oled_window: PointMm
    oled_holes: PointMm

    @property
    def span(self) -> float:
        """A bent reed from leg to leg: its glass, and a bend and a lead beyond it on both sides."""
        return self.glass[0] + 2 * (self.bend + self.lead)

    @property
    def slot(self) -> PointMm:
        """The length of a reed's slot in the carrier, with some play."""
        return (self.span + self.slot_play[0], self.glass[1] + self.slot_play[1])

    @property
    def checker_height(self) -> float:
        """A checker's wood, without its felt."""
        return self.checker_layer * self.checker_layers


@dataclass(frozen=True, slots=True)
class MagnetMeasures:
    """What the model of magnets and reeds needs beyond lengths, each told in `parts.toml`.

    Remanence in tesla; pull-in and drop-out in ampere-turns; lengths in mm; density in g/cm³.
    """

    remanence_least: float
    remanence_most: float
    pull_in: float
    drop_out: float
    hands: float
    wood: float
    density: float
    friction: float


@dataclass(frozen=True, slots=True)
class CardMeasures:
    """What differs on a board of card, in millimetres."""

    bend: float
    felt: float


UNCHECKED = "unchecked"


@dataclass(frozen=True, slots=True)
class Article:
    """An article: its exact specification, a substitute, and a rough price in euros a piece, metre
    or square metre. `checked` and `price_checked` name the sources of part and price, or say that
    there is none. `order` is its maker's number, `lcsc` that of LCSC, from whose store JLCPCB
    places parts; `first` is what to check before ordering."""

    kind: str
    value: str
    part: str
    alternates: str
    notes: str
    price: float
    checked: str
    price_checked: str
    order: str
    lcsc: str
    first: str


@dataclass(frozen=True, slots=True)
class Parts:
    """All measures, those of strips, card and Hall sensors, and every article by its kind."""

    measures: Measures
    strip: StripMeasures
    magnetics: MagnetMeasures
    card: CardMeasures
    hall_strip: HallMeasures
    hall_switch: HallMeasures
    articles: Mapping[str, Article]


def read_parts(file: str, text: str) -> Parts:
    """Read the parts; raises ConfigError naming the file and every fault in it."""
    reader = Reader(parse_toml(file, text))
    measures = _read_measures(reader.table("measures"))
    strip = read_strip(reader.table("strip"), measures.lead, measures.leads, measures.bend)
    magnetics = _read_magnetics(reader.table("magnetics"))
    card = _read_card(reader.table("card"))
    halls = (read_hall(reader.table("hall_strip")), read_hall(reader.table("hall_switch")))
    articles = [_read_article(table) for table in reader.tables("part")]
    reader.done("measures, strip, magnetics, card, hall_strip, hall_switch, part")
    if reader.faults:
        raise ConfigError(file, reader.faults)
    return Parts(
        measures, strip, magnetics, card, *halls, {article.kind: article for article in articles}
    )


def _read_measures(reader: Reader) -> Measures:
    def length(key: str) -> float:
        return reader.number(key, 0.1, 500, unit=" mm")

    measures = Measures(
        top=length("top"),
        carrier=length("carrier"),
        lead=length("lead"),
        leads=length("leads"),
        bend=length("bend"),
        leg=length("leg"),
        light=length("light"),
        light_flange=length("light_flange"),
        light_from_spot=length("light_from_spot"),
        screw=length("screw"),
        screw_length=length("screw_length"),
        screw_inset=length("screw_inset"),
        frame=length("frame"),
        frame_play=length("frame_play"),
        rail=length("rail"),
        rim=reader.number("rim", 0, 50, unit=" mm"),
        below=length("below"),
        panel=length("panel"),
        stand=length("stand"),
        kerf=reader.number("kerf", 0, 5, unit=" mm"),
        checker_gap=length("checker_gap"),
        checker_layer=length("checker_layer"),
        checker_layers=reader.whole("checker_layers", 2, 12),
        felt=length("felt"),
        magnet_play=length("magnet_play"),
        oled_hole=length("oled_hole"),
        button_hole=length("button_hole"),
        buzzer_hole=length("buzzer_hole"),
        glass=reader.pair("glass"),
        slot_play=reader.pair("slot_play"),
        led=reader.pair("led"),
        bed=reader.pair("bed"),
        magnet=reader.pair("magnet"),
        touchscreen_glass=reader.pair("touchscreen_glass"),
        touchscreen_window=reader.pair("touchscreen_window"),
        oled_window=reader.pair("oled_window"),
        oled_holes=reader.pair("oled_holes"),
    )
    reader.done(", ".join(field.name for field in fields(Measures)))
    return measures


def _read_magnetics(reader: Reader) -> MagnetMeasures:
    magnetics = MagnetMeasures(
        remanence_least=reader.number("remanence_least", 0.05, 2, unit=" T"),
        remanence_most=reader.number("remanence_most", 0.05, 2, unit=" T"),
        pull_in=reader.number("pull_in", 1, 200, unit=" AT"),
        drop_out=reader.number("drop_out", 0.5, 200, unit=" AT"),
        hands=reader.number("hands", 0, 10, unit=" mm"),
        wood=reader.number("wood", 0, 2, unit=" mm"),
        density=reader.number("density", 0.1, 12, unit=" g/cm³"),
        friction=reader.number("friction", 0.01, 2),
    )
    reader.done(", ".join(field.name for field in fields(MagnetMeasures)))
    return magnetics


def _read_card(reader: Reader) -> CardMeasures:
    names = [field.name for field in fields(CardMeasures)]
    card = CardMeasures(*(reader.number(name, 0.1, 50, unit=" mm") for name in names))
    reader.done(", ".join(names))
    return card


def _read_article(reader: Reader) -> Article:
    article = Article(
        kind=reader.take("kind", str),
        value=reader.take("value", str),
        part=reader.take("part", str),
        alternates=reader.take("alternates", str),
        notes=reader.take("notes", str),
        price=reader.number("price", 0, 1000, unit=" euros"),
        checked=reader.take("checked", str),
        price_checked=reader.take("price_checked", str, UNCHECKED),
        order=reader.take("order", str, UNCHECKED),
        lcsc=reader.take("lcsc", str, UNCHECKED),
        first=reader.take("first", str, ""),
    )
    reader.done(
        "kind, value, part, alternates, notes, price, checked, price_checked, order, lcsc, first"
    )
    return article


def hall_of(board: Board, parts: Parts) -> HallMeasures:
    """The measures of a board's sensors: linear ones on strips, or switches on the Pi's pins."""
    return parts.hall_strip if board.scanner else parts.hall_switch


def parts_for(board: Board, parts: Parts) -> Parts:
    """The parts as a board takes them: one of card bends its reeds in another way, one with Hall
    sensors has its own checkers and carrier."""
    if board.mount is Mount.CARD:
        bent = replace(parts.measures, bend=parts.card.bend, felt=parts.card.felt)
        # What is left of a lead is not cut, but folded in its middle.
        leg = round((bent.leads - bent.span) / 4, 2)
        return replace(parts, measures=replace(bent, leg=leg))
    if not board.tells_sides:
        return parts
    hall = hall_of(board, parts)
    least, most = hall.remanence
    return replace(
        parts,
        measures=replace(
            parts.measures,
            top=hall.top,
            carrier=hall.carrier,
            checker_gap=hall.checker_gap,
            magnet=hall.magnet,
        ),
        magnetics=replace(parts.magnetics, remanence_least=least, remanence_most=most),
    )
