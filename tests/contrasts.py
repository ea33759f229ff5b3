"""The contrast of two colours, as WCAG 2.1 reckons it."""

from __future__ import annotations

from pi_app.screen.theme import Rgb


def contrast(first: Rgb, second: Rgb) -> float:
    """The contrast ratio of WCAG 2.1, from 1 to 21."""
    lighter, darker = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: Rgb) -> float:
    red, green, blue = (_linear(part / 255) for part in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    return float(part / 12.92) if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)
