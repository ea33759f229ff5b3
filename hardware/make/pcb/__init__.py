"""Reed strips: printed boards that take the place of the wires below a board's reeds."""
