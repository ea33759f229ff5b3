"""Where a match stands, as one line of text. A match can begin from such a line.

`backgammon -b----E-C---eE---c-e----B- w roll=31 to=7 score=2-4 cube=2 owner=black`: the game, the
position as the game writes it, then fields; fields with default values are left out. `start`
instead of a position means a game that begins with its opening roll. A match stores the text in its
option ORIGIN, without the game, the match length and the agreed options, which are options of their
own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import field, replace

from pi_app.base.values import dataclass
from pi_app.match.score import Agreement, Cube, Score, Standing, may_double, offer
from pi_app.match.turns import OVER, MatchState, Phase, State, Turns
from pi_app.rules.contract import AnyGame, Games
from pi_app.rules.terms import MOST_OF_POSITION, Side, TextError, read_roll
from pi_app.words.texts import quoted

ORIGIN = "position"
"""The option of a match that does not begin at the game's start."""
ORDER = "order"
"""The option of a series that is not played in its usual order: its games' names, with commas."""
START = "start"
BEAVER = "beaver"
"""The value of `doubled` after a beaver."""
_FIELD = re.compile(
    r"(roll|score|cube|owner|doubled|crawford|game|replayed|to|order|with|without)=(\S+)", re.A
)
_SCORE = re.compile(r"(\d{1,3})-(\d{1,3})", re.A)
MOST = 1 << 20
"""The greatest number that a field may have."""
MOST_OF_ORIGIN = 2 * MOST_OF_POSITION
"""No option ORIGIN is longer: a position, and eight fields of up to sixteen characters."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A position in a match, without players.

    `options` are the agreed options that differ from the defaults; `origin` is the text that a
    match stores.
    """

    game: str
    match_to: int | None
    origin: str
    options: Mapping[str, bool | str] = field(default_factory=dict)

    @property
    def position(self) -> str:
        """The position as the game writes it, or START."""
        return _divided(self.origin)[0]

    @property
    def roll(self) -> str:
        """Return the dice as text; empty before a roll."""
        return _divided(self.origin)[1].get("roll", "")

    @property
    def is_doubled(self) -> bool:
        """Whether a double is open here."""
        return "doubled" in _divided(self.origin)[1]

    @property
    def agreed(self) -> Mapping[str, bool | int | str]:
        """The options of a match that begins here."""
        return {**self.options, ORIGIN: self.origin}

    @property
    def text(self) -> str:
        named = {on: ",".join(self._named(on=on)) for on in (True, False)}
        order = self.options.get(ORDER)
        fields = {"to": self.match_to, ORDER: order, "with": named[True], "without": named[False]}
        texts = (f"{key}={value}" for key, value in fields.items() if value)
        return " ".join((self.game, self.origin, *texts))

    def _named(self, *, on: bool) -> Iterator[str]:
        return (name.replace(" ", "-") for name, value in self.options.items() if value is on)


def write_origin(state: MatchState[str], game: AnyGame) -> str:
    """Write the state; empty if the game is over. A resignation on offer is left out."""
    standing, phase = state.standing, state.phase
    mover = game.mover(game.read_position(state.position))
    if phase in OVER:
        return ""
    thrown = phase is Phase.OPENING_THROW or (phase is Phase.SET_UP and state.starter is None)
    score, cube = standing.score, standing.cube
    fields = {
        "roll": str(state.roll or ""),
        "score": f"{score.white}-{score.black}" if any(score) else "",
        "cube": cube.value if cube.value > 1 else "",
        "owner": cube.owner.value if cube.owner else "",
        "doubled": cube.offered and ("yes" if cube.offered is mover else BEAVER),
        "crawford": "played" if standing.crawford_played else "",
        "game": standing.game_number if standing.game_number > 1 else "",
        "replayed": standing.replayed or "",
    }
    texts = (f"{key}={value}" for key, value in fields.items() if value)
    return " ".join((START if thrown else state.position, *texts))


