"""How a board stands, as the page shows it. It is read from messages that may be forged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from pi_app.base.typed_json import plain
from pi_app.base.values import dataclass
from pi_app.boards import board_names
from pi_app.club.records import Record, Summary
from pi_app.export.leaves import PLAYED, PLAYED_UNROLLED, Leaf, leaves
from pi_app.export.retold import Kept, dice
from pi_app.games.equipment import Compendium
from pi_app.match.acts import Act
from pi_app.match.clock import Clocks, free
from pi_app.match.turns import IN_PLAY, OVER, MatchState, Phase
from pi_app.referee import speech as say
from pi_app.referee.decision import Decision
from pi_app.referee.events import Start
from pi_app.referee.lines import read_decision, read_event
from pi_app.referee.options import Options, agree
from pi_app.referee.speech import tell_result
from pi_app.referee.view import InSeries
from pi_app.rules.contract import AnyGame, Series
from pi_app.rules.naming import name_players, name_roll
from pi_app.rules.terms import Move, Side
from pi_app.screen.boards.marks import CubeOnBoard
from pi_app.screen.pages.play import PIPS
from pi_app.speech.aloud import aloud
from pi_app.speech.telling import DONE
from pi_app.wall.pictures import Gallery, Scene
from pi_app.words.sentences import DOTTED, Language, Sentence, joined, paragraph
from pi_app.words.texts import one_line

MOST_OF_WARNING = 300
OFFERS_TO_RESIGN = Sentence("{player} offers to resign")
FIRST_TO = Sentence("1-point match", "{n}-point match")
GAME_NUMBER = Sentence("game {number}")
NO_DOUBLING = Sentence("Crawford: no cube")

ENDS_TRACE = (Act.NEXT_GAME, Act.TAKE_BACK, Act.RESTORE, Act.CORRECT)
"""Decisions after which the previous play no longer explains the board."""


class StandError(ValueError):
    """A board sent something that cannot be shown. The message says why."""


@dataclass(frozen=True, slots=True)
class MadePlay:
    said: str
    before: str
    moves: tuple[Move, ...]
    mover: Side


@dataclass(frozen=True, slots=True)
class Stand:
    """A board's match after its newest decision."""

    start: Start
    series: Series
    options: Options
    players: tuple[str, str]
    sequence: int
    state: MatchState[str]
    clocks: Clocks | None = None
    played: MadePlay | None = None
    warning: str | None = None

    @property
    def game(self) -> AnyGame:
        """The game that is being played."""
        return self.series.at(self.state.standing.decided)


