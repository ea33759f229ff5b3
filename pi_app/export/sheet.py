"""A match as a score sheet: players, every game's rolls and plays in order, and the results.

It is made from the decisions alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from pi_app.export.retold import Kept, RetoldStep, dice
from pi_app.match.acts import Act
from pi_app.match.clock import ClockKind, Clocks
from pi_app.match.origin import ORIGIN
from pi_app.match.terms import FRIENDLY, AgreedDice, ClockTerms, MatchTerms
from pi_app.match.turns import SHOWN, MatchState, Phase
from pi_app.referee.speech import tell_result
from pi_app.referee.view import in_figures
from pi_app.rules.terms import Side
from pi_app.words.sentences import ENGLISH

_KINDS = {
    ClockKind.PLAIN: "plain",
    ClockKind.DELAY: "simple delay",
    ClockKind.BRONSTEIN: "Bronstein's delay",
    ClockKind.FISCHER: "Fischer's increment",
}
BEFORE = "  (before the undo)"
_DICE = {AgreedDice.DEVICE: "Spotter rolls", AgreedDice.TYPED: "real dice, typed"}


def score_sheet(kept: Kept) -> Iterator[str]:
    """Raises EventError for an invalid start."""
    state = kept.opening()
    sheet = _Retelling(kept)
    yield from sheet.heading()
    yield from sheet.game_heading(state)
    for step in kept.steps():
        yield from sheet.lines(step)
        state = step.after
    yield from sheet.ending(state)


class _Retelling:
    """The state carried from line to line."""

    def __init__(self, kept: Kept) -> None:
        self._start, self._series, self._terms = kept.start, kept.series, kept.terms
        self._wide = max(map(len, self._start.players))
        self._turn = 0
        self._typed = self._again = False

    def heading(self) -> Iterator[str]:
        target = f"to {self._start.match_to}" if self._start.match_to else "unlimited"
        series = self._series
        games = f" ({', '.join(game.title for game in series.games)})" if series.is_mixed else ""
        yield f"{series.title}{games}, match {target}"
        yield "   ".join(f"{self._name(side)}: {self._player(side)}" for side in Side)
        yield from _agreed_lines(self._terms)
        if origin := self._start.options.get(ORIGIN):
            yield f"Begins from: {origin}"

    def game_heading(self, state: MatchState[str]) -> Iterator[str]:
        """The game's number and the score before it."""
        crawford = ", Crawford" if state.standing.crawford else ""
        yield ""
        title = self._series.at(state.standing.decided).title
        game = f": {title}" if self._series.is_mixed else ""
        yield f"Game {state.standing.game_number}{game}{crawford}   {self._score(state)}"

    def lines(self, step: RetoldStep) -> Iterator[str]:
        decision = step.decision
        if decision.what in (Act.THROW, Act.ROLL):
            self._again = decision.again
            self._typed = decision.typed or (bool(step.before.thrown) and self._typed)
        yield from self._line(step)
        if step.ends_game:
            names = step.game.outcome_names
            yield f"  {tell_result(step.after.result, self._start.players, names)}."
            yield f"  Score: {self._score(step.after)}"

    def ending(self, state: MatchState[str]) -> Iterator[str]:
        yield ""
        if state.phase is Phase.MATCH_OVER:
            score = state.standing.score
            winner = Side.WHITE if score.white > score.black else Side.BLACK
            won, lost = score[winner], score[winner.other]
            yield f"{self._player(winner)} wins the match {won}–{lost}."
            return
        roll = f", {self._player(state.to_act)} rolled {state.roll}" if dice(state.roll) else ""
        yield f"Not finished: {SHOWN[state.phase]}, {state.position}{roll}"

    def _line(self, step: RetoldStep) -> Iterator[str]:  # noqa: C901, PLR0912, a case a decision
        before, after, decision = step.before, step.after, step.decision
        mover = self._player(decision.by or before.to_act)
        match decision.what:
            case Act.THROW if before.thrown:
                yield f"  Opening roll: {self._thrown(step)}{self._mark()}"
            case Act.PLAY:
                self._turn += 1
                who = f"{mover:<{self._wide}} {decision.dice}" if dice(decision.dice) else mover
                how = f"{self._mark()}{self._played(step)}"
                yield f"  {self._turn:3}. {who}: {self._play(step)}{how}"
            case Act.OVERTIME | Act.FLAG | Act.RESUMED:
                left = _clocks_words(decision.clocks, self._start.players)
                yield f"       {self._timed(step)}: {left}"
            case Act.DOUBLE:
                doubles = f"doubles to {after.standing.cube.value * 2}"
                yield f"       {mover} {doubles}{BEFORE * decision.again}"
            case Act.BEAVER:
                yield f"       {mover} beavers to {after.standing.cube.value * 2}"
            case Act.TAKE | Act.PASS:
                answers = "takes" if decision.what is Act.TAKE else "passes"
                yield f"       {mover} {answers}{BEFORE * decision.again}"
            case Act.RESIGN:
                how = self._game_lost(step)
                rolled = f", after {before.roll}" if dice(before.roll) else ""
                yield f"       {mover} offers to resign: {how}{rolled}"
            case Act.ACCEPT | Act.REFUSE:
                yield f"       {mover} {'accepts' if decision.what is Act.ACCEPT else 'refuses'}"
            case Act.TAKE_BACK:
                yield f"       Undone back to {self._taken_back(step)}"
            case Act.RESTORE:
                yield "       Redone"
            case Act.CHANGE_DICE:
                yield f"       {self._mistyped(step)} was typed wrongly"
            case Act.CORRECT:
                yield f"       The board is right{self._rolled(step)}: {after.position}"
            case Act.SENSOR_OFF | Act.SENSOR_ON:
                yield f"       Sensor {decision.sensor} is {decision.what.value.split()[1]}"
            case Act.NEXT_GAME:
                self._turn, self._typed, self._again = 0, False, False
                yield from self.game_heading(after)
            case _:
                pass

    def _play(self, step: RetoldStep) -> str:
        position = step.game.read_position(step.before.position)
        play = step.game.read_play(position, step.decision.play or "")
        return ENGLISH.say(step.game.write_play(position, play))

    def _played(self, step: RetoldStep) -> str:
        """A play, with a note if it was condoned, and the clock of its mover."""
        decision = step.decision
        condoned = "  (illegal, accepted)" if decision.condoned else ""
        return condoned + _left_words(decision.clocks, decision.by or step.before.to_act)

    def _timed(self, step: RetoldStep) -> str:
        if step.decision.what is Act.RESUMED:
            return "Interrupted; the clocks resume where they stopped"
        flag = f"{self._player(step.before.to_act)}'s flag falls"
        return f"{flag}, overtime begins" if step.decision.what is Act.OVERTIME else flag

    def _rolled(self, step: RetoldStep) -> str:
        rolled = "" if step.after.roll else dice(step.before.roll)
        return f" after {self._player(step.before.to_act)}'s {rolled}" if rolled else ""

    def _taken_back(self, step: RetoldStep) -> str:
        """The turn that is played again, and the roll that was discarded."""
        after, gone = step.after, dice(step.decision.dice)
        again = f"{self._player(after.to_act)}'s {dice(after.roll) or 'turn'}"
        offered = step.before.phase is Phase.RESIGNATION_OFFERED
        mover = step.before.to_act.other if offered else step.before.to_act
        return again + (f", {self._player(mover)} had rolled {gone}" if gone else "")

    def _thrown(self, step: RetoldStep) -> str:
        after, decision = step.after, step.decision
        if not decision.by or not decision.dice:
            return ""
        throws = (*step.before.thrown, (decision.by, decision.dice.dice[0]))
        said = ", ".join(f"{self._player(side)} {die}" for side, die in throws)
        if after.phase is not Phase.OPENING_THROW:
            return said
        stake = after.standing.cube.value
        turned = stake != step.before.standing.cube.value
        return f"{said}, again{f'; the cube turns to {stake}' * turned}"

    def _name(self, side: Side) -> str:
        return self._series.side_names[side is Side.BLACK]

    def _player(self, side: Side) -> str:
        return self._start.players[side is Side.BLACK]

    def _score(self, state: MatchState[str]) -> str:
        white, black = self._start.players
        score = state.standing.score
        return f"{white} {score.white} – {score.black} {black}"

    def _game_lost(self, step: RetoldStep) -> str:
        """The stake of a resignation: "gammon, 4 points"."""
        points, cube = step.after.resignation or 0, step.after.standing.cube
        names = step.game.resignations(
            step.game.read_position(step.after.position), step.after.to_act.other
        )
        worth = points * cube.value
        return f"{names.get(points, '')}, {worth} point{'s' * (worth != 1)}"

    def _mistyped(self, step: RetoldStep) -> str:
        if step.after.phase is Phase.OPENING_THROW:
            return "The opening roll"
        return f"{self._player(step.before.to_act)}'s {dice(step.before.roll)}"

    def _mark(self) -> str:
        """How the roll was obtained: typed, or kept from before an undo."""
        again = "  (rolled before the undo)" * self._again
        return f"{'  (typed)' * self._typed}{again}"


