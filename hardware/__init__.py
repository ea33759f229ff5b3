"""The hardware's files, and `make`, which generates them from the descriptions."""
