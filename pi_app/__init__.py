"""Spotter: a companion for playing on a real board."""

__version__ = "1.0.0"
