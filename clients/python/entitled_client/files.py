"""Files that survive a crash at any instant, and the lock that makes one process the writer."""

from __future__ import annotations

import fcntl
import hashlib
import os
import uuid
from pathlib import Path


def replace(path: Path, data: bytes) -> None:
    """Replaces a file whole: after a crash it is the old one or the new one, never a part."""
    temporary = path.with_name(path.name + ".new")
    with open(temporary, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    os.replace(temporary, path)
    sync_directory(path.parent)


def sync_directory(directory: Path) -> None:
    """Makes the names in a directory durable."""
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def read(path: Path, maximum: int) -> bytes | None:
    """The file's content; None if there is none, it is no file, or it is longer than `maximum` bytes."""
    try:
        with open(path, "rb") as file:
            data = file.read(maximum + 1)
    except OSError:
        return None
    return data if len(data) <= maximum else None


def account_directory(root: Path, bundle_id: str, environment: str, account: uuid.UUID) -> Path:
    """Where the files of one account in one environment of one app are."""
    name = hashlib.sha256(f"{bundle_id}\n{environment}\n{account}".encode()).hexdigest()[:32]
    return root / "accounts" / name


def installation(root: Path, writer: bool) -> str:
    """This installation's id, made at the first start. A reader of a new directory gets one that nothing is for."""
    path = root / "installation"
    try:
        return str(uuid.UUID((read(path, 100) or b"").decode("ascii").strip()))
    except ValueError:
        # A damaged id cannot be repaired: with a new one the old snapshots are foreign, and fetched anew.
        made = str(uuid.uuid4())
    if writer:
        replace(path, f"{made}\n".encode())
    return made


class Lock:
    """The directory's lock: whoever holds it writes and talks to the service, the others read."""

    def __init__(self, root: Path) -> None:
        self._descriptor: int | None = os.open(root / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self.release()

    @property
    def held(self) -> bool:
        """Whether this object holds the lock."""
        return self._descriptor is not None

    def release(self) -> None:
        """Lets another process write."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
