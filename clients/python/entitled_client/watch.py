"""A sample: shows what an account may use, and every change, until Ctrl-C."""

from __future__ import annotations

import http.client
import logging
import urllib.parse
from datetime import UTC, datetime
from pathlib import Path

from .answer import Flag
from .client import EntitledClient, Settings, View
from .courier import Delivery
from .errors import EntitledError
from .keys import keys_of_jwks


def published_keys(url: str) -> dict[str, bytes]:
    """The keys that the service publishes. For development: an app pins its keys and asks nobody for them."""
    parts = urllib.parse.urlsplit(url)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    connection = kind(parts.netloc, timeout=10)
    try:
        connection.request("GET", parts.path.rstrip("/") + "/.well-known/jwks.json")
        return keys_of_jwks(connection.getresponse().read(1 << 16))
    except (OSError, http.client.HTTPException) as problem:
        raise EntitledError("noKeys", f"The service's keys cannot be read: {problem}. Give --jwks.") from problem
    finally:
        connection.close()


def watch(settings: Settings, account: str, token: str, push: list[str]) -> None:
    """Pushes what is given, then prints views until interrupted."""
    logging.basicConfig(level=logging.WARNING, format="%(message)s")
    tokens = iter([token])
    # A sample cannot sign in anew: when its only token is refused, nobody is signed in.
    with EntitledClient(settings, account, lambda: next(tokens, None), on_delivery=_print_delivery) as client:
        if push:
            client.push(push)
        client.start()
        for view in client.updates():
            print(describe(view), flush=True)


def describe(view: View) -> str:
    """A view for a terminal."""
    if not view.known:
        return f"{view.account}: unknown"
    lines = [f"{view.account}:"]
    for name, answer in sorted(view.answers.items()):
        words = [answer.verdict.value, *sorted(flag.value for flag in answer.flags)]
        lines.append(f"  {name}: {', '.join(words)}{_about(view, name)}")
    lines += [f"  {currency}: {amount}" for currency, amount in sorted(view.balances.items())]
    return "\n".join(lines if len(lines) > 1 else [*lines, "  nothing"])


def _about(view: View, name: str) -> str:
    entry, flags = view.entries[name], view.answers[name].flags
    ends = entry.get("expiresDate")
    if not isinstance(ends, int) or Flag.ASSUMED_RENEWAL in flags:
        return f" ({entry.get('productId')})"
    verb = "renews on" if entry.get("willRenew") is True else "ends or ended on"
    day = datetime.fromtimestamp(ends / 1000, UTC)
    return f" ({entry.get('productId')}, {verb} {day:%Y-%m-%d %H:%M} UTC)"


def _print_delivery(delivery: Delivery) -> None:
    if delivery.result is None:
        print(f"delivered, without a result: {delivery.given_up or 'renewal info'}", flush=True)
    else:
        finish = "may be finished" if delivery.may_finish else "must not be finished"
        print(f"transaction {delivery.result.transaction_id}: {delivery.result.outcome}, {finish}", flush=True)


def read_keys(path: Path) -> dict[str, bytes]:
    """Pinned keys from a file with a JSON Web Key Set."""
    try:
        return keys_of_jwks(path.read_bytes())
    except OSError as problem:
        raise EntitledError("noKeys", f"{path} cannot be read: {problem.strerror}.") from problem
