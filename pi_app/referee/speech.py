"""The message and the hint of a view: one sentence on the state, one on what to do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from pi_app.match.acts import Act
from pi_app.match.turns import ANSWERS, IN_PLAY, GameResult, Phase
from pi_app.referee.view import Coming, InSeries, View
from pi_app.rules.contract import Opening
from pi_app.rules.naming import name_roll, name_spot
from pi_app.rules.terms import Move, Side, Spot, SpotKind
from pi_app.sensing.reading import ALARMS, BoardState
from pi_app.words.numbers import decimal
from pi_app.words.sentences import (
    AND,
    OR,
    Joint,
    Listing,
    Said,
    Sentence,
    fitting,
    paragraph,
)

MOST_PLAYS, MOST_LEGAL = 4, 3
HOMES = (SpotKind.BAR, SpotKind.HOME, SpotKind.OFF)
"""Where hit checkers go, depending on the game."""
LONGEST_LIST, LONGEST_HINT = 64, 112
"""Lengths in letters: a list, and one line on a small screen."""


def speak(view: View) -> tuple[str, str]:
    """Return the message and the hint for a view that is otherwise complete."""
    if view.phase not in IN_PLAY:
        return _between_games(view)
    if view.board in ALARMS:
        return _out_of_order(view)
    if view.caution is not None:
        keep = KEEP_PLAY if view.phase is Phase.MOVING else KEEP_IT
        return THAT_COSTS(cost=decimal(view.caution, 2)), keep()
    if view.phase is Phase.MOVING:
        return _moving(view)
    return _waiting(view)


def listing(words: tuple[str, ...], joint: Joint = AND) -> Listing:
    """List as many of these as a line can hold."""
    return Listing(words, joint, MOST_PLAYS, LONGEST_LIST)


def _between_games(view: View) -> tuple[str, str]:
    if view.phase is Phase.SET_UP:
        return set_up(view.title if view.in_series else None, view.game_number), _set_up(view)
    result = view.last_result or GAME_IS_OVER()
    if view.phase is Phase.GAME_OVER:
        return result, next_game(view)
    winner = Side.WHITE if view.score.white > view.score.black else Side.BLACK
    player = view.player(winner)
    ours, theirs = view.score[winner], view.score[winner.other]
    return WINS_MATCH(player=player, ours=ours, theirs=theirs), RESULT(result=result)


def set_up(title: str | None, number: int) -> Said:
    """Which game is set up: in a series by its title, else by its number."""
    return SET_UP_GAME(game=title) if title else SET_UP(number=number)


def next_game(view: View) -> str:
    """What follows a game, and how."""
    return paragraph(follows(view, view.coming) if view.coming else "", NEXT_GAME())


def follows(view: View, coming: Coming) -> Said:
    """Which game of a series is next, and who begins it."""
    if coming.starter is None:
        return AGAIN_NEXT(game=coming.title)
    return BEGINS_NEXT(game=coming.title, player=view.player(coming.starter))


def name_game(title: str, place: InSeries | None) -> str:
    """A game's name, with its place in a series."""
    if place is None:
        return title
    return PLACE_IN_SERIES(game=title, number=place.number, of=place.of, round=place.round)


def _set_up(view: View) -> str:
    if not view.fill and len(view.put_right.clear) == 1:
        return CLEAR_OR_ASIDE(sensor=view.put_right.clear[0])
    parts = (*_stand(view), *_too_many(view, view.clear, view.fill))
    return _as_many(parts, _whether_to_try(view))


def _whether_to_try(view: View) -> str:
    """The question about a sensor that was set aside in an earlier game."""
    if not view.ask_back:
        return ""
    sensor = view.ask_back[0]
    ask = TRY_HEALED if sensor in view.healed else TRY_AGAIN
    return ask(sensor=sensor)


