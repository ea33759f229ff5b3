"""A board with simulated hands, and a friend's browser far away, at a real broker."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from queue import SimpleQueue

from fair_record import common_record
from friends_broker import FriendsBroker
from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion
from phone_bench import PATIENCE_S, GameTable

from pi_app.app.guest import GUESTS
from pi_app.app.membership import Club
from pi_app.app.services import Services
from pi_app.cli.play import open_guests
from pi_app.club.friends import code_words
from pi_app.club.line import Scheme
from pi_app.games.all import ALL
from pi_app.journal.archive import Archive
from pi_app.journal.opening import FILE, open_journal
from pi_app.match.acts import Act
from pi_app.match.turns import OVER, Phase
from pi_app.phones.page_texts import guest_page
from pi_app.referee.events import Button, Press, Tap
from pi_app.rules.terms import Side
from pi_app.sensing.reading import ALARMS, BoardState
from pi_app.user.commands import Invite, NewMatch, ShowCode
from pi_app.user.settings import ClubSettings, FriendsSettings


class HostTable(GameTable):
    """The board of Ann, who has friends at this broker."""

    def __init__(self, folder: Path, game: str, seed: str, broker: FriendsBroker) -> None:
        self.broker, self.game = broker, game
        super().__init__(folder, game, seed)
        self.enter()

    def services(self, folder: Path) -> Services:
        self.opened = opened = open_journal(folder)
        guests = partial(open_guests, folder, ALL)
        self.club = Club(opened.journal, ALL.rules, lambda: None, guests=guests)
        return Services(opened, club=self.club)

    def enter(self) -> None:
        place = FriendsSettings(str(self.broker.at(Scheme.WS)))
        self.club.enter(ClubSettings(), place, resumes=True)

    @property
    def code(self) -> str:
        met = self.club.friends.met if self.club.friends else None
        assert met
        return str(met.code)

    def show_code(self, match_to: int = 1) -> str:
        """Show a code for a match in which Ann has White. Return it."""
        match = NewMatch(self.game, ("Ann", "Ben"), match_to, {})
        wish = ShowCode(Invite(match, "", Side.WHITE), "Ann")
        before = self.club.friends.met if self.club.friends else None
        self.front.wishes.put(wish)
        self.until(lambda: self.code and (not before or self.code != str(before.code)))
        return self.code

    def press(self, press: Press = Press.SHORT) -> None:
        self.queue.put(Button(self.clock(), press))

    def act(self) -> None:
        """What people at this board do next; a moment if there is nothing."""
        view = self.view
        if view.phase is Phase.SET_UP or view.board in ALARMS:
            self.reeds.become(self.board.closed_by(view.accepted))
        elif view.phase in OVER:
            if view.phase is Phase.GAME_OVER:
                self.press()
        elif view.board is BoardState.CHOOSE and view.to_act is Side.WHITE:
            self.press(Press.LONG)  # it is the play in question
        elif view.chosen in view.choices:
            self.queue.put(Tap(self.clock(), Act.CHOOSE, play=view.chosen))
        elif view.phase is Phase.MOVING and view.chosen is not None:
            if view.to_make:
                self.make(view.chosen)
            self.press()
        elif view.to_act is Side.WHITE and not view.awaiting_roll:
            moves = view.phase is Phase.MOVING and view.moves_exist
            if moves and view.board is BoardState.RESTING:
                self.make(self._chance.choice(view.legal))
            self.press()
        time.sleep(0.3)

    def make(self, written: str) -> None:
        view, game = self.view, self.board.games[self.view.game]
        position = game.read_position(view.position)
        after = game.after(position, game.read_play(position, written))
        old, new = game.checkers_at(position), game.checkers_at(after)
        stays = {spot: tuple((Counter(old[spot]) & Counter(new[spot])).elements()) for spot in old}
        for checkers in (stays, new):
            self.reeds.become(self.board.closed_by(checkers))
            time.sleep(0.15)
        time.sleep(0.3)


class HostBoard:
    """Ann's board on a thread of its own, to be killed and started again."""

    def __init__(self, folder: Path, game: str, seed: str, broker: FriendsBroker) -> None:
        self._made = folder, game, seed, broker
        self.broker = broker
        self.table = self._started()

    def _started(self) -> HostTable:
        ready = SimpleQueue[HostTable]()

        def run() -> None:
            table = HostTable(*self._made)
            table.club.start()
            ready.put(table)
            table.app.run()
            table.app.close()
            table.opened.close()

        self._thread = threading.Thread(target=run, daemon=True)
        self._thread.start()
        self.is_up = True
        return ready.get(timeout=PATIENCE_S)

    @property
    def address(self) -> str:
        return f"http://localhost:{self.broker.ports[Scheme.WS]}/"

    def act(self) -> None:
        """What people at this board do next; its program may be ending meanwhile."""
        with suppress(AssertionError):
            self.table.act()

    @property
    def shown_page(self) -> str:
        """The address for a friend without a board that is shown beside the code."""
        shown = self.table.front.shown
        return shown.club.page if shown and shown.club and shown.club.picture else ""

    @contextmanager
    def stranger(self) -> Iterator[Client]:
        """Somebody else at the broker."""
        client = Client(CallbackAPIVersion.VERSION2)
        client.connect("localhost", self.broker.ports[Scheme.MQTT])
        client.loop_start()
        try:
            yield client
        finally:
            client.disconnect()
            client.loop_stop()

    @property
    def record(self) -> tuple[str, ...]:
        return _record(self._made[0])

    @property
    def guests_record(self) -> tuple[str, ...]:
        (folder,) = (self._made[0] / GUESTS).iterdir()
        return _record(folder)

    def close(self) -> None:
        self.is_up = False
        self.table.app.stop()
        self._thread.join(PATIENCE_S)

    def restart(self) -> None:
        """End the program and start it on the same folder."""
        self.close()
        self.table = self._started()


def _record(folder: Path) -> tuple[str, ...]:
    """The common record of the newest match."""
    with closing(Archive(folder / FILE)) as journal:
        return common_record(journal.decisions(max(one.number for one in journal.matches())))


@contextmanager
def host_board(folder: Path, game: str, seed: str) -> Iterator[HostBoard]:
    with FriendsBroker(folder) as broker:
        (broker.page / "index.html").write_text(guest_page(code_words()), "utf-8")
        host = HostBoard(folder / "host", game, seed, broker)
        try:
            yield host
        finally:
            host.close()
