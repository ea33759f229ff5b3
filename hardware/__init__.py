"""What you solder and cut, and `make`, which makes its files from the descriptions."""
