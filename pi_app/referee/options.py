"""The options of a match, read strictly from its `start` event."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from enum import Enum

from pi_app.base.errors import GivenError
from pi_app.base.microseconds import Us, ms, write_ms
from pi_app.base.strict import Reader
from pi_app.base.values import dataclass
from pi_app.match.clock import ClockKind, TimeControl
from pi_app.match.origin import ORDER, ORIGIN, Problem, read_origin, write_origin
from pi_app.match.score import Agreement
from pi_app.match.terms import MOST_SECONDS, AgreedDice, ClockTerms, MatchTerms, PlayPolicy
from pi_app.match.turns import MatchState, State, Turns
from pi_app.referee.events import (
    IMPORTED,
    MACHINE,
    MACHINE_PLAYER,
    EventError,
    MachineSeat,
    Start,
    far_seat,
)
from pi_app.rules.contract import (
    AUTOMATIC,
    BEAVERS,
    JACOBY,
    OF_MONEY,
    TIE_TURNS_CUBE,
    Games,
    Option,
    Series,
)
from pi_app.rules.terms import RulesError, Side
from pi_app.sensing.reading import Patience

ONE_WRONG_IN = (1_000, 1_000_000_000)
"""The range of this option; a stronger demand could not be written as a confidence."""


TIMED = ("reserve_s", "reserve a point", "turn_s", "overtime_s", "clock runs amiss")
"""Options that need a clock."""
TERMS = f"policy, locked, dice, clock, {', '.join(TIMED)}"

TURNED_BY_TIES = (TIE_TURNS_CUBE, AUTOMATIC)
MOST_AUTOMATIC, LARGEST_AUTOMATIC = "most automatic doubles", 20
"""The option that limits automatic doubles in a game, and its largest value."""
WITH_TURNS = (ClockKind.DELAY, ClockKind.BRONSTEIN, ClockKind.FISCHER)
NOBODY = "nobody"
TUTOR = "tutor"
"""The option that names the one side whom the tutor warns in this match, whatever is set."""
SIDES = (NOBODY, *(side.value for side in Side))


class Commit(Enum):
    """When a complete play becomes final."""

    BUTTON = "button"
    """At the press of the die button."""
    SETTLE = "settle"
    """By itself, once the play is unambiguous and the board is quiet."""


@dataclass(frozen=True, slots=True)
class Options:
    """What the players agreed on, when plays count, and how patient the tracker is.

    `agreed` are the game's own options that are on. `machine` is the side that it plays, if any.
    `terms` are those of a tournament. `origin` is where the match begins, if not at the game's
    start.
    """

    agreement: Agreement
    agreed: tuple[str, ...]
    commit: Commit
    patience: Patience
    machine: MachineSeat | None
    terms: MatchTerms
    origin: State | None = None

    @property
    def control(self) -> TimeControl | None:
        return self.terms.clock.control(self.agreement.match_to)


def problem_at(start: Start, series: Series, state: MatchState[str]) -> Problem:
    """Return this state as a position from which another match can begin."""
    usual = {option.name: False for option in series.options}
    usual |= {"cube": series.has_cube, "crawford": series.crawford}
    given = {name: start.options.get(name, on) for name, on in usual.items()}
    options: dict[str, bool | str] = {
        name: bool(on) for name, on in given.items() if on is not usual[name]
    }
    if order := start.options.get(ORDER):
        options[ORDER] = str(order)
    origin = write_origin(state, series.at(state.standing.decided))
    return Problem(series.name, start.match_to, origin, options)


def of_one_game(problem: Problem, games: Games) -> Problem:
    """Return a problem of a series as one of the game that is played there. Raises RulesError."""
    if not games.match(problem.game).is_mixed:
        return problem
    series, options = agree(start_at(problem), games)
    state = options.origin
    assert state
    game = series.at(state.standing.decided)
    position = game.write_position(state.position)
    single = replace(state, position=position, standing=replace(state.standing, replayed=0))
    own = {name: value for name, value in problem.options.items() if name != ORDER}
    return problem_at(start_at(replace(problem, options=own)), Series.of(games[game.name]), single)


def start_at(problem: Problem) -> Start:
    """Return the start of a match at this problem, without players and board."""
    return Start(Us(0), problem.game, "", problem.match_to, ("", ""), problem.agreed)


class OptionsError(GivenError, ValueError):
    """Options of a start event that cannot be used; names every one of them."""


def agree(start: Start, games: Games) -> tuple[Series, Options]:
    """Return what is played, under the agreed options, and all options. Raises EventError."""
    try:
        series = games.match(start.game)
        if order := start.options.get(ORDER):
            series = series.ordered(str(order).split(","))
        options = read_options(start, series, games.options)
        return series.under(options.agreed), options
    except (RulesError, OptionsError) as error:
        raise EventError(str(error)) from None


def read_options(start: Start, game: Series, options: Iterable[Option]) -> Options:
    """Read a match's options.

    Raises OptionsError, which names every unknown, invalid or inapplicable one.
    """
    reader = Reader(_plain(start.options), "options")
    usual = Patience()
    known = {option.name: option for option in options}
    own = {name: reader.take(name, bool, False) for name in known}
    found = Options(
        Agreement(
            match_to=start.match_to,
            cube=reader.take("cube", bool, game.has_cube),
            crawford=reader.take("crawford", bool, game.crawford),
            tie_turns_cube=any(own[name.name] for name in TURNED_BY_TIES),
            jacoby=own[JACOBY.name],
            most_ties=_most_ties(reader) if own[AUTOMATIC.name] else None,
            beavers=own[BEAVERS.name],
        ),
        tuple(name for name in known if own[name]),
        Commit(reader.choice("commit", [commit.value for commit in Commit], "button")),
        Patience(
            debounce=_span(reader, "debounce_ms", 0, 50, usual.debounce),
            placed=_span(reader, "placed_ms", 0, 295, usual.placed),
            grace=_span(reader, "grace_ms", 300, 10_000, usual.grace),
            one_wrong_in=reader.whole("one_wrong_in", *ONE_WRONG_IN, usual.one_wrong_in),
        ),
        _machine(reader),
        _terms(reader, start.match_to),
    )
    if found.agreement.cube and not game.has_cube:
        reader.fault("cube", f"is true; {game.title} is played without a cube")
    for name in found.agreed:
        if known[name] not in game.options:
            reader.fault(name, f"is true; {game.title} does not know it")
    _check_money(reader, found, start.match_to)
    times = f"{MACHINE}, {MACHINE_PLAYER}, debounce_ms, placed_ms, grace_ms, one_wrong_in"
    times = f"{times}, {MOST_AUTOMATIC}, {TERMS}"
    if found.machine and found.terms.policy is PlayPolicy.RESPONSIBLE:
        reader.fault("policy", "is 'responsible moves'; against the machine nobody can condone")
    if far_seat(found.machine) and found.control:
        reader.fault("clock", "is not 'none'; two boards far away have no time in common")
    origin = reader.take(ORIGIN, str, "")
    reader.take(IMPORTED, str, "")
    reader.choice(TUTOR, SIDES, NOBODY)
    if reader.take(ORDER, str, "") and start.game == game.first.name:
        reader.fault(ORDER, f"is given; {game.title} is one game")
    rest = f"commit, {TUTOR}, {ORDER}, {ORIGIN}, {IMPORTED}, {times}"
    reader.done(f"cube, crawford, {', '.join(known)}, {rest}")
    try:
        begun = _origin(origin, game.under(found.agreed), found) if not reader.faults else None
    except RulesError as error:
        reader.fault(ORIGIN, f"is wrong: {error}")
    if reader.faults:
        raise OptionsError("; ".join(reader.faults))
    return replace(found, origin=begun)


def _most_ties(reader: Reader) -> int:
    return reader.whole(MOST_AUTOMATIC, 0, LARGEST_AUTOMATIC, 1)


def _check_money(reader: Reader, found: Options, match_to: int | None) -> None:
    for option in OF_MONEY:
        if option.name in found.agreed and (match_to is not None or not found.agreement.cube):
            reader.fault(option.name, "is true; it is for unlimited play with the cube")
    if far_seat(found.machine) and found.agreement.beavers:
        reader.fault(BEAVERS.name, "is true; two linked boards have no word for it")


def _origin(text: str, series: Series, options: Options) -> State | None:
    return read_origin(text, turns_of(series, options)) if text else None


def turns_of(series: Series, options: Options) -> Turns:
    """Return the turns of the game with which the match begins."""
    turns = Turns(series.first, options.agreement, options.origin, series)
    return turns.during(options.origin.standing) if options.origin else turns


def _terms(reader: Reader, match_to: int | None) -> MatchTerms:
    return MatchTerms(
        PlayPolicy(reader.choice("policy", [policy.value for policy in PlayPolicy], "legal moves")),
        reader.take("locked", bool, False),
        AgreedDice(reader.choice("dice", [dice.value for dice in AgreedDice], "as set")),
        _clock(reader, match_to),
    )


def _clock(reader: Reader, match_to: int | None) -> ClockTerms:
    """Clock options need a clock, and a clock needs a match length."""
    kind = ClockKind(reader.choice("clock", [kind.value for kind in ClockKind], "none"))
    if kind is ClockKind.NONE:
        _goes_with(reader, TIMED, (ClockKind.PLAIN, *WITH_TURNS))
        return ClockTerms()
    if kind is ClockKind.PLAIN:
        _goes_with(reader, ("turn_s",), WITH_TURNS)
    if match_to is None:
        reader.fault("clock", f"is {kind.value!r}; a clock is for a match to so many points")
    usual = ClockTerms()
    turns = 0 if kind is ClockKind.PLAIN else reader.whole("turn_s", 0, MOST_SECONDS, usual.a_turn)
    return ClockTerms(
        kind,
        reader.whole("reserve_s", 1, MOST_SECONDS, usual.reserve),
        reader.take("reserve a point", bool, usual.a_point),
        turns,
        reader.whole("overtime_s", 0, MOST_SECONDS, usual.overtime),
        reader.take("clock runs amiss", bool, usual.runs_while_correcting),
    )


def _goes_with(reader: Reader, keys: Iterable[str], kinds: Iterable[ClockKind]) -> None:
    """Report these keys if they are given with a clock of another kind."""
    others = ", ".join(kind.value for kind in kinds)
    for key in filter(reader.has, keys):
        reader.drop(key)
        reader.fault(key, f"goes with a clock that is one of: {others}")


def _machine(reader: Reader) -> MachineSeat | None:
    side = reader.choice(MACHINE, SIDES, NOBODY)
    player = reader.take(MACHINE_PLAYER, str, "")
    if (side == NOBODY) is bool(player):
        reader.fault(MACHINE_PLAYER, f"is {player!r}; it goes with the side of the machine")
    return None if side == NOBODY else MachineSeat(Side(side), player)


def _span(reader: Reader, key: str, low: int, high: int, default: Us) -> Us:
    return ms(reader.number(key, low, high, write_ms(default)))


def _plain(options: Mapping[str, bool | int | str]) -> Mapping[str, object]:
    return dict(options)
