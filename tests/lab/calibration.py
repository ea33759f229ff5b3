"""`tests/lab/run calibration`: whether stated confidences are kept, from many runs of selfplay."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from math import exp, lgamma, log, log10, sqrt
from pathlib import Path

from lab import PROGRAM
from pi_app.base.errors import GivenError
from pi_app.base.files import read_text, replace_text, why
from pi_app.base.strict import Reader
from pi_app.cli.arguments import Parser
from pi_app.cli.ending import Status
from pi_app.games.equipment import Compendium
from pi_app.words.texts import columns, quoted

UNIT = 10**9
"""Confidences have nine decimals: doubts are whole numbers of these parts."""
NINES = 9
Z = 2.576
"""Standard deviations of a normal distribution that hold 99 %."""
RARE = 0.001
"""A bin fails if its stated confidence makes the result rarer than this."""
_MOST = 10**15


class CalibrationError(GivenError, ValueError):
    """A line that holds no counts of selfplay's; says why."""


class Claim(Enum):
    """The evidence of the plays on a claim."""

    PROVED = "holds"
    OPEN = "not contradicted"
    BROKEN = "CLAIMS TOO MUCH"


@dataclass(slots=True)
class Bin:
    """Plays accepted, how many of them were those made, and their doubts 1 - c in UNITs, summed."""

    plays: int = 0
    right: int = 0
    doubt: int = 0

    def add(self, other: Bin) -> None:
        self.plays += other.plays
        self.right += other.right
        self.doubt += other.doubt

    @property
    def wrong(self) -> float:
        """The share of the plays that were not those made."""
        return 1 - self.right / self.plays

    @property
    def claimed(self) -> float:
        """The share that may be wrong by what was stated."""
        return self.doubt / UNIT / self.plays

    @property
    def interval(self) -> tuple[float, float]:
        """From and to: the Wilson interval of the share that is wrong."""
        count, square = self.plays, Z * Z
        middle = self.wrong + square / (2 * count)
        reach = Z * sqrt(self.wrong * (1 - self.wrong) / count + square / (4 * count * count))
        whole = 1 + square / count
        low = 0.0 if self.right == count else (middle - reach) / whole
        return low, min(1.0, (middle + reach) / whole)

    @property
    def held(self) -> Claim:
        """Whether what was stated is kept."""
        if self.chance < RARE:
            return Claim.BROKEN
        return Claim.PROVED if self.interval[1] <= self.claimed else Claim.OPEN

    @property
    def chance(self) -> float:
        """The probability of this many errors or more by the stated confidences: Poisson's law."""
        expected = self.doubt / UNIT
        fewer = range(self.plays - self.right)
        logs = (number * log(expected) - expected - lgamma(number + 1) for number in fewer)
        return 1 - sum(map(exp, logs)) if expected else float(not fewer)


@dataclass(slots=True)
class Calibration:
    """Bins by their nines; plays that were asked about; and those that nothing compares with.

    The last were accepted before the play of the turn was made: another one ended the game, or an
    illegal one looks the same to every reed.
    """

    bins: dict[int, Bin] = field(default_factory=dict)
    asked: Bin = field(default_factory=Bin)
    uncompared: int = 0

    def add(self, confidence: float | None, right: bool) -> None:
        """One more play, stated with nine decimals, or None if a player was asked."""
        if confidence is None:
            self.asked.add(Bin(1, right))
        else:
            doubt = round((1 - confidence) * UNIT)
            self._bin(nines_of(doubt)).add(Bin(1, right, doubt))

    def merge(self, other: Calibration) -> None:
        for nines, counted in other.bins.items():
            self._bin(nines).add(counted)
        self.asked.add(other.asked)
        self.uncompared += other.uncompared

    def _bin(self, nines: int) -> Bin:
        return self.bins.setdefault(nines, Bin())

    @property
    def stated(self) -> Bin:
        """All plays with a confidence in one."""
        whole = Bin()
        for counted in self.bins.values():
            whole.add(counted)
        return whole

    @property
    def rows(self) -> Iterator[tuple[str, Bin]]:
        """The bins by their names, and all of them together."""
        yield from ((name_of(nines), self.bins[nines]) for nines in sorted(self.bins))
        if self.bins:
            yield "all of these", self.stated

    @property
    def broken(self) -> bool:
        """Whether some bin claims more than it holds."""
        return any(counted.held is Claim.BROKEN for _, counted in self.rows)

    def as_json(self) -> dict[str, object]:
        """The lines that read_calibration reads."""
        return {
            "bins": {str(nines): _counts(self.bins[nines]) for nines in sorted(self.bins)},
            "asked": _counts(self.asked),
            "uncompared": self.uncompared,
        }

    def table(self) -> Iterator[tuple[str, ...]]:
        """The heading and a row a bin, as texts."""
        yield HEADING
        for name, counted in self.rows:
            low, high = (f"{100 * (1 - share):.7f} %" for share in reversed(counted.interval))
            yield (
                *(name, str(counted.plays), str(counted.right)),
                *(f"{100 * (1 - counted.wrong):.7f} %", f"{100 * (1 - counted.claimed):.7f} %"),
                *(low, high, counted.held.value),
            )
        if self.asked.plays:
            share = f"{100 * (1 - self.asked.wrong):.7f} %"
            yield "asked", str(self.asked.plays), str(self.asked.right), share, "", "", "", ""


