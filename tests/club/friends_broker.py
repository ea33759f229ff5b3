"""A broker for friends as anybody would run it: the configuration of pi_app/club, filled in."""

from __future__ import annotations

import datetime
import getpass
from importlib import resources
from pathlib import Path
from typing import Self

from hall import BrokerProcess, answers, free_port, until

from pi_app.club.line import Broker, Scheme
from pi_app.club.setting_up import CA, SERVER, SERVER_KEY, make_certificates, write_files


class RunningBroker:
    """A broker's process, and its ports by scheme."""

    process: BrokerProcess
    ports: dict[Scheme, int]

    def at(self, scheme: Scheme) -> Broker:
        return Broker("localhost", self.ports[scheme], scheme)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()


class FriendsBroker(RunningBroker):
    """mosquitto with friends.conf, and two plain listeners for whoever wants to look inside."""

    def __init__(
        self, folder: Path, made: datetime.datetime | None = None, *, anonymous: bool = True
    ) -> None:
        self.folder = folder / "friends-broker"
        made = made or datetime.datetime.now(datetime.UTC)
        files = make_certificates(["localhost", "127.0.0.1"], made)
        write_files({self.folder / name: text for name, text in files.items()}, replace=False)
        self.ca = self.folder / CA
        self.page = self.folder / "page"
        self.page.mkdir()
        self.ports = {scheme: free_port() for scheme in Scheme}
        shipped = resources.files("pi_app.club")
        text = (shipped / "friends.conf").read_text("utf-8")
        accesses = self.folder / "friends.acl"
        accesses.write_text((shipped / "friends.acl").read_text("utf-8"))
        accesses.chmod(0o600)
        for old, new in {
            "allow_anonymous true": f"allow_anonymous {str(anonymous).lower()}",
            "listener 8883": f"listener {self.ports[Scheme.MQTTS]}",
            "listener 443": f"listener {self.ports[Scheme.WSS]}",
            "/etc/mosquitto/friends/fullchain.pem": str(self.folder / SERVER),
            "/etc/mosquitto/friends/privkey.pem": str(self.folder / SERVER_KEY),
            "/etc/mosquitto/friends/friends.acl": str(accesses),
            "/etc/mosquitto/friends/page": str(self.page),
        }.items():
            assert old in text
            text = text.replace(old, new)
        plain, websocket = self.ports[Scheme.MQTT], self.ports[Scheme.WS]
        text += f"\nuser {getpass.getuser()}\nlistener {plain} 127.0.0.1\n"
        text += f"listener {websocket}\nprotocol websockets\nhttp_dir {self.page}\n"
        configuration = self.folder / "friends.conf"
        configuration.write_text(text)
        command = ["/usr/sbin/mosquitto", "-c", str(configuration)]
        self.process = BrokerProcess(command, self.ports[Scheme.MQTTS], self.folder / "broker.log")
        until(lambda: all(map(answers, self.ports.values())))


NATS = """
server_name: friends
listen: "127.0.0.1:{own}"
jetstream {{ store_dir: "{store}", max_mem: 16MB, max_file: 16MB }}
mqtt {{ listen: "127.0.0.1:{plain}", no_auth_user: anybody }}
websocket {{ listen: "127.0.0.1:{websocket}", no_tls: true, no_auth_user: anybody }}
max_payload: 20000
accounts {{ friends {{ jetstream: enabled, users: [ {{
  user: anybody, password: none, permissions: {{
    publish: [
      "spotter.2.meet.*.a", "spotter.2.meet.*.b", "spotter.2.room.*.a", "spotter.2.room.*.b"
    ]
    subscribe: ["spotter.2.meet.*.*", "spotter.2.room.*.*", "$MQTT.sub.>"]
  }}
}} ] }} }}
"""


class NatsForFriends(RunningBroker):
    """nats-server with the same topics, over TCP and WebSocket."""

    def __init__(self, folder: Path) -> None:
        self.ports = {scheme: free_port() for scheme in (Scheme.MQTT, Scheme.WS)}
        self.ca, own = None, free_port()
        told = NATS.format(
            own=own,
            store=folder / "nats",
            plain=self.ports[Scheme.MQTT],
            websocket=self.ports[Scheme.WS],
        )
        configuration = folder / "nats.conf"
        configuration.write_text(told)
        command = ["/usr/sbin/nats-server", "-c", str(configuration)]
        self.process = BrokerProcess(command, self.ports[Scheme.MQTT], folder / "nats.log")
        until(lambda: all(map(answers, self.ports.values())))
