"""What is said: one sentence that says what is so, one that says what to do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import accumulate

from pi_app.match.phases import IN_PLAY, Phase
from pi_app.match.turns import GameResult
from pi_app.referee.events import Intent
from pi_app.referee.view import View
from pi_app.rules.contract import Opening
from pi_app.rules.registry import find_game
from pi_app.rules.terms import Move, Side, Spot
from pi_app.sensing.reading import ALARMS, BoardState

MOST_PLAYS = 4
LONGEST_LIST, LONGEST_WAY, LONGEST_HINT = 64, 70, 112
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


def listing(words: tuple[str, ...], last: str = "and", longest: int = LONGEST_LIST) -> str:
    """ "1, 2 and 5"; cut after a few, and where a line would be too long."""
    ends = accumulate(len(word) + 2 for word in words)
    kept = max(1, sum(end <= longest for end in list(ends)[:MOST_PLAYS]))
    if len(words) > kept:
        return f"{', '.join(words[:kept])} {last} {len(words) - kept} more"
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def _between_games(view: View) -> tuple[str, str]:
    if view.phase is Phase.SET_UP:
        return f"Set up game {view.game_number}", _set_up(view)
    result = view.last_result or "The game is over"
    if view.phase is Phase.GAME_OVER:
        return result, "Press the die button for the next game."
    winner = Side.WHITE if view.score.white > view.score.black else Side.BLACK
    player = view.players[winner is Side.BLACK]
    score = f"{view.score.of(winner)}–{view.score.of(winner.other)}"
    return f"{player} wins the match {score}", f"{result}."


def _set_up(view: View) -> str:
    if not view.fill and len(view.put_right.clear) == 1:
        sensor = view.put_right.clear[0]
        return f"Clear {sensor}. If it is clear, set its sensor aside: Menu, Sensors."
    parts, question = _sides_at(view, view.fill), _whether_to_try(view)
    longest = LONGEST_HINT - max(20, len(question) + 1)
    return f"{_joined((*parts, *_too_many(view, view.clear)), longest)} {question}".strip()


def _whether_to_try(view: View) -> str:
    """The question about a sensor that was set aside in an earlier game."""
    if not view.ask_back:
        return ""
    sensor = view.ask_back[0]
    since = " and has been right since" if sensor in view.healed else ""
    return f"Sensor {sensor} is set aside{since}: try it again?"


def _joined(parts: tuple[str, ...], longest: int) -> str:
    """One sentence of the parts that fit into so many letters; the board marks the others."""
    kept = parts
    while len(kept) > 1 and len("; ".join(kept)) > longest:
        kept = kept[:-1]
    rest = ("the rest is marked",) if len(kept) < len(parts) else ()
    sentence = "; ".join((*kept, *rest))
    return f"{sentence[:1].upper()}{sentence[1:]}." if sentence else ""


def _too_many(view: View, spots: tuple[Spot, ...]) -> list[str]:
    """ "clear 3 and 4" for the spots that should be empty, "take 1 off 5" for the others."""
    struck = {move.target for move in view.moves if move.hit}
    stay = {spot for spot in spots if view.accepted.get(spot, ()) and spot not in struck}
    empty = tuple(_place(spot) for spot in dict.fromkeys(spots) if spot not in stay)
    fewer = Counter(_place(spot) for spot in spots if spot in stay)
    parts = [f"clear {listing(empty)}"] if empty else []
    if fewer:
        parts.append(f"take {listing(tuple(f'{n} off {place}' for place, n in fewer.items()))}")
    return parts


def _sides_at(view: View, spots: tuple[Spot, ...]) -> list[str]:
    """ "White on 1 and 2" for each side with checkers missing on these spots.

    Where several are missing on one spot all are counted: "2 White on 24 and 5 on 13".
    """
    parts = []
    for side in Side:
        missing, who = _missing(view, spots, side), view.side_name(side)
        if any(count > 1 for count in missing.values()):
            counted = tuple(f"{count} on {_place(spot)}" for spot, count in missing.items())
            parts.append(listing(counted).replace(" on", f" {who} on", 1))
        elif missing:
            parts.append(f"{who} on {listing(tuple(map(_place, missing)))}")
    return parts


def _missing(view: View, spots: tuple[Spot, ...], side: Side) -> Mapping[Spot, int]:
    """How many of a side's checkers are missing where: the upper ones of each stack."""
    counts = Counter(spots)
    own = {spot: view.accepted.get(spot, ())[-count:].count(side) for spot, count in counts.items()}
    return {spot: count for spot, count in own.items() if count}


