"""Replays client cases (rules.md R9, R11) through the code that answers in an app."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from .answer import UNKNOWN, Answer, Flag, answer
from .cases import Case, CaseSnapshot, MalformedCase, Step, load
from .clock import Reading, TrustedClock
from .snapshot import Entry, Snapshot

_NAME = "entitlement"


class Device:
    """The client of a case: one account, one entitlement, a cache and two clocks."""

    def __init__(self, case: Case) -> None:
        self._case = case
        self._boots = 0
        self._snapshot: Snapshot | None = None
        self._clock: TrustedClock | None = None

    def live(self, step: Step) -> Answer:
        """Lets one step happen; returns the answer after it."""
        if step.event == "reboot":
            self._boots += 1
        reading = Reading(step.wall, step.monotonic, boot=str(self._boots))
        match step.event:
            case "fetch" if step.snapshot is not None:
                self._fetch(step.snapshot, reading)
            case "switchAccount":
                self._snapshot = self._clock = None
            case "start" | "reboot" if self._clock is not None:
                self._clock = TrustedClock.decode(self._clock.encode())  # What the disk keeps is all there is.
        if self._clock is None:
            return UNKNOWN
        self._clock.observe(reading)
        return answer(self._snapshot, _NAME, self._clock.now, self._clock.rolled_back(reading))

    def _fetch(self, brought: CaseSnapshot, reading: Reading) -> None:
        entry = Entry(brought.intervals, brought.will_renew, brought.final_end, fields={})
        self._snapshot = Snapshot(
            entries={_NAME: entry},
            balances={},
            grace=self._case.grace,
            stale_access=self._case.stale_access,
            cursor="case",
            server_time=brought.server_time,
            place=(0, 0, 0, brought.server_time),
        )
        self._clock = TrustedClock.fetched(brought.server_time, reading)


def differences(case: Case) -> Iterator[str]:
    """What differs from what the case expects, in words."""
    device = Device(case)
    answers = [device.live(step) for step in case.steps]
    for expected in case.expectations:
        got = answers[expected.step]
        place = f"step {expected.step} ({case.steps[expected.step].event})"
        if got.verdict is not expected.verdict:
            yield f"{place}: expected {expected.verdict.value}, got {got.verdict.value}"
        if expected.flags is not None and got.flags != expected.flags:
            yield f"{place}: expected flags {_names(expected.flags)}, got {_names(got.flags)}"


def derive(paths: Sequence[Path]) -> int:
    """Replays the files and prints what came of them. 0: all as expected, 1: something differs, 2: a malformed file."""
    status = 0
    for path in paths:
        if path.name == "defaults.json":
            continue
        try:
            case = load(path)
        except MalformedCase as problem:
            print(problem, file=sys.stderr)
            status = 2
            continue
        found = list(differences(case))
        print(f"ok {case.id}" if not found else "\n".join(f"{case.id} {line}" for line in found))
        if found and status == 0:
            status = 1
    return status


def _names(flags: frozenset[Flag]) -> str:
    return ", ".join(sorted(flag.value for flag in flags)) or "none"
