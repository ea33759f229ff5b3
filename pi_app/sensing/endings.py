"""How a turn may have ended, and what each ending costs by the hypotheses about it.

Endings are compared as if the turn were done and nothing in the air: the accepted position, the
legal results, and what is illegal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import exp, inf, log
from typing import Generic, NamedTuple, TypeVar

from pi_app.microseconds import Us
from pi_app.rules.contract import Game
from pi_app.rules.terms import Side, Spot
from pi_app.sensing.hypotheses import Beam
from pi_app.sensing.legal import Legal, LegalResult, LegalStage, rest_of
from pi_app.sensing.noise import Noise
from pi_app.sensing.occupancy import Glimpse, Packed
from pi_app.sensing.placing import Difference, Placement
from pi_app.sensing.states import Aloft, Hypothesis, Terrain

P = TypeVar("P")
M = TypeVar("M")

ALIKE = 0.1
"""Stories whose costs differ by less are told apart by nothing."""
SIMPLER = log(2000)
"""Of illegal endings that are less likely than the likeliest by no more, the simplest is told."""
CREDIBLE = 20.0
"""What a turn costs at most, but for few in thousands; beyond it the true story may be dropped."""
BADLY = 10.0
"""The stated confidence reckons with reeds and hands ten times as bad as the noise model's."""


class Priced(NamedTuple, Generic[P, M]):
    """A legal result and what it costs that the board stands so."""

    cost: float
    result: LegalResult[P, M]


class Illegal(NamedTuple):
    """Where checkers lie after something illegal, and what it costs."""

    cost: float
    placement: Placement


