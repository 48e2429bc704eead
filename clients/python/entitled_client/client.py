"""The client an app uses."""

from __future__ import annotations

import random
import threading
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import files
from .answer import UNKNOWN, Answer, answer, next_change
from .clock import Clock, SystemClock
from .courier import Delivery
from .outbox import Item, Kind
from .service import Address
from .session import Session, Surroundings, TokenSource

_LOOK_AGAIN = 30_000
"""Milliseconds after which an observer looks again at the clocks: a wall clock set forward tells nobody."""
_READER_LOOKS_AGAIN = 1_000


@dataclass(frozen=True)
class Settings:
    """What an app pins and where it keeps things. `keys` maps a `kid` to the 32 raw bytes of an Ed25519 key."""

    url: str
    bundle_id: str
    keys: Mapping[str, bytes]
    directory: Path
    environment: str = "Production"


@dataclass(frozen=True)
class View:
    """What a person may see. Two views are equal if a person sees no difference."""

    account: uuid.UUID
    known: bool
    """False as long as nothing was ever fetched, or what there is cannot be believed."""
    answers: Mapping[str, Answer]
    """The answer for each entitlement that the service has an entry for."""
    entries: Mapping[str, Mapping[str, Any]]
    """The service's entries for showing, as of the fetch: productId, state, expiresDate and so on."""
    balances: Mapping[str, int]


