"""Selfplay's counts as text and as JSON."""

from __future__ import annotations

from collections import Counter
from enum import Enum
from statistics import quantiles

from lab.calibration import Calibration
from pi_app.sensing.noise import Noise


class Count(Enum):
    """Counters; the values are the names in JSON."""

    MATCHES = "matches"
    GAMES = "games"
    TURNS = "turns"
    PLAYS = "plays"
    UNTAPPED = "plays_without_a_tap"
    MEANT = "plays_meant"
    ASKED = "plays_asked"
    UNCLEAR = "plays_no_reed_could_tell"
    ASKED_CLEAR = "plays_asked_though_clear"
    ODD = "plays_with_odd_manners"
    ODD_ASKED = "plays_with_odd_manners_asked"
    REFUSED = "plays_refused_at_two_presses"
    TAKEN_EARLY = "plays_taken_before_they_lay_there"
    NEEDLESS = "asked_needlessly"
    ANSWERED = "questions_answered"
    FIRST = "questions_that_began_with_the_play"
    WRONG = "wrong_plays"
    WRONG_EARLY = "wrong_plays_of_an_early_press"
    LOST = "lost_plays"
    STUCK = "stuck_matches"
    ATTEMPTS = "illegal_attempts"
    CAUGHT = "illegal_attempts_caught"
    SEEN_WRONG = "illegal_pictures"
    SILENT = "illegal_pictures_not_told_in_time"
    OTHER_RULE = "another_rule_named"
    OTHER_RULE_ALIKE = "another_rule_named_of_what_looks_the_same"
    FALSE_WARNINGS = "false_warnings"
    AIR_WARNINGS = "false_warnings_in_the_air"
    TOUCHED_WARNINGS = "false_warnings_of_a_checker_set_straight"
    REST_WARNINGS = "warnings_of_a_checker_that_rested_too_long"
    CONFIRMED = "confirmed_by_a_press"
    AGAIN = "presses_again"
    SLIPS = "slips"
    TAKEBACKS = "takebacks"
    DOUBLES = "doubles"
    RESIGNED = "resignations"
    NUDGES = "nudges"
    CORRECTIONS = "corrections"
    SET_ASIDE = "sensors_set_aside"
    EVENTS = "events"


