"""What is said: one sentence that says what is so, one that says what to do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from pi_app.match.turns import ANSWERS, IN_PLAY, GameResult, Phase
from pi_app.referee import wording as say
from pi_app.referee.events import Intent
from pi_app.referee.view import View
from pi_app.rules.naming import name_roll, name_spot
from pi_app.rules.terms import Move, Side, Spot, SpotKind
from pi_app.sensing.reading import ALARMS, BoardState
from pi_app.words.sentences import (
    AND,
    OR,
    Joint,
    Listing,
    Said,
    Sentence,
    fitting,
    on_board,
    paragraph,
)

MOST_PLAYS, MOST_LEGAL = 4, 3
HOMES = (SpotKind.BAR, SpotKind.HOME, SpotKind.OFF)
"""Where hit checkers go, each game's own."""
LONGEST_LIST, LONGEST_WAY, LONGEST_HINT = 64, 88, 112
"""In letters: what is listed, the way back, and what stands in one line on a small screen."""


def speak(view: View) -> tuple[str, str]:
    """The message and the hint for a view whose other fields are done."""
    if view.phase not in IN_PLAY:
        return _between_games(view)
    if view.board in ALARMS:
        return _out_of_order(view)
    if view.phase is Phase.MOVING:
        return _moving(view)
    return _waiting(view)


def listing(words: tuple[str, ...], joint: Joint = AND) -> Listing:
    """A few of these in a row, fewer where a line would be too long."""
    return Listing(words, joint, MOST_PLAYS, LONGEST_LIST)


def _between_games(view: View) -> tuple[str, str]:
    if view.phase is Phase.SET_UP:
        return say.SET_UP(number=view.game_number), _set_up(view)
    result = view.last_result or say.GAME_IS_OVER()
    if view.phase is Phase.GAME_OVER:
        return result, say.NEXT_GAME()
    winner = Side.WHITE if view.score.white > view.score.black else Side.BLACK
    player = view.players[winner is Side.BLACK]
    ours, theirs = view.score[winner], view.score[winner.other]
    return say.WINS_MATCH(player=player, ours=ours, theirs=theirs), say.TOLD(result=result)


def _set_up(view: View) -> str:
    if not view.fill and len(view.put_right.clear) == 1:
        return say.CLEAR_OR_ASIDE(sensor=view.put_right.clear[0])
    parts = (*_sides_at(view, view.fill, say.STAND), *_too_many(view, view.clear))
    return _as_many(parts, _whether_to_try(view), LONGEST_HINT)


def _whether_to_try(view: View) -> str:
    """The question about a sensor that was set aside in an earlier game."""
    if not view.ask_back:
        return ""
    sensor = view.ask_back[0]
    ask = say.TRY_HEALED if sensor in view.healed else say.TRY_AGAIN
    return ask(sensor=sensor)


def _as_many(parts: tuple[str, ...], last: str, longest: int) -> str:
    """As many of the parts as fit, and what is said last; the board marks the others."""
    fewer = (
        paragraph(*parts[:count], say.REST_IS_MARKED(), last)
        for count in range(len(parts) - 1, 0, -1)
    )
    return fitting(paragraph(*parts, last), *fewer, longest=longest)


def _too_many(view: View, spots: tuple[Spot, ...]) -> list[Said]:
    """What to clear for the spots that should be empty, how many to take off the others."""
    struck = {move.target for move in view.moves if move.hit}
    stay = {spot for spot in spots if view.accepted.get(spot, ()) and spot not in struck}
    empty = tuple(_place(view, spot) for spot in dict.fromkeys(spots) if spot not in stay)
    fewer = Counter(_place(view, spot) for spot in spots if spot in stay)
    counted = tuple(say.COUNT_OFF(count=count, spot=place) for place, count in fewer.items())
    return [
        *([say.CLEAR(spots=listing(empty))] if empty else []),
        *([say.TAKE(counts=listing(counted))] if counted else []),
    ]