def _as_many(parts: tuple[str, ...], last: str) -> str:
    """As many parts as fit, then a closing sentence. The board marks the others."""
    fewer = (
        paragraph(*parts[:count], REST_IS_MARKED(), last) for count in range(len(parts) - 1, 0, -1)
    )
    return fitting(paragraph(*parts, last), *fewer, longest=LONGEST_HINT)


def _too_many(view: View, spots: tuple[Spot, ...], fill: tuple[Spot, ...]) -> list[Said]:
    """Say which spots to clear, and how many checkers to remove from other spots.

    A spot that must also be filled has a checker of the other side.
    """
    swapped = tuple(_place(view, spot) for spot in dict.fromkeys(spots) if spot in fill)
    spots = tuple(spot for spot in spots if spot not in fill)
    struck = {move.target for move in view.moves if move.hit}
    stay = {spot for spot in spots if view.accepted.get(spot, ()) and spot not in struck}
    empty = tuple(_place(view, spot) for spot in dict.fromkeys(spots) if spot not in stay)
    fewer = Counter(_place(view, spot) for spot in spots if spot in stay)
    counted = tuple(COUNT_OFF(count=count, spot=place) for place, count in fewer.items())
    return [
        *([WRONG_COLOUR(spots=listing(swapped))] if swapped else []),
        *([CLEAR(spots=listing(empty))] if empty else []),
        *([TAKE(counts=listing(counted))] if counted else []),
    ]


def _stand(view: View) -> list[Said]:
    """Return "Ada: 1 and 2" for each side with checkers to be set up.

    If a spot misses several, all are counted: "Ada: 24 (2) and 13 (5)".
    """
    parts = []
    for side in Side:
        missing, who = _missing(view, view.fill, side), view.player(side)
        places = {_place(view, spot): count for spot, count in missing.items()}
        if any(count > 1 for count in missing.values()):
            (first, count), *more = places.items()
            counted = (
                COUNT_SIDE_ON(count=count, side=who, spot=first),
                *(COUNT_ON(count=count, spot=place) for place, count in more),
            )
            parts.append(STAND(checkers=listing(counted)))
        elif missing:
            parts.append(STAND(checkers=SIDE_ON(side=who, spots=listing(tuple(places)))))
    return parts


def _missing(view: View, spots: tuple[Spot, ...], side: Side) -> Mapping[Spot, int]:
    """How many of a side's checkers each spot lacks; they are the top ones of each stack."""
    counts = Counter(spots)
    own = {spot: view.accepted.get(spot, ())[-count:].count(side) for spot, count in counts.items()}
    return {spot: count for spot, count in own.items() if count}


def _waiting(view: View) -> tuple[str, str]:
    who = view.player(view.to_act)
    if view.phase in ANSWERS:
        return _offered(view, view.player(view.to_act.other), who)
    if view.board is BoardState.IN_HAND:
        return TO_ROLL(side=who), BACK_BEFORE_ROLL()
    if view.changing:
        return TO_ROLL(side=who), TYPE_AGAIN()
    if view.phase is Phase.OPENING_THROW:
        return _opening(view, who)
    if view.awaiting_roll:
        return ROLLS(side=who), WAIT_FOR_DICE()
    return TO_ROLL(side=who), _rolling(view, who)


def _rolling(view: View, who: str) -> str:
    if view.thinking:
        return THINKING(side=who)
    hold = HOLD_TO_DOUBLE(stake=view.cube.value * 2) if Act.DOUBLE in view.offers else ""
    note = NOTED(note=view.note) if view.note else ""
    return paragraph(note, PRESS_TO_ROLL(), hold, first_checker(view, view.to_act))


def first_checker(view: View, side: Side) -> str:
    """How far a side's first checker must still go before others may move; empty if they may."""
    lacks = view.first_lacks[side is Side.BLACK]
    return FIRST_LACKS(n=lacks) if lacks else ""


