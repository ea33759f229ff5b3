"""A simulated board: reeds, checkers and a hand that drive the product's own devices."""