def _sides_at(view: View, spots: tuple[Spot, ...], sentence: Sentence) -> list[Said]:
    """ "Ada's on 1 and 2" for each side with checkers missing on these spots.

    Where several are missing on one spot all are counted: "2 of Ada's on 24 and 5 on 13".
    """
    parts = []
    for side in Side:
        missing, who = _missing(view, spots, side), view.player(side)
        places = {_place(view, spot): count for spot, count in missing.items()}
        if any(count > 1 for count in missing.values()):
            (first, count), *more = places.items()
            counted = (
                say.COUNT_SIDE_ON(count=count, side=who, spot=first),
                *(say.COUNT_ON(count=count, spot=place) for place, count in more),
            )
            parts.append(sentence(checkers=listing(counted)))
        elif missing:
            parts.append(sentence(checkers=say.SIDE_ON(side=who, spots=listing(tuple(places)))))
    return parts


def _missing(view: View, spots: tuple[Spot, ...], side: Side) -> Mapping[Spot, int]:
    """How many of a side's checkers are missing where: the upper ones of each stack."""
    counts = Counter(spots)
    own = {spot: view.accepted.get(spot, ())[-count:].count(side) for spot, count in counts.items()}
    return {spot: count for spot, count in own.items() if count}


def _waiting(view: View) -> tuple[str, str]:
    who = view.player(view.to_act)
    if view.phase in ANSWERS:
        return _offered(view, view.player(view.to_act.other), who)
    if view.board is BoardState.IN_HAND:
        return say.TO_ROLL(side=who), say.BACK_BEFORE_ROLL()
    if view.changing:
        return say.TO_ROLL(side=who), say.TYPE_AGAIN()
    if view.phase is Phase.OPENING_THROW:
        return _opening(view, who)
    if view.awaiting_roll:
        return say.ROLLS(side=who), say.WAIT_FOR_DICE()
    return say.TO_ROLL(side=who), _rolling(view, who)


def _rolling(view: View, who: str) -> str:
    """What to do before a roll."""
    if view.thinking:
        return say.THINKING(side=who)
    hold = say.HOLD_TO_DOUBLE(stake=view.cube.value * 2) if Intent.DOUBLE in view.offers else ""
    note = say.NOTED(note=view.note) if view.note else ""
    return paragraph(note, say.PRESS_TO_ROLL(), hold)


def _offered(view: View, other: str, who: str) -> tuple[str, str]:
    if view.resignation:
        points, how = view.resignation.points, view.resignation.name
        offer, answer = say.RESIGNS(n=points, side=other, how=how), say.ACCEPT_OR_REFUSE
    else:
        offer, answer = say.DOUBLES(side=other, stake=view.cube.value * 2), say.TAKE_OR_PASS
    return offer, (say.THINKING if view.thinking else answer)(side=who)


def _opening(view: View, who: str) -> tuple[str, str]:
    hint = say.PRESS(side=who)
    if len(view.thrown) == 2:
        return say.BOTH_THREW(die=view.thrown[0][1]), hint
    if len(view.thrown) == 1:
        side, die = view.thrown[0]
        return say.THREW(first=view.player(side), die=die, second=who), hint
    return say.THROWS_FIRST(side=who), paragraph(hint, say.HIGHER[view.opening]())


def _moving(view: View) -> tuple[str, str]:
    who = view.player(view.to_act)
    if view.board is BoardState.PLAYED:
        return _deed(view, who), _handing_over(view)
    if view.board is BoardState.CHOOSE:
        return _choosing(view, who)
    if view.board is BoardState.IN_HAND:
        return _in_hand(view, who)
    return _machine_moving(view, who) or _to_move(view, who)


def _machine_moving(view: View, who: str) -> tuple[str, str] | None:
    """What the machine is about in its own turn, where it can move."""
    to_do = _to_do(view, who)
    if view.thinking:
        return to_do, say.THINKING(side=who)
    if view.to_make:
        return _deed(view, who), say.MAKE_IT(side=who)
    return (to_do, say.PLAY_FOR_IT(side=who)) if view.silent else None


def _to_do(view: View, who: str) -> str:
    return say.TO_PLAY(side=who, roll=name_roll(view.roll)) if view.roll else say.TO_MOVE(side=who)


def _to_move(view: View, who: str) -> tuple[str, str]:
    if not view.moves_exist:
        stuck = say.STUCK_WITH(side=who, roll=_a(view.roll)) if view.roll else say.STUCK(side=who)
        return stuck, say.PASS_THE_TURN()
    if view.targets:
        first, *_, last = view.targets
        return say.PLACES_TOWN(side=who), say.ANYWHERE(first=str(first), last=str(last))
    told = say.SEE_THAT_BACK if view.unhit else say.NOTED
    note = told(note=view.note) if view.note else ""
    return _to_do(view, who), _few(view.legal, say.LEGAL, note or say.MOVE(), note)


