"""Currents and voltages of a circuit at rest: resistors, diodes, and nodes held at a voltage.

Diodes are straight lines in two pieces, so an answer is found by trying which of them conduct.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

LEAK_OHMS = 1e9
"""In ohms from every node to ground, so that none floats; also a diode's reverse resistance."""
CONDUCTING_OHMS = 1.0
SAME_VOLTS = 1e-6
MOST_TRIES = 400


@dataclass(frozen=True, slots=True)
class Branch:
    """A resistor between two nodes, or a diode from the first to the second if `drop` is given.

    `drop` is the least voltage in V at which it conducts.
    """

    start: str
    end: str
    ohms: float
    drop: float | None = None


@dataclass(frozen=True, slots=True)
class Solved:
    """The voltage of every node, in V."""

    volts: Mapping[str, float]

    def through(self, branch: Branch) -> float:
        """The current in A from a branch's start to its end."""
        across = self.volts[branch.start] - self.volts[branch.end]
        if branch.drop is None:
            return across / branch.ohms
        return max(0.0, across - branch.drop) / (branch.ohms + CONDUCTING_OHMS)


def solve(branches: Iterable[Branch], held: Mapping[str, float]) -> Solved:
    """Return the voltages of all nodes if those in `held` have given ones.

    Raises ArithmeticError if no choice of conducting diodes is consistent.
    """
    branches = tuple(branches)
    names = sorted(
        {node for branch in branches for node in (branch.start, branch.end)} | held.keys()
    )
    index = {name: number for number, name in enumerate(names)}
    ends = np.array([(index[branch.start], index[branch.end]) for branch in branches])
    drops = np.array([np.nan if branch.drop is None else branch.drop for branch in branches])
    ohms = np.array([branch.ohms for branch in branches])
    fixed = np.array([name in held for name in names])
    given = np.array([held.get(name, 0.0) for name in names])
    diodes = ~np.isnan(drops)
    conducting = np.zeros(len(branches), dtype=bool)
    for tries in range(MOST_TRIES):
        volts = _voltages(ends, ohms, drops, conducting, fixed, given)
        across = volts[ends[:, 0]] - volts[ends[:, 1]]
        wanted = diodes & (across > np.nan_to_num(drops) + SAME_VOLTS * np.where(conducting, -1, 1))
        wrong = np.flatnonzero(wanted != conducting)
        if not len(wrong):
            return Solved(dict(zip(names, map(float, volts), strict=True)))
        # Changing all diodes at once is fast but may cycle; changing one at a time does not.
        some = wrong if tries < len(names) else wrong[:1]
        conducting[some] = wanted[some]
    raise ArithmeticError(f"no set of conducting diodes fits a circuit of {len(branches)} branches")


def _voltages(
    ends: npt.NDArray[np.int64],
    ohms: npt.NDArray[np.float64],
    drops: npt.NDArray[np.float64],
    conducting: npt.NDArray[np.bool_],
    fixed: npt.NDArray[np.bool_],
    given: npt.NDArray[np.float64],
) -> npt.NDArray[np.float64]:
    """Return the nodes' voltages by Kirchhoff's current law if exactly these diodes conduct."""
    diodes = ~np.isnan(drops)
    siemens = np.where(diodes, np.where(conducting, 1 / (ohms + CONDUCTING_OHMS), 0), 1 / ohms)
    source = np.where(conducting, np.nan_to_num(drops) * siemens, 0.0)
    size = len(fixed)
    matrix = np.eye(size) / LEAK_OHMS
    right = np.zeros(size)
    start, end = ends[:, 0], ends[:, 1]
    for at, other, sign in ((start, end, 1.0), (end, start, -1.0)):
        np.add.at(matrix, (at, at), siemens)
        np.add.at(matrix, (at, other), -siemens)
        np.add.at(right, at, sign * source)
    matrix[fixed] = np.eye(size)[fixed]
    right[fixed] = given[fixed]
    return np.asarray(np.linalg.solve(matrix, right), dtype=np.float64)
