"""The signed snapshot: when it is believed (PROTOCOL.md, "The signed snapshot") and what it holds."""

from __future__ import annotations

import base64
import binascii
import json
import re
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from .errors import Unbelievable

MAXIMUM_SIZE = 1 << 20
"""A snapshot is a few kilobytes; more than this many bytes is not read."""

_EARLIEST = 946_684_800_000  # 2000-01-01
_LATEST = 4_102_444_800_000  # 2100-01-01
_BASE64URL = re.compile(r"[A-Za-z0-9_-]+")

Interval = tuple[int, int | None]
"""A half-open interval of access in milliseconds since 1970 UTC; None is for ever."""


@dataclass(frozen=True)
class Pins:
    """The keys inside the app, and whose snapshots it believes. `keys` maps a `kid` to 32 raw bytes of Ed25519."""

    keys: Mapping[str, bytes]
    bundle_id: str
    environment: str
    account: uuid.UUID
    installation: str


@dataclass(frozen=True)
class Entry:
    """One entitlement. `fields` is the service's whole entry, for showing: productId, state, expiresDate and so on."""

    intervals: tuple[Interval, ...]
    will_renew: bool | None
    end_is_final: bool
    fields: Mapping[str, Any]


@dataclass(frozen=True)
class Snapshot:
    """A believed snapshot."""

    entries: Mapping[str, Entry]
    balances: Mapping[str, int]
    grace: int
    """The offline limit L in milliseconds."""
    stale_access: str
    cursor: str
    server_time: int
    place: tuple[int, int, int, int]
    """(epoch, activation, version, asOf): where this view stands in the order of all views."""

    def follows(self, other: Snapshot | None) -> bool:
        """Whether a client that has `other` may keep and show this one."""
        return other is None or (self.place, self.server_time) > (other.place, other.server_time)

    @property
    def limit(self) -> int:
        """The instant at which the offline limit is reached."""
        return self.server_time + self.grace


def believe(jws: str, pins: Pins) -> Snapshot:
    """The snapshot in `jws` if all five rules hold; raises `Unbelievable` with the rule that does not."""
    parts = jws.split(".")
    if len(jws) > MAXIMUM_SIZE or len(parts) != 3:
        raise Unbelievable("notAJWS", "The snapshot is not a compact JWS of at most 1 MiB.")
    header = _object(_decoded(parts[0], "header"), "header")
    if header.get("alg") != "EdDSA" or header.get("typ") != "entitled-snapshot+jwt" or "crit" in header:
        raise Unbelievable("wrongKind", "The JWS is not an entitled-snapshot+jwt signed with EdDSA, without crit.")
    kid = header.get("kid")
    key = pins.keys.get(kid) if isinstance(kid, str) else None
    if key is None:
        raise Unbelievable("unknownKey", "The snapshot is signed with a key that this app does not pin.")
    try:
        signed = f"{parts[0]}.{parts[1]}".encode()
        Ed25519PublicKey.from_public_bytes(key).verify(_decoded(parts[2], "signature"), signed)
    except InvalidSignature:
        raise Unbelievable("badSignature", "The signature of the snapshot is not valid.") from None
    return _bound(_object(_decoded(parts[1], "payload"), "payload"), pins)


def _bound(payload: dict[str, Any], pins: Pins) -> Snapshot:
    view = _member(payload, "snapshot", dict)
    asked = {"bundleId": pins.bundle_id, "environment": pins.environment}
    for name, expected in asked.items():
        if view.get(name) != expected:
            raise Unbelievable("foreign", f"The snapshot is for another {name}.")
    try:
        account = uuid.UUID(_member(view, "account", str))
    except ValueError:
        account = None
    if account != pins.account:
        raise Unbelievable("foreign", "The snapshot is for another account.")
    if payload.get("installation") != pins.installation:
        raise Unbelievable("foreign", "The snapshot is for another installation.")
    server_time, cursor = _member(payload, "serverTime", int), _member(payload, "cursor", str)
    if not _EARLIEST <= server_time < _LATEST or not cursor:
        raise Unbelievable("malformed", "The snapshot has no sensible serverTime or cursor.")
    offline = _member(view, "offline", dict)
    grace = _member(offline, "graceMs", int)
    if grace <= 0:
        raise Unbelievable("malformed", "The offline limit is not a time to come.")
    balances = _member(view, "balances", dict) if "balances" in view else {}
    return Snapshot(
        entries=MappingProxyType(dict(map(_entry, _member(view, "entitlements", list)))),
        balances=MappingProxyType({currency: _member(balances, currency, int) for currency in balances}),
        grace=grace,
        stale_access=_member(offline, "staleAccess", str),
        cursor=cursor,
        server_time=server_time,
        place=(
            _member(payload, "epoch", int),
            _member(payload, "activation", int),
            _member(view, "version", int),
            _member(view, "asOf", int),
        ),
    )


def _entry(value: Any) -> tuple[str, Entry]:
    if not isinstance(value, dict):
        raise Unbelievable("malformed", "An entitlement is not an object.")
    renews = value.get("willRenew")
    if renews is not None and not isinstance(renews, bool):
        raise Unbelievable("malformed", "willRenew is neither a truth value nor null.")
    return _member(value, "id", str), Entry(
        intervals=tuple(map(_interval, _member(value, "activeIntervals", list))),
        will_renew=renews,
        end_is_final=_member(value, "endIsFinal", bool),
        fields=MappingProxyType(value),
    )


def _interval(value: Any) -> Interval:
    match value:
        case [int() as start, int() | None as end] if not isinstance(start, bool) and not isinstance(end, bool):
            return start, end
    raise Unbelievable("malformed", "An interval is not a pair of times.")


def _decoded(part: str, name: str) -> bytes:
    try:
        if _BASE64URL.fullmatch(part):
            data = base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))
            # One text for one content: the unused bits of the last character must be zero.
            if base64.urlsafe_b64encode(data).rstrip(b"=") == part.encode():
                return data
    except (binascii.Error, ValueError):
        pass
    raise Unbelievable("notAJWS", f"The {name} of the snapshot is not base64url.")


def _object(data: bytes, name: str) -> dict[str, Any]:
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise Unbelievable("malformed", f"The {name} of the snapshot is not a JSON object.")
    return value


def _member(container: dict[str, Any], name: str, kind: type) -> Any:
    value = container.get(name)
    # bool is a subclass of int, and true is not a number here.
    if type(value) is not kind:
        raise Unbelievable("malformed", f"The member {name} of the snapshot is missing or has the wrong type.")
    return value
