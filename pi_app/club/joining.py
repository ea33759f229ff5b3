"""How a board joins a club, and how it finds its wire again at every start."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pi_app.club.line import Access
from pi_app.club.setting_up import Card, ClubError, read_brokers, write_brokers, write_files
from pi_app.club.wire import LetterListener, Wire
from pi_app.files import read_text, why
from pi_app.identifiers import BoardName, IdentifierError, board_name
from pi_app.referee.view import View
from pi_app.sentences import Sentence
from pi_app.settings import ClubSettings

NOT_JOINED = Sentence("The club is not told of matches: {why}; run: spotter club join")
NO_PAHO = Sentence("the package paho-mqtt is missing or older than 2")
NO_PASSWORD = Sentence("the password in {path} cannot be read: {why}")
PASSWORD, CA = "password", "ca.pem"
_MOST = 4096


@dataclass(frozen=True, slots=True)
class Unwired:
    """In the place of a wire that cannot be: says why."""

    trouble: str

    def start(self) -> None:
        """There is nothing to start."""

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

    Raises ClubError where a card was kept there before, unless `replace`.
    """
    files = {folder / PASSWORD: card.password, folder / CA: card.ca}
    write_files(files, replace=replace)
    brokers = write_brokers(card.brokers)
    return ClubSettings(True, brokers, card.board, str(folder / PASSWORD), str(folder / CA))


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
