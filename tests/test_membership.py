"""A club is joined by a card on a USB stick, entered at once, and left again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hall import free_port, until
from test_app import NEW, AppBench

from pi_app.club.certificates import make_certificates
from pi_app.club.joining import CA, PASSWORD
from pi_app.club.line import Broker
from pi_app.club.records import BoardName
from pi_app.club.setting_up import Card, load_card, write_card
from pi_app.devices.stick import Stick
from pi_app.match.phases import Phase
from pi_app.membership import InClub, Membership
from pi_app.referee.events import FarSeat
from pi_app.rules.terms import Side
from pi_app.screen.clubhouse import Clubhouse
from pi_app.screen.commands import ClubWish, Invite
from pi_app.settings import ClubSettings, club_folder, load_settings
