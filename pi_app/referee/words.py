"""What is said: one sentence that says what is so, one that says what to do."""

from __future__ import annotations

from pi_app.board.reading import ALARMS, BoardState
from pi_app.match.phases import IN_PLAY, Phase
from pi_app.referee.events import Intent
from pi_app.referee.view import View
from pi_app.rules.contract import Opening
from pi_app.rules.registry import find_game
from pi_app.rules.terms import Move, Side, Spot

MOST_PLAYS = 4


def speak(view: View) -> tuple[str, str]:
    """The message and the hint for a view whose other fields are done."""
    if view.phase not in IN_PLAY:
        return _between_games(view)
    if view.board in ALARMS:
        return _out_of_order(view)
    if view.phase is Phase.MOVING:
        return _moving(view)
    return _waiting(view)


def name(side: Side) -> str:
    """A side's name in a sentence."""
    return side.value.capitalize()


def listing(words: tuple[str, ...], last: str = "and") -> str:
    """ "1, 2 and 5"; cut after a few."""
    if len(words) > MOST_PLAYS:
        return f"{', '.join(words[:MOST_PLAYS])} {last} {len(words) - MOST_PLAYS} more"
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
    places = _sides_at(view, view.fill)
    parts = [f"{where}" for where in places]
    if view.clear:
        parts.append(f"clear {listing(tuple(map(str, view.clear)))}")
    return "; ".join(parts) + "."


def _sides_at(view: View, spots: tuple[Spot, ...]) -> list[str]:
    """ "White on 1 and 2" for each side with checkers missing on these spots."""
    parts = []
    for side in Side:
        own = tuple(str(spot) for spot in spots if side in view.accepted[spot])
        if own:
            parts.append(f"{name(side)} on {listing(own)}")
    return parts


def _waiting(view: View) -> tuple[str, str]:
    who = name(view.to_act)
    if view.phase is Phase.DOUBLE_OFFERED:
        stake = view.cube.value * 2
        return (
            f"{name(view.to_act.other)} doubles to {stake}",
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
        return f"{name(side)} threw {die}; {who} throws", hint
    return f"{who} throws first", f"{hint} {_HIGHER[find_game(view.game).opening]}."


_HIGHER = {
    Opening.DIFFERENCE: "The higher plays the difference",
    Opening.HIGHER_PLAYS_BOTH: "The higher plays both numbers",
    Opening.HIGHER_ROLLS_AFRESH: "The higher rolls afresh",
}


def _moving(view: View) -> tuple[str, str]:
    who = name(view.to_act)
    if view.board is BoardState.PLAYED:
        return f"{who} plays {view.play}", "Press the die button to hand over."
    if view.board is BoardState.CHOOSE:
        if not view.moves_exist:
            return (
                f"{who} cannot move with {_a(view.roll)}: did a checker enter?",
                "Put it back if it did. Press again to pass the turn.",
            )
        plays = listing(view.choices, "or")
        return "Which play was it?", f"Tap it: {plays}. Or put the checkers back."
    if view.board is BoardState.IN_HAND:
        return _in_hand(view, who)
    if not view.moves_exist:
        return (
            f"{who} cannot move with {_a(view.roll)}: the turn is forfeited",
            "Press the die button to pass the turn.",
        )
    # A hit checker that came back looks to the sensors like the one that hit it.
    note = f"{view.note}. See that a hit checker is back. " if view.note else ""
    return f"{who} to play {view.roll}", f"{note}Legal: {listing(view.legal, 'or')}."


def _in_hand(view: View, who: str) -> tuple[str, str]:
    if not view.lifted:
        return f"{who} is moving", f"Legal: {listing(view.legal, 'or')}."
    lifted = listing(tuple(map(str, view.lifted)))
    if view.targets:
        where = listing(tuple(say_spot(spot) for spot in view.targets), "or")
        return f"{who} lifts {lifted}", f"It may go to {where}."
    return f"{lifted} may not move now", f"Put it back on {lifted}."


def _out_of_order(view: View) -> tuple[str, str]:
    legal = f" Legal: {listing(view.legal, 'or')}." if view.legal and view.moves_exist else ""
    back = _way_back(view)
    if view.guiding:
        return view.reason or "Putting the board right", back
    if view.board is BoardState.DISTURBED:
        if view.note:
            return view.note, back
        return "The board does not match the screen", f"{back} Or tap Board is right."
    if view.earlier:
        back += f" Or tap Take back: so it stood before {view.earlier}."
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
    parts = [f"put {where}" for where in _sides_at(view, fill)]
    if clear:
        parts.insert(0, f"clear {listing(tuple(map(str, clear)))}")
    sentence = "; ".join(parts)
    return f"{sentence[:1].upper()}{sentence[1:]}." if sentence else ""


def _undo(view: View, move: Move) -> str:
    stack = view.accepted.get(move.target, ())
    victim = f" and {name(stack[-1])}'s on {move.target}" if move.hit and stack else ""
    where = say_spot(move.origin)
    return f"Put it back {'at' if '.' in move.origin else 'on'} {where}{victim}."


def say_spot(spot: Spot) -> str:
    """A spot as players say it: "4", "HOME"."""
    return spot.split(".", maxsplit=1)[0].upper() if "." in spot else str(spot)


def _a(roll: str | None) -> str:
    return f"a {roll}" if roll and len(roll) == 1 else str(roll)
