"""Invitations from other boards that wait for an answer.

They are held in memory only: the inviting board repeats an invitation until it is answered. One
that has not been repeated for a while was withdrawn, or its board is off. A refusal is repeated in
reply to its invitation and is not stored either.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace

from pi_app.club.linked.letters import Invitation, LinkLetter, Response
from pi_app.identifiers import BoardName
from pi_app.microseconds import Us, ms

FADES = ms(75_000)
"""An invitation not repeated for this long expires; a `Post` repeats it every 30 s.

A board refused more than once is ignored for this long.
"""
MOST = 16
"""Boards whose invitations wait; others are heard once there is room."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A match that another board wants, and when it last said so."""

    board: BoardName
    link: str
    invitation: Invitation
    came: Us


@dataclass(frozen=True, slots=True)
class _Refusal:
    link: str
    answer: Response
    until: Us


class Invitations:
    """The invitations to this board, at most one of each other board, in the order they came.

    `unfit` says why an invitation cannot be accepted here, or None.
    """

    def __init__(self, unfit: Callable[[Invitation], str | None]) -> None:
        self._unfit = unfit
        self._offers: dict[BoardName, Offer] = {}
        self._refusals: dict[BoardName, _Refusal] = {}
        self._refused = Counter[BoardName]()

    @property
    def first(self) -> Offer | None:
        return next(iter(self._offers.values()), None)

    def hear(
        self, board: BoardName, link: str, invitation: Invitation, us: Us
    ) -> LinkLetter | None:
        """An invitation has come, for the first time or again; the answer where there is one."""
        refusal = self._refusals.get(board)
        if refusal and refusal.link == link:
            return LinkLetter(link, 1, 1, refusal.answer)
        offer = self._offers.get(board)
        if offer and offer.link == link:
            self._offers[board] = replace(offer, came=us)
        if offer or len(self._offers) >= MOST or (refusal and us < refusal.until):
            return None
        why = self._unfit(invitation)
        if why is not None:
            return self._refuse(board, link, why, us)
        self._offers[board] = Offer(board, link, invitation, us)
        return None

    def refuse(self, offer: Offer, us: Us) -> LinkLetter:
        """The people here do not want it; the answer."""
        del self._offers[offer.board]
        before = self._refused[offer.board]
        self._refused[offer.board] += 1
        return self._refuse(offer.board, offer.link, "", Us(us + FADES) if before else us)

    def excuse(self, offer: Offer, why: str, us: Us) -> LinkLetter:
        """The answer while nobody here can be asked."""
        del self._offers[offer.board]
        return self._refuse(offer.board, offer.link, why, us)

    def take(self, offer: Offer) -> None:
        del self._offers[offer.board], self._refused[offer.board]

    def withdrawn(self, board: BoardName, link: str) -> bool:
        """The board that invited has thought better of it; whether it waited here."""
        offer = self._offers.get(board)
        if offer is None or offer.link != link:
            return False
        del self._offers[board]
        return True

    def forget(self, us: Us) -> None:
        for board, offer in tuple(self._offers.items()):
            if us >= offer.came + FADES:
                del self._offers[board]

    def _refuse(self, board: BoardName, link: str, why: str, until: Us) -> LinkLetter:
        answer = Response(yes=False, why=why)
        self._refusals[board] = _Refusal(link, answer, until)
        return LinkLetter(link, 1, 1, answer)