def _offered(view: View, other: str, who: str) -> tuple[str, str]:
    if view.resignation:
        points, how = view.resignation.points, view.resignation.name
        offer, answer = RESIGNS(n=points, side=other, how=how), ACCEPT_OR_REFUSE
    else:
        points, doubles = view.cube.value, BEAVERS if view.beavered else DOUBLES
        offer, answer = doubles(side=other, stake=points * 2), _answer_to_double(view)
    if view.thinking:
        return offer, THINKING(side=who)
    given: dict[str, str | int] = {"side": who, "points": points}
    return offer, answer(**{place: given[place] for place in answer.places})


def _answer_to_double(view: View) -> Sentence:
    if Act.BEAVER not in view.offers:
        return TAKE_OR_PASS
    return BEAVER_OR_PASS if view.declining else TAKE_BEAVER_OR_PASS


def _opening(view: View, who: str) -> tuple[str, str]:
    hint = PRESS(side=who)
    if len(view.thrown) == 2:
        return BOTH_ROLLED(die=view.thrown[0][1]), hint
    if len(view.thrown) == 1:
        side, die = view.thrown[0]
        return THREW(first=view.player(side), die=die, second=who), hint
    return THROWS_FIRST(side=who), paragraph(hint, HIGHER[view.opening]())


def _moving(view: View) -> tuple[str, str]:
    who = view.player(view.to_act)
    if view.board is BoardState.PLAYED:
        return play_in_words(view, who), _handing_over(view)
    if view.board is BoardState.CHOOSE:
        return _choosing(view, who)
    if view.board is BoardState.IN_HAND:
        return _in_hand(view, who)
    return _machine_moving(view, who) or _to_move(view, who)


def _machine_moving(view: View, who: str) -> tuple[str, str] | None:
    to_do = _to_do(view, who)
    if view.thinking:
        return to_do, THINKING(side=who)
    if view.to_make:
        return play_in_words(view, who), MAKE_IT(side=who)
    return (to_do, PLAY_FOR_IT(side=who)) if view.silent else None


def _to_do(view: View, who: str) -> str:
    return TO_PLAY(side=who, roll=name_roll(view.roll)) if view.roll else TO_MOVE(side=who)


def _to_move(view: View, who: str) -> tuple[str, str]:
    if not view.moves_exist:
        stuck = STUCK_WITH(side=who, roll=_a(view.roll)) if view.roll else STUCK(side=who)
        return stuck, PASS_THE_TURN()
    if view.targets:
        first, *_, last = view.targets
        return PLACES_TOWN(side=who), ANYWHERE(first=str(first), last=str(last))
    sentence = SEE_THAT_BACK if view.unhit else NOTED
    note = sentence(note=view.note) if view.note else ""
    note = paragraph(note, first_checker(view, view.to_act))
    return _to_do(view, who), _few(view.legal, LEGAL, note or MOVE(), note)


def _choosing(view: View, who: str) -> tuple[str, str]:
    if not view.moves_exist:
        return DID_ONE_ENTER(side=who, roll=_a(view.roll)), BACK_IF_IT_DID()
    if len(view.choices) == 1:
        return WAS_IT(play=view.choices[0]), PRESS_AGAIN()
    return WAS_IT(play=view.choices[0]), HOLD_OR_NEXT(plays=listing(view.choices[1:], OR))


def play_in_words(view: View, who: str) -> str:
    """Return a play in words: "plays 2/4". A capture from afar is a shot; a tall piece
    is a town."""
    moves = view.moves or view.to_make
    if len(moves) == 1:
        (move,) = moves
        tall = len(view.standing[move.target]) > 1 or bool(view.targets and view.to_make)
        if move.origin.kind is SpotKind.OFF and tall:
            return PLACED_TOWN(side=who, spot=move.target.name)
        if move.target.kind is SpotKind.OFF and view.to_act not in view.accepted[move.origin]:
            return SHOOTS(side=who, spot=move.origin.name)
    return PLAYS(side=who, play=view.play or view.chosen or "")


