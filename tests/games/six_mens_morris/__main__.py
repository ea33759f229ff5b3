"""Spotter with one more game: python -m six_mens_morris play --sim --match six-mens-morris …"""

import sys

from pi_app.__main__ import main
from pi_app.games.all import ALL
from pi_app.games.equipment import Compendium
from six_mens_morris.equipment import EQUIPMENT

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], Compendium((*ALL.games, EQUIPMENT))))