class Teller:
    """Converts boards' messages for the pages. Raises StandError for invalid ones."""

    def __init__(self, games: Compendium, gallery: Gallery) -> None:
        self._games, self._gallery = games, gallery

    def stand(self, summary: Summary, before: Stand | None) -> Stand:
        """Read a summary; `before` is the previous stand of the same match."""
        try:
            stand = self._begun(summary.start) if before is None else before
            if summary.decision is not None and summary.id.sequence > stand.sequence:
                stand = self._after(stand, summary.id.sequence, summary.decision)
            self._gallery.hang(self._scene(stand))
            warning = one_line(summary.warning, MOST_OF_WARNING) if summary.warning else None
            return replace(stand, warning=warning)
        except (ValueError, LookupError, RecursionError, OverflowError) as error:
            raise StandError(one_line(str(error), 200)) from None

    def page(self, stand: Stand, language: Language) -> dict[str, object]:
        """The page's data in a language. Its texts are untrusted."""
        state, standing = stand.state, stand.state.standing
        winner = state.result.winner if state.result and state.phase in OVER else None
        fields = {
            "game": language.say(stand.game.title),
            "players": [language.say(name) for name in stand.players],
            "score": [standing.score.white, standing.score.black],
            "match": language.say(joined(tuple(_match_words(stand)), DOTTED)),
            "cube": _cube(stand.options, state),
            "pips": [language.say(PIPS(n=pips)) for pips in _pips(stand)],
            "turn": state.to_act if state.phase in IN_PLAY else None,
            "winner": winner,
            "over": state.phase is Phase.MATCH_OVER,
            "told": language.say(_headline(stand)),
            "played": language.say(stand.played.said) if stand.played else "",
            "said": aloud(_commented(stand), language),
            "clock": _ticking(stand),
            "picture": self._gallery.hang(self._scene(stand)),
        }
        return dict(plain(fields))

    def replay(self, records: Iterable[Record], language: Language) -> dict[str, object]:
        """Read a match step by step, up to the first missing record."""
        try:
            start, decisions = _begun_and_decided(records)
            clocks = {n: one.clocks for n, one in enumerate(decisions, start=1)}
            usable = replace(start, board=self._board(start))
            stand = self._begun_with(usable)
            kept = Kept(usable, decisions, self._games.rules)
            steps = [self._step(usable, leaf, clocks, language) for leaf in leaves(kept)]
        except (ValueError, LookupError, RecursionError, OverflowError) as error:
            raise StandError(one_line(str(error), 200)) from None
        return {
            "game": language.say(stand.series.title),
            "players": [language.say(name) for name in stand.players],
            "match": language.say(_length(stand.options)),
            "steps": steps,
        }

    def _step(
        self, start: Start, leaf: Leaf, clocks: Mapping[int, Clocks | None], language: Language
    ) -> dict[str, object]:
        standing, left = leaf.state.standing, clocks.get(leaf.decision)
        thrown = tuple((int(face), leaf.mover) for face in dice(leaf.roll) if leaf.mover)
        scene = Scene(
            *(leaf.game, start.board, leaf.state.position, leaf.before, leaf.moves, leaf.mover),
            arrows=True,
            dice=tuple((face, side) for face, side in thrown if side),
        )
        cube = {"value": standing.cube.face, "owner": standing.cube.owner}
        fields = {
            "told": language.say(leaf.said),
            "game": standing.game_number,
            "score": [standing.score.white, standing.score.black],
            "turn": leaf.mover,
            "opens": leaf.opens,
            "cube": cube,
            "clock": _clock_fields(left) if left else None,
            "picture": self._gallery.hang(self._readable(scene)),
        }
        return dict(plain(fields))

    def _begun(self, line: str) -> Stand:
        start = read_event(line)
        if not isinstance(start, Start):
            raise StandError("its match does not begin with a start")
        return self._begun_with(replace(start, board=self._board(start)))

    def _begun_with(self, start: Start) -> Stand:
        series, options = agree(start, self._games.rules)
        players = name_players(start.players, series.side_names)
        state = Kept(start, (), self._games.rules).opening()
        return Stand(start, series, options, players, 0, state)

    def _board(self, start: Start) -> str:
        """The board if Spotter ships it. Other paths belong to the sender's disk."""
        usual = self._games.board_of(start.game)
        return start.board if start.board in board_names() else usual

    def _after(self, stand: Stand, sequence: int, line: str) -> Stand:
        decision = read_decision(line)
        follows = sequence == stand.sequence + 1
        played = stand.played if decision.what not in ENDS_TRACE else None
        if decision.what is Act.PLAY:
            played = _made(stand, decision) if follows else None
        return replace(
            stand, sequence=sequence, state=decision.state, clocks=decision.clocks, played=played
        )

    def _scene(self, stand: Stand) -> Scene:
        state, made = stand.state, stand.played
        offered = 2 * state.standing.cube.value if state.phase is Phase.DOUBLE_OFFERED else 0
        scene = Scene(
            *(stand.game.name, stand.start.board, state.position),
            dice=tuple(_dice(state)),
            offered=offered,
            cube=_lying(stand),
        )
        if made:
            scene = replace(scene, before=made.before, moves=made.moves, mover=made.mover)
        return self._readable(scene)

    def _readable(self, scene: Scene) -> Scene:
        self._games.rules[scene.game].read_position(scene.position)
        return scene


def _begun_and_decided(records: Iterable[Record]) -> tuple[Start, list[Decision]]:
    """The start and the decisions up to the first gap."""
    lines = [record.line for number, record in enumerate(records) if record.id.sequence == number]
    start = read_event(lines[0]) if lines else None
    if not isinstance(start, Start):
        raise StandError("its start has not come yet")
    return start, [read_decision(line) for line in lines[1:]]


