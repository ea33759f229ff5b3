"""Follows a match view by view and decides what is said, when, and what is interrupted."""

from __future__ import annotations

from dataclasses import replace

from pi_app.base.microseconds import Us, ms
from pi_app.base.values import dataclass
from pi_app.match.turns import IN_PLAY
from pi_app.referee.speech import name_game
from pi_app.referee.view import TourStep, View
from pi_app.rules.terms import Side
from pi_app.sensing.reading import ALARMS
from pi_app.speech.answers import Answering
from pi_app.speech.telling import Manner, SpokenView, ViewChange, clock_passed
from pi_app.speech.utterance import Detail, Rank, Subject, Utterance
from pi_app.words.sentences import Sentence, paragraph

AGAIN = ms(20_000)
"""If hands rest for this long the machine's play is said again."""
PATIENCE = ms(2000)
"""An utterance that waits for another is said within this time or dropped."""
APART = ms(2000)
"""The least time between two utterances about a hand."""
HURRIED = ms(60_000)
"""With less time on the clock only what changes the game is said."""
CALM = (Subject.HAND, Subject.PLAY, Subject.TURN, Subject.PAGE)
"""Subjects that are left out while a player is short of time."""

GAME, MATCH_OF = Sentence("Game {number}. {rest}"), Sentence("{title}: {white}, {black}. {rest}")


class Commentary:
    """What is said about a match without being asked."""

    def __init__(self, manner: Manner) -> None:
        self.manner = manner
        self._view: View | None = None
        self._us = Us(0)
        self._since = Us(0)
        self._hand_said = Us(-APART)

    def hear(self, view: View | None, us: Us, *, resumed: bool = False) -> Utterance | None:
        """Return everything to say about the next view, as one utterance.

        The first view of a match is only introduced, because what happened before has been said.
        """
        before, self._view = self._view, view
        passed, self._us = self._us, us
        if view is None or self.manner.detail is Detail.OFF:
            return None
        if before is None or (before.game, before.players) != (view.game, view.players):
            self._since = us
            return self._introduced(view, resumed=resumed)
        if before != view:
            self._since = us
        utterances = [
            *ViewChange(before, view, self.manner).utterances(),
            *clock_passed(view, passed, us, self.manner),
        ]
        utterances += self._reminded(before, view, passed, us)
        return self._joined([one for one in utterances if self._may(one, view, us)])

    @property
    def due(self) -> Us | None:
        """When the machine's play or the tour's step is repeated if nothing happens."""
        waits = self._view is not None and (self._view.to_make or self._view.tour)
        return Us(self._since + AGAIN) if waits and self._us < self._since + AGAIN else None

    def _reminded(self, before: View, view: View, passed: Us, us: Us) -> list[Utterance]:
        """The machine's play again, if the hand rests or has just corrected a mistake; and what the
        tour asks for."""
        rested = passed < self._since + AGAIN <= us
        if view.tour:
            asks = rested and view.tour is not TourStep.HANDS
            return [SpokenView(view, self.manner).tour()] if asks else []
        if not view.chosen or not view.to_make:
            return []
        righted = before.board in ALARMS and view.board not in ALARMS
        play = SpokenView(view, self.manner).machines_play()
        return [play] if (rested or righted) and self.manner.wants(play) else []

    def _may(self, utterance: Utterance, view: View, us: Us) -> bool:
        """Whether a player has time to hear this."""
        if utterance.subject in CALM and _hurries(view, us):
            return False
        return self.manner.wants(utterance)

    def _joined(self, utterances: list[Utterance]) -> Utterance | None:
        if utterances and all(one.subject is Subject.HAND for one in utterances):
            if self._us < self._hand_said + APART:
                return None
            self._hand_said = self._us
        if not utterances:
            return None
        first = max(utterances, key=lambda one: one.rank)
        return replace(first, text=paragraph(*dict.fromkeys(one.text for one in utterances)))

    def _introduced(self, view: View, *, resumed: bool) -> Utterance | None:
        words = SpokenView(view, self.manner)
        rest = Answering(view, self._us, self.manner).whose_turn()
        white, black = map(words.who, Side)
        title = name_game(view.title, view.in_series)
        begun = MATCH_OF(title=title, white=white, black=black, rest=rest)
        text = GAME(number=view.game_number, rest=rest) if resumed and not view.in_series else begun
        utterance = words.tour() if view.tour else Utterance(text, Subject.TURN)
        return utterance if self.manner.wants(utterance) else None


def _hurries(view: View, us: Us) -> bool:
    if view.clock is None or view.clock.holder is None or view.phase not in IN_PLAY:
        return False
    return view.clock[view.clock.holder].left_at(us) < HURRIED


@dataclass(frozen=True, slots=True)
class _Waiting:
    utterance: Utterance
    since: Us


class Floor:
    """Which utterance sounds next: one of a higher rank interrupts, one of equal rank replaces.

    The same is never said twice in a row unless a player asks.
    """

    def __init__(self) -> None:
        self._waiting: tuple[_Waiting, ...] = ()
        self._sounding: Utterance | None = None
        self.last: Utterance | None = None
        """What sounded last, for whoever wants to hear it again."""

    def put(self, utterance: Utterance, us: Us) -> None:
        """Add something to say; of one rank only the newest waits."""
        asked = utterance.subject in (Subject.ANSWER, Subject.PAGE)
        if not asked and (
            utterance == self.last or any(w.utterance == utterance for w in self._waiting)
        ):
            return
        others = (one for one in self._waiting if one.utterance.rank != utterance.rank)
        self._waiting = (*others, _Waiting(utterance, us))

    def take(self, us: Us, *, sounds: bool) -> Utterance | None:
        """What to begin now, perhaps interrupting what `sounds`; None to wait."""
        if not sounds:
            self._sounding = None
        self._waiting = tuple(one for one in self._waiting if us <= one.since + PATIENCE)
        best = max(self._waiting, key=lambda one: one.utterance.rank, default=None)
        if best is None or (self._sounding and not self._gives_way(best.utterance)):
            return None
        self._waiting = tuple(one for one in self._waiting if one is not best)
        self._sounding = best.utterance
        if best.utterance.rank > Rank.READING:
            self.last = best.utterance
        return best.utterance

    def _gives_way(self, to: Utterance) -> bool:
        """Whether this utterance interrupts what sounds; a reading is interrupted by the next
        reading too, and a question, which is asked no longer, by the next question."""
        sounding = self._sounding
        assert sounding
        replaced = sounding.subject is to.subject is Subject.QUESTION
        return to.rank > sounding.rank or sounding.rank is Rank.READING or replaced

    @property
    def reads(self) -> bool:
        """Whether a long reading sounds, which any key or lift stops."""
        return self._sounding is not None and self._sounding.rank is Rank.READING

    def clear(self) -> None:
        """Drop everything that waits: after a new match, an undo, or a request for silence."""
        self._waiting, self._sounding = (), None