def _agreed_lines(terms: MatchTerms) -> Iterator[str]:
    """Empty for friendly play."""
    if terms == FRIENDLY:
        return
    parts = [terms.policy.value]
    if terms.dice in _DICE:
        parts.append(_DICE[terms.dice])
    if terms.locked:
        parts.append("hints and coach locked")
    yield f"Agreed: {', '.join(parts)}"
    if terms.clock.kind is not ClockKind.NONE:
        yield f"Clock: {_clock(terms.clock)}"


def _clocks_words(clocks: Clocks | None, players: tuple[str, str]) -> str:
    """Empty without a clock."""
    if clocks is None:
        return ""
    return ", ".join(
        f"{player} {in_figures(clocks[side].left)}{' in overtime' * clocks[side].overtime}"
        for player, side in zip(players, Side, strict=True)
    )


def _left_words(clocks: Clocks | None, side: Side) -> str:
    """A side's remaining time, for the end of a line."""
    return f"  [{in_figures(clocks[side].left)}]" if clocks else ""


def _clock(clock: ClockTerms) -> str:
    per = " a point" if clock.a_point else " a side"
    parts = [_KINDS[clock.kind], f"{clock.reserve} s{per}"]
    if clock.kind is not ClockKind.PLAIN:
        parts.append(f"{clock.a_turn} s a turn")
    parts.append(f"overtime {clock.overtime} s" if clock.overtime else "no overtime")
    if not clock.runs_while_correcting:
        parts.append("stands while the board is put right")
    return ", ".join(parts)