@dataclass(frozen=True)
class Endings(Generic[P, M]):
    """The endings of one turn as the sensors show it `now`; `done`: nothing is in the air."""

    game: Game[P, M]
    position: P
    legal: Legal[P, M]
    field: Terrain
    beam: Beam
    place: Callable[[P], Placement]
    seen: Glimpse
    now: Us
    done: bool

    @cached_property
    def stories(self) -> tuple[Hypothesis, ...]:
        """The hypotheses, each dearer by what contacts that still lie cost by now."""
        return tuple(sorted(self.beam.by(self.now), key=_cost))

    @property
    def strain(self) -> float:
        """How much dearer the likeliest story is than a turn: so much may a dropped one matter."""
        return max(self.stories[0].cost - CREDIBLE, 0.0)

    @cached_property
    def rest(self) -> float:
        """What it costs that everything is back where it was."""
        return self._cost_of(self._accepted)

    @cached_property
    def fitting(self) -> tuple[Priced[P, M], ...]:
        """The plays that no believed sensor contradicts, the likeliest first."""
        return self._priced(self.legal.fitting(self.seen))

    @cached_property
    def nearly(self) -> tuple[Priced[P, M], ...]:
        """The plays that one spot contradicts: a reed has missed something."""
        return self._priced(self.legal.nearly_fitting(self.seen))

    @cached_property
    def moves_exist(self) -> bool:
        """Whether any play moves something: the turn is not forfeited."""
        return any(result.moves for result in self.legal.results)

    @cached_property
    def best(self) -> float:
        """The cost of the likeliest play that fits."""
        return self.fitting[0].cost if self.fitting else inf

    @cached_property
    def illegal(self) -> tuple[Illegal, ...]:
        """What is illegal, the likeliest first."""
        legal = {self._placed(found.result.position) for found in self.fitting}
        legal.add(self._accepted)
        found: dict[Placement, float] = {}
        shown = (story for story in self.stories if not any(lie.sensor for lie in story.lies))
        for story in shown:
            for cost, placement in self._ended(story):
                if placement not in legal:
                    found[placement] = min(cost, found.get(placement, inf))
        endings = (Illegal(cost, where) for where, cost in found.items())
        return tuple(sorted(endings, key=_cost))

    @property
    def simplest(self) -> Sequence[Illegal]:
        """What is illegal and not much less likely than the likeliest, the fewest pieces first."""
        most = self.illegal[0].cost + SIMPLER if self.illegal else inf
        likely = (ending for ending in self.illegal if ending.cost <= most)
        return sorted(likely, key=lambda ending: self._put_down(ending.placement))

    def _put_down(self, placement: Placement) -> int:
        """How many pieces lie where they did not, but for those that went where hit ones go."""
        differing = self._differing(placement)
        return sum(self._pieces(d.more) for d in differing if d.spot != self._victims_home)

    @cached_property
    def hand(self) -> float:
        """What it costs that the turn is under way: checkers in the air, or a part of it done."""
        return min((cost for cost, _ in self._under_way), default=inf)

    @cached_property
    def _under_way(self) -> tuple[tuple[float, Hypothesis], ...]:
        """The stories of a turn under way; dearer where what lies there is no part of one."""
        stories = (story for story in self.stories if self._is_under_way(story))
        return tuple((story.cost + self._straying(story), story) for story in stories)

    def _straying(self, story: Hypothesis) -> float:
        """What it costs that a story is no part of a legal turn, or that too much is lifted."""
        stage = self.stage(story)
        if stage is None:
            return 0.0 if story.wrong else self.field.broken
        waiting = self._waiting(story)
        if not stage.moves or len(stage.moves) + len(waiting) <= self.legal.most_moves:
            return 0.0
        foe = any(piece.side is not self._mover for piece in waiting)
        between = self.field.noise.cost(Noise.ADJUST_BETWEEN) + self.field.which
        return between + foe * self.field.noise.cost(Noise.OTHER_HAND)

    def in_the_air(self) -> float:
        """What it costs that something is in the air that the likeliest play does not leave so."""
        goal = self._placed(self.fitting[0].result.position)
        others = (c for c, story in self._under_way if self.field.distance(story, goal))
        return min(others, default=inf)

    @cached_property
    def on_the_way(self) -> tuple[Hypothesis, LegalStage[P]]:
        """The likeliest story of a turn under way, and how far it has come."""
        for story in self.stories:
            if self._is_under_way(story):
                return story, self.stage(story) or self.legal.base
        return self.stories[0], self.legal.base

    def doubt(self, idle: float) -> float:
        """The odds that another play was made than the likeliest that fits, or none.

        `idle` is what it costs that nothing was played although the board looks untouched.
        """
        rivals = [*(found.cost for found in self.fitting[1:]), self.rest + idle]
        return sum(exp(self.best - cost) for cost in rivals)

    def muddle(self) -> float:
        """The odds that something illegal was done instead.

        Of what no reed can tell apart the legal play is believed.
        """
        alike = self.best + self.field.broken - ALIKE
        rivals = (illegal.cost for illegal in self.illegal if illegal.cost < alike)
        return sum(exp(self.best - cost) for cost in rivals)

    def haste(self) -> float:
        """The odds that somebody pressed with a checker still in the air.

        Who presses slides and pushes nothing.
        """
        return exp(self.best - self._held(wrongly=False) - self._early)

    def hasty_muddle(self) -> float:
        """The odds that somebody pressed in the middle of something illegal."""
        return exp(self.best - self._held(wrongly=True) - self._early)

    @property
    def _early(self) -> float:
        return self.field.noise.cost(Noise.EARLY_PRESS)

    def _held(self, wrongly: bool) -> float:
        """What it costs that something is still in the air, done `wrongly` so far or not."""
        goal = self._placed(self.fitting[0].result.position)
        held = (
            cost
            for cost, story in self._under_way
            if (story.wrong is not None) is wrongly
            and not any(lie.closed and lie.sensor for lie in story.lies)
            and not any(owed.pushed for owed in story.owed)
            and self.field.distance(story, goal)
        )
        return min(held, default=inf)

    def missed(self) -> float:
        """The odds of what no sensor shows.

        That a reed has missed a checker of another play, or that what was done is illegal and looks
        the same, both reckoned BADLY; and that what went unseen is still in the hand.
        """
        near = sum(exp(self.best - found.cost) for found in self.nearly)
        return BADLY * (near + exp(-self.field.broken)) + self._unseen()

    def _unseen(self) -> float:
        """The odds that somebody pressed with a checker in the air that then goes elsewhere.

        Where the likeliest play ends unseen, that has happened as often as early presses.
        """
        likeliest = self.fitting[0].result
        goal = self._placed(likeliest.position)
        story = min(self.stories, key=lambda story: story.cost + self.field.distance(story, goal))
        if not story.aloft:
            return 0.0
        plays = rest_of(self.legal, self.stage(story) or self.legal.base)
        others = sum(play != likeliest.play for play in plays)
        return self.field.noise.share(Noise.EARLY_PRESS) * others / max(len(plays), 1)

    def stage(self, story: Hypothesis) -> LegalStage[P] | None:
        """The part of a legal turn that a story has come to, what is in the air put back."""
        for placement in self._settled(story):
            for stage in self.legal.stages_shown.get(self._shown(placement), ()):
                put_back = story._replace(placement=placement, aloft=())
                if not self.field.distance(put_back, self._placed(stage.position)):
                    return stage
        return None

    def _shown(self, placement: Placement) -> Packed:
        """What the sensors show of a placement, by where it differs from the accepted one."""
        shown, before = self.legal.base.shown, self._accepted
        for spot, side, more in self.field.placing.differences(before, placement):
            height = self.field.height(before, spot)
            shown = self.legal.packing.changed(shown, spot, height, height + more)
            before = self.field.placing.add(before, spot, side, more)
        return shown

    # Where a story leads

    def _settled(self, story: Hypothesis) -> Iterator[Placement]:
        """What stands when what is in the air is put back and victims go where hit ones go."""
        placements = [story.placement]
        for piece in story.aloft:
            placements = [
                self.field.placing.add(placement, spot, piece.side, piece.height)
                for placement in placements
                for spot in self._back(story, piece, placement)
            ]
        for placement in dict.fromkeys(placements):
            yield from self._with_victims(placement)

    def _back(self, story: Hypothesis, piece: Aloft, placement: Placement) -> tuple[Spot, ...]:
        """Where a piece in the air is put back: one that rested on its way, to where it set out.

        Of several that did each goes to where it rested: the ways to put them back are endless.
        """
        if self._is_victim(story, piece):
            return (self._victims_home,)
        if not piece.fresh or sum(other.fresh for other in story.aloft) > 1:
            return (piece.origin,)
        differences = self.field.placing.differences(placement, self._accepted)
        lacking = (d.spot for d in differences if d.side is piece.side and d.more > 0)
        return tuple(dict.fromkeys((piece.origin, *lacking)))

    def _with_victims(self, placement: Placement) -> Iterator[Placement]:
        """The same, and with victims where they go or before they were hit.

        Those still lying beside their hitters go there too, unless they may lie beneath.
        """
        yield placement
        placing, alone, foe = self.field.placing, placement, self._mover.other
        for spot, side, more in placing.differences(self._accepted, placement):
            beneath = placing.count(alone, spot, foe)
            if side is self._mover and more > 0 and beneath:
                alone = placing.add(alone, spot, foe, -beneath)
                alone = placing.add(alone, self._victims_home, foe, beneath)
        if alone != placement:
            yield alone
        waiting = placing.count(placement, self._victims_home, foe) - placing.count(
            self._accepted, self._victims_home, foe
        )
        struck, back = placement, waiting
        for spot in self.beam.turn.hits if waiting > 0 else ():
            if not self.field.height(struck, spot) and back:
                # The victim has gone home before its hitter comes.
                struck = placing.add(placing.add(struck, spot, foe, 1), self._victims_home, foe, -1)
                back -= 1
        if struck != placement:
            yield struck

    def _ended(self, story: Hypothesis) -> Iterator[tuple[float, Placement]]:
        """How the board stands if the story ends here in something illegal, and what that costs.

        None while something is in the air.
        """
        placement, add = story.placement, self.field.placing.add
        if self._is_pushing(story):
            return
        cost, owing, moved = story.cost, list(story.owed), self._moved(placement)
        for piece in story.aloft:
            came = [owed for owed in owing if owed.side is piece.side]
            if self._is_victim(story, piece) and self._is_hidden(placement, self._victims_home):
                placement = add(placement, self._victims_home, piece.side, piece.height)
            elif not self.done:
                return
            elif came:
                # It goes back to where it came from unseen.
                owing.remove(came[0])
                cost += self.field.noise.cost(Noise.CHANGE_OF_MIND)
            elif trays := self._trays(placement, piece.side):
                placement = add(placement, trays[-1], piece.side, piece.height)
                moved += piece.side is self._mover
            else:
                return
        # One thing is wrong; of the mover's pieces beyond what a turn moves each is one more, and
        # where nothing else is, it was a certain one.
        beyond = max(moved - max(self.legal.most_moves, 1), 0)
        broken, which = self.field.broken, self.field.which
        cost += beyond * broken if story.wrong else broken + beyond * which
        endings = [placement]
        for owed in owing:
            endings = [
                add(ending, spot, owed.side, -owed.height)
                for ending in endings
                for spot in self.beam.turn.hidden
                if self.field.hides(ending, spot, owed.side) >= owed.height
            ]
        for ending in endings:
            yield cost, ending

    def _moved(self, placement: Placement) -> int:
        """How many of the mover's pieces lie elsewhere than in the accepted position."""
        return sum(
            self._pieces(d.more) for d in self._differing(placement) if d.side is self._mover
        )

    def _pieces(self, more: int) -> int:
        """How many pieces have come; one that counts for several is one piece."""
        return -(-max(more, 0) // self.field.tallest)

    def _differing(self, placement: Placement) -> Iterator[Difference]:
        return self.field.placing.differences(self._accepted, placement)

    def _is_under_way(self, story: Hypothesis) -> bool:
        """Whether somebody holds a checker still, or only a part of a turn is done."""
        if self._waiting(story) or any(owed.pushed for owed in story.owed):
            return True
        return story.placement != self._accepted and self.stage(story) is not None

    def _waiting(self, story: Hypothesis) -> tuple[Aloft, ...]:
        """What is in the hand and does not go unseen where hit checkers go."""
        return tuple(p for p in story.aloft if not self._goes_home_unseen(story, p))

    def _goes_home_unseen(self, story: Hypothesis, piece: Aloft) -> bool:
        return self._is_victim(story, piece) and self._is_hidden(
            story.placement, self._victims_home
        )

    def _is_victim(self, story: Hypothesis, piece: Aloft) -> bool:
        """Whether one of the mover's has come to where this piece of the opponent's lay."""
        mover, count = self._mover, self.field.placing.count
        if piece.side is mover:
            return False
        return count(story.placement, piece.origin, mover) > count(
            self._accepted, piece.origin, mover
        )

    def _is_pushing(self, story: Hypothesis) -> bool:
        return any(owed.pushed or owed.late for owed in story.owed)

    def _trays(self, placement: Placement, side: Side) -> list[Spot]:
        """Where a checker of the side can go or come unseen."""
        spots = (spot for spot in self.game.spots if spot.side in (None, side))
        return [spot for spot in spots if self._is_hidden(placement, spot)]

    def _is_hidden(self, placement: Placement, spot: Spot) -> bool:
        return self.field.is_hidden(placement, spot)

    # Costs

    @property
    def _mover(self) -> Side:
        return self.game.mover(self.position)

    @property
    def _victims_home(self) -> Spot:
        return self.game.hit_to(self._mover.other)

    @cached_property
    def _accepted(self) -> Placement:
        return self._placed(self.position)

    def _placed(self, position: P) -> Placement:
        return self.place(position)

    def _priced(self, results: Iterable[LegalResult[P, M]]) -> tuple[Priced[P, M], ...]:
        moved = (result for result in results if result.moves)
        priced = (Priced(self._cost_of(self._placed(r.position)), r) for r in moved)
        return tuple(sorted(priced, key=_cost))

    def _cost_of(self, goal: Placement) -> float:
        """What it costs that the board stands so."""
        best = inf
        for story in self.stories:
            if story.cost >= best:
                break
            best = min(best, story.cost + self.field.distance(story, goal))
        return best


def _cost(priced: Hypothesis | Priced[P, M] | Illegal) -> float:
    return priced.cost
