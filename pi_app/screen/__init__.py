"""The touchscreen: a view becomes shapes, a touch an intent; only `paint` and `sound` use pygame."""