def _choosing(view: View, who: str) -> tuple[str, str]:
    if not view.moves_exist:
        return say.DID_ONE_ENTER(side=who, roll=_a(view.roll)), say.BACK_IF_IT_DID()
    if len(view.choices) == 1:
        return say.WAS_IT(play=view.choices[0]), say.PRESS_AGAIN()
    return say.WHICH_PLAY(), say.TAP_IT(plays=listing(view.choices, OR))


def _deed(view: View, who: str) -> str:
    """A play in words: "plays 2/4"; an enemy taken from afar is shot, a tall piece is a town."""
    moves = view.moves or view.to_make
    if len(moves) == 1:
        (move,) = moves
        tall = len(view.standing[move.target]) > 1 or bool(view.targets and view.to_make)
        if move.origin.kind is SpotKind.OFF and tall:
            return say.PLACED_TOWN(side=who, spot=move.target.name)
        if move.target.kind is SpotKind.OFF and view.to_act not in view.accepted[move.origin]:
            return say.SHOOTS(side=who, spot=move.origin.name)
    return say.PLAYS(side=who, play=view.play or view.chosen or "")


def _handing_over(view: View) -> str:
    """What the press does that makes the shown play count."""
    if view.ending is None:
        return say.HAND_OVER()
    return say.WINS_GAME() if view.ending.winner is view.to_act else say.ENDS_GAME()


def _few(plays: tuple[str, ...], sentence: Sentence, otherwise: str, before: str = "") -> str:
    """All the plays, where they are few and there is room for them; else what is said instead."""
    if not 0 < len(plays) <= MOST_LEGAL:
        return otherwise
    listed = paragraph(before, sentence(plays=Listing(plays, OR)))
    return fitting(listed, otherwise, longest=LONGEST_HINT)


def _in_hand(view: View, who: str) -> tuple[str, str]:
    if view.stray:
        spots = _spots(view, view.stray)
        return say.NOTHING_GOES_TO(spots=spots), say.TAKE_IT_OFF(spot=spots)
    if view.barred:
        spots = _spots(view, view.barred)
        return say.NOT_NOW(spots=spots), say.PUT_BACK_ON(spots=spots)
    own = tuple(spot for spot in view.lifted if spot not in view.victims)
    victim = _victim(view)
    if not own:
        goes_on = _few(view.still, say.GOES_ON, say.FINISH())
        if victim and not view.part:
            return victim, goes_on
        return _part(view, who), say.NOTED(note=victim) if victim else goes_on
    lifted = say.LIFTS(side=who, spots=_spots(view, own))
    homes = {_home(view, spot) for spot in view.victims}
    targets = tuple(spot for spot in view.targets if spot not in homes)
    note = say.NOTED(note=victim) if victim else ""
    if not targets:
        return lifted, note or say.FINISH()
    return lifted, paragraph(say.MAY_GO(spots=_spots(view, targets, OR)), note)


def _victim(view: View) -> Said | None:
    """Where a hit checker in the hand goes."""
    if not view.victims:
        return None
    home, side = _home(view, view.victims[0]), view.player(view.to_act.other)
    if home.kind is SpotKind.OFF:
        return say.HIT_GOES_OFF(side=side)
    return say.HIT_GOES_TO(side=side, spot=say_spot(view, home))


def _home(view: View, spot: Spot) -> Spot:
    """Where the opponent's checkers go that are hit."""
    foe = view.to_act.other
    homes = (s for s in view.standing if s.side is foe and s.kind in HOMES)
    return next(homes, spot)


def _spots(view: View, spots: tuple[Spot, ...], joint: Joint = AND) -> Listing:
    """Spots in the order of the numbers that they are told by."""
    told = {spot: say_spot(view, spot) for spot in dict.fromkeys(spots)}
    numbers = view.counting
    turned = numbers is not None and numbers.mover is Side.BLACK
    ordered = sorted(told, key=lambda spot: -spot.number if turned else spot.number)
    points = [told[spot] for spot in ordered if spot.number]
    return listing((*points, *(told[spot] for spot in ordered if not spot.number)), joint)


