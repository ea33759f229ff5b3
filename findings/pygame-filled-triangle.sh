#!/bin/sh
# pygame 2.6.1 and pygame-ce 2.5.6 fill the same triangle differently.
# Expected: draw.polygon with width 0 covers the same pixels in both, which share name and interface.
# Seen 2026-11-28: for (2, 1), (17, 7), (5, 14) six of 14 rows differ by a pixel each.
# Fails if both cover the same pixels.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/triangle.py" <<'PYTHON'
import pygame

surface = pygame.Surface((20, 20))
pygame.draw.polygon(surface, (255, 255, 255), [(2, 1), (17, 7), (5, 14)])
print([sum(surface.get_at((x, y))[0] > 0 for x in range(20)) for y in range(16)])
PYTHON
for package in pygame==2.6.1 pygame-ce==2.5.6; do
    python3 -m venv "$folder/$package"
    "$folder/$package/bin/pip" install -q "$package"
    PYGAME_HIDE_SUPPORT_PROMPT=1 "$folder/$package/bin/python" "$folder/triangle.py" >"$folder/$package.txt"
    echo "$package: pixels of each row $(cat "$folder/$package.txt")"
done
! cmp -s "$folder/pygame==2.6.1.txt" "$folder/pygame-ce==2.5.6.txt"
