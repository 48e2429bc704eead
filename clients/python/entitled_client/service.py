"""The calls of the protocol: what is sent, and which answers are the service's own (PROTOCOL.md, "Requests")."""

from __future__ import annotations

import json
import threading
import urllib.parse
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from .errors import NoAnswer, Refused
from .outbox import Item, Kind
from .transport import Call, Response, Transport

_FETCH_SECONDS = 20.0
_HOLD_MARGIN_SECONDS = 10.0
_LONGEST_PAUSE = 3_600_000
"""A pause asked for by mistake, or by something that is not the service, must not silence a client for good."""


@dataclass(frozen=True)
class Address:
    """Whose entitlements are asked for, where."""

    url: str
    bundle_id: str
    account: uuid.UUID
    environment: str = "Production"

    def path(self, rest: str, **query: str) -> str:
        """The path and query of a call below the account."""
        if self.environment != "Production":
            query["environment"] = self.environment
        path = f"/v1/apps/{urllib.parse.quote(self.bundle_id, safe='')}/accounts/{self.account}/{rest}"
        return f"{path}?{urllib.parse.urlencode(query)}" if query else path


@dataclass(frozen=True)
class View:
    """The service's answer to a question: a snapshot to be judged, or None for "nothing newer" with the cursor."""

    jws: str | None
    cursor: str
    pause: int
    close: bool


@dataclass(frozen=True)
class Result:
    """What became of one signed transaction; only `finish` lets the app finish it with the store."""

    transaction_id: str | None
    outcome: str
    reason: str | None
    finish: bool


@dataclass(frozen=True)
class Answered:
    """The answer to a POST."""

    members: dict[str, Any]
    jws: str | None


class Service:
    """Speaks for one installation and account. Raises `NoAnswer` and `Refused`."""

    def __init__(self, address: Address, installation: str, transport: Transport, token: Callable[[], str]) -> None:
        self._address = address
        self._installation = installation
        self._transport = transport
        self._token = token

    def entitlements(self, cursor: str | None, wait: int | None, interrupt: threading.Event | None = None) -> View:
        """The snapshot now, or with a cursor as soon as there is a newer one."""
        query = {} if cursor is None else {"cursor": cursor, "wait": str(wait)}
        call = Call("GET", self._address.path("entitlements", **query), self._headers(Accept="application/jose"))
        seconds = _FETCH_SECONDS if wait is None else wait + _HOLD_MARGIN_SECONDS
        answer = own(self._transport.exchange(call, seconds, interrupt))
        moved = answer.headers.get("entitlement-cursor", "")
        return View(
            jws=None if answer.status == 204 else answer.body.decode("ascii", "replace").strip(),
            cursor=moved or cursor or "",
            pause=pause(answer),
            close="close" in answer.headers.get("connection", "").lower(),
        )

    def push(self, items: Sequence[Item], restore: bool = False) -> tuple[list[Result], str | None]:
        """Pushes, or restores: a result for each transaction in order, and the signed snapshot after it."""
        body = push_body(items)
        answer = self._post("restore" if restore else "transactions", body)
        expected = sum(item.kind is Kind.TRANSACTION for item in items)
        return _results(answer.members, expected), answer.jws

    def spend(self, currency: str, amount: int, idempotency_key: str) -> str | None:
        """Spends, and returns the signed snapshot after it."""
        body = json.dumps({"amount": amount, "idempotencyKey": idempotency_key}).encode()
        return self._post(f"balances/{urllib.parse.quote(currency, safe='')}/spend", body).jws

    def _post(self, rest: str, body: bytes) -> Answered:
        headers = self._headers(**{"Content-Type": "application/json", "Entitlement-Signed": "1"})
        call = Call("POST", self._address.path(rest), headers, body)
        answer = own(self._transport.exchange(call, _FETCH_SECONDS))
        members = _json(answer.body)
        if answer.status != 200 or members is None:
            raise NoAnswer("The answer to a POST is not the service's.")
        jws = members.get("signedSnapshot")
        return Answered(members, jws if isinstance(jws, str) else None)

    def _headers(self, **more: str) -> dict[str, str]:
        token = self._token()
        return {"Authorization": f"Bearer {token}", "Entitlement-Installation": self._installation, **more}


def own(answer: Response) -> Response:
    """The answer, if it is the service's own. Raises `Refused` for a refusal, `NoAnswer` for a portal's page."""
    media_type = answer.media_type
    if answer.status == 200 and media_type in ("application/jose", "application/json"):
        return answer
    if answer.status == 204 and answer.headers.get("entitlement-cursor"):
        return answer
    if answer.status >= 400 and media_type == "application/problem+json":
        problem = _json(answer.body) or {}
        code, detail = problem.get("code"), problem.get("detail")
        raise Refused(answer.status, str(code or "unknown"), str(detail or "The service refused."), pause(answer))
    if answer.status == 429 or answer.status >= 500:
        raise Refused(answer.status, "busy", "The service, or something before it, is busy.", pause(answer))
    raise NoAnswer(f"An answer with status {answer.status} and type {media_type or 'none'} is not the service's.")


def pause(answer: Response) -> int:
    """Milliseconds to wait at least before the next request."""
    backoff = _whole(answer.headers.get("entitlement-backoff-ms"))
    return min(max(backoff, _whole(answer.headers.get("retry-after")) * 1000), _LONGEST_PAUSE)


def push_body(items: Sequence[Item]) -> bytes:
    """The body of a push of these objects."""
    members = {kind.value: [item.jws for item in items if item.kind is kind] for kind in Kind}
    return json.dumps(members).encode()


def _results(members: dict[str, Any], expected: int) -> list[Result]:
    results = members.get("results")
    if not isinstance(results, list) or len(results) != expected:
        raise NoAnswer("The results do not match the request in number.")
    return [_result(value) for value in results]


def _result(value: Any) -> Result:
    if not isinstance(value, dict) or not isinstance(value.get("outcome"), str):
        raise NoAnswer("A result has no outcome.")
    transaction, reason = value.get("transactionId"), value.get("reason")
    return Result(
        transaction_id=transaction if isinstance(transaction, str) else None,
        outcome=value["outcome"],
        reason=reason if isinstance(reason, str) else None,
        finish=value.get("finish") is True,
    )


def _json(body: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _whole(text: str | None) -> int:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 10 else 0