HEADING = ("stated", "plays", "right", "share right", "claimed", "from", "to", "the claim")


def nines_of(doubt: int) -> int:
    """The whole part of -log10 of a doubt in UNITs, from 0 to 9."""
    return NINES - (len(str(doubt - 1)) if doubt > 1 else 0)


def name_of(nines: int) -> str:
    """A bin's range of confidences."""
    low, high = (f"{1 - 10**-n:.{max(n, 1)}f}" for n in (nines, nines + 1))
    return f"{low} or more" if nines == NINES else f"{low} to {high}"


def _counts(counted: Bin) -> dict[str, int]:
    return {"plays": counted.plays, "right": counted.right, "doubt": counted.doubt}


@dataclass(frozen=True, slots=True)
class Run:
    """One line about the match, and its counts."""

    told: str
    counted: Calibration


def read_run(line: str) -> Run:
    """The run in a line of `tests/lab/run selfplay --json`; raises CalibrationError."""
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise CalibrationError(f"not JSON: {error}") from None
    found = fields.get("calibration") if isinstance(fields, dict) else None
    if not isinstance(found, dict):
        raise CalibrationError("no calibration in it; it is in what selfplay --json prints")
    told = ", ".join(f"{key} {fields[key]}" for key in TOLD if key in fields)
    return Run(told, _read_counts(found))


TOLD = ("game", "board", "seed", "faults", "noise", "one_wrong_in", "matches", "turns")
"""The parts of selfplay's output that identify a run."""


def merged(runs: Iterable[Run]) -> Calibration:
    """All runs in one."""
    whole = Calibration()
    for run in runs:
        whole.merge(run.counted)
    return whole


def _read_counts(found: Mapping[str, object]) -> Calibration:
    reader = Reader(found, "calibration")
    bins, asked = reader.table("bins"), _read(reader.table("asked"))
    names = [str(nines) for nines in range(NINES + 1)]
    there = {int(name): _read(bins.table(name)) for name in names if bins.has(name)}
    bins.done(", ".join(names))
    there = {nines: one for nines, one in there.items() if one.plays}
    read = Calibration(there, asked, reader.whole("uncompared", 0, _MOST))
    reader.done("bins, asked, uncompared")
    if reader.faults:
        raise CalibrationError("; ".join(reader.faults))
    return read


def _read(reader: Reader) -> Bin:
    plays = reader.whole("plays", 0, _MOST)
    counted = Bin(plays, reader.whole("right", 0, plays), reader.whole("doubt", 0, plays * UNIT))
    reader.done("plays, right, doubt")
    return counted


# The report


def page(runs: Iterable[Run]) -> str:
    """A page of HTML that needs no other file."""
    runs = list(runs)
    counted, told = merged(runs), "<br>".join(_safe(run.told) for run in runs)
    rows = list(counted.table())
    head = "".join(f"<th>{cell}</th>" for cell in rows[0])
    body = "\n".join(_row(row) for row in rows[1:])
    return PAGE.format(
        told=told, head=head, body=body, plot=plot(counted), uncompared=counted.uncompared
    )


def _row(row: tuple[str, ...]) -> str:
    look = ' class="broken"' if row[-1] == Claim.BROKEN.value else ""
    return f"<tr{look}>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>"


