"""The club as values for the screen."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Clubhouse:
    """How this board stands in its club; `own` is its name there, empty where it is in none.

    `links`: matches with other boards can be agreed on; `boards` are those that are known to be
    there, `invited` those that have not answered yet; `trouble` is what is wrong with the club just
    now, `told` what came of joining or leaving, `answer` what came of the last invitation; `asker`
    is the board that asks something here.
    """

    own: str = ""
    links: bool = False
    boards: tuple[str, ...] = ()
    invited: tuple[str, ...] = ()
    trouble: str = ""
    told: str = ""
    answer: str = ""
    asker: str = ""
