"""A board with hands: simulated reeds, checkers and people around the product itself."""