def read_origin(text: str, turns: Turns) -> State:
    """Return the state in which the checkers are still to be set up. Raises RulesError."""
    written, fields = _divided(text)
    agreement = turns.agreement
    if odd := {*fields} & {"to", "with", "without", ORDER}:
        raise TextError(f"{min(odd)}= does not belong in the option {ORIGIN}")
    standing = _standing(fields, agreement)
    turns = turns.during(standing)
    game, begun = turns.game, turns.begin(standing)
    roll, doubled = fields.get("roll", ""), _word(fields, "doubled", ("yes", BEAVER))
    if written == START:
        if roll or doubled:
            raise TextError(f"{quoted(text)}: nobody rolls or doubles before the opening roll")
        return begun
    position = game.read_position(written)
    mover = game.mover(position)
    if game.outcome(position):
        raise TextError(f"position {quoted(written)}: the game is over")
    if doubled:
        side = mover.other if doubled == BEAVER else mover
        beavers = doubled != BEAVER or (agreement.beavers and standing.cube.owner is side)
        if roll or not beavers or not may_double(agreement, standing, side):
            raise TextError(f"{quoted(text)}: {side.value} may not double here")
        standing = offer(standing, side)
    dice = read_roll(roll, game.dice) if roll else None
    return replace(
        begun, standing=standing, to_act=mover, position=position, roll=dice, starter=mover
    )


def read_problem(text: str, games: Games) -> Problem:
    """Raises RulesError for a text of another form and for an impossible position."""
    name, _, rest = text.strip().partition(" ")
    game = games.match(name)
    written, fields = _divided(rest)
    if not written:
        raise TextError(f"{quoted(text)}: after the game comes its position, or {START}")
    to = _number(fields, "to", 0) or None
    known = {option.name.replace(" ", "-"): option.name for option in game.options}
    known |= {name: name for name in ("cube", "crawford")}
    options: dict[str, bool | str] = {ORDER: fields[ORDER]} if ORDER in fields else {}
    for key, on in (("with", True), ("without", False)):
        for word in filter(None, fields.get(key, "").split(",")):
            if word not in known:
                choices = ", ".join(known)
                raise TextError(f"{key}={quoted(word)} is not known; choose of: {choices}")
            options[known[word]] = on
    own = (word for word in rest.split() if not re.match("(to|order|with|without)=", word))
    return Problem(game.name, to, " ".join(own), options)


def _divided(text: str) -> tuple[str, Mapping[str, str]]:
    """Split a text into the position and the fields after it, by name. Raises TextError."""
    words = text.split()
    fields: dict[str, str] = {}
    while words and (found := _FIELD.fullmatch(words[-1])):
        if found[1] in fields:
            raise TextError(f"{found[1]}= comes twice in {quoted(text)}")
        fields[found[1]] = found[2]
        words.pop()
    return " ".join(words), fields


def _standing(fields: Mapping[str, str], agreement: Agreement) -> Standing:
    found = _SCORE.fullmatch(fields.get("score", "0-0"))
    if not found:
        raise TextError(
            f"score={quoted(fields['score'])}: write White's points and Black's, as 3-5"
        )
    score, target = Score(int(found[1]), int(found[2])), agreement.match_to
    if target is not None and score.best >= target:
        raise TextError(f"score={found[0]}: with {target} points the match is over")
    played = bool(_word(fields, "crawford", ("played",)))
    one_away = target is not None and score.best == target - 1
    crawford = agreement.crawford and one_away and not played
    number = _number(fields, "game", 1)
    replayed = _number(fields, "replayed", 0)
    if replayed >= number:
        raise TextError(f"replayed={replayed}: this is game {number}")
    return Standing(score, _cube(fields, agreement), number, crawford, played, replayed)


def _cube(fields: Mapping[str, str], agreement: Agreement) -> Cube:
    value, owner = _number(fields, "cube", 1), _word(fields, "owner", ("white", "black"))
    if value & (value - 1):
        raise TextError(f"cube={value} is no power of two")
    if (value > 1 or owner) and not agreement.cube:
        raise TextError("cube= and owner= need a match with the cube")
    return Cube(value, Side(owner) if owner else None)


def _word(fields: Mapping[str, str], key: str, known: tuple[str, ...]) -> str:
    word = fields.get(key, "")
    if word and word not in known:
        raise TextError(f"{key}={quoted(word)}: write {' or '.join(known)}")
    return word


def _number(fields: Mapping[str, str], key: str, usual: int) -> int:
    text = fields.get(key, str(usual))
    if not (text.isascii() and text.isdecimal() and len(text) < 8 and usual <= int(text) <= MOST):
        raise TextError(f"{key}={quoted(text)}: write a whole number")
    return int(text)
