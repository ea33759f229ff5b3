"""The club's own authority, and the certificate that its broker shows; in PEM."""

from __future__ import annotations

import datetime
import ipaddress
from collections.abc import Iterable
from dataclasses import dataclass, field

from pi_app.errors import FailedError
from pi_app.extras import to_set_up

DAYS = 3650
"""So long both hold: a club's broker is not looked after every year."""
_BACK = datetime.timedelta(days=2)
"""A Raspberry Pi that has no network yet may be behind with its clock."""


class CertificateError(FailedError, RuntimeError):
    """No certificate can be made here."""


@dataclass(frozen=True, slots=True)
class Certificates:
    """The authority's certificate and key, and the broker's."""

    ca: str
    ca_key: str = field(repr=False)
    server: str
    server_key: str = field(repr=False)


def make_certificates(hosts: Iterable[str], now: datetime.datetime) -> Certificates:
    """An authority and a certificate for a broker at these names and addresses.

    Raises CertificateError without the package `cryptography`.
    """
    try:
        # Only who sets up a club needs it.
        from cryptography import x509  # noqa: PLC0415
        from cryptography.hazmat.primitives import hashes, serialization  # noqa: PLC0415
        from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415
        from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID  # noqa: PLC0415
    except ImportError:
        raise CertificateError(
            f"the package cryptography is missing; set up what Spotter needs with {to_set_up()}"
        ) from None

    def named(text: str) -> x509.Name:
        return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])

    def certificate(subject: str, key: ec.EllipticCurvePublicKey) -> x509.CertificateBuilder:
        return (
            x509.CertificateBuilder()
            .subject_name(named(subject))
            .issuer_name(named("Spotter's club"))
            .public_key(key)
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - _BACK)
            .not_valid_after(now + datetime.timedelta(days=DAYS))
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(key), critical=False)
            .add_extension(
                x509.AuthorityKeyIdentifier.from_issuer_public_key(ca_key.public_key()),
                critical=False,
            )
        )

    def private(key: ec.EllipticCurvePrivateKey) -> str:
        return key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        ).decode()

    def public(made: x509.Certificate) -> str:
        return made.public_bytes(serialization.Encoding.PEM).decode()

    ca_key, key = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
    signs = x509.KeyUsage(
        digital_signature=True,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=True,
        crl_sign=True,
        encipher_only=False,
        decipher_only=False,
    )
    ca = (
        certificate("Spotter's club", ca_key.public_key())
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(signs, critical=True)
        .sign(ca_key, hashes.SHA256())
    )
    names: list[x509.GeneralName] = []
    for host in hosts:
        try:
            names.append(x509.IPAddress(ipaddress.ip_address(host)))
        except ValueError:
            names.append(x509.DNSName(host))
    uses = [ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH]
    server = (
        certificate("Spotter's broker", key.public_key())
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage(uses), critical=False)
        .sign(ca_key, hashes.SHA256())
    )
    return Certificates(public(ca), private(ca_key), public(server), private(key))