class EntitledClient:
    """Answers from a signed cache, keeps it fresh with one poll, and delivers purchases.

    Calls are blocking and may come from any thread. The client reads at once and asks nobody before `start`.
    `on_delivery` is told, in the thread that delivers, about everything the service has settled.
    """

    def __init__(
        self,
        settings: Settings,
        account: str,
        token: TokenSource,
        *,
        on_delivery: Callable[[Delivery], None] | None = None,
        clock: Clock | None = None,
        chance: random.Random | None = None,
    ) -> None:
        settings.directory.mkdir(parents=True, exist_ok=True)
        self._settings = settings
        self._lock = files.Lock(settings.directory)
        self._changed = threading.Condition(threading.RLock())
        self._around = Surroundings(
            root=settings.directory,
            writer=self._lock.held,
            clock=clock or SystemClock(),
            chance=chance or random.Random(),
            changed=self._changed,
            on_delivery=on_delivery or (lambda delivery: None),
            outboxes={},
        )
        self._stir = threading.Event()
        self._thread: threading.Thread | None = None
        self._running = False
        self._closed = False
        self.session = self._sign_in(account, token)

    @property
    def is_writer(self) -> bool:
        """Whether this process talks to the service. Otherwise another one does, and this one reads what it keeps."""
        return self._around.writer

    def start(self) -> None:
        """Begins to poll in a thread of its own. Does nothing in a process that only reads."""
        if not self.is_writer or self._running:
            return
        self._running = True
        self.session.poller.start()
        if self._thread is None:
            self._thread = threading.Thread(target=self._poll, name="entitled-poll", daemon=True)
            self._thread.start()
        self._stir.set()

    def wake(self) -> None:
        """Tells that the device woke, the network came back or the person looks: a dead hold is given up."""
        self.session.poller.wake()
        self._stir.set()

    def stop(self) -> None:
        """Ends polling. Answers go on."""
        self._running = False
        self.session.poller.stop()

    def close(self) -> None:
        """Ends all: observers, the poll, and being the writer."""
        self._running = False
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self.session.end()
        self._stir.set()
        if self._thread is not None:
            self._thread.join()
        self._lock.release()

    def __enter__(self) -> EntitledClient:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def switch_account(self, account: str, token: TokenSource) -> None:
        """Signs in another account in one step: its own cache counts from now on, and nothing of the one before.

        What waits in the outbox of the account before stays there until it signs in again.
        """
        with self._changed:
            before, self.session = self.session, self._sign_in(account, token)
            before.end()
            if self._running:
                self.session.poller.start()
            self._changed.notify_all()
        self._stir.set()

    def answer(self, entitlement: str) -> Answer:
        """Active, inactive or unknown, with its flags. Never asks the network, never raises for bad files."""
        with self._changed:
            return self._answer_now(entitlement, self._rolled_back())

    def balance(self, currency: str) -> int | None:
        """The balance as of the last fetch; 0 for a currency nobody credited, None while nothing is known."""
        with self._changed:
            self._rolled_back()
            snapshot = self.session.cache.snapshot
            return None if snapshot is None else snapshot.balances.get(currency, 0)

    def view(self) -> View:
        """All answers at once."""
        with self._changed:
            rolled_back = self._rolled_back()
            snapshot = self.session.cache.snapshot
            entries = snapshot.entries if snapshot else {}
            return View(
                account=self.session.account,
                known=snapshot is not None,
                answers={name: self._answer_now(name, rolled_back) for name in entries},
                entries={name: entry.fields for name, entry in entries.items()},
                balances=snapshot.balances if snapshot else {},
            )

    def updates(self) -> Iterator[View]:
        """What there is now, at once and exactly once, then every change a person would see, until `close`.

        Ends that pass without network come from here, too. Any number of threads may each have their own iterator.
        """
        shown: View | None = None
        while True:
            with self._changed:
                while (view := self.view()) == shown and not self._closed:
                    self._around.clock.wait(self._changed, self._until_next_change())
                if self._closed:
                    return
            shown = view
            yield view

    def push(self, transactions: Sequence[str], renewal_infos: Sequence[str] = ()) -> list[Delivery]:
        """Hands over signed objects of the store. When this returns they are safe, on the disk or with the service.

        Returns what the service has settled by now, which may be nothing. Raises `OutboxFull` if nothing was taken.
        """
        return self.session.push(_items(transactions, renewal_infos))

    def restore(self, transactions: Sequence[str], renewal_infos: Sequence[str] = ()) -> list[Delivery]:
        """Only for an explicit wish of the person: may move purchases here. Raises where it cannot be done now."""
        return self.session.restore(_items(transactions, renewal_infos))

    def spend(self, currency: str, amount: int, idempotency_key: str) -> None:
        """Spends. Raises `Refused` (`insufficientBalance`, `idempotencyConflict`).

        After `NoAnswer` nobody knows whether it was spent: ask again with the same key.
        """
        self.session.spend(currency, amount, idempotency_key)

    def refresh(self) -> None:
        """Fetches now. Raises where that fails; the answers then stay as they are."""
        self.session.refresh()

    def _sign_in(self, account: str, token: TokenSource) -> Session:
        settings = self._settings
        address = Address(settings.url, settings.bundle_id, uuid.UUID(account), settings.environment)
        return Session(address, dict(settings.keys), token, self._around)

    def _poll(self) -> None:
        while not self._closed:
            self._stir.clear()
            if not self.session.poller.step():
                self._stir.wait()

    def _rolled_back(self) -> bool:
        """Takes in what the clocks and, for a reader, the files show. Whether the wall clock was set back."""
        reading = self._around.clock.read()
        cache = self.session.cache
        if not self.is_writer:
            cache.reload(reading)
        cache.observe(reading)
        return cache.clock is not None and cache.clock.rolled_back(reading)

    def _answer_now(self, entitlement: str, rolled_back: bool) -> Answer:
        cache = self.session.cache
        return UNKNOWN if cache.now is None else answer(cache.snapshot, entitlement, cache.now, rolled_back)

    def _until_next_change(self) -> int:
        longest = _LOOK_AGAIN if self.is_writer else _READER_LOOKS_AGAIN
        snapshot, now = self.session.cache.snapshot, self.session.cache.now
        change = None if snapshot is None or now is None else next_change(snapshot, now)
        return longest if change is None or now is None else min(longest, change - now)


def _items(transactions: Sequence[str], renewal_infos: Sequence[str]) -> list[Item]:
    return [
        *(Item(Kind.TRANSACTION, jws) for jws in transactions),
        *(Item(Kind.RENEWAL_INFO, jws) for jws in renewal_infos),
    ]
