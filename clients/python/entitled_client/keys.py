"""Pinned keys from the form in which the service publishes them."""

from __future__ import annotations

import base64
import binascii
import json

from .errors import EntitledError


def keys_of_jwks(data: bytes | str) -> dict[str, bytes]:
    """The Ed25519 keys of a JSON Web Key Set, by `kid`, for `Settings.keys`. Others are passed over."""
    try:
        found = {
            key["kid"]: base64.urlsafe_b64decode(key["x"] + "=" * (-len(key["x"]) % 4))
            for key in json.loads(data)["keys"]
            if key.get("kty") == "OKP" and key.get("crv") == "Ed25519"
        }
    except (ValueError, TypeError, KeyError, AttributeError, binascii.Error):
        found = {}
    if not found or not all(isinstance(kid, str) and len(key) == 32 for kid, key in found.items()):
        raise EntitledError("invalidKeys", 'No Ed25519 keys found. Give {"keys":[{"kty":"OKP","crv":"Ed25519",…}]}.')
    return found