def _handing_over(view: View) -> str:
    """Say that a press confirms the shown play."""
    if view.ending is None:
        return HAND_OVER()
    return WINS_GAME() if view.ending.winner is view.to_act else ENDS_GAME()


def _few(plays: tuple[str, ...], sentence: Sentence, otherwise: str, before: str = "") -> str:
    """List all plays if they are few and fit; otherwise return the alternative."""
    if not 0 < len(plays) <= MOST_LEGAL:
        return otherwise
    listed = paragraph(before, sentence(plays=Listing(plays, OR)))
    return fitting(listed, otherwise, longest=LONGEST_HINT)


def _in_hand(view: View, who: str) -> tuple[str, str]:
    if view.stray:
        spots = _spots(view, view.stray)
        return NOTHING_GOES_TO(spots=spots), TAKE_IT_OFF(spot=spots)
    if view.barred:
        return _barred(view)
    own = tuple(spot for spot in view.lifted if spot not in view.victims)
    victim = _victim(view)
    if not own:
        goes_on = _few(view.still, GOES_ON, FINISH())
        if victim and not view.part:
            return victim, goes_on
        return _part(view, who), NOTED(note=victim) if victim else goes_on
    lifted = LIFTS(side=who, spots=_spots(view, own))
    homes = {home_of(view, spot) for spot in view.victims}
    targets = tuple(spot for spot in view.targets if spot not in homes)
    note = NOTED(note=victim) if victim else ""
    if not targets:
        return lifted, note or FINISH()
    return lifted, paragraph(MAY_GO(spots=_spots(view, targets, OR)), note)


def _barred(view: View) -> tuple[str, str]:
    """A checker was lifted that may not move. After a complete play the opponent's hand
    is early."""
    spots, count = _spots(view, view.barred), len(view.barred)
    back = PUT_BACK_ON(n=count, spots=spots)
    if not lifts_others(view):
        return NOT_NOW(spots=spots), back
    owner = view.player(view.to_act.other)
    if view.part is not None and not view.dice_left:
        return IS_EARLY(side=owner), SIDE_BACK_ON(side=owner, spots=spots)
    turn = ITS_TURN(side=view.player(view.to_act))
    return OTHERS_CHECKER(n=count, owner=owner), paragraph(turn, back)


def comes_first(phase: Phase, side: str) -> Said:
    """What a side must do in this phase before checkers may move."""
    return _COMES_FIRST.get(phase, BEFORE_ROLL)(side=side)


def lifts_others(view: View) -> bool:
    """Whether the checkers that were lifted but may not move are all the other side's."""
    other = (view.to_act.other,)
    return all(view.accepted.get(spot, ())[-1:] == other for spot in view.barred)


def _victim(view: View) -> Said | None:
    if not view.victims:
        return None
    home, side = home_of(view, view.victims[0]), view.player(view.to_act.other)
    if home.kind is SpotKind.OFF:
        return HIT_GOES_OFF(side=side)
    return HIT_GOES_TO(side=side, spot=say_spot(view, home))


def home_of(view: View, spot: Spot) -> Spot:
    foe = view.to_act.other
    homes = (s for s in view.standing if s.side is foe and s.kind in HOMES)
    return next(homes, spot)


def _spots(view: View, spots: tuple[Spot, ...], joint: Joint = AND) -> Listing:
    """Spots in the order of their displayed numbers."""
    names = {spot: say_spot(view, spot) for spot in dict.fromkeys(spots)}
    order = view.counting.order if view.counting else int
    ordered = sorted(names, key=lambda spot: order(spot.number))
    points = [names[spot] for spot in ordered if spot.number]
    return listing((*points, *(names[spot] for spot in ordered if not spot.number)), joint)


def _part(view: View, who: str) -> str:
    """The finished part of a play, and the dice left."""
    left = view.dice_left
    if view.part is None or not left:
        return IS_MOVING(side=who)
    return AND_A(part=view.part, n=len(left), die=left[0])