def _safe(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")


SIZE, MARGIN, TOP = 480, 50, 10.0
"""The plot's size in pixels, and the nines at its ends."""


def plot(counted: Calibration) -> str:
    """Stated against observed nines, as SVG: on the line or above it the claims are kept."""
    head = f'<svg viewBox="0 0 {SIZE} {SIZE}" width="{SIZE}">'
    return "\n".join([head, *_axes(), *_bars(counted), "</svg>"])


def _axes() -> Iterator[str]:
    corner, far = _at(0), _at(TOP)
    yield f'<rect x="{corner}" y="{SIZE - far}" width="{far - corner}" height="{far - corner}"/>'
    for nines in range(int(TOP) + 1):
        at = _at(nines)
        yield f'<line x1="{at}" y1="{SIZE - corner}" x2="{at}" y2="{SIZE - far}"/>'
        yield f'<line x1="{corner}" y1="{SIZE - at}" x2="{far}" y2="{SIZE - at}"/>'
        yield f'<text x="{at}" y="{SIZE - corner + 16}" text-anchor="middle">{nines}</text>'
        yield f'<text x="{corner - 6}" y="{SIZE - at + 4}" text-anchor="end">{nines}</text>'
    yield f'<line class="claim" x1="{corner}" y1="{SIZE - corner}" x2="{far}" y2="{SIZE - far}"/>'
    middle = SIZE // 2
    yield f'<text x="{middle}" y="{SIZE - 12}" text-anchor="middle">stated, −log₁₀(1 − c)</text>'
    turn = f'transform="rotate(-90 14 {middle})"'
    yield f'<text x="14" y="{middle}" text-anchor="middle" {turn}>observed, −log₁₀(wrong)</text>'


def _bars(counted: Calibration) -> Iterator[str]:
    """An interval each bin; with a dot where plays were wrong, else open upwards."""
    for nines in sorted(counted.bins):
        one = counted.bins[nines]
        low, high = one.interval
        look = "broken" if one.held is Claim.BROKEN else "kept"
        x = _at(_nines(one.claimed))
        ends = f'y1="{SIZE - _at(_nines(high))}" y2="{SIZE - _at(_nines(low))}"'
        yield f'<line class="{look}" x1="{x}" x2="{x}" {ends}/>'
        if one.wrong:
            yield f'<circle class="{look}" cx="{x}" cy="{SIZE - _at(_nines(one.wrong))}" r="4"/>'


def _nines(share: float) -> float:
    """-log10, within the plot."""
    return min(TOP, -log10(share)) if share else TOP


def _at(nines: float) -> float:
    """How far from the left, and from the bottom."""
    return round(MARGIN + nines / TOP * (SIZE - MARGIN - 10), 1)


PAGE = """\
<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Calibration</title><style>
body {{ font: 15px sans-serif; max-width: 62em; margin: 2em auto; color: #222 }}
table {{ border-collapse: collapse; font-variant-numeric: tabular-nums }}
td, th {{ padding: 3px 10px; text-align: right; border-bottom: 1px solid #ccc }}
tr.broken {{ color: #b00; font-weight: bold }}
svg rect {{ fill: none; stroke: #888 }} svg line {{ stroke: #ddd }}
svg text {{ font-size: 12px }} svg line.claim {{ stroke: #888; stroke-dasharray: 4 3 }}
svg line.kept {{ stroke: #1a7f6b; stroke-width: 3 }} svg circle.kept {{ fill: #1a7f6b }}
svg line.broken {{ stroke: #b00; stroke-width: 3 }} svg circle.broken {{ fill: #b00 }}
</style></head><body>
<h1>Is the stated confidence kept?</h1>
<p>{told}</p>
<p>Of the plays that were accepted with a stated confidence, how many were those that the hands
had made.  <i>Claimed</i> is what the plays of a row were stated with on the average; <i>from</i>
and <i>to</i> are the 99 % Wilson interval of the share that is right.  A claim <i>holds</i> where
all of the interval lies at or above it.  It is <i>too much</i> where, at its word, so many plays
would be wrong in less than one of a thousand such runs; else it is <i>not contradicted</i>, and
more plays would tell.</p>
<table><thead><tr>{head}</tr></thead><tbody>
{body}
</tbody></table>
<p>Plays <i>asked</i> about were named by a player, or pressed again for; they claim nothing.
{uncompared} more were accepted before the play of the turn was made: another one had ended the
game, or an illegal one looks the same to every reed.</p>
{plot}
<p>A bar is the interval, a dot the share; without a dot no play was wrong.  On the dashed line or
above it a claim is kept.</p>
</body></html>
"""


def run(argv: list[str], _games: Compendium) -> int:
    """Print the table of all runs together; fails if a confidence claims too much."""
    parser = Parser(
        "calibration",
        "Merge what `tests/lab/run selfplay --json` counted, run by run.",
        program=PROGRAM,
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="JSON, a line a run")
    parser.add_argument("-o", "--output", metavar="HTML", help="write the report with its plot")
    args = parser.parse_args(argv)
    runs = [each for name in args.files for each in _runs(name)]
    if args.output:
        replace_text(Path(args.output), page(runs))
    counted = merged(runs)
    print(columns(list(counted.table())))
    return Status.FAILED if counted.broken else Status.DONE


def _runs(name: str) -> Iterator[Run]:
    """The runs of a file; raises CalibrationError that names it."""
    try:
        lines = read_text(Path(name)).splitlines()
        yield from (read_run(line) for line in lines if line.strip())
    except (OSError, ValueError) as error:
        raise CalibrationError(f"{quoted(name)}: {why(error)}") from None
