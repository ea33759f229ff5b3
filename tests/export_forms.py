"""A short match as other programs write it."""

from __future__ import annotations


def match_text(white: str, black: str) -> str:
    """A .mat file of a game that White wins."""
    return (
        f" 1 point match\n\n Game 1\n {white} : 0                       {black} : 0\n"
        "  1)                             31: 8/5 6/5\n"
        "  2) 64: 24/14                   52: 13/11 13/8\n"
        "      Wins 1 point and the match\n"
    )