def _part(view: View, who: str) -> str:
    """What lies there of a play, and the dice that are left."""
    left = view.dice_left
    if view.part is None or not left:
        return say.IS_MOVING(side=who)
    return say.AND_A(part=view.part, n=len(left), die=left[0])


def _out_of_order(view: View) -> tuple[str, str]:
    back, asked = paragraph(_way_back(view), _question(view)), view.phase in ANSWERS
    if view.guiding:
        return view.reason or say.PUTTING_RIGHT(), back
    if view.board is BoardState.DISTURBED:
        if view.note:
            return view.note, back
        return say.DISTURBED(), paragraph(back, "" if asked else say.OR_BOARD_IS_RIGHT())
    reason = view.reason or say.WRONG()
    if view.earlier and not asked:
        or_take_back = paragraph(back, say.OR_TAKE_BACK(play=view.earlier))
        take_back = say.TAP_TAKE_BACK(play=view.earlier)
        return reason, fitting(or_take_back, take_back, longest=LONGEST_HINT)
    tells = view.moves_exist and not view.fine and view.chosen is None
    legal = tuple(map(on_board, view.legal))
    return reason, _few(legal, say.LEGAL, back, back) if tells else back


def _question(view: View) -> str:
    """What was offered and is to be answered by a tap while the board is amiss."""
    side = view.player(view.to_act.other)
    if view.phase is Phase.DOUBLE_OFFERED:
        return say.TAP_TAKE_OR_PASS(side=side, stake=view.cube.value * 2)
    return say.TAP_ACCEPT_OR_REFUSE(side=side) if view.resignation else ""


def _way_back(view: View) -> str:
    """How to come back to the accepted position, in one short sentence."""
    fill, clear = view.fill, view.clear
    if view.guiding:
        # One spot at a time: clear first, so that no checker is in the way.
        fill, clear = (fill if not clear else ())[:1], clear[:1]
    if len(view.moves) == 1 and not view.guiding:
        return _undo(view, view.moves[0], say.PUT_IT_BACK, say.TAKE_IT_OFF)
    if view.fine and not view.guiding:
        undo = _undo(view, view.moves[-1], say.PUT_OTHER_BACK, say.TAKE_OTHER_OFF)
        return paragraph(say.IS_FINE(play=on_board(view.fine)), undo)
    parts = (*_too_many(view, clear), *_sides_at(view, fill, say.PUT))
    return _as_many(parts, "", LONGEST_WAY)


def _undo(view: View, move: Move, put_back: Sentence, take_off: Sentence) -> str:
    """How to take a move back, and what it hit."""
    stack = view.accepted.get(move.target, ())
    hit = ""
    if move.hit and stack:
        hit = say.PUT_HIT_BACK(side=view.player(stack[-1]), where=_where(view, move.target))
    if move.origin.kind is SpotKind.OFF:
        return paragraph(take_off(spot=say_spot(view, move.target)), hit)
    return paragraph(put_back(where=_where(view, move.origin)), hit)


def say_spot(view: View, spot: Spot) -> str:
    """A spot as players say it: "4", "HOME", "the bar", "off the board"."""
    return say.SPOTS[spot.kind]() if spot.kind in say.SPOTS else name_spot(spot, view.counting)


def _where(view: View, spot: Spot) -> str:
    """Where something is put: "on 4", "at HOME", "on the bar"."""
    return say.WHERE[spot.kind]() if spot.kind in say.WHERE else say.ON(spot=say_spot(view, spot))


def _place(view: View, spot: Spot) -> str:
    """A spot among others to be filled or cleared: "4", "Black's bar"."""
    if spot.side and spot.kind in say.OF_SIDE:
        return say.OF_SIDE[spot.kind](side=view.player(spot.side))
    return say_spot(view, spot)


def _a(roll: str | None) -> str:
    return say.A_DIE(die=roll) if roll and len(roll) == 1 else name_roll(roll)


def tell_result(
    result: GameResult | None, players: tuple[str, str], names: Mapping[str, Said]
) -> str | None:
    """How a game ended, in one sentence without its full stop; `names` are its outcomes'."""
    if not result:
        return None
    if not result.winner:
        return say.TIE()
    player = players[result.winner is Side.BLACK]
    if result.name in say.ENDED:
        return say.ENDED[result.name](player=player, n=result.points)
    return say.WINS_BY(player=player, n=result.points, how=names.get(result.name, result.name))