def _out_of_order(view: View) -> tuple[str, str]:
    back, asked = paragraph(_way_back(view), _question(view)), view.phase in ANSWERS
    if view.guiding:
        return view.reason or PUTTING_RIGHT(), back
    if view.board is BoardState.DISTURBED:
        if view.note:
            return view.note, back
        return DISTURBED(), paragraph(back, "" if asked else OR_BOARD_IS_RIGHT())
    if view.late and view.last_play and not asked:
        taken = COUNTED(side=view.player(view.last_play.side), play=view.last_play.play)
        return taken, REOPENS(spots=listing(tuple(_place(view, spot) for spot in view.clear)))
    reason = view.reason or WRONG()
    if view.earlier and not asked:
        or_take_back = paragraph(back, OR_TAKE_BACK(play=view.earlier))
        take_back = TAP_TAKE_BACK(play=view.earlier)
        return reason, fitting(or_take_back, take_back, longest=LONGEST_HINT)
    tells = view.moves_exist and not view.fine and view.chosen is None
    return reason, _few(view.legal, LEGAL, back, back) if tells else back


def _question(view: View) -> str:
    """The open offer, which a tap can answer while the board is wrong."""
    side = view.player(view.to_act.other)
    if view.phase is Phase.DOUBLE_OFFERED:
        return TAP_TAKE_OR_PASS(side=side, stake=view.cube.value * 2)
    return TAP_ACCEPT_OR_REFUSE(side=side) if view.resignation else ""


def _way_back(view: View) -> str:
    """The way back to the accepted position: one step of it, in one short sentence."""
    if len(view.moves) == 1 and not view.guiding:
        return _undo(view, view.moves[0], PUT_IT_BACK, TAKE_IT_OFF)
    if view.fine and not view.guiding:
        undo = _undo(view, view.moves[-1], PUT_OTHER_BACK, TAKE_OTHER_OFF)
        return paragraph(IS_FINE(play=view.fine), undo)
    # One spot at a time, clearing first so that no checker is in the way.
    clear = tuple(spot for spot in view.clear if spot == view.clear[0])
    fill = () if clear else tuple(spot for spot in view.fill if spot == view.fill[0])
    more = len({*view.clear, *view.fill}) > 1 and not view.guiding
    step = (*_too_many(view, clear, view.fill), *_put_back(view, fill))
    return paragraph(*step, REST_IS_MARKED() if more else "")


def _put_back(view: View, spots: tuple[Spot, ...]) -> Iterator[Said]:
    for side in Side:
        for spot, count in _missing(view, spots, side).items():
            yield PUT_BACK(n=count, side=view.player(side), where=say_where(view, spot))


def _undo(view: View, move: Move, put_back: Sentence, take_off: Sentence) -> str:
    """The way to reverse a move and its hit."""
    stack = view.accepted.get(move.target, ())
    hit = ""
    if move.hit and stack:
        hit = PUT_BACK(n=1, side=view.player(stack[-1]), where=say_where(view, move.target))
    if move.origin.kind is SpotKind.OFF:
        return paragraph(take_off(spot=say_spot(view, move.target)), hit)
    return paragraph(put_back(where=say_where(view, move.origin)), hit)


def say_spot(view: View, spot: Spot) -> str:
    """A spot as players say it: "4", "HOME", "the bar", "off the board"."""
    return SPOTS[spot.kind]() if spot.kind in SPOTS else name_spot(spot, view.counting)


def say_where(view: View, spot: Spot) -> str:
    """A place in words: "on 4", "at HOME", "on the bar"."""
    return WHERE[spot.kind]() if spot.kind in WHERE else ON(spot=say_spot(view, spot))


def _place(view: View, spot: Spot) -> str:
    """A spot among others to be filled or cleared: "4", "Black's bar"."""
    if spot.side and spot.kind in OF_SIDE:
        return OF_SIDE[spot.kind](side=view.player(spot.side))
    return say_spot(view, spot)


def _a(roll: str | None) -> str:
    return A_DIE(die=roll) if roll and len(roll) == 1 else name_roll(roll)


