"""The touchscreen: views become shapes, touches intents; only `paint` and `sound` use pygame."""
