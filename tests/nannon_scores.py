"""The worth of every score of a Nannon match, made anew: `pi_app/players/nannon/scores.json`.

Run by itself, `python tests/nannon_scores.py`, it takes half an hour of one core.  Tests hold the
file to it score by score: each follows from those with fewer points to go.
"""

from __future__ import annotations

from pi_app.players.nannon.exact import (
    MOST_AWAY,
    SHIPPED,
    Terms,
    make_graph,
    solve_scores,
    write_scores,
)


def main() -> None:
    """Solve all and write the file."""
    worths = solve_scores(make_graph(), tuple(Terms), MOST_AWAY)
    SHIPPED.write_text(write_scores(worths), encoding="utf-8")


if __name__ == "__main__":
    main()