def tell_result(
    result: GameResult | None, players: tuple[str, str], names: Mapping[str, Said]
) -> str | None:
    """Return a game's result in one sentence without a full stop; `names` are those of its
    outcomes."""
    if not result:
        return None
    if not result.winner:
        return TIE()
    player = players[result.winner is Side.BLACK]
    if result.name in ENDED:
        return ENDED[result.name](player=player, n=result.points)
    return WINS_BY(player=player, n=result.points, how=names.get(result.name, result.name))


# Spots and rolls

SPOTS: Mapping[SpotKind, Sentence] = {
    SpotKind.OFF: Sentence("off the board"),
    SpotKind.BAR: Sentence("the bar"),
}
"""Spots whose name in a sentence differs from that on the board."""
ON = Sentence("on {spot}")
WHERE: Mapping[SpotKind, Sentence] = {
    SpotKind.BAR: Sentence("on the bar"),
    SpotKind.HOME: Sentence("at HOME"),
    SpotKind.SAFETY: Sentence("at SAFETY"),
}
"""Where to put the next checker for one of these spots."""
OF_SIDE: Mapping[SpotKind, Sentence] = {
    SpotKind.OFF: Sentence("{side}'s tray"),
    SpotKind.BAR: Sentence("{side}'s bar"),
    SpotKind.HOME: Sentence("{side}'s home"),
    SpotKind.SAFETY: Sentence("{side}'s safety"),
}
"""The same spots where the side must be named."""
A_DIE = Sentence("a {die}")

# Between games

NOT_SERVED = Sentence("board {board} has no {game}; it has: {games}")
SET_UP = Sentence("Set up game {number}")
SET_UP_GAME = Sentence("Set up {game}")
CLEAR_OR_ASIDE = Sentence("Clear {sensor}, or turn its sensor off: Menu, Sensors.")
TRY_AGAIN = Sentence("Sensor {sensor} is off. Use it again?")
TRY_HEALED = Sentence("Sensor {sensor} is off but works. Use it again?")
NEXT_GAME = Sentence("Press the die button for the next game.")
BEGINS_NEXT = Sentence("Next: {game}. {player} begins.")
AGAIN_NEXT = Sentence("{game} again, with an opening roll.")
PLACE_IN_SERIES = Sentence("{game}, {number} of {of}, round {round}")
GAME_IS_OVER = Sentence("Game over")
WINS_MATCH = Sentence("{player} wins the match {ours}–{theirs}")
RESULT = Sentence("{result}.")
INTERRUPTED = Sentence("Match resumed; the clocks continue")
OVERTIME = Sentence("{side} is in overtime")
UNLIMITED = Sentence("unlimited")
TIE = Sentence("Tie: no points")
ENDED: Mapping[str, Sentence] = {
    "win": Sentence("{player} wins 1 point", "{player} wins {n} points"),
    "resigned": Sentence(
        "{player} wins 1 point by resignation", "{player} wins {n} points by resignation"
    ),
    "on time": Sentence("{player} wins 1 point on time", "{player} wins {n} points on time"),
    "double passed": Sentence(
        "{player} wins 1 point, double passed", "{player} wins {n} points, double passed"
    ),
}
"""Results that every game has."""
LARGE: Mapping[str, Sentence] = {
    "gammon": Sentence("Gammon"),
    "double win": Sentence("Double win"),
    "mother": Sentence("The mother is pinned"),
    "tie": Sentence("A tie"),
    "town taken": Sentence("The town is taken"),
    "no action left": Sentence("No action left"),
}
"""The headline of a finished game, by the result's name."""
WINS_BY = Sentence("{player} wins 1 point: {how}", "{player} wins {n} points: {how}")

# Before the roll

