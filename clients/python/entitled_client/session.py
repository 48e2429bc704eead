"""All that belongs to one signed-in account: its cache, its outbox, its token and its poll."""

from __future__ import annotations

import logging
import random
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

from . import courier, files, poll
from .cache import Cache
from .clock import Clock
from .courier import Delivery
from .errors import EntitledError, NoAnswer, NotWriter, Refused, Unbelievable
from .outbox import Item, Outbox
from .poll import PollMachine
from .poller import Poller
from .service import Address, Service
from .snapshot import Pins
from .transport import Transport

_log = logging.getLogger("entitled_client")
_T = TypeVar("_T")

TokenSource = Callable[[], str | None]
"""The app's answer to "a new device token, please": the token, None if nobody is signed in; raises if it cannot say."""

_LONGEST_UNSIGNED = 6 * 3_600_000
_SHORTEST_UNSIGNED = 1_000


class SignedOut(EntitledError):
    """The app has no token for this account."""

    def __init__(self) -> None:
        super().__init__("signedOut", "There is no token for this account. Sign in, then start again.")


@dataclass(frozen=True)
class Surroundings:
    """What a session shares with its client. `changed` guards the cache; it is notified when answers may differ."""

    root: Path
    writer: bool
    clock: Clock
    chance: random.Random
    changed: threading.Condition
    on_delivery: Callable[[Delivery], None]
    outboxes: dict[Path, Outbox]


