"""A club's evening in miniature: a real broker that can be killed, boards that play, an archive."""

from __future__ import annotations

import datetime
import getpass
import json
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import cache
from itertools import cycle
from pathlib import Path

from samples import DECISIONS, START

from pi_app.base.identifiers import BoardName, board_name
from pi_app.base.microseconds import Us
from pi_app.club.archive import ClubArchive, monotonic
from pi_app.club.collector import NAME, Collector
from pi_app.club.line import Access, LinesKept
from pi_app.club.records import News, Record, RecordId
from pi_app.club.setting_up import CARDS, DATA, ClubPlan, access_of, load_card, set_up
from pi_app.club.wire import MonotonicClock, Wire
from pi_app.journal.store import Journal

PATIENCE_S = 60.0
"""Only what never comes takes so long, however busy the machine is."""
FASTER, CALMER = 20, 4
"""The boards' clock runs faster by this factor, which shortens their patience.

Nodes take half a minute to elect a leader; a board that reconnects all the time disturbs them.
"""
NODES = 3
"""As many as a hall has at most."""
SPREAD = 97
"""Runs that begin together have process numbers close to each other, and ports this far apart."""
HAS_MOSQUITTO = shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin:/usr/bin") is not None
HAS_NATS = shutil.which("nats-server", path="/usr/sbin:/usr/local/sbin:/usr/bin") is not None


def fast_clock() -> float:
    return time.monotonic() * FASTER


def calm_clock() -> float:
    return time.monotonic() * CALMER


def until(what: Callable[[], object], patience_s: float = PATIENCE_S) -> None:
    """Wait for something that threads and processes do."""
    end = time.monotonic() + patience_s
    while not what():
        assert time.monotonic() < end, f"it did not come about in {patience_s:.0f} s"
        time.sleep(0.02)


@cache
def _ports() -> Iterator[int]:
    """This process's own among those that the system gives to no connection, one in NODES.

    They begin elsewhere in each run: another run beside it must not find the port of a broker that
    was killed and is about to be started again.
    """
    first, end = 10_000, 32_000
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    number = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    share = (end - first) // workers
    ports = range(first + number * share, first + (number + 1) * share - NODES, NODES)
    begin = os.getpid() * SPREAD % len(ports)
    return cycle((*ports[begin:], *ports[:begin]))


def free_port() -> int:
    """This port and the next ones, for further nodes, are free; later calls give others."""
    return next(port for port in _ports() if all(_is_free(port + node) for node in range(NODES)))


def _is_free(port: int) -> bool:
    with socket.socket() as found:
        try:
            found.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), 0.2).close()
    except OSError:
        return False
    return True


class BrokerProcess:
    """A broker as a process: started, killed as `kill -9` does, and started again."""

    def __init__(self, command: list[str], port: int, log: Path) -> None:
        self.command, self.port, self.log = command, port, log
        self.process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(self.command, stdout=log, stderr=log)
        until(lambda: answers(self.port) or self._ended())
        assert not self._ended(), self.log.read_text()

    def kill(self) -> None:
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None

    def _ended(self) -> bool:
        return self.process is None or self.process.poll() is not None


def access_in(folder: Path, account: str) -> Access:
    """How an account comes in at the hall of a folder."""
    club = folder / "club"
    return access_of(load_card(club / CARDS / f"{account}.toml"), club / "ca.pem")