DOUBLES = Sentence("{side} doubles to\u00a0{stake}")
BEAVERS = Sentence("{side} beavers to\u00a0{stake}")
TAKE_OR_PASS = Sentence("{side}: press to take. Hold to pass, and lose {points}.")
TAKE_BEAVER_OR_PASS = Sentence("{side}: press to take. Hold to beaver, or to pass.")
BEAVER_OR_PASS = Sentence("{side}: press to beaver. Hold to pass, and lose {points}.")
RESIGNS = Sentence(
    "{side} offers to resign: {how}, 1 point", "{side} offers to resign: {how}, {n} points"
)
ACCEPT_OR_REFUSE = Sentence("{side}: press to play on. Hold to accept, and win {points}.")
TYPE_AGAIN = Sentence("Tap what the dice show.")
TO_ROLL = Sentence("{side} to roll")
BACK_BEFORE_ROLL = Sentence("Put the checker back before the roll.")
ROLLS = Sentence("{side} rolls")
WAIT_FOR_DICE = Sentence("Wait for the dice.")
PRESS_TO_ROLL = Sentence("Press to roll.")
HOLD_TO_DOUBLE = Sentence("Hold to double to\u00a0{stake}.")
PRESS = Sentence("{side}: press the die button.")
BOTH_ROLLED = Sentence("Both rolled {die}: roll again")
THREW = Sentence("{first} {die} – {second} to roll")
THROWS_FIRST = Sentence("Opening roll: {side}")
HIGHER: Mapping[Opening, Sentence] = {
    Opening.DIFFERENCE: Sentence("The higher die begins, with the difference."),
    Opening.HIGHER_PLAYS_BOTH: Sentence("The higher die begins, with both numbers."),
    Opening.HIGHER_ROLLS_AFRESH: Sentence("The higher die begins, and rolls again."),
}

# Moving

PLAYS = Sentence("{side} plays {play}")
SHOOTS = Sentence("{side} shoots {spot}")
PLACED_TOWN = Sentence("{side}: town on {spot}")
HAND_OVER = Sentence("Press the die button to confirm.")
WINS_GAME = Sentence("This wins. Press the die button to confirm.")
ENDS_GAME = Sentence("This ends the game. Press the die button to confirm.")
STUCK_WITH = Sentence("No move with {roll}. {side} passes")
STUCK = Sentence("No move. {side} passes")
PASS_THE_TURN = Sentence("Press the die button to pass the turn.")
PLACES_TOWN = Sentence("{side} places the town")
ANYWHERE = Sentence("Anywhere from {first} to {last}.")
TO_PLAY = Sentence("{side} to play {roll}")
TO_MOVE = Sentence("{side} to move")
TAKEN_BACK = Sentence("Undone: {play}")
RESTORED = Sentence("Redone")
NOTED = Sentence("{note}.")
SEE_THAT_BACK = Sentence("{note}. Put a hit checker back too.")
LEGAL = Sentence("Legal: {plays}.")
MOVE = Sentence("Move on the board.")
FIRST_LACKS = Sentence(
    "First checker: 1 pip to go before others move.",
    "First checker: {n} pips to go before others move.",
)
FIRST_CHECKER = Sentence("First checker: {n}")
GOES_ON = Sentence("Still to play: {plays}.")
FINISH = Sentence("Finish the play on the board.")
AND_A = Sentence("{part} — and a {die}", "{part} — and {n} × {die}")
UNCLEAR = Sentence("Play not recognised")
SHOW_IT = Sentence("Tap Accept the board and enter it, or put the checkers back.")
IS_MOVING = Sentence("{side} is moving")
LIFTS = Sentence("{side}: from {spots}")
MAY_GO = Sentence("Legal: {spots}.")
NOT_NOW = Sentence("No legal move from {spots}")
IS_EARLY = Sentence("{side} is early")
SIDE_BACK_ON = Sentence("Put {side}'s checker back on {spots}.")
NOTHING_GOES_TO = Sentence("No legal move to {spots}")
HIT_GOES_TO = Sentence("{side}'s checker goes to {spot}")
HIT_GOES_OFF = Sentence("{side}'s checker goes off the board")
PUT_BACK_ON = Sentence("Put it back on {spots}.", "Put them back on {spots}.")
OTHERS_CHECKER = Sentence("That is {owner}'s checker", "Those are {owner}'s checkers")
ITS_TURN = Sentence("It is {side}'s turn.")
ILLEGAL = Sentence("Illegal: {why}")
DID_ONE_ENTER = Sentence("No move with {roll}. {side}, did a checker enter?")
BACK_IF_IT_DID = Sentence("If so, put it back. Press again to pass the turn.")
WAS_IT = Sentence("{play}?")
PRESS_AGAIN = Sentence("Press to confirm, or put the checkers back.")
HOLD_OR_NEXT = Sentence("Hold the button for yes, press for {plays}.")