def _waiting(view: View) -> tuple[str, str]:
    who = view.side_name(view.to_act)
    if view.phase is Phase.DOUBLE_OFFERED:
        stake = view.cube.value * 2
        return (
            f"{view.side_name(view.to_act.other)} doubles to {stake}",
            f"{who}: press to take, hold to pass.",
        )
    if view.board is BoardState.IN_HAND:
        return f"{who} to roll", "Put the checker back before the roll."
    if view.phase is Phase.OPENING_THROW:
        return _opening(view, who)
    if view.awaiting_roll:
        return f"{who} rolls", "Wait for the dice."
    hold = f" Hold it to double to {view.cube.value * 2}." if Intent.DOUBLE in view.offers else ""
    return f"{who} to roll", f"Press the die button to roll.{hold}"


def _opening(view: View, who: str) -> tuple[str, str]:
    hint = f"{who}: press the die button."
    if len(view.thrown) == 2:
        return f"Both threw {view.thrown[0][1]}: throw again", hint
    if len(view.thrown) == 1:
        side, die = view.thrown[0]
        return f"{view.side_name(side)} threw {die}; {who} throws", hint
    return f"{who} throws first", f"{hint} {_HIGHER[find_game(view.game).opening]}."


_HIGHER = {
    Opening.DIFFERENCE: "The higher plays the difference",
    Opening.HIGHER_PLAYS_BOTH: "The higher plays both numbers",
    Opening.HIGHER_ROLLS_AFRESH: "The higher rolls afresh",
}


def _moving(view: View) -> tuple[str, str]:
    who = view.side_name(view.to_act)
    if view.board is BoardState.PLAYED:
        return f"{who} {_deed(view.play)}", "Press the die button to hand over."
    if view.board is BoardState.CHOOSE:
        return _choosing(view, who)
    if view.board is BoardState.IN_HAND:
        return _in_hand(view, who)
    if not view.moves_exist:
        stuck = f"cannot move with {_a(view.roll)}" if view.roll else "cannot move now"
        return (
            f"{who} {stuck}: the turn is forfeited",
            "Press the die button to pass the turn.",
        )
    if view.targets:
        return f"{who} places the town", f"Anywhere from {view.targets[0]} to {view.targets[-1]}."
    # A hit checker that came back looks to the sensors like the one that hit it.
    note = f"{view.note}. See that a hit checker is back. " if view.note else ""
    to_do = f"to play {_dice(view.roll)}" if view.roll else "to move"
    return f"{who} {to_do}", f"{note}{_legal(view, note)}"


def _choosing(view: View, who: str) -> tuple[str, str]:
    if not view.moves_exist:
        return (
            f"{who} cannot move with {_a(view.roll)}: did a checker enter?",
            "Put it back if it did. Press again to pass the turn.",
        )
    if len(view.choices) == 1:
        return f"Was it {view.choices[0]}?", "Press again if it was. Or put the checkers back."
    plays = listing(view.choices, "or")
    return "Which play was it?", f"Tap it: {plays}. Or put the checkers back."


def _deed(play: str | None) -> str:
    """A play in words: "plays 2/4", and in Cannon "shoots e4", "places the town on e10"."""
    if play and play.startswith("@"):
        return f"places the town on {play[1:]}"
    return f"shoots {play[1:]}" if play and play.startswith("x") else f"plays {play}"


