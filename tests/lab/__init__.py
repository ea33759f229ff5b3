"""The laboratory: simulated people play whole matches on the product and count its errors."""

PROGRAM = "tests/lab/run"
