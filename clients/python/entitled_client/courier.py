"""Delivers an outbox (PROTOCOL.md, "Pushing"): send, and only after the answer mark as done."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from .errors import Refused
from .outbox import Item, Kind, Outbox
from .service import Result, Service

_log = logging.getLogger("entitled_client")

MAXIMUM_OBJECTS = 100
MAXIMUM_BYTES = 192_000
_BYTES_AROUND = 100
"""What the body of a push has beside the objects."""

_TOO_MUCH_OR_WRONG = (400, 413, 415, 422)


@dataclass(frozen=True)
class Delivery:
    """The service's result for one handed-over object; None for a renewal info, and for one that was given up."""

    jws: str = field(repr=False)
    result: Result | None
    given_up: str | None = None
    """Why the service never takes this object."""

    @property
    def may_finish(self) -> bool:
        """Whether the app may finish the transaction with the store."""
        return self.result is not None and self.result.finish


def deliver(outbox: Outbox, service: Service) -> Iterator[tuple[list[Delivery], str | None]]:
    """Sends what waits, each object once: after each request what it settled, and the signed snapshot after it.

    Raises `NoAnswer` and `Refused` where it cannot go on; what was not answered keeps waiting.
    """
    for part in parts(outbox.waiting):
        yield from _send(part, outbox, service)


def parts(items: Sequence[Item]) -> Iterator[list[Item]]:
    """Cuts what waits into requests."""
    part: list[Item] = []
    size = _BYTES_AROUND
    for item in items:
        length = len(item.jws) + 4
        if part and (len(part) == MAXIMUM_OBJECTS or size + length > MAXIMUM_BYTES):
            yield part
            part, size = [], _BYTES_AROUND
        part.append(item)
        size += length
    if part:
        yield part


def _send(items: list[Item], outbox: Outbox, service: Service) -> Iterator[tuple[list[Delivery], str | None]]:
    try:
        results, jws = service.push(items)
    except Refused as refusal:
        if refusal.status not in _TOO_MUCH_OR_WRONG:
            raise
        if len(items) > 1:
            middle = len(items) // 2
            yield from _send(items[:middle], outbox, service)
            yield from _send(items[middle:], outbox, service)
            return
        _log.error("The service never takes one of the signed objects (%s): it is given up.", refusal.code)
        outbox.done(items)
        yield [Delivery(items[0].jws, None, given_up=refusal.code)], None
        return
    yield _settled(items, results, outbox), jws


def deliveries(items: Sequence[Item], results: Sequence[Result]) -> list[Delivery]:
    """The objects of a request with their results: one for each transaction in order, none for renewal infos."""
    following = iter(results)
    return [Delivery(item.jws, next(following) if item.kind is Kind.TRANSACTION else None) for item in items]


def _settled(items: list[Item], results: list[Result], outbox: Outbox) -> list[Delivery]:
    answered = list(zip(items, deliveries(items, results), strict=True))
    again = [item for item, delivery in answered if delivery.result and delivery.result.outcome == "retry"]
    outbox.done(item for item, _ in answered if item not in again)
    for item in again:
        outbox.again(item)
    return [delivery for item, delivery in answered if item not in again]
