"""Spotter: a companion for playing on a real board."""
