"""Guards the program against messages of other programs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from pi_app.words.texts import one_line


@contextmanager
def guarded(tell: Callable[[str], object]) -> Iterator[None]:
    """Report any exception inside in one line and continue.

    Known faults of a message are rejected by its reader with a better reason; this is for
    unforeseen ones.
    """
    try:
        yield
    except Exception as error:
        tell(one_line(f"{type(error).__name__}: {error}"))