# The tutor

THAT_COSTS = Sentence("That costs {cost} points")
KEEP_PLAY = Sentence("Press to keep it, or put the checkers back.")
KEEP_IT = Sentence("The same again keeps it.")

# The machine's turn

MACHINE = "Spotter"
"""The engine's name, in every language."""
THINKING = Sentence("{side} is thinking.")
MAKE_IT = Sentence("Make this play on the board for {side}.")
PLAY_FOR_IT = Sentence("{side} does not answer. Play for {side} yourself.")

# Out of order

BEFORE_ROLL = Sentence("{side} must roll first")
BEFORE_ANSWER = Sentence("{side} must answer the double first")
BEFORE_REPLY = Sentence("{side} must answer the resignation first")
BEFORE_CHOICE = Sentence("Wait for the play of {side}")
_COMES_FIRST: Mapping[Phase, Sentence] = {
    Phase.DOUBLE_OFFERED: BEFORE_ANSWER,
    Phase.RESIGNATION_OFFERED: BEFORE_REPLY,
    Phase.MOVING: BEFORE_CHOICE,
}
YOU_MOVED = Sentence("{side} plays {play}; you moved {made}")
ANOTHER = Sentence("{side} plays only {play}")
PUTTING_RIGHT = Sentence("Fix the board")
DISTURBED = Sentence("Board and screen differ")
WRONG = Sentence("The board is wrong")
TAP_TAKE_OR_PASS = Sentence("{side} doubles to {stake}. Tap Take or Pass.")
TAP_ACCEPT_OR_REFUSE = Sentence("{side} offers to resign. Tap Accept or Play on.")
OR_BOARD_IS_RIGHT = Sentence("Or tap Accept the board.")
COUNTED = Sentence("{side}'s {play} was handed over")
REOPENS = Sentence("Clear {spots}, or tap Undo to continue that turn.")
EARLIER = Sentence("{side}'s {play}")
OR_TAKE_BACK = Sentence("Or tap Undo: this is the board before {play}.")
TAP_TAKE_BACK = Sentence("Tap Undo: this is the board before {play}.")
IS_FINE = Sentence("{play} is legal.")
PUT_IT_BACK, PUT_OTHER_BACK = (
    Sentence("Put it back {where}."),
    Sentence("Put the other checker back {where}."),
)
TAKE_IT_OFF, TAKE_OTHER_OFF = (
    Sentence("Lift it off {spot} again."),
    Sentence("Lift the other off {spot} again."),
)
PUT_BACK = Sentence("Put {side}'s checker back {where}.", "Put {side}'s {n} checkers back {where}.")
CLEAR = Sentence("Clear {spots}.")
WRONG_COLOUR = Sentence("Wrong colour on {spots}.")
COUNT_OFF, TAKE = Sentence("{count} off {spot}"), Sentence("Lift {counts}.")
COUNT_SIDE_ON = Sentence("{side}: {spot} ({count})")
COUNT_ON = Sentence("{spot} ({count})")
SIDE_ON = Sentence("{side}: {spots}")
STAND = Sentence("{checkers}.")
REST_IS_MARKED = Sentence("The rest is marked.")
