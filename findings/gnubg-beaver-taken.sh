#!/bin/sh
# gnubg 1.07.001 (Debian 12): who accepts a beaver of a double that the other side had better pass
# has a wrong take in its statistics; who beavered has none.
# Expected: the beaver is the error, and taking it is right: who doubled is the favourite.
# Seen 2026-11-28: four checkers each on the last point, money, by the Jacoby rule. One side doubles,
# worth 1.44 points if taken, the other one beavers, the first one takes: "wrong takes: 1" of 0.444
# for the first, 0 for the other.
# Fails if the one who doubled has no wrong take, or the other one has.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
(cd "$folder" && apt-get download -q gnubg=1.07.001-1+b1 gnubg-data=1.07.001-1 &&
  for package in *.deb; do dpkg -x "$package" .; done)
cat >"$folder/ask.py" <<'PYTHON'
import gnubg

for line in (
    *("set automatic game off", "set automatic roll off", "set automatic move off"),
    *("set automatic bearoff off", "set automatic doubles 0", "set confirm new off"),
    *("set player 0 human", "set player 1 human", "set beavers 1", "set jacoby on"),
    *("new session", "set turn 1"),
    "set board simple 0 4 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 -4 0",
    *("double", "redouble", "accept", "analyse match"),
):
    gnubg.command(line)
(game,) = gnubg.match(analysis=1, boards=0, statistics=1)["games"]
cube = [action for action in game["game"] if action["action"] in ("double", "take")]
print([f"{action['player']} {action['action']}" for action in cube])
print("doubled and taken:", cube[0]["analysis"]["dt-cubeful-eq"])
wrong = {side: game["stats"][side]["cube"]["wrong-take"] for side in "OX"}
print("wrong takes:", wrong)
doubler = cube[0]["player"]
print("as told" if wrong[doubler] == 1 and sum(wrong.values()) == 1 else "otherwise")
PYTHON
HOME=$folder "$folder/usr/games/gnubg" --tty --quiet --no-rc --datadir "$folder/usr/share/gnubg" \
  --pkgdatadir "$folder/usr/share/gnubg" --python "$folder/ask.py" </dev/null >"$folder/said"
tail -n 4 "$folder/said"
grep -qx 'as told' "$folder/said"
