"""What a client says (rules.md R9, R11): a pure function of the last believed snapshot and the trusted time."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from .snapshot import Entry, Snapshot


class Verdict(enum.Enum):
    """The three answers. No data is never "no"."""

    ACTIVE = "active"
    INACTIVE = "inactive"
    UNKNOWN = "unknown"


class Flag(enum.Enum):
    """What a person should know about an answer."""

    STALE = "stale"
    """The offline limit is reached."""
    ASSUMED_RENEWAL = "assumedRenewal"
    """The paid period ended offline, and the subscription was to renew."""
    CLOCK_ROLLED_BACK = "clockRolledBack"
    """The wall clock shows less than it has since the fetch."""


@dataclass(frozen=True)
class Answer:
    """A verdict and what should be known about it."""

    verdict: Verdict
    flags: frozenset[Flag] = frozenset()


UNKNOWN = Answer(Verdict.UNKNOWN)


def answer(snapshot: Snapshot | None, entitlement: str, now: int, rolled_back: bool = False) -> Answer:
    """What to say about `entitlement` at the trusted time `now`."""
    if snapshot is None:
        return UNKNOWN
    flags = {Flag.CLOCK_ROLLED_BACK} if rolled_back else set()
    entry = snapshot.entries.get(entitlement)
    active = entry is not None and _contains(entry, now)
    if now >= snapshot.limit:
        flags.add(Flag.STALE)
        active = active and snapshot.stale_access != "deny"
    elif entry is not None and not active and _renewal_is_assumed(entry, snapshot.server_time, now):
        flags.add(Flag.ASSUMED_RENEWAL)
        active = True
    return Answer(Verdict.ACTIVE if active else Verdict.INACTIVE, frozenset(flags))


def next_change(snapshot: Snapshot, now: int) -> int | None:
    """The earliest instant after `now` at which an answer may change by time alone."""
    instants = [snapshot.limit]
    for entry in snapshot.entries.values():
        for start, end in entry.intervals:
            instants += [start] if end is None else [start, end]
    return min((instant for instant in instants if instant > now), default=None)


def _contains(entry: Entry, now: int) -> bool:
    return any(start <= now and (end is None or now < end) for start, end in entry.intervals)


def _renewal_is_assumed(entry: Entry, fetched: int, now: int) -> bool:
    """Only an end that passed after the fetch: of an earlier one the service knew, and said what follows from it."""
    if entry.will_renew is not True or entry.end_is_final or not entry.intervals:
        return False
    ends = [end for _, end in entry.intervals if end is not None]
    return len(ends) == len(entry.intervals) and fetched < max(ends) <= now
