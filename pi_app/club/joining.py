"""How a board joins a club, and how it finds its wire again at every start."""

from __future__ import annotations

import ssl
from dataclasses import dataclass
from pathlib import Path

from pi_app.club.collector import NAME as ARCHIVE
from pi_app.club.line import Access
from pi_app.club.setting_up import (
    Card,
    ClubError,
    load_card,
    read_brokers,
    write_brokers,
    write_files,
)
from pi_app.club.wire import LetterListener, Wire
from pi_app.files import read_text, why
from pi_app.identifiers import BoardName, IdentifierError, board_name
from pi_app.referee.view import View
from pi_app.sentences import AND, Listing, Sentence
from pi_app.settings import ClubSettings
from pi_app.strict import ConfigError

NOT_JOINED = Sentence("The club is not told of matches: {why}; run: spotter club join")
NO_PAHO = Sentence("the package paho-mqtt is missing or older than 2")
NO_PASSWORD = Sentence("the password in {path} cannot be read: {why}")
NO_CARD = Sentence(
    "On the stick {stick} is no club card: put there the file that the club made for this board, "
    "such as table-3.toml"
)
SEVERAL_CARDS = Sentence("On the stick {stick} are {files}: leave only this board's card there")
NO_GOOD_CARD = Sentence("{file} is no club card, or it is damaged: {why}; copy it there anew")
DAMAGED_CA = Sentence("the club's certificate on this card is damaged; copy the card anew")
FOR_ARCHIVE = Sentence("this card is the archive's; join with a board's own card")
PASSWORD, CA = "password", "ca.pem"
_MOST_NAMED = 4
_MOST = 4096


@dataclass(frozen=True, slots=True)
class Unwired:
    """In the place of a wire that cannot be: says why."""

    trouble: str

    @property
    def boards(self) -> tuple[BoardName, ...]:
        """Nobody is known to be there."""
        return ()

    def start(self) -> None:
        """There is nothing to start."""

    def look_round(self) -> None:
        """There is nobody to be seen."""

    def listen(self, hear: LetterListener) -> None:
        """Nobody writes."""

    def post(self, to: BoardName, letter: bytes) -> None:
        """Nobody reads it."""

    def watch(self, view: View) -> None:
        """Nobody is told."""

    def close(self) -> None:
        """There is nothing to close."""


def join(card: Card, folder: Path, *, replace: bool) -> ClubSettings:
    """Keep what a card tells in `folder`; the settings by which it is found again.

    Raises ClubError for the archive's card or a damaged one, and where a card was kept there
    before, unless `replace`.
    """
    if card.board == ARCHIVE:
        raise ClubError(FOR_ARCHIVE())
    try:
        ssl.create_default_context(cadata=card.ca)
    except (ValueError, ssl.SSLError):
        raise ClubError(DAMAGED_CA()) from None
    files = {folder / PASSWORD: card.password, folder / CA: card.ca}
    write_files(files, replace=replace)
    brokers = write_brokers(card.brokers)
    return ClubSettings(True, brokers, card.board, str(folder / PASSWORD), str(folder / CA))


def leave(folder: Path) -> None:
    """Forget what the card told that is kept in `folder`; raises OSError."""
    for name in (PASSWORD, CA):
        (folder / name).unlink(missing_ok=True)


def card_on(folder: Path, stick: str) -> Card:
    """The one card on a stick of this name that is mounted at `folder`; raises ClubError."""
    # What macOS leaves beside a file has a name that begins with a dot.
    files = sorted(path for path in folder.glob("*.toml") if not path.name.startswith("."))
    if not files:
        raise ClubError(NO_CARD(stick=stick))
    if len(files) > 1:
        names = Listing(tuple(path.name for path in files[:_MOST_NAMED]), AND)
        raise ClubError(SEVERAL_CARDS(stick=stick, files=names))
    try:
        return load_card(files[0])
    except ConfigError as error:
        fault = error.reasons[0]
        raise ClubError(NO_GOOD_CARD(file=files[0].name, why=fault)) from None


def open_wire(settings: ClubSettings, journal: Path) -> Wire | Unwired:
    """The wire of a board that has joined, not yet started."""
    try:
        # Debian 12 has 1.6, without this module.
        import paho.mqtt.enums  # noqa: F401, PLC0415
    except ImportError:
        return Unwired(NOT_JOINED(why=NO_PAHO()))
    try:
        access, board = access_of_settings(settings), board_name(settings.board)
    except (ClubError, IdentifierError) as error:
        said = error.said if isinstance(error, ClubError) else str(error)
        return Unwired(NOT_JOINED(why=said))
    return Wire(access, board, journal)


def access_of_settings(settings: ClubSettings) -> Access:
    """Raises ClubError for a broker that is none, or a password that cannot be read."""
    path = Path(settings.password_file)
    try:
        password = read_text(path, _MOST).strip()
    except (OSError, ValueError) as error:
        raise ClubError(NO_PASSWORD(path=str(path), why=why(error))) from None
    brokers = read_brokers(settings.brokers)
    return Access(brokers, settings.board, password, Path(settings.ca_file))
