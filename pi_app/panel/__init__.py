"""The OLED's picture: a view becomes 128 x 64 points."""
