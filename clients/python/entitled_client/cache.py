"""The last believed snapshot of one account, on the disk and in memory, with its clock."""

from __future__ import annotations

import logging
from pathlib import Path

from . import files
from .clock import Reading, TrustedClock
from .errors import Unbelievable
from .snapshot import MAXIMUM_SIZE, Pins, Snapshot, believe

_log = logging.getLogger("entitled_client")

_CLOCK_IS_KEPT_EVERY = 300_000
"""Milliseconds by which the trusted time may go on before the clock's file is written again."""


class Cache:
    """Judges the file by all five rules at every load, never goes back, and replaces files whole."""

    def __init__(self, directory: Path, pins: Pins, writer: bool) -> None:
        self._snapshot_file = directory / "snapshot.jws"
        self._clock_file = directory / "clock.json"
        self._pins = pins
        self._writer = writer
        self._kept = 0
        self._loaded: tuple[int, int, int] | None = None
        self.snapshot: Snapshot | None = None
        self.clock: TrustedClock | None = None

    def load(self, reading: Reading) -> None:
        """Takes what the disk has. What cannot be believed is reported, and counts as nothing."""
        self.snapshot = self.clock = None
        self._loaded = self._identity()
        data = files.read(self._snapshot_file, MAXIMUM_SIZE)
        if data is None:
            return
        try:
            self.snapshot = believe(data.decode("ascii").strip(), self._pins)
        except (Unbelievable, UnicodeDecodeError) as problem:
            _log.warning("The cached snapshot is passed over (%s); it is fetched anew.", problem)
            return
        self.clock = TrustedClock.decode(files.read(self._clock_file, 4096) or b"")
        if self.clock is None:
            self.clock = TrustedClock.unremembered(self.snapshot.server_time, reading)
        self._kept = self.clock.now
        self.observe(reading)

    def reload(self, reading: Reading) -> None:
        """Loads again if another process has replaced the snapshot."""
        if self._identity() != self._loaded:
            self.load(reading)

    def take(self, jws: str, reading: Reading) -> bool:
        """Believes and keeps a fetched snapshot. False if it does not follow the one there is: nothing changes."""
        fetched = believe(jws, self._pins)
        if not fetched.follows(self.snapshot):
            return False
        self.snapshot = fetched
        self.clock = TrustedClock.fetched(fetched.server_time, reading)
        # The clock first: beside an older snapshot it is right as well; the other way round a crash would lose time.
        self.keep_clock()
        self._keep(self._snapshot_file, jws.encode())
        return True

    def observe(self, reading: Reading) -> None:
        """Lets the trusted time go on."""
        if self.clock is None:
            return
        self.clock.observe(reading)
        if self._writer and self.clock.now - self._kept >= _CLOCK_IS_KEPT_EVERY:
            self.keep_clock()

    def keep_clock(self) -> None:
        """Writes the clock's file."""
        if self._writer and self.clock is not None:
            self._keep(self._clock_file, self.clock.encode())
            self._kept = self.clock.now

    @property
    def now(self) -> int | None:
        """The trusted time; never earlier than the snapshot, whatever the clock's file says."""
        if self.snapshot is None or self.clock is None:
            return None
        return max(self.clock.now, self.snapshot.server_time)

    def _keep(self, path: Path, data: bytes) -> None:
        try:
            files.replace(path, data)
        except OSError as problem:
            # A full disk costs the cache of the next start, not the answers of this one.
            _log.error("%s could not be written: %s", path.name, problem)

    def _identity(self) -> tuple[int, int, int] | None:
        try:
            status = self._snapshot_file.stat()
        except OSError:
            return None
        return status.st_ino, status.st_mtime_ns, status.st_size
