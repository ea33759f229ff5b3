"""Reed strips: printed boards that replace the wires below a board's reeds."""