class Hall:
    """A club that was set up as `spotter club setup` does, with its archive collecting."""

    def __init__(
        self,
        folder: Path,
        boards: Iterable[str],
        nodes: int = 0,
        store: Path | None = None,
        clock: Callable[[], Us] = monotonic,
        ack_wait_s: int = 30,
    ) -> None:
        """With `nodes` of NATS, else mosquitto, whose store may be in another folder.

        The archive goes by `clock`. NATS sends again what was not acknowledged for `ack_wait_s`.
        """
        self.folder = folder
        self.port, self.plain_port = free_port(), free_port()
        self.names = tuple(map(board_name, boards))
        self.told: list[News] = []
        self.hear: Callable[[News], None] = self.told.append
        self.warned: list[str] = []
        self.at_the_end = ExitStack()
        self.club = folder / "club"
        plan = ClubPlan(
            self.names,
            ("localhost",) * max(1, nodes),
            self.port,
            nats=nodes > 0,
            client_port=free_port(),
            route_port=free_port(),
        )
        now = datetime.datetime.now(datetime.UTC)
        set_up(plan, self.club, getpass.getuser(), now, replace=False)
        if store:
            (self.club / DATA).rmdir()
            (self.club / DATA).symlink_to(store)
        for configuration in self.club.glob("nats-*.conf"):
            told = json.loads(configuration.read_text())
            told["mqtt"]["ack_wait"] = f"{ack_wait_s}s"
            configuration.write_text(json.dumps(told))
        self.brokers = self._nats(nodes) if nodes else [self._mosquitto()]
        self.archive = ClubArchive(folder / "archive.db", clock)
        self.at_the_end.callback(self.archive.close)
        self.collector = self.collect()

    def _mosquitto(self) -> BrokerProcess:
        with (self.club / "mosquitto.conf").open("a") as configuration:
            # For whoever wants to stand between.
            configuration.write(f"listener {self.plain_port} 127.0.0.1\n")
        command = ["/usr/sbin/mosquitto", "-c", str(self.club / "mosquitto.conf")]
        return self._kept(BrokerProcess(command, self.port, self.folder / "broker.log"))

    def _nats(self, nodes: int) -> list[BrokerProcess]:
        # Beside a busy suite of tests three nodes agree on nothing within their own four seconds.
        first = ["nice", "-n", "-15"] if nodes > 1 and os.geteuid() == 0 else []
        server = [*first, "/usr/sbin/nats-server", "-c"]
        return [
            self._kept(
                BrokerProcess(
                    [*server, str(self.club / f"nats-spotter-{n + 1}.conf")],
                    self.port + n,
                    self.folder / f"broker-{n}.log",
                )
            )
            for n in range(nodes)
        ]

    def _kept(self, broker: BrokerProcess) -> BrokerProcess:
        self.at_the_end.callback(broker.kill)
        return broker

    @property
    def broker(self) -> BrokerProcess:
        return self.brokers[0]

    def access(self, account: str) -> Access:
        return access_in(self.folder, account)

    def _hear(self, told: News) -> None:
        """Whoever listens now."""
        self.hear(told)

    def collect(self) -> Collector:
        collector = Collector(self.access(NAME), self.archive, self._hear, self.warned.append)
        collector.start()
        self.at_the_end.callback(collector.close)
        return collector

    def board(self, name: str, access: Access | None = None) -> ClubBoard:
        return self.board_in(self.folder / name, name, access or self.access(name))

    def board_in(self, folder: Path, name: str, access: Access) -> ClubBoard:
        clock = fast_clock if len(self.brokers) == 1 else calm_clock
        board = ClubBoard(folder, board_name(name), access, clock)
        self.at_the_end.callback(board.close)
        return board

    def has_all_of(self, *boards: ClubBoard) -> bool:
        """Whether the archive is equal to these boards' journals."""
        return all(board.lines() == self.lines(board.name) for board in boards)

    def lines(self, board: BoardName) -> list[Record]:
        matches = self.archive.matches(board)
        return [record for match in matches for record in self.archive.records(board, match)]


class ClubBoard:
    """A board whose journal grows, and its wire."""

    def __init__(
        self,
        folder: Path,
        name: BoardName,
        access: Access,
        clock: MonotonicClock = fast_clock,
    ) -> None:
        folder.mkdir(exist_ok=True)
        self.name, self.access, self.clock = name, access, clock
        self.letters: list[tuple[BoardName, bytes]] = []
        self.file = folder / "matches.db"
        self.journal = Journal(self.file)
        self.wire = self.wired()
        self._played = 0

    def wired(self) -> Wire:
        wire = Wire(self.access, self.name, self.file, self.clock)
        wire.listen(lambda sender, letter: self.letters.append((sender, letter)))
        wire.start()
        return wire

    def begin(self, name: str = "Ann") -> None:
        self.journal.begin(replace(START, players=(name, "Bea")), "2026-11-23T20:00:00+01:00")
        self.wire.tell(None)

    def play(self, decisions: int, warning: str | None = None) -> None:
        for _ in range(decisions):
            self.journal.decide(DECISIONS[self._played % len(DECISIONS)])
            self.journal.commit()
            self._played += 1
        self.wire.tell(warning)

    def lines(self) -> list[Record]:
        """The journal's content, as the archive should have it."""
        with closing(LinesKept(self.file)) as kept:
            ids = [
                RecordId(self.name, content.match, sequence)
                for content in kept.contents()
                for sequence in range(content.decisions + 1)
            ]
            return [Record(id_, kept.line(id_) or "") for id_ in ids]

    def restart(self) -> None:
        self.wire.close()
        self.wire = self.wired()

    def close(self) -> None:
        self.wire.close()
        self.journal.close()
