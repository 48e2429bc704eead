"""What the tests share: clocks that are moved by hand, a signer, and a service on loopback that follows a script."""

from __future__ import annotations

import base64
import json
import os
import tempfile
import threading
import unittest
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from entitled_client.clock import Reading

START = 1_780_300_800_000  # 2026-06-01T08:00:00Z
HOUR = 3_600_000
DAY = 24 * HOUR
BUNDLE = "com.example.app"
ACCOUNT = "a1a1a1a1-0000-4000-8000-00000000000a"
OTHER_ACCOUNT = "a2a2a2a2-0000-4000-8000-00000000000b"
INSTALLATION = "7e57ab1e-0000-4000-8000-000000000001"


def shared_directory() -> Path:
    """The reference documents: ENTITLED_SHARED, or `shared` beside the checkout. Fails loudly where there are none."""
    named = os.environ.get("ENTITLED_SHARED")
    directory = Path(named) if named else Path(__file__).resolve().parents[3].parent / "shared"
    if not (directory / "cases").is_dir():
        raise FileNotFoundError(f"{directory} has no cases. Name the directory that has in ENTITLED_SHARED.")
    return directory


class FakeClock:
    """Clocks that go on only when told, or when somebody waits by them."""

    def __init__(self, wall: int = START, monotonic: int = 1_000_000) -> None:
        self.wall = wall
        self.monotonic = monotonic
        self.boot = "first"
        self.slept: list[int] = []

    def read(self) -> Reading:
        return Reading(self.wall, self.monotonic, self.boot)

    def advance(self, milliseconds: int) -> None:
        self.wall += milliseconds
        self.monotonic += milliseconds

    def sleep(self, interrupt: threading.Event, milliseconds: int) -> None:
        self.slept.append(milliseconds)
        self.advance(milliseconds)

    def wait(self, changed: threading.Condition, milliseconds: int) -> None:
        self.advance(milliseconds)


class PatientClock(FakeClock):
    """Clocks that stand still; whoever waits by them waits until something happens."""

    def wait(self, changed: threading.Condition, milliseconds: int) -> None:
        changed.wait()


class Signer:
    """A service's key."""

    def __init__(self, kid: str = "k1") -> None:
        self.kid = kid
        self._key = Ed25519PrivateKey.generate()

    @property
    def pins(self) -> dict[str, bytes]:
        return {self.kid: self._key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)}

    def sign(self, payload: Any, **header: Any) -> str:
        full = {"alg": "EdDSA", "typ": "entitled-snapshot+jwt", "kid": self.kid} | header
        text = ".".join(_base64url(json.dumps(part).encode()) for part in (full, payload))
        return f"{text}.{_base64url(self._key.sign(text.encode()))}"


def _base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def payload(server_time: int = START, version: int = 1, **changes: Any) -> dict[str, Any]:
    """A snapshot in which `pro` ends ten days after START. `changes` go to the snapshot, or by name to its envelope."""
    snapshot = {
        "bundleId": BUNDLE,
        "environment": "Production",
        "account": ACCOUNT,
        "version": version,
        "asOf": server_time,
        "nextChangeAt": None,
        "entitlements": [entry()],
        "balances": {"coins": 120},
        "needsReconciliation": False,
        "offline": {"graceMs": 3 * DAY, "staleAccess": "keep"},
    }
    envelope = {
        "cursor": f"cursor-{version}-{server_time}",
        "serverTime": server_time,
        "epoch": 1,
        "activation": 1,
        "installation": INSTALLATION,
    }
    for name, value in changes.items():
        (envelope if name in envelope else snapshot)[name] = value
    return {"snapshot": snapshot} | envelope


def entry(name: str = "pro", **changes: Any) -> dict[str, Any]:
    usual = {
        "id": name,
        "isActive": True,
        "state": "active",
        "productId": "pro.m",
        "expiresDate": START + 10 * DAY,
        "willRenew": False,
        "endIsFinal": False,
        "activeIntervals": [[START - DAY, START + 10 * DAY]],
    }
    return usual | changes


class Directory(unittest.TestCase):
    """A test with a directory of its own, in which the installation's id is known."""

    def setUp(self) -> None:
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.directory = Path(temporary.name)
        (self.directory / "installation").write_text(INSTALLATION + "\n")


class Asked:
    """A request that the service got."""

    def __init__(self, handler: BaseHTTPRequestHandler) -> None:
        self.method = handler.command
        self.path = handler.path
        self.headers = {name.lower(): value for name, value in handler.headers.items()}
        self.body = handler.rfile.read(int(self.headers.get("content-length", "0")))

    @property
    def json(self) -> Any:
        return json.loads(self.body)


Reply = tuple[int, dict[str, str], bytes]


class FakeService:
    """Answers each request with the next reply of the script, a reply or a function of the request."""

    def __init__(self, test: unittest.TestCase) -> None:
        self.asked: list[Asked] = []
        self.script: list[Reply | Callable[[Asked], Reply | None]] = []
        service = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = -1  # Head and body leave together; apart, each answer would wait for an acknowledgement.

            def _answer(self) -> None:
                service._answer(self)

            do_GET = do_POST = _answer

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        test.addCleanup(thread.join)
        test.addCleanup(self._server.server_close)
        test.addCleanup(self._server.shutdown)

    def _answer(self, handler: BaseHTTPRequestHandler) -> None:
        asked = Asked(handler)
        self.asked.append(asked)
        reply = self.script.pop(0) if self.script else (500, {}, b"the script is over")
        answer = reply(asked) if callable(reply) else reply
        if answer is None:
            handler.close_connection = True
            return
        status, headers, body = answer
        handler.send_response(status)
        for name, value in ({"Content-Length": str(len(body))} | headers).items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(body)
        try:
            handler.wfile.flush()
        except OSError:
            handler.close_connection = True  # The client has gone, as some tests want.


def view(jws: str, **headers: str) -> Reply:
    """200 with a signed snapshot. In names of headers `_` stands for `-`."""
    return 200, {"Content-Type": "application/jose"} | _headers(headers), jws.encode()


def nothing_newer(cursor: str, **headers: str) -> Reply:
    """204 with a cursor."""
    return 204, {"Entitlement-Cursor": cursor} | _headers(headers), b""


def answer(members: Any) -> Reply:
    """200 to a POST."""
    return 200, {"Content-Type": "application/json"}, json.dumps(members).encode()


def problem(status: int, code: str, **headers: str) -> Reply:
    """A refusal of the service."""
    kind = {"Content-Type": "application/problem+json"} | _headers(headers)
    return status, kind, json.dumps({"code": code, "status": status}).encode()


def page(status: int = 200) -> Reply:
    """A captive portal's page."""
    return status, {"Content-Type": "text/html"}, b"<html>Welcome. Please accept our terms.</html>"


def _headers(headers: dict[str, str]) -> dict[str, str]:
    return {name.replace("_", "-"): value for name, value in headers.items()}
