"""Sentences shown to users, and the texts and times in them."""
