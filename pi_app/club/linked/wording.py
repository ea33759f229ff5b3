"""The sentences of a linked match, by name."""

from __future__ import annotations

from collections.abc import Mapping

from pi_app.match.acts import Act
from pi_app.words.sentences import Sentence

# What does not fit: told on both boards, and nothing goes over the link any more

ANOTHER_NUMBER = Sentence("{board} broke its commitment for roll {roll}; nothing is rolled")
COMMITTED_ANEW = Sentence("{board} sent its commitment for roll {roll} out of order")
ROLLED_ALONE = Sentence("{board} rolled without this board")
OTHER_DICE = Sentence("{board} reports {dice}, but the numbers give another roll")
KNEW_THE_DICE = Sentence("{board} knew its roll and did something else: {what}")
ANOTHER_LINE = Sentence("Records differ from {board} at decision {place}; link closed")
NO_DECISION = Sentence("Decision {place} from {board} cannot be read: {why}")
NOT_AGREED = Sentence("{board} needed your consent: {what}")
NOT_ITS_TURN = Sentence("{board} may not decide this: {what}")
TOO_MANY = Sentence("{board} sends too many messages")
REVEALED_AGAIN = Sentence("{board} used its number for roll {roll} twice; nothing is rolled")
TOO_FAR = Sentence("{board} is too far ahead; link closed")
IMPOSSIBLE = Sentence("{board} sent an impossible decision: {why}")

# Closing

CLOSED = Sentence("Match closed after a day of silence, with {side} to act")

# Waiting

WAITS_FOR = Sentence("Waiting for {board}; the match resumes by itself")
WAITS_FOR_HANDS = Sentence("Waiting for {board} to make the play")
WAITS_FOR_ANSWER = Sentence("Waiting for {board} to agree: {what}")
DECLINES = Sentence("{board} does not agree")
NOT_KEPT = Sentence("No messages to {board}; they cannot be saved: {why}")
TOO_LONG = Sentence("it is too long to be sent")

# Questions

ASKED: Mapping[Act, Sentence] = {
    Act.TAKE_BACK: Sentence("undo 1 play", "undo {n} plays"),
    Act.RESTORE: Sentence("redo"),
    Act.CORRECT: Sentence("correct the position"),
    Act.NEXT_GAME: Sentence("start the next game"),
}
"""Requests to the other board; the number is that of the plays taken back."""
ASKS = Sentence("{board} asks: {what}?")

# Invitations

INVITES = Sentence(
    "{board} invites you: {game}, {target} points, {white} – {black}; this board "
    "plays {side}; options: {options}"
)
INVITING = Sentence("Waiting for {board} to accept the match")
DECLINED = Sentence("{board} declines the match {white} – {black}")
DECLINED_WHY = Sentence("{board} declines the match {white} – {black}: {why}")
WITHDRAWN = Sentence("{board} withdrew its invitation")
NOT_INVITED = Sentence("{board} cannot be invited: {why}")
NO_BOARD = Sentence("no board for {game} here")
NO_CLOCK = Sentence(
    "a match with another board has no clock, because neither can check the other's time"
)
NO_CONDONING = Sentence("a match with another board has no responsible moves")
NOT_BEGUN = Sentence("The match with {board} cannot begin: {why}")
NO_START = Sentence("the invitation is incomplete")
UNANSWERED = Sentence("{board} did not answer; invitation withdrawn")
UNREADABLE = Sentence("Ignored a message from {board}: {why}")
BUSY = Sentence("busy with a match")
TAKEN_BACK = Sentence("the invitation was withdrawn before")
LINK_LOST = Sentence("The match with {board} cannot continue: {why}")
NO_CLUB = Sentence("Join a club to invite {board}")
