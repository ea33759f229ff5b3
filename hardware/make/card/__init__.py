"""Boards of card: their breadboard, their printed sheet and their page."""
