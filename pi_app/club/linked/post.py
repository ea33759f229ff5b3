"""Letters of one link, both ways: numbered, held until their turn, sent again until they are had.

Nothing here sends or keeps: whoever holds a `Post` keeps a letter first, sends what `outgoing`
gives, and accepts what has come only once that is kept too.
"""

from __future__ import annotations

from pi_app.club.linked.letters import LetterBody, LinkLetter
from pi_app.microseconds import Us, ms

AGAIN = ms(1000)
"""What nobody says he has is sent again after so long, then after twice that, and so on."""
RARELY = ms(30_000)
"""But at least so often."""
WINDOW = 32
"""So many letters at most are under way, or held because one before them is missing."""
SILENCE = ms(5000)
"""What has been unanswered for so long is told."""


class Post:
    """All that was written and has come in one link; `link` names it."""

    def __init__(self, link: str) -> None:
        self.link = link
        self.got = 0
        self._written: list[LetterBody] = []
        self._had = self._sent = 0
        self._held: dict[int, LetterBody] = {}
        self._owes = False
        self._wait, self._again = AGAIN, Us(0)
        self._since: Us | None = None

    def write(self, body: LetterBody) -> None:
        """One letter more; it has been kept."""
        self._written.append(body)

    def take(self, letter: LinkLetter) -> None:
        """Something has come, for the first time or again, in any order."""
        if letter.have > self._had:
            self._had = min(letter.have, len(self._written))
            self._since = None
        self._wait, self._again = AGAIN, min(self._again, Us(self._again - self._wait + AGAIN))
        if letter.body is None:
            return
        self._owes = True
        if self.got < letter.number <= self.got + WINDOW:
            self._held.setdefault(letter.number, letter.body)

    @property
    def next(self) -> LetterBody | None:
        """What has come and is next, to be kept and then accepted."""
        return self._held.get(self.got + 1)

    def accept(self) -> None:
        """The next one has been kept; from now on the other board is told that it is had."""
        self.got += 1
        self._held.pop(self.got, None)
        self._owes = True

    def skip(self) -> None:
        """What has come is not wanted; it is told to be had, so that it comes no more."""
        while self.next is not None:
            self.accept()

    def outgoing(self, us: Us) -> tuple[LinkLetter, ...]:
        """What is to be sent now."""
        last = min(len(self._written), self._had + WINDOW)
        first = self._sent
        if self._had < self._sent and us >= self._again:
            first = self._had
            self._wait = min(Us(self._wait * 2), RARELY)
            self._again = Us(us + self._wait)
        numbers = range(max(first, self._had) + 1, last + 1)
        if last > self._sent:
            self._sent, self._again = last, Us(us + self._wait)
        if numbers and self._since is None:
            self._since = us
        letters = [LinkLetter(self.link, n, self.got, self._written[n - 1]) for n in numbers]
        if self._owes and not letters:
            letters.append(LinkLetter(self.link, 0, self.got))
        self._owes = False
        return tuple(letters)

    @property
    def due(self) -> Us | None:
        """When something is to be sent again, if nothing comes before."""
        return self._again if self._had < self._sent else None

    def is_silent(self, us: Us) -> bool:
        """Whether the other board has left a letter unanswered for long."""
        return self._had < self._sent and self._since is not None and us >= self._since + SILENCE