class Figures:
    """Counts of all matches.

    MEANT: plays whose first press was neither early, double nor idle. Of these, ASKED needed a tap
    or another press; for UNCLEAR the reeds left a doubt. ODD: those of MEANT with manners beyond
    the noise model. REFUSED: two presses neither handed a play over that lay there nor asked about
    it. TAKEN_EARLY: an early press took it, and WRONG_EARLY: took another one. `help`: how those
    plays were resolved; `by_rule`: the rules named for illegal attempts; `unseen`: results of
    attempts that no reed can tell; `noise`: how often hands made each kind; `latencies` in
    microseconds.
    """

    def __init__(self) -> None:
        self.counts: Counter[Count] = Counter()
        self.help: Counter[str] = Counter()
        self.by_rule: Counter[str] = Counter()
        self.unseen: Counter[str] = Counter()
        self.noise: Counter[Noise] = Counter()
        self.latencies: list[float] = []
        self.calibration = Calibration()

    def add(self, what: Count) -> None:
        """One more."""
        self.counts[what] += 1

    @property
    def failed(self) -> bool:
        """Whether a failure happened."""
        failures = (Count.WRONG, Count.WRONG_EARLY, Count.LOST, Count.STUCK)
        return any(self.counts[what] for what in failures)

    @property
    def latency(self) -> tuple[float, float, float]:
        """Median, 99 % and worst in microseconds; zeros before two were taken."""
        if len(self.latencies) < 2:
            return (0.0, 0.0, 0.0)
        cuts = quantiles(self.latencies, n=100)
        return (round(cuts[49], 1), round(cuts[98], 1), round(max(self.latencies), 1))

    def as_json(self) -> dict[str, object]:
        """Every figure by its name."""
        median, late, worst = self.latency
        return {
            **{what.value: self.counts[what] for what in Count},
            "help": dict(sorted(self.help.items())),
            "asked_share": self._of_meant(Count.ASKED),
            "no_reed_could_tell_share": self._of_meant(Count.UNCLEAR),
            "caught_by_rule": dict(sorted(self.by_rule.items())),
            "no_reed_can_tell": dict(sorted(self.unseen.items())),
            "calibration": self.calibration.as_json(),
            "noise_drawn": {what.value: self.noise[what] for what in Noise if self.noise[what]},
            "latency_us": {"median": median, "99%": late, "worst": worst},
        }

    def lines(self) -> list[str]:
        """The figures for people, a line each."""
        count = self.counts
        median, late, worst = self.latency
        plays, untapped = count[Count.PLAYS], count[Count.UNTAPPED]
        share = 100 * untapped / plays if plays else 100.0
        whole = f"{count[Count.MATCHES]}, {count[Count.GAMES]} games, {count[Count.TURNS]} turns"
        attempts = f"{count[Count.ATTEMPTS]}, caught {count[Count.CAUGHT]}"
        rows = (
            ("matches", whole),
            ("plays", f"{plays}; without a tap {untapped} ({share:.3f} %)"),
            ("  with help", _listing(self.help)),
            ("  asked or pressed again", self._share_of_meant(Count.ASKED)),
            ("    though reeds could tell", self._share_of_meant(Count.ASKED_CLEAR)),
            ("  no reed could have told", self._share_of_meant(Count.UNCLEAR)),
            ("  asked needlessly", count[Count.NEEDLESS]),
            (
                "  questions answered",
                f"{count[Count.ANSWERED]}, with the first {count[Count.FIRST]}",
            ),
            ("  with odd manners", f"{count[Count.ODD]}, asked {count[Count.ODD_ASKED]}"),
            ("refused at two presses", count[Count.REFUSED]),
            ("wrong plays committed", count[Count.WRONG]),
            ("  by an early press", count[Count.WRONG_EARLY]),
            ("taken before they lay there", count[Count.TAKEN_EARLY]),
            ("lost plays", count[Count.LOST]),
            ("stuck matches", count[Count.STUCK]),
            ("illegal attempts", attempts),
            ("  by rule", _listing(self.by_rule)),
            ("illegal pictures", f"{count[Count.SEEN_WRONG]}, silent {count[Count.SILENT]}"),
            ("  another rule named", count[Count.OTHER_RULE]),
            ("  another, of what looks the same", count[Count.OTHER_RULE_ALIKE]),
            ("  that no reed can tell", _listing(self.unseen)),
            ("false warnings", count[Count.FALSE_WARNINGS]),
            ("  with a checker in the air", count[Count.AIR_WARNINGS]),
            ("  of a checker set straight", count[Count.TOUCHED_WARNINGS]),
            ("warned of a slow rest", count[Count.REST_WARNINGS]),
            *((what.value.replace("_", " "), count[what]) for what in _ACTS),
            ("noise drawn", _listing(Counter({w.value: n for w, n in self.noise.items() if n}))),
            ("latency", f"median {median} µs, 99 % {late} µs, worst {worst} µs"),
        )
        return [f"{name:<28} {value}" for name, value in rows]

    def _of_meant(self, what: Count) -> float:
        """The share of the plays meant, from 0 to 1."""
        return self.counts[what] / (self.counts[Count.MEANT] or 1)

    def _share_of_meant(self, what: Count) -> str:
        meant = self.counts[Count.MEANT]
        return f"{self.counts[what]} of {meant} ({100 * self._of_meant(what):.3f} %)"


_ACTS = tuple(Count)[tuple(Count).index(Count.AGAIN) :]
"""The people's acts and the messages they got, as lines."""


def _listing(counter: Counter[str]) -> str:
    return ", ".join(f"{name} {number}" for name, number in sorted(counter.items())) or "none"
