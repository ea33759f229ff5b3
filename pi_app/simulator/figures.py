"""What selfplay counts, as lines of text and as JSON."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from statistics import quantiles


@dataclass(slots=True)
class Figures:
    """Counts of all matches so far; `latencies` in microseconds."""

    matches: int = 0
    unfinished: int = 0
    games: int = 0
    turns: int = 0
    plays: int = 0
    untapped: int = 0
    asked: Counter[str] = field(default_factory=Counter)
    wrong: int = 0
    lost: int = 0
    stuck: int = 0
    attempts: int = 0
    caught: int = 0
    otherwise_named: int = 0
    by_rule: Counter[str] = field(default_factory=Counter)
    unseen: Counter[str] = field(default_factory=Counter)
    false_warnings: int = 0
    warnings_in_the_air: int = 0
    early_presses: int = 0
    double_presses: int = 0
    presses_again: int = 0
    slips: int = 0
    changes_of_mind: int = 0
    adjusted: int = 0
    takebacks: int = 0
    doubles: int = 0
    resignations: int = 0
    nudges: int = 0
    corrections: int = 0
    set_aside: int = 0
    latencies: list[float] = field(default_factory=list)

    @property
    def failed(self) -> bool:
        """Whether something unforgivable happened."""
        return bool(self.wrong or self.lost or self.stuck)

    @property
    def latency(self) -> tuple[float, float, float]:
        """Median, 99 % and worst in microseconds; zeros before two were taken."""
        if len(self.latencies) < 2:
            return (0.0, 0.0, 0.0)
        cuts = quantiles(self.latencies, n=100)
        return (round(cuts[49], 1), round(cuts[98], 1), round(max(self.latencies), 1))

    def as_json(self) -> dict[str, object]:
        """Every figure by its name."""
        counts = {
            name: dict(sorted(value.items())) if isinstance(value, Counter) else value
            for name, value in ((name, getattr(self, name)) for name in self.__slots__)
            if name != "latencies"
        }
        median, late, worst = self.latency
        return {**counts, "latency_us": {"median": median, "99%": late, "worst": worst}}

    def lines(self) -> list[str]:
        """The figures for people, a line each."""
        median, late, worst = self.latency
        share = 100 * self.untapped / self.plays if self.plays else 100.0
        rows = (
            ("matches", f"{self.matches}, {self.games} games, {self.turns} turns"),
            ("plays", f"{self.plays}; without a tap {self.untapped} ({share:.3f} %)"),
            ("asked or helped", _counts(self.asked)),
            ("wrong plays committed", str(self.wrong)),
            ("lost plays", str(self.lost)),
            ("stuck matches", str(self.stuck)),
            ("illegal attempts", f"{self.attempts}, caught {self.caught}"),
            ("  by rule", _counts(self.by_rule)),
            ("  another rule named", str(self.otherwise_named)),
            ("  no reed can tell", _counts(self.unseen)),
            ("false warnings", str(self.false_warnings)),
            ("  with a checker in the air", str(self.warnings_in_the_air)),
            ("hands", self._hands()),
            ("takebacks", str(self.takebacks)),
            ("corrections", str(self.corrections)),
            ("sensors set aside", str(self.set_aside)),
            ("latency", f"median {median} µs, 99 % {late} µs, worst {worst} µs"),
        )
        return [f"{name:<28} {value}" for name, value in rows]

    def _hands(self) -> str:
        return (
            f"{self.adjusted} adjusted, {self.changes_of_mind} changed their mind, "
            f"{self.early_presses} pressed early, {self.double_presses} twice, "
            f"{self.presses_again} again, {self.slips} slips, {self.nudges} nudges, "
            f"{self.doubles} doubles, {self.resignations} resigned"
        )


def _counts(counter: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in sorted(counter.items())) or "none"
