"""Mix what two players say about the same positions: SHARE of the first, the rest of the second.

python3 mix.py LABELS OTHERS SHARE > LESSONS
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path


def mixed(first: str, second: str, share: float) -> str:
    """Of two lines about one board.

    Raises:
        ValueError: They are about different boards.
    """
    said, others = first.split(), second.split()
    words = [word for word in said if "." not in word]
    if words != [word for word in others if "." not in word]:
        raise ValueError(f"not the same board: {first.strip()} and {second.strip()}")
    chances = zip(map(float, said[len(words) :]), map(float, others[len(words) :]), strict=True)
    told = (share * one + (1 - share) * other for one, other in chances)
    return " ".join([*words, *(f"{chance:.6f}" for chance in told)])


def main(words: Sequence[str]) -> None:
    """Print a line for each of the two files, which are equally long."""
    labels, others, share = Path(words[0]), Path(words[1]), float(words[2])
    with labels.open(encoding="ascii") as first, others.open(encoding="ascii") as second:
        pairs = zip(first, second, strict=True)
        sys.stdout.writelines(f"{mixed(one, other, share)}\n" for one, other in pairs)


if __name__ == "__main__":
    main(sys.argv[1:])
