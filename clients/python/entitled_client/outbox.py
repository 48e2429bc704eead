"""What waits for delivery, kept so that a crash at any instant loses nothing that was taken."""

from __future__ import annotations

import enum
import hashlib
import json
import logging
import os
import threading
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from . import files
from .errors import OutboxFull

_log = logging.getLogger("entitled_client")

MAXIMUM_OBJECTS = 1000
MAXIMUM_BYTES = 4 << 20
"""Signed objects and their bytes that may wait at a time."""

_FILE_LIMIT = 64 << 20
_COMPACT_ABOVE = 1 << 20


class Kind(enum.Enum):
    """What an object is; the values name the members of a push."""

    TRANSACTION = "signedTransactions"
    RENEWAL_INFO = "signedRenewalInfos"


@dataclass(frozen=True)
class Item:
    """A signed object that waits."""

    kind: Kind
    jws: str = field(repr=False)

    @property
    def id(self) -> str:
        """What names it in the file."""
        return hashlib.sha256(self.jws.encode()).hexdigest()[:32]


class Outbox:
    """One account's log of records `add` and `done`. The file is rewritten when it is mostly history."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._waiting: dict[str, Item] = {}
        self._load()

    def __len__(self) -> int:
        return len(self._waiting)

    @property
    def waiting(self) -> list[Item]:
        """What waits, oldest first; what is to be tried again is behind the rest."""
        with self._lock:
            return list(self._waiting.values())

    def add(self, items: Iterable[Item]) -> None:
        """Takes all of them, durably, or none: then it raises `OutboxFull`. What waits already is not taken twice."""
        with self._lock:
            new = {item.id: item for item in items if item.id not in self._waiting}
            size = sum(len(item.jws) for item in (*self._waiting.values(), *new.values()))
            count = len(self._waiting)
            if count + len(new) > MAXIMUM_OBJECTS or size > MAXIMUM_BYTES:
                raise OutboxFull(f"{count} objects wait for the service. Hand these over again when it took those.")
            self._append([{"add": item.kind.value, "jws": item.jws} for item in new.values()])
            self._waiting |= new

    def done(self, items: Iterable[Item]) -> None:
        """Forgets what the service has answered for."""
        with self._lock:
            ids = [item.id for item in items if item.id in self._waiting]
            self._append([{"done": id} for id in ids])
            for id in ids:
                del self._waiting[id]
            waiting = sum(len(item.jws) for item in self._waiting.values())
            if self._path.exists() and self._path.stat().st_size > _COMPACT_ABOVE + 2 * waiting:
                self._rewrite()

    def again(self, item: Item) -> None:
        """Puts an object behind the rest."""
        with self._lock:
            if self._waiting.pop(item.id, None):
                self._waiting[item.id] = item

    def _load(self) -> None:
        data = files.read(self._path, _FILE_LIMIT) or b""
        lines = data.split(b"\n")
        damaged = lines.pop() != b""
        for line in lines:
            damaged = not self._apply(line) or damaged
        if damaged:
            # Nothing may be written behind half a line: it would be read as a part of it.
            _log.warning("The outbox had damaged records, which are left out.")
            self._rewrite()

    def _apply(self, line: bytes) -> bool:
        if line[16:17] != b" " or _sum(line[17:]) != line[:16]:
            return False
        try:
            match json.loads(line[17:]):
                case {"add": str() as kind, "jws": str() as jws}:
                    item = Item(Kind(kind), jws)
                    self._waiting[item.id] = item
                case {"done": str() as id}:
                    self._waiting.pop(id, None)
        except ValueError:
            return False
        return True

    def _append(self, records: list[dict[str, str]]) -> None:
        if not records:
            return
        is_new = not self._path.exists()
        length = 0 if is_new else self._path.stat().st_size
        try:
            with open(self._path, "ab") as file:
                file.write(b"".join(map(_line, records)))
                file.flush()
                os.fsync(file.fileno())
        except OSError:
            # Half a record, as on a full disk, would spoil the one written after it.
            if self._path.exists():
                os.truncate(self._path, length)
            raise
        if is_new:
            files.sync_directory(self._path.parent)

    def _rewrite(self) -> None:
        lines = [_line({"add": item.kind.value, "jws": item.jws}) for item in self._waiting.values()]
        files.replace(self._path, b"".join(lines))


def _sum(text: bytes) -> bytes:
    return hashlib.sha256(text).hexdigest()[:16].encode()


def _line(record: dict[str, str]) -> bytes:
    text = json.dumps(record).encode()
    return _sum(text) + b" " + text + b"\n"
