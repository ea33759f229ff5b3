"""How long the tracker waits, and how sure it must be."""

from __future__ import annotations

from dataclasses import dataclass

from pi_app.microseconds import Us, ms


@dataclass(frozen=True, slots=True)
class Patience:
    """The tracker's patience and caution.

    `debounce`: a reed has been steady.  `placed`: the hand has let go of a complete play.
    `grace`: a checker set down wrongly stays there.  `one_wrong_in`: by the noise model at most one
    play in so many that are taken without a question is not the one that was made.
    """

    debounce: Us = ms(5)
    placed: Us = ms(150)
    grace: Us = ms(1500)
    one_wrong_in: int = 10_000
