"""The board's key, which seals its matches, and the check of seals.

The key is made at the first start, beside the journal, readable by its owner only: `seal.key`, an
Ed25519 private key in PEM (RFC 8410). Making it needs only random bytes, so `cryptography` is
loaded only when a match ends. A lost key is replaced by a new one; old seals can still be checked
with the old public key.
"""

from __future__ import annotations

import base64
import os
import stat
from binascii import Error as Base64Error
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from pi_app.base.errors import FailedError, GivenError
from pi_app.base.extras import to_set_up
from pi_app.base.files import PRIVATE, is_there, read_text, replace_text, why
from pi_app.base.identifiers import is_hex
from pi_app.seal.record import KEY_DIGITS, Seal, digest, message, write_seal
from pi_app.words.sentences import Sentence
from pi_app.words.texts import quoted

KEY_FILE = "seal.key"
NO_KEY = Sentence("{path}: no key yet; start spotter once to make it")
BAD_KEY = Sentence(
    "{path} cannot seal matches: {why}; restore it from a copy, or move it away "
    "and restart spotter for a new key"
)
NO_LIBRARY = Sentence(
    "matches are not sealed: the package cryptography is missing; install it with {command}"
)

_SEED = 32
_P = 2**255 - 19
_Y_OF_ORDER_8 = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
_PKCS8 = bytes.fromhex("302e020100300506032b657004220420")
"""RFC 8410: the bytes before the 32 bytes of an Ed25519 private key."""
_BEGIN, _END = "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----"
_MOST = 4096


class SealError(FailedError, RuntimeError):
    """A key that cannot be read, made or used; says which file, why and what to do."""


class PublicKeyError(GivenError, ValueError):
    """The text is no public key."""


class SealingKey:
    """A board's private key."""

    def __init__(self, seed: bytes) -> None:
        self._seed = seed

    @property
    def public(self) -> str:
        """The public key in hexadecimal. Raises SealError without `cryptography`."""
        key = self._key
        from cryptography.hazmat.primitives.serialization import (  # noqa: PLC0415
            Encoding,
            PublicFormat,
        )

        return str(key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw).hex())

    def seal(self, lines: Sequence[str]) -> str:
        """Return the line of a seal over the lines of a record. Raises SealError."""
        key = self._key
        signature = key.sign(message(map(digest, lines))).hex()
        return write_seal(Seal(len(lines), self.public, signature))

    @property
    def _key(self) -> Any:
        return _ed25519().Ed25519PrivateKey.from_private_bytes(self._seed)


def _ed25519() -> Any:
    """The library's module, loaded when a match ends; raises SealError."""
    try:
        from cryptography.hazmat.primitives.asymmetric import ed25519  # noqa: PLC0415
    except ImportError:
        raise SealError(NO_LIBRARY(command=to_set_up())) from None
    return ed25519


def read_key(folder: Path) -> SealingKey:
    """Raises SealError if the key is missing or unusable."""
    path = folder / KEY_FILE
    try:
        text = read_text(path, _MOST)
        return SealingKey(_seed_of(text))
    except FileNotFoundError:
        raise SealError(NO_KEY(path=str(path))) from None
    except (OSError, ValueError) as error:
        raise SealError(BAD_KEY(path=str(path), why=why(error))) from None


def make_key(folder: Path) -> SealingKey:
    """Return the key of a data folder; create it if it is missing. Raises SealError. It is written
    completely or not at all, and never overwritten."""
    path = folder / KEY_FILE
    try:
        if not is_there(path):
            replace_text(path, _pem(os.urandom(_SEED)))
        _make_private(path)
    except OSError as error:
        raise SealError(BAD_KEY(path=str(path), why=why(error))) from None
    return read_key(folder)


def fits(seal: Seal, signed: bytes, key: str | None = None) -> bool:
    """Whether a seal's signature is valid, by its own key or another. Raises SealError."""
    ed25519 = _ed25519()
    from cryptography.exceptions import InvalidSignature  # noqa: PLC0415

    signer = key or seal.key
    if is_weak(signer):
        return False
    try:
        public = ed25519.Ed25519PublicKey.from_public_bytes(bytes.fromhex(signer))
        public.verify(bytes.fromhex(seal.signature), signed)
    except (InvalidSignature, ValueError):
        return False
    return True


def is_weak(key: str) -> bool:
    """Whether this public key is a point of small order, with which anybody can sign anything.
    There are five y of such points modulo p, in fourteen encodings. RFC 8032 lets verifiers accept
    them, and OpenSSL does."""
    y = int.from_bytes(bytes.fromhex(key), "little") & (2**255 - 1)
    return y % _P in (0, 1, _P - 1, _Y_OF_ORDER_8, _P - _Y_OF_ORDER_8)


def read_public(text: str) -> str:
    """Read a public key as `spotter export --key` prints it, or from a file that contains it.

    Raises PublicKeyError.
    """
    key = text.strip().lower()
    if not is_hex(key, KEY_DIGITS):
        try:
            key = read_text(Path(text), _MOST).strip().lower()
        except (OSError, ValueError) as error:
            what = f"key {quoted(text)} is neither {KEY_DIGITS} hexadecimals nor a file"
            raise PublicKeyError(f"{what} ({why(error)}); see: spotter export --key") from None
    if not is_hex(key, KEY_DIGITS):
        what = f"{quoted(text)} holds no key of {KEY_DIGITS} hexadecimals"
        raise PublicKeyError(f"{what}; see: spotter export --key")
    if is_weak(key):
        raise PublicKeyError(f"key {quoted(key)} is one by which anybody can sign; it is refused")
    return key


def _pem(seed: bytes) -> str:
    return f"{_BEGIN}\n{base64.b64encode(_PKCS8 + seed).decode('ascii')}\n{_END}\n"


def _seed_of(text: str) -> bytes:
    """Raises ValueError for a text that is no such key."""
    lines = [line.strip() for line in text.strip().splitlines()]
    if len(lines) < 3 or (lines[0], lines[-1]) != (_BEGIN, _END):
        raise ValueError("it is no private key in PEM")
    try:
        data = base64.b64decode("".join(lines[1:-1]), validate=True)
    except Base64Error:
        raise ValueError("it is no private key in PEM") from None
    if len(data) != len(_PKCS8) + _SEED or not data.startswith(_PKCS8):
        raise ValueError("it is no key of Ed25519")
    return data[len(_PKCS8) :]


def _make_private(path: Path) -> None:
    found = path.stat()
    if stat.S_ISREG(found.st_mode) and found.st_mode & 0o077 and found.st_uid == os.getuid():
        with suppress(OSError):
            path.chmod(PRIVATE)
