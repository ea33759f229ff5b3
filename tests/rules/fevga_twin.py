"""Fevga's results derived a second time, from the sheet alone and without any of the rules' code.

A position is its text.  Each side is 25 counts by its own numbers, 0 for off. Every way to play the
dice one after another is tried, and the sheet's limits are applied afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import permutations

ALL, START, ACROSS, HOME = 15, 24, 12, 6


def results(
    text: str, dice: tuple[int, int], agreed: tuple[str, ...] = (), *, special: bool = True
) -> set[str]:
    """Every position that the side on roll may leave; the same board if nothing can be played.

    `agreed` are options; without `special` Fevga's own rules are left out, and of any number of
    dice, however few, all turns are there.
    """
    board, mover = text.split()
    own, enemy = counted(board, mover == "w"), counted(board, mover == "b")
    orders = {dice * 2} if dice[0] == dice[1] else set(permutations(dice))
    turns = {turn for order in orders for turn in played(own, enemy, order, (), special)}
    limits = [fills, shuts, *(LIMITS[option] for option in LIMITS if option in agreed)]
    kept = allowed(turns, enemy, limits) if special else turns
    most = max(len(used) for _, used in kept)
    longest = {turn for turn in kept if len(turn[1]) == most}
    if most == 1 and dice[0] != dice[1]:
        higher = {turn for turn in longest if turn[1] == (max(dice),)}
        longest = higher or longest
    other = "b" if mover == "w" else "w"
    return {f"{written(left, enemy, mover == 'w')} {other}" for left, _ in longest}


def counted(board: str, white: bool) -> tuple[int, ...]:
    """A side's checkers by its own numbers."""
    counts = [0] * (START + 1)
    for point in range(1, START + 1):
        letter = board[point]
        if letter.isalpha() and letter.isupper() is white:
            counts[point if white else turned(point)] = ord(letter.lower()) - ord("a") + 1
    counts[0] = ALL - sum(counts)
    return tuple(counts)


def turned(point: int) -> int:
    """The number that the other side gives a point: both go the same way round."""
    return point - ACROSS if point > ACROSS else point + ACROSS


def written(own: tuple[int, ...], enemy: tuple[int, ...], white: bool) -> str:
    sides = ((own, white), (enemy, not white))
    board = ["-"] * (START + 2)
    for counts, is_white in sides:
        for number in range(1, START + 1):
            if counts[number]:
                letter = chr(ord("a") + counts[number] - 1)
                point = number if is_white else turned(number)
                board[point] = letter.upper() if is_white else letter
    return "".join(board)


PlayedTurn = tuple[tuple[int, ...], tuple[int, ...]]
"""What stands after it, and the dice that it used."""


def played(
    own: tuple[int, ...],
    enemy: tuple[int, ...],
    dice: tuple[int, ...],
    used: tuple[int, ...],
    special: bool,
) -> Iterator[PlayedTurn]:
    """Every turn that plays these dice in this order, each as far as wanted."""
    yield own, used
    if not dice:
        return
    for origin in range(1, START + 1):
        target = max(origin - dice[0], 0)
        if own[origin] and may_go(own, enemy, origin, origin - dice[0], special):
            counts = list(own)
            counts[origin] -= 1
            counts[target] += 1
            yield from played(tuple(counts), enemy, dice[1:], (*used, dice[0]), special)


def may_go(
    own: tuple[int, ...], enemy: tuple[int, ...], origin: int, to: int, special: bool
) -> bool:
    places = [number for number in range(1, START + 1) if own[number]]
    is_past = not special or own[0] > 0 or places[0] <= ACROSS
    if not is_past and origin != places[0] and places[0] != START:
        return False
    if to > 0:
        return not enemy[turned(to)]
    return places[-1] <= HOME and (to == 0 or origin == places[-1])


Limit = Callable[[tuple[int, ...], tuple[int, ...]], bool]
"""Whether what stands after a turn is forbidden: own and enemy's checkers."""


def allowed(turns: set[PlayedTurn], enemy: tuple[int, ...], limits: list[Limit]) -> set[PlayedTurn]:
    """The turns that leave nothing forbidden; what nobody can avoid is not forbidden."""
    while True:
        kept = {turn for turn in turns if not any(limit(turn[0], enemy) for limit in limits)}
        if kept:
            return kept
        limits = limits[:-1]


def fills(own: tuple[int, ...], _: tuple[int, ...]) -> bool:
    return all(own[number] for number in range(START - 5, START + 1))


def shuts(own: tuple[int, ...], enemy: tuple[int, ...]) -> bool:
    behind = enemy.index(ALL) if ALL in enemy else 0
    return behind > HOME and all(own[turned(behind - step)] for step in range(1, HOME + 1))


def crowds(own: tuple[int, ...], _: tuple[int, ...]) -> bool:
    return sum(own[number] > 0 for number in range(HOME + 1, ACROSS + 1)) > 4


def bars(own: tuple[int, ...], enemy: tuple[int, ...]) -> bool:
    return enemy[START] > 0 and all(own[ACROSS - step] for step in range(1, HOME + 1))


LIMITS: dict[str, Limit] = {"four points": crowds, "open start": bars}
"""The rules of options."""