class Session:
    """One account. The process that holds the lock fetches and pushes; for others it answers from the disk."""

    def __init__(self, address: Address, keys: dict[str, bytes], token: TokenSource, around: Surroundings) -> None:
        installation = files.installation(around.root, around.writer)
        directory = files.account_directory(around.root, address.bundle_id, address.environment, address.account)
        pins = Pins(keys, address.bundle_id, address.environment, address.account, installation)
        self.account = address.account
        self._around = around
        self._token_source = token
        self._token: str | None = None
        self.cache = Cache(directory, pins, around.writer)
        self._outbox: Outbox | None = None
        if around.writer:
            directory.mkdir(parents=True, exist_ok=True)
            # One object a file: a call that began before somebody signed in again must not write past the new session.
            self._outbox = around.outboxes.get(directory) or Outbox(directory / "outbox.log")
            around.outboxes[directory] = self._outbox
        self.cache.load(around.clock.read())
        self._ended = False
        self._delivery_failures = 0
        self._next_delivery = 0
        # Two connections: what the app does must not wait for the end of a hold.
        self._transports = (hold, calls) = Transport(address.url), Transport(address.url)
        self._hold_service = Service(address, installation, hold, self._current_token)
        self._service = Service(address, installation, calls, self._current_token)
        self._calling = threading.RLock()
        cursor = self.cache.snapshot.cursor if self.cache.snapshot else None
        self.machine = PollMachine(cursor, self._resign_at(), around.chance)
        self.poller = Poller(self.machine, around.clock, self._perform, self._ask_token, hold.abort)

    def end(self) -> None:
        """Nobody is signed in here any more: what is still under way changes nothing."""
        self.poller.stop()
        with self._around.changed:
            self._ended = True
            self.cache.keep_clock()
        for transport in self._transports:
            transport.close()

    def push(self, items: Sequence[Item]) -> list[Delivery]:
        """Takes the objects into the outbox, durably, then tries to deliver. Without a network they wait there."""
        self._writable_outbox().add(items)
        return self.deliver()

    def deliver(self) -> list[Delivery]:
        """Sends what waits; returns what was settled. A failure is no error: the rest goes later."""
        outbox = self._writable_outbox()
        settled: list[Delivery] = []
        with self._calling:
            try:
                self._with_token(lambda: self._deliver(outbox, settled))
            except EntitledError as problem:
                _log.info("%d signed objects wait for the service: %s", len(outbox), problem)
                self._put_off(problem.pause if isinstance(problem, Refused) else 0)
            else:
                if len(outbox) > 0:
                    self._put_off(0)
                else:
                    self._delivery_failures = self._next_delivery = 0
        return settled

    def restore(self, items: Sequence[Item]) -> list[Delivery]:
        """The person's wish to have their purchases here. Raises where it cannot be fulfilled now."""
        self._writable_outbox()
        deliveries: list[Delivery] = []
        for part in courier.parts(items):
            results, jws = self._with_token(partial(self._service.push, part, restore=True))
            self._take_quietly(jws)
            deliveries += courier.deliveries(part, results)
        return deliveries

    def spend(self, currency: str, amount: int, idempotency_key: str) -> None:
        """Spends from a balance; raises `Refused` with `insufficientBalance` or `idempotencyConflict`."""
        self._writable_outbox()
        self._take_quietly(self._with_token(lambda: self._service.spend(currency, amount, idempotency_key)))

    def refresh(self) -> None:
        """Fetches the snapshot now. Raises `NoAnswer`, `Refused` or `Unbelievable`: then the answers stay."""
        self._writable_outbox()
        view = self._with_token(lambda: self._service.entitlements(None, None))
        if view.jws is None:
            raise NoAnswer("A fetch was answered without a snapshot.")
        self._take(view.jws)

    def _deliver(self, outbox: Outbox, settled: list[Delivery]) -> None:
        for deliveries, jws in courier.deliver(outbox, self._service):
            self._take_quietly(jws)
            for delivery in deliveries:
                settled.append(delivery)
                try:
                    self._around.on_delivery(delivery)
                except Exception:  # The app's mistake must not end the poll.
                    _log.exception("on_delivery failed.")

    def _perform(self, request: poll.Request) -> poll.Outcome:
        try:
            view = self._hold_service.entitlements(request.cursor, self._shortened(request.wait), self.poller.interrupt)
            taken = view.jws is not None and self._take(view.jws)
        except SignedOut:
            return poll.Unauthorized()
        except Refused as refusal:
            if refusal.status == 401:
                _log.warning("The service refused the token: %s", refusal)
                self._token = None
                return poll.Unauthorized()
            return poll.Declined(refusal.pause)
        except Unbelievable as problem:
            _log.warning("The fetched snapshot is passed over: %s", problem)
            return poll.Declined()
        except EntitledError as problem:
            _log.info("%s", problem)
            return poll.Unreached()
        self._deliver_if_due()
        snapshot = self.cache.snapshot
        cursor = view.cursor if view.jws is None or snapshot is None else self.machine.cursor or snapshot.cursor
        return poll.Answered(snapshot.cursor if taken and snapshot else cursor, view.pause, view.close)

    def _take(self, jws: str) -> bool:
        with self._around.changed:
            taken = not self._ended and self.cache.take(jws, self._around.clock.read())
            if taken:
                if self.cache.snapshot is not None:
                    self.machine.cursor = self.cache.snapshot.cursor
                self.machine.resign_at = self._resign_at()
                self._around.changed.notify_all()
        return taken

    def _take_quietly(self, jws: str | None) -> None:
        if jws is None:
            return
        try:
            self._take(jws)
        except Unbelievable as problem:
            _log.warning("The snapshot of an answer is passed over: %s", problem)

    def _resign_at(self) -> int:
        monotonic = self._around.clock.read().monotonic
        snapshot, now = self.cache.snapshot, self.cache.now
        if snapshot is None or now is None:
            return monotonic
        keep = max(_SHORTEST_UNSIGNED, min(snapshot.grace // 4, _LONGEST_UNSIGNED))
        return monotonic + snapshot.server_time + keep - now

    def _shortened(self, wait: int | None) -> int | None:
        """A hold that ends when something is to be delivered again."""
        if wait is None or not self._outbox:
            return wait
        left = self._next_delivery - self._around.clock.read().monotonic
        return max(1, min(wait, -(-left // 1000)))

    def _deliver_if_due(self) -> None:
        if self._outbox and self._around.clock.read().monotonic >= self._next_delivery:
            self.deliver()

    def _put_off(self, pause: int) -> None:
        wait = max(pause, poll.backoff(self._delivery_failures, self._around.chance))
        self._delivery_failures += 1
        self._next_delivery = self._around.clock.read().monotonic + wait

    def _writable_outbox(self) -> Outbox:
        if self._outbox is None:
            raise NotWriter()
        return self._outbox

    def _with_token(self, call: Callable[[], _T]) -> _T:
        """Does a call; where the token is refused, once again with a new one."""
        with self._calling:
            try:
                return call()
            except Refused as refusal:
                if refusal.status != 401:
                    raise
            self._token = None
            return call()

    def _current_token(self) -> str:
        if self._token is None:
            try:
                self._token = self._token_source()
            except Exception as problem:  # Whatever the app raises, it says that it cannot say now.
                raise NoAnswer(f"The app has no token now: {problem}") from problem
        if self._token is None:
            raise SignedOut()
        return self._token

    def _ask_token(self) -> poll.Token:
        self._token = None
        try:
            self._current_token()
        except SignedOut:
            return poll.Token.NOBODY
        except NoAnswer:
            return poll.Token.CANNOT_SAY
        return poll.Token.REFRESHED
