"""Spotter: a companion for playing on a real board."""

__version__ = "0.1.0"
