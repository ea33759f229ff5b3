"""Makes every drawing, table and list of this folder from the board descriptions."""
