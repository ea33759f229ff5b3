"""Boards whose places tell whose checker lies there: Hall sensors under the middles of places."""
