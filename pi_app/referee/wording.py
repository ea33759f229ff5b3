"""The sentences of the match's view, by name: what is so, and what to do."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from pi_app.rules.contract import Opening
from pi_app.rules.terms import SpotKind
from pi_app.words.sentences import Sentence

# Spots and rolls

SPOTS: Mapping[SpotKind, Sentence] = MappingProxyType(
    {SpotKind.OFF: Sentence("off the board"), SpotKind.BAR: Sentence("the bar")}
)
"""Spots that are called otherwise in a sentence than on the board."""
ON = Sentence("on {spot}")
WHERE: Mapping[SpotKind, Sentence] = MappingProxyType(
    {
        SpotKind.BAR: Sentence("on the bar"),
        SpotKind.HOME: Sentence("at HOME"),
        SpotKind.SAFETY: Sentence("at SAFETY"),
    }
)
"""Where a checker is put that is put on one of them."""
OF_SIDE: Mapping[SpotKind, Sentence] = MappingProxyType(
    {
        SpotKind.OFF: Sentence("{side}'s tray"),
        SpotKind.BAR: Sentence("{side}'s bar"),
        SpotKind.HOME: Sentence("{side}'s home"),
        SpotKind.SAFETY: Sentence("{side}'s safety"),
    }
)
"""The same among others."""
A_DIE = Sentence("a {die}")

# Between games

NOT_SERVED = Sentence("board {board} has no {game}; it has: {games}")
SET_UP = Sentence("Set up game {number}")
CLEAR_OR_ASIDE = Sentence("Clear {sensor}, or turn its sensor off: Menu, Sensors.")
TRY_AGAIN = Sentence("Sensor {sensor} is off. Use it again?")
TRY_HEALED = Sentence("Sensor {sensor} is off but works. Use it again?")
NEXT_GAME = Sentence("Press the die button for the next game.")
GAME_IS_OVER = Sentence("Game over")
WINS_MATCH = Sentence("{player} wins the match {ours}–{theirs}")
TOLD = Sentence("{result}.")
INTERRUPTED = Sentence("Match resumed; the clocks continue")
OVERTIME = Sentence("{side} is in overtime")
UNLIMITED = Sentence("unlimited")
TIE = Sentence("Tie: no points")
ENDED: Mapping[str, Sentence] = MappingProxyType(
    {
        "win": Sentence("{player} wins 1 point", "{player} wins {n} points"),
        "resigned": Sentence(
            "{player} wins 1 point by resignation", "{player} wins {n} points by resignation"
        ),
        "on time": Sentence("{player} wins 1 point on time", "{player} wins {n} points on time"),
        "double passed": Sentence(
            "{player} wins 1 point, double passed", "{player} wins {n} points, double passed"
        ),
    }
)
"""How a game can end in every game."""
LARGE: Mapping[str, Sentence] = MappingProxyType(
    {
        "gammon": Sentence("Gammon"),
        "double win": Sentence("Double win"),
        "mother": Sentence("The mother is pinned"),
        "tie": Sentence("A tie"),
        "town taken": Sentence("The town is taken"),
        "no action left": Sentence("No action left"),
    }
)
"""How a game ended, said large, by the outcome's name."""
WINS_BY = Sentence("{player} wins 1 point: {how}", "{player} wins {n} points: {how}")

# Before the roll

