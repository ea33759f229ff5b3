"""Phones, tablets and PCs of the same network as further screens."""