def _legal(view: View, before: str) -> str:
    """The legal plays, fewer where much stands before them."""
    room = min(LONGEST_LIST, LONGEST_HINT - len(before) - len(" Legal:  or 99 more."))
    return f"Legal: {listing(view.legal, 'or', room)}."


def _in_hand(view: View, who: str) -> tuple[str, str]:
    if not view.lifted:
        ways, goes = (view.still, "It goes on with") if view.still else (view.legal, "Legal:")
        return f"{who} is moving", f"{goes} {listing(ways, 'or')}."
    lifted = listing(tuple(map(say_spot, view.lifted)))
    lifts = "lifts from" if "the bar" in lifted else "lifts"
    if view.targets:
        where = listing(tuple(say_spot(spot) for spot in view.targets), "or")
        to = "" if where.startswith("off") else "to "
        return f"{who} {lifts} {lifted}", f"It may go {to}{where}."
    return f"{lifted} may not move now", f"Put it back on {lifted}."


def _out_of_order(view: View) -> tuple[str, str]:
    back = _way_back(view)
    legal = f" {_legal(view, back)}" if view.legal and view.moves_exist else ""
    if view.guiding:
        return view.reason or "Putting the board right", back
    if view.board is BoardState.DISTURBED:
        if view.note:
            return view.note, back
        return "The board does not match the screen", f"{back} Or tap Board is right."
    if view.earlier:
        taken = f"ap Take back: so it stood before {view.earlier}."
        both = f"{back} Or t{taken}"
        back = both if len(both) <= LONGEST_HINT else f"T{taken}"
        legal = ""
    return view.reason or "The board is wrong", f"{back}{legal}".strip()


def _way_back(view: View) -> str:
    """How to come back to the accepted position, in one short sentence."""
    fill, clear = view.fill, view.clear
    if view.guiding:
        # One spot at a time: clear first, so that no checker is in the way.
        fill, clear = (fill if not clear else ())[:1], clear[:1]
    if len(view.moves) == 1 and not view.guiding:
        return _undo(view, view.moves[0])
    if view.fine and not view.guiding:
        return f"{view.fine} is fine. {_undo(view, view.moves[-1]).replace('it', 'the other', 1)}"
    parts = [f"put {where}" for where in _sides_at(view, fill)]
    parts = [*_too_many(view, clear), *parts]
    return _joined(tuple(parts), LONGEST_WAY)


def _undo(view: View, move: Move) -> str:
    stack = view.accepted.get(move.target, ())
    victim = f" and {view.side_name(stack[-1])}'s on {move.target}" if move.hit and stack else ""
    if move.origin.startswith("off."):
        return f"Take it off {move.target} again{victim and f'; put back{victim[4:]}'}."
    where = say_spot(move.origin)
    return f"Put it back {'at' if where.isupper() else 'on'} {where}{victim}."


def say_spot(spot: Spot) -> str:
    """A spot as players say it: "4", "HOME", "the bar", "off the board"."""
    if spot.startswith("off."):
        return "off the board"
    if spot.startswith("bar."):
        return "the bar"
    return spot.split(".", maxsplit=1)[0].upper() if "." in spot else str(spot)


def _place(spot: Spot) -> str:
    """A spot among others to be filled or cleared: "4", "Black's bar"."""
    place, _, side = spot.partition(".")
    return f"{side.capitalize()}'s {place}" if side else str(spot)


def _a(roll: str | None) -> str:
    return f"a {roll}" if roll and len(roll) == 1 else _dice(roll)


def _dice(roll: str | None) -> str:
    """A roll as players write it: "3", "6-4"."""
    return "-".join(roll or "")


def tell_result(result: GameResult | None, players: tuple[str, str]) -> str | None:
    """How a game ended, in one sentence without its full stop."""
    if not result:
        return None
    if not result.winner:
        return "A tie: no points"
    player = players[result.winner is Side.BLACK]
    points = f"{result.points} point{'s' * (result.points != 1)}"
    how = {"win": "", "resigned": " by resignation", "double passed": ", double passed"}
    return f"{player} wins {points}{how.get(result.name, f': {result.name}')}"