DOUBLES = Sentence("{side} doubles to\u00a0{stake}")
TAKE_OR_PASS = Sentence("{side}: press = take, hold = pass")
RESIGNS = Sentence(
    "{side} offers to resign: {how}, 1 point", "{side} offers to resign: {how}, {n} points"
)
ACCEPT_OR_REFUSE = Sentence("{side}: press = play on, hold = accept")
TYPE_AGAIN = Sentence("Tap what the dice show.")
TO_ROLL = Sentence("{side} to roll")
BACK_BEFORE_ROLL = Sentence("Put the checker back before the roll.")
ROLLS = Sentence("{side} rolls")
WAIT_FOR_DICE = Sentence("Wait for the dice.")
PRESS_TO_ROLL = Sentence("Press the die button to roll.")
HOLD_TO_DOUBLE = Sentence("Hold it to double to\u00a0{stake}.")
PRESS = Sentence("{side}: press the die button.")
BOTH_THREW = Sentence("Both rolled {die}: roll again")
THREW = Sentence("{first} {die} – {second} to roll")
THROWS_FIRST = Sentence("Opening roll: {side}")
HIGHER: Mapping[Opening, Sentence] = MappingProxyType(
    {
        Opening.DIFFERENCE: Sentence("Higher die plays the difference."),
        Opening.HIGHER_PLAYS_BOTH: Sentence("Higher die plays both numbers."),
        Opening.HIGHER_ROLLS_AFRESH: Sentence("Higher die rolls again."),
    }
)

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
GOES_ON = Sentence("Still to play: {plays}.")
FINISH = Sentence("Finish the play on the board.")
AND_A = Sentence("{part} — and a {die}", "{part} — and {n} × {die}")
UNCLEAR = Sentence("Play not recognised")
SHOW_IT = Sentence("Tap Accept the board and enter it, or put the checkers back.")
IS_MOVING = Sentence("{side} is moving")
LIFTS = Sentence("{side}: from {spots}")
MAY_GO = Sentence("Legal: {spots}.")
NOT_NOW = Sentence("No legal move from {spots}")
NOTHING_GOES_TO = Sentence("No legal move to {spots}")
HIT_GOES_TO = Sentence("{side}'s checker goes to {spot}")
HIT_GOES_OFF = Sentence("{side}'s checker goes off the board")
PUT_BACK_ON = Sentence("Put it back on {spots}.")
DID_ONE_ENTER = Sentence("No move with {roll}. {side}, did a checker enter?")
BACK_IF_IT_DID = Sentence("If so, put it back. Press again to pass the turn.")
WAS_IT = Sentence("{play}?")
PRESS_AGAIN = Sentence("Press to confirm, or put the checkers back.")
WHICH_PLAY = Sentence("Choose the play")
TAP_IT = Sentence("Tap {plays}, or put the checkers back.")

# The machine's turn

MACHINE = "Spotter"
"""What the machine is called, in every language."""
THINKING = Sentence("{side} is thinking.")
MAKE_IT = Sentence("Make this play on the board for {side}.")
PLAY_FOR_IT = Sentence("{side} does not answer. Play for {side} yourself.")

# Out of order

BEFORE_ROLL = Sentence("{side} must roll first")
BEFORE_ANSWER = Sentence("{side} must answer the double first")
BEFORE_REPLY = Sentence("{side} must answer the resignation first")
BEFORE_CHOICE = Sentence("Wait for the play of {side}")
YOU_MOVED = Sentence("{side} plays {play}; you moved {made}")
ANOTHER = Sentence("{side} plays only {play}")
PUTTING_RIGHT = Sentence("Fix the board")
DISTURBED = Sentence("Board and screen differ")
WRONG = Sentence("The board is wrong")
TAP_TAKE_OR_PASS = Sentence("{side} doubles to {stake}. Tap Take or Pass.")
TAP_ACCEPT_OR_REFUSE = Sentence("{side} offers to resign. Tap Accept or Play on.")
OR_BOARD_IS_RIGHT = Sentence("Or tap Accept the board.")
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
PUT_HIT_BACK = Sentence("Put {side}'s checker back {where}.")
CLEAR = Sentence("Clear {spots}.")
COUNT_OFF, TAKE = Sentence("{count} off {spot}"), Sentence("Lift {counts}.")
COUNT_SIDE_ON = Sentence("{side}: {spot} ({count})")
COUNT_ON = Sentence("{spot} ({count})")
SIDE_ON = Sentence("{side}: {spots}")
PUT, STAND = Sentence("Set up {checkers}."), Sentence("{checkers}.")
REST_IS_MARKED = Sentence("The rest is marked.")