def _clock_fields(clocks: Clocks) -> dict[str, object]:
    """Both clocks in milliseconds, White's first, and whose is running."""
    sides = (clocks.white, clocks.black)
    return {
        "left": [one.left // 1000 for one in sides],
        "spent": [one.spent // 1000 for one in sides],
        "overtime": [one.overtime for one in sides],
        "holder": clocks.holder,
    }


def _ticking(stand: Stand) -> dict[str, object] | None:
    """The clocks, with the remaining simple delay of the running one."""
    clocks, control = stand.clocks, stand.options.control
    if clocks is None or control is None:
        return None
    holder = clocks.holder if stand.state.phase in IN_PLAY else None
    left = free(control, clocks, holder) // 1000 if holder else 0
    return {**_clock_fields(replace(clocks, holder=holder)), "free": left}


def _made(stand: Stand, decision: Decision) -> MadePlay | None:
    """A play and its moves; None if today's rules cannot read it."""
    before, mover = stand.state.position, decision.by or stand.state.to_act
    try:
        position = stand.game.read_position(before)
        play = stand.game.read_play(position, decision.play or "")
        moves = stand.game.moves(position, play)
    except ValueError:
        return None
    who, rolled = stand.players[mover is Side.BLACK], name_roll(dice(decision.dice))
    written = stand.game.write_play(position, play) if moves else "–"
    said = (
        PLAYED(player=who, roll=rolled, play=written)
        if rolled
        else PLAYED_UNROLLED(player=who, play=written)
    )
    return MadePlay(said, before, moves, mover)


def _dice(state: MatchState[str]) -> Iterator[tuple[int, Side]]:
    if state.phase is Phase.OPENING_THROW:
        yield from ((int(die), side) for side, die in state.thrown)
    elif state.phase in (Phase.MOVING, Phase.RESIGNATION_OFFERED):
        offered = state.phase is Phase.RESIGNATION_OFFERED
        mover = state.to_act.other if offered else state.to_act
        yield from ((int(face), mover) for face in dice(state.roll))


def _match_words(stand: Stand) -> Iterator[str]:
    series, standing = stand.series, stand.state.standing
    yield series.title
    if series.is_mixed:
        yield say.name_game(stand.game.title, InSeries.at(standing, len(series.games)))
    yield _length(stand.options)
    yield GAME_NUMBER(number=stand.state.standing.game_number)
    if stand.state.standing.crawford and stand.options.agreement.cube:
        yield NO_DOUBLING()


def _length(options: Options) -> str:
    to = options.agreement.match_to
    return say.UNLIMITED() if to is None else FIRST_TO(n=to)


def _cube(options: Options, state: MatchState[str]) -> dict[str, object] | None:
    """The cube's value, owner and offer; None in a match without it."""
    cube = state.standing.cube
    if not options.agreement.cube or state.standing.crawford:
        return None
    value = 2 * cube.value if cube.offered else cube.face
    return {"value": value, "owner": cube.owner, "offered": cube.offered}


def _lying(stand: Stand) -> CubeOnBoard | None:
    """The cube on the board; None where it cannot be turned any more, or is offered."""
    match_to, standing = stand.options.agreement.match_to, stand.state.standing
    cube = standing.cube
    dead = match_to is not None and standing.score.least + cube.value >= match_to
    told = _cube(stand.options, stand.state)
    return None if told is None or dead or cube.offered else CubeOnBoard(cube.face, cube.owner)


def _pips(stand: Stand) -> tuple[int, ...]:
    """White's and Black's pips; empty in games without."""
    position = stand.game.read_position(stand.state.position)
    found = (stand.game.pips(position, side) for side in Side)
    return tuple(pips for pips in found if pips is not None)


def _commented(stand: Stand) -> str:
    """What a commentator would say: the play, then how the match stands."""
    news = (stand.played.said if stand.played else "", _headline(stand))
    return paragraph(*(DONE(what=text) for text in news if text))


def _headline(stand: Stand) -> str:  # noqa: PLR0911, a case a phase
    state = stand.state
    who, other = (stand.players[side is Side.BLACK] for side in (state.to_act, state.to_act.other))
    match state.phase:
        case Phase.SET_UP:
            number = state.standing.game_number
            return say.set_up(stand.game.title if stand.series.is_mixed else None, number)
        case Phase.OPENING_THROW if len(state.thrown) == 2:
            return say.BOTH_ROLLED(die=state.thrown[0][1])
        case Phase.OPENING_THROW:
            return say.THROWS_FIRST(side=who)
        case Phase.TO_ROLL:
            return say.TO_ROLL(side=who)
        case Phase.DOUBLE_OFFERED:
            return say.DOUBLES(side=other, stake=2 * state.standing.cube.value)
        case Phase.RESIGNATION_OFFERED:
            return OFFERS_TO_RESIGN(player=other)
        case Phase.MOVING:
            rolled = name_roll(dice(state.roll))
            return say.TO_PLAY(side=who, roll=rolled) if rolled else say.TO_MOVE(side=who)
        case Phase.GAME_OVER:
            return tell_result(state.result, stand.players, stand.game.outcome_names) or ""
        case Phase.MATCH_OVER:
            score = state.standing.score
            won = Side.WHITE if score.white > score.black else Side.BLACK
            ours, theirs = score[won], score[won.other]
            winner = stand.players[won is Side.BLACK]
            return say.WINS_MATCH(player=winner, ours=ours, theirs=theirs)
