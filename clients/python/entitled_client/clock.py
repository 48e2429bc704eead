"""Trusted time (rules.md R11): the server's time of the last fetch, carried on by clocks nobody can turn back."""

from __future__ import annotations

import json
import threading
import time
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Protocol

_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
# The clock that goes on while the machine sleeps; systems without it have only the other one.
_SINCE_BOOT: int = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


@dataclass(frozen=True)
class Reading:
    """What the device's clocks show: wall time and time since the boot in milliseconds, and which boot it is."""

    wall: int
    monotonic: int
    boot: str


class Clock(Protocol):
    """The device's clocks, and waiting by them. Tests bring their own."""

    def read(self) -> Reading:
        """What the clocks show now."""

    def sleep(self, interrupt: threading.Event, milliseconds: int) -> None:
        """Waits that long, or until `interrupt` is set."""

    def wait(self, changed: threading.Condition, milliseconds: int) -> None:
        """Waits that long, or until the condition, which the caller holds, is notified."""


class SystemClock:
    """The clocks of this machine."""

    def __init__(self) -> None:
        try:
            self._boot = _BOOT_ID.read_text("ascii").strip()
        except OSError:
            self._boot = ""  # A restart then shows as a monotonic clock that went back.

    def read(self) -> Reading:
        """What the clocks show now."""
        monotonic = time.clock_gettime_ns(_SINCE_BOOT) // 1_000_000
        return Reading(wall=time.time_ns() // 1_000_000, monotonic=monotonic, boot=self._boot)

    def sleep(self, interrupt: threading.Event, milliseconds: int) -> None:
        """Waits that long, or until `interrupt` is set."""
        interrupt.wait(milliseconds / 1000)

    def wait(self, changed: threading.Condition, milliseconds: int) -> None:
        """Waits that long, or until the condition is notified."""
        changed.wait(milliseconds / 1000)


@dataclass
class TrustedClock:
    """Time since one fetch. Every reading of the device's clocks can only move it on."""

    server_time: int
    wall_at_fetch: int
    highest_wall: int
    elapsed: int
    """Monotonic milliseconds since the fetch up to the last reading, reboots included."""
    monotonic: int
    """The monotonic clock at the last reading."""
    boot: str

    @classmethod
    def fetched(cls, server_time: int, reading: Reading) -> TrustedClock:
        """The clock that a fetch starts."""
        return cls(server_time, reading.wall, reading.wall, 0, reading.monotonic, reading.boot)

    @classmethod
    def unremembered(cls, server_time: int, reading: Reading) -> TrustedClock:
        """The clock for a snapshot whose clock file is lost: the wall clock is taken at its word."""
        return cls(server_time, server_time, max(server_time, reading.wall), 0, reading.monotonic, reading.boot)

    def observe(self, reading: Reading) -> None:
        """Takes in what the clocks show."""
        if reading.boot == self.boot and reading.monotonic >= self.monotonic:
            self.elapsed += reading.monotonic - self.monotonic
        else:
            # The machine started after the last reading, so all of its time since then has passed as well.
            self.elapsed += reading.monotonic
        self.monotonic, self.boot = reading.monotonic, reading.boot
        self.highest_wall = max(self.highest_wall, reading.wall)

    @property
    def now(self) -> int:
        """The trusted time at the last reading."""
        return self.server_time + max(self.elapsed, self.highest_wall - self.wall_at_fetch)

    def rolled_back(self, reading: Reading) -> bool:
        """Whether the wall clock shows less than it has since the fetch."""
        return reading.wall < self.highest_wall

    def encode(self) -> bytes:
        """The text for the disk."""
        return json.dumps(asdict(self)).encode()

    @classmethod
    def decode(cls, data: bytes) -> TrustedClock | None:
        """The clock of a file; None if the file is damaged."""
        try:
            members = json.loads(data)
            clock = cls(**{field.name: members[field.name] for field in fields(cls)})
        except (ValueError, TypeError, KeyError, RecursionError):
            return None
        numbers = (clock.server_time, clock.wall_at_fetch, clock.highest_wall, clock.elapsed, clock.monotonic)
        whole = all(type(number) is int and abs(number) < 2**53 for number in numbers) and isinstance(clock.boot, str)
        return clock if whole and clock.elapsed >= 0 and clock.highest_wall >= clock.wall_at_fetch else None
