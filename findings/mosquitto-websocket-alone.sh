#!/bin/sh
# mosquitto 2.0.11 (Debian 12): with a WebSocket listener and no other it does not start.
# Expected: each listener works by itself, so a broker can serve browsers only.
# Seen 2026-11-28: "Error: Unable to start any listening sockets, exiting." With a second listener
# of plain MQTT the same lines open both.
# Fails if it starts with the WebSocket listener alone, or does not with both.
set -eu
folder=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$folder"' EXIT
(cd "$folder" && apt-get download -q mosquitto=2.0.11-1.2+deb12u2 libdlt2=2.18.8-6 &&
  for package in *.deb; do dpkg -x "$package" .; done)
LD_LIBRARY_PATH="$folder/usr/lib/$(uname -m)-linux-gnu"
export LD_LIBRARY_PATH
printf 'allow_anonymous true\nlistener 39001 127.0.0.1\nprotocol websockets\n' >"$folder/alone.conf"
{ cat "$folder/alone.conf"; printf 'listener 39002 127.0.0.1\n'; } >"$folder/both.conf"

# starts CONFIGURATION: whether it is still there after two seconds.
starts() {
  "$folder/usr/sbin/mosquitto" -c "$1" 2>"$folder/log" &
  server=$!
  sleep 2
  grep -e listen "$folder/log"
  if kill -0 "$server" 2>/dev/null; then kill "$server"; alive=yes; else alive=; fi
  wait "$server" || true
  server=
  [ -n "$alive" ]
}

if starts "$folder/alone.conf"; then echo "it starts now" && exit 1; fi
grep -q 'Unable to start any listening sockets' "$folder/log"
starts "$folder/both.conf"
