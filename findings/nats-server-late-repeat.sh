#!/bin/sh
# nats-server 2.9.10 (Debian 12): an MQTT message of QoS 1 that a client has not acknowledged comes
# again on the same connection after `ack_wait`, behind messages published later.
# Expected: MQTT 3.1.1 section 4.4 requires a repeat at a new connection only, and by section 4.6 the
# messages of a topic come in order.
# Seen 2026-11-28: 1 2 3 1* 2* (* is a repeat, DUP 1), with ack_wait 1 s; it is 30 s by default.
# Fails if nothing is repeated, or if it is repeated before the third message.
set -eu
folder=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q paho-mqtt==2.1.0
(cd "$folder" && apt-get download -q nats-server=2.9.10-1+b3 && dpkg -x nats-server_*.deb .)
cat >"$folder/server.conf" <<CONF
server_name: one
listen: 127.0.0.1:34222
jetstream { store_dir: "$folder/store" }
mqtt { port: 34883, ack_wait: "1s" }
CONF
"$folder/usr/sbin/nats-server" --version
"$folder/usr/sbin/nats-server" -c "$folder/server.conf" 2>"$folder/log" &
server=$!
"$folder/venv/bin/python" - <<'PYTHON'
import sys
import time

from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion

met = []


def hear(client, _, message):
    """Acknowledge what comes again, and everything from the third message on."""
    text = message.payload.decode()
    met.append(text + "*" * message.dup)
    if message.dup or text == "3":
        client.ack(message.mid, message.qos)


def connected(name, **options):
    client = Client(CallbackAPIVersion.VERSION2, name, **options)
    for _ in range(50):
        try:
            client.connect("127.0.0.1", 34883)
            break
        except OSError:
            time.sleep(0.2)
    client.loop_start()
    while not client.is_connected():
        time.sleep(0.02)
    return client


reader = connected("reader", manual_ack=True)
reader.on_message = hear
reader.subscribe("a/topic", 1)
time.sleep(1)
writer = connected("writer")
for number in "123":
    writer.publish("a/topic", number, 1).wait_for_publish(5)
time.sleep(3)
print(*met)
sys.exit(met != ["1", "2", "3", "1*", "2*"])
PYTHON
