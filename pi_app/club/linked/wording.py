"""The sentences of a linked match, by name."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from pi_app.referee.decision import What
from pi_app.words.sentences import Sentence

# What does not fit: told on both boards, and nothing goes over the link any more

ANOTHER_NUMBER = Sentence(
    "{board} has revealed another number than it committed to, for throw {throw}: nothing is rolled"
)
COMMITTED_ANEW = Sentence("{board} commits itself out of order, at throw {throw}")
ROLLED_ALONE = Sentence("{board} says that it rolled, and the dice are not from both boards")
OTHER_DICE = Sentence("{board} says that it rolled {dice}, and both numbers give other dice")
KNEW_THE_DICE = Sentence("{board} knew its dice and did not roll them: {what}")
ANOTHER_LINE = Sentence(
    "The records of {board} and of this board differ from decision {place} on; the link is ended"
)
NO_DECISION = Sentence("Decision {place} from {board} cannot be read: {why}")
NOT_AGREED = Sentence("{board} did without asking what both must agree on: {what}")
NOT_ITS_TURN = Sentence("{board} decided what was not for it to decide: {what}")
TOO_MANY = Sentence("{board} sends letters without end")
REVEALED_AGAIN = Sentence(
    "{board} has revealed its number of throw {throw} twice, for two decisions: nothing is rolled"
)
TOO_FAR = Sentence("{board} tells of what is too far ahead; the link is ended")
IMPOSSIBLE = Sentence("{board} decided what cannot be here: {why}")

# Waiting

WAITS_FOR = Sentence("Waiting for {board}; nothing is lost, it goes on by itself")
WAITS_FOR_HANDS = Sentence("Waiting for {board} to make what was played")
WAITS_FOR_ANSWER = Sentence("Waiting for {board} to agree: {what}")
DECLINES = Sentence("{board} does not agree")
NOT_KEPT = Sentence("Letters to {board} cannot be kept, so none are sent: {why}")

# Questions

ASKED: Mapping[What, Sentence] = MappingProxyType(
    {
        What.TAKE_BACK: Sentence("take back 1 play", "take back {n} plays"),
        What.RESTORED: Sentence("undo the takeback"),
        What.CORRECTION: Sentence("set the position right"),
        What.NEXT_GAME: Sentence("begin the next game"),
    }
)
"""What is asked across; the number is that of the plays taken back."""
ASKS = Sentence("{board} asks: {what}?")

# Invitations

INVITES = Sentence(
    "{board} invites you to a match: {game}, {target} points, {white} – {black}; here is {side}; "
    "options: {options}"
)
INVITING = Sentence("Waiting for {board} to accept the match")
DECLINED = Sentence("{board} declines the match {white} – {black}")
DECLINED_WHY = Sentence("{board} declines the match {white} – {black}: {why}")
WITHDRAWN = Sentence("{board} has withdrawn its invitation")
NOT_INVITED = Sentence("{board} cannot be invited: {why}")
NO_BOARD = Sentence("the board for {game} is not at hand")
NO_START = Sentence("the invitation does not say which match")
UNANSWERED = Sentence("{board} has not answered; the invitation is withdrawn")
UNREADABLE = Sentence("Letters from {board} cannot be read and are ignored: {why}")
BUSY = Sentence("busy, a match is being played there")
TAKEN_BACK = Sentence("the invitation was withdrawn before the answer came")
LINK_LOST = Sentence("The letters with {board} cannot be used, so the match does not go on: {why}")
NO_CLUB = Sentence("{board} cannot be invited: this Spotter is in no club")
