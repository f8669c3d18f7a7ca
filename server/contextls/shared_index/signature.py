"""Signatures of manifests: Ed25519, from a key of the builder, checked with the public one that clients know.

A manifest names the checksum of every row, so that who signs it vouches for all of them.
"""

from __future__ import annotations

import base64
import binascii
from pathlib import Path
from typing import TYPE_CHECKING

from contextls.errors import InvalidRequestError, StoreError
from contextls.workspace.regular_file import SETTINGS_BYTES, read_bytes

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

SETTING = "contextls.indexPublicKey"
SIGNATURE_BYTES = 64
_UNSIGNED = bytes(SIGNATURE_BYTES)
_RAW_KEY_BYTES = 32


def read_private_key(file: Path) -> Ed25519PrivateKey:
    """The key in a PEM file. Raises ``InvalidRequestError``."""
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    expected = "a PEM file with an Ed25519 key and no password (openssl genpkey -algorithm ed25519)"
    try:
        key = load_pem_private_key(read_bytes(file, SETTINGS_BYTES), None)
    except (OSError, ValueError, TypeError, UnsupportedAlgorithm):
        raise InvalidRequestError("--sign-with", expected, str(file)) from None
    if not isinstance(key, Ed25519PrivateKey):
        raise InvalidRequestError("--sign-with", expected, str(file))
    return key


def read_public_key(text: str) -> Ed25519PublicKey | None:
    """The key in a setting, written as between the lines of a PEM file; ``None`` for an empty one.

    Raises ``InvalidRequestError``.
    """
    if not text:
        return None
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        # What comes before the key in the file says only of which kind it is.
        raw = base64.b64decode("".join(text.split()), validate=True)[-_RAW_KEY_BYTES:]
        return Ed25519PublicKey.from_public_bytes(raw)
    except (ValueError, binascii.Error):
        expected = "an Ed25519 public key in base64 (openssl pkey -in key.pem -pubout)"
        raise InvalidRequestError(SETTING, expected, text) from None


def sign(content: bytes, key: Ed25519PrivateKey | None) -> bytes:
    """``content`` after its signature, or after as many zeros."""
    return (key.sign(content) if key else _UNSIGNED) + content


def check(signed: bytes, key: Ed25519PublicKey | None) -> bytes:
    """The content of what ``sign`` gave; without a key any signature will do. Raises ``StoreError``."""
    signature, content = signed[:SIGNATURE_BYTES], signed[SIGNATURE_BYTES:]
    if key is not None:
        from cryptography.exceptions import InvalidSignature

        try:
            key.verify(signature, content)
        except InvalidSignature:
            said = "not signed" if signature == _UNSIGNED else "not signed with the key in indexPublicKey"
            raise StoreError(f"a manifest of the shared index is {said}") from None
    return content
