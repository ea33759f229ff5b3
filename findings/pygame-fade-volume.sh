#!/bin/sh
# pygame 2.6.1 (SDL_mixer 2.6.3): a sound that is played on a channel while the last one fades out
# keeps the volume that the fade had come to, if the last Sound object is still referred to.
# Expected: full volume, as it is when the channel held the last reference, or after Sound.play.
# Seen 2026-11-28: Channel.get_volume() falls from 1.0 and never rises, 0.4 or less after 60 sounds.
# Fails if the volume stays at 1.0, which it also does on a machine so busy that no fade is ended.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q pygame==2.6.1
SDL_AUDIODRIVER=dummy PYGAME_HIDE_SUPPORT_PROMPT=1 "$folder/venv/bin/python" - <<'PYTHON'
import sys
import time

import pygame

pygame.mixer.init(frequency=22050, channels=1, buffer=512)
print("pygame", pygame.version.ver, "SDL_mixer", pygame.mixer.get_sdl_mixer_version())


def volume(keep):
    """The channel's volume after each of 60 sounds that end the fade of the one before."""
    channel, kept, seen = pygame.mixer.Channel(0), [], []
    channel.stop()
    channel.set_volume(1.0)
    for _ in range(60):
        channel.fadeout(20)
        time.sleep(0.008)
        sound = pygame.mixer.Sound(buffer=bytes(44100))
        kept += [sound] if keep else []
        channel.play(sound)
        del sound
        time.sleep(0.06)
        seen.append(round(channel.get_volume(), 2))
    return seen


kept, dropped = volume(keep=True), volume(keep=False)
print("Sound objects kept:   ", kept)
print("Sound objects dropped:", dropped)
sys.exit(kept[-1] == 1.0 or dropped[-1] != 1.0)
PYTHON
