"""What players agree on before a match: the game, their names, and its options."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field, replace
from itertools import permutations

from pi_app.base.microseconds import Us
from pi_app.base.values import dataclass
from pi_app.match.origin import ORDER, ORIGIN, START, Problem
from pi_app.match.score import Score
from pi_app.match.terms import FRIENDLY, ClockTerms, MatchTerms, PlayPolicy
from pi_app.referee.events import IMPORTED, EventError, MachineSeat, Start, far_seat
from pi_app.referee.options import NOBODY, TUTOR, agree
from pi_app.referee.speech import MACHINE
from pi_app.rules.contract import Games, Option, Series
from pi_app.rules.terms import Side
from pi_app.user.commands import Invite, NewMatch
from pi_app.words.sentences import Sentence
from pi_app.words.texts import clean_name

HIGHEST_TARGET = 999
EVEN = Score()
USUAL = 0
"""Stands for the game's usual match length, if nobody chose one."""
CUBE = Option("cube", Sentence("Doubling cube"))
CRAWFORD = Option("crawford", Sentence("Crawford rule"))


@dataclass(frozen=True, slots=True)
class Form:
    """The form of a new match as far as it is filled in.

    Names and `game` are empty until given. `options` are those that were changed. `machine` is the
    side that it plays, if any. `terms` are those of a tournament. `here` is the side played on this
    board if another board has the other one. `position` is where it begins. `order` are the names
    of a series' games, if they are not played as usual. `ahead` are the points with which White and
    Black begin, `tutored` is the only side whom the tutor warns; with None the settings decide.
    """

    players: tuple[str, str] = ("", "")
    match_to: int | None = USUAL
    options: Mapping[str, bool] = field(default_factory=dict)
    game: str = ""
    order: tuple[str, ...] = ()
    machine: MachineSeat | None = None
    terms: MatchTerms = FRIENDLY
    here: Side = Side.WHITE
    position: Problem | None = None
    ahead: Score = EVEN
    tutored: Side | None = None


def player_names(form: Form, game: Series) -> tuple[str, str]:
    """Both names; an unnamed player is called by its side, the machine by its player's name."""
    (white, black), (first, second) = form.players, game.side_names
    names = clean_name(white) or first, clean_name(black) or second
    if form.machine is None:
        return names
    return (MACHINE, names[1]) if form.machine.side is Side.WHITE else (names[0], MACHINE)


def points_to_win(form: Form, game: Series) -> int | None:
    return game.match_length if form.match_to == USUAL else form.match_to


def offered(form: Form, game: Series) -> Mapping[Option, bool]:
    """The options that make sense for this game and match length, and whether they are on."""
    endless = form.match_to is None
    of_cube = (CUBE, *(() if endless else (CRAWFORD,))) if game.has_cube else ()
    own = (option for option in game.options if endless or not option.unlimited)
    usual = {CUBE: game.has_cube, CRAWFORD: game.crawford}
    return {
        option: bool(form.options.get(option.name, usual.get(option, False)))
        for option in (*of_cube, *own)
    }


def agreed(form: Form, game: Series) -> Mapping[str, bool]:
    """The options to play by, by name; without the cube those that need it are off."""
    options = offered(form, game)
    return {o.name: on for o, on in options.items() if not o.needs_cube or options.get(CUBE)}


def checked(problem: Problem, games: Games) -> Problem:
    """Return the problem if a match can begin there. Raises EventError."""
    agree(Start(Us(0), problem.game, "", problem.match_to, ("", ""), problem.agreed), games)
    return problem


def usual_order(series: Series) -> tuple[str, ...]:
    return tuple(game.name for game in series.games)


def next_order(form: Form, series: Series) -> tuple[str, ...]:
    """The order after the form's: all games first, then without one of them."""
    usual = usual_order(series)
    orders = [o for count in range(len(usual), 1, -1) for o in permutations(usual, count)]
    now = form.order or usual
    return orders[(orders.index(now) + 1) % len(orders)] if now in orders else usual


def new_match(form: Form, game: Series) -> NewMatch:
    players = player_names(form, game)
    options: dict[str, bool | int | str] = {**agreed(form, game)}
    if form.order and form.order != usual_order(game):
        options[ORDER] = ",".join(form.order)
    if form.machine:
        options |= form.machine.options
    options |= terms_for(form, game).options
    if form.tutored:
        options[TUTOR] = form.tutored.value
    if form.position:
        options |= form.position.agreed
    elif any(ahead := head_start(form, game)):
        options[ORIGIN] = f"{START} score={ahead.white}-{ahead.black}"
    return NewMatch(game.name, players, points_to_win(form, game), options)


def head_start(form: Form, game: Series) -> Score:
    """The points with which the sides begin: of a match to so many points at most all but one."""
    most = (points_to_win(form, game) or 1) - 1
    return Score(min(form.ahead.white, most), min(form.ahead.black, most))


def invitation(form: Form, game: Series, board: str) -> Invite:
    """The same as a request to another board, which gets the side that is not played here."""
    return Invite(new_match(replace(form, machine=None), game), board, form.here)


def terms_for(form: Form, game: Series) -> MatchTerms:
    """The form's terms as far as possible: no clock in unlimited play, and nothing for the machine
    to condone."""
    terms = form.terms
    if points_to_win(form, game) is None:
        terms = replace(terms, clock=ClockTerms())
    return replace(terms, policy=PlayPolicy.LEGAL) if form.machine else terms


def form_of(start: Start, games: Games) -> Form | None:
    """The form of another match like the one that began so, without its position.

    None for an imported match, and for one whose game or options are not known here.
    """
    if IMPORTED in start.options:
        return None
    try:
        series, options = agree(start, games)
    except EventError:
        return None
    seat = None if far_seat(options.machine) else options.machine
    begins, side = str(start.options.get(ORIGIN, "")), start.options.get(TUTOR, NOBODY)
    white, black = (
        "" if (seat and seat.side is side) or name == usual else name
        for side, name, usual in zip(Side, start.players, series.side_names, strict=True)
    )
    own = {option.name for option in (*series.options, CUBE, CRAWFORD)}
    return Form(
        (white, black),
        start.match_to,
        {name: bool(on) for name, on in start.options.items() if name in own},
        start.game,
        usual_order(series) if ORDER in start.options else (),
        seat,
        options.terms,
        ahead=options.origin.standing.score if _is_ahead(begins) and options.origin else Score(),
        tutored=None if side == NOBODY else Side(side),
    )


def _is_ahead(origin: str) -> bool:
    """Whether a match's position is the start of its first game, with points on the score."""
    return re.fullmatch(rf"{START} score=\d+-\d+", origin, re.ASCII) is not None
