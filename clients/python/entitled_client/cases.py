"""Client cases: reading them strictly. A case that says something unknown tests something else than it seems to."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from .answer import Flag, Verdict
from .snapshot import Interval

_T = TypeVar("_T")

EVENTS = ("fetch", "fetchFailed", "emptyRead", "purchaseCancelled", "ask", "timer", "start", "reboot", "switchAccount")
_POLICIES = "offlineGrace staleAccess honorGracePeriod refundDebt transfer transferLimit"
_DURATION = re.compile(r"P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?")
_UNITS = (604_800_000, 86_400_000, 3_600_000, 60_000, 1_000)
_LONGEST_GRACE = 366 * 86_400_000
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?(Z|[+-]\d\d:\d\d)")


class MalformedCase(Exception):
    """A file that is no client case; the message names the file and the place."""


@dataclass(frozen=True)
class CaseSnapshot:
    """What a fetch of the case brings."""

    server_time: int
    intervals: tuple[Interval, ...]
    will_renew: bool | None
    final_end: bool


@dataclass(frozen=True)
class Step:
    """What the clocks show, and what happens. `snapshot` is what a fetch of this step brings."""

    wall: int
    monotonic: int
    event: str
    snapshot: CaseSnapshot | None


@dataclass(frozen=True)
class Expectation:
    """The right answer after step number `step`; without `flags` they are not looked at."""

    step: int
    verdict: Verdict
    flags: frozenset[Flag] | None


@dataclass(frozen=True)
class Case:
    """A client case."""

    id: str
    grace: int
    stale_access: str
    steps: tuple[Step, ...]
    expectations: tuple[Expectation, ...]


def load(path: Path) -> Case:
    """Reads a case; raises `MalformedCase`."""
    document = _Place(_read(path), str(path))
    if "steps" in document.value:
        raise MalformedCase(f"{path}: This is a case for the service. Replay it with `entitled derive --case`.")
    document.keys("id title why policies snapshot clockTrace expect", needed="id clockTrace expect")
    grace, stale_access = _policies(document, _defaults(path.parent / "defaults.json"))
    usual = _snapshot(document["snapshot"]) if document.has("snapshot") else None
    steps = tuple(_step(place, usual) for place in document["clockTrace"].items())
    return Case(
        id=document["id"].text(),
        grace=grace,
        stale_access=stale_access,
        steps=steps,
        expectations=tuple(_expectation(place, len(steps)) for place in document["expect"].items()),
    )


class _Place:
    """A value of the file, and where it is."""

    def __init__(self, value: Any, path: str) -> None:
        self.value = value
        self.path = path

    def __getitem__(self, key: str) -> _Place:
        separator = "." if "[" in self.path or ": " in self.path else ": "
        return _Place(self.value[key], f"{self.path}{separator}{key}")

    def has(self, key: str) -> bool:
        """Whether there is such a member; null counts as absent."""
        return self.value.get(key) is not None

    def items(self) -> list[_Place]:
        if not isinstance(self.value, list):
            self.wrong("is no list")
        return [_Place(value, f"{self.path}[{number}]") for number, value in enumerate(self.value)]

    def keys(self, known: str, needed: str = "") -> None:
        if not isinstance(self.value, dict):
            self.wrong("is no object")
        for key in self.value:
            if key not in known.split():
                self.wrong(f"has the unknown key {key!r}; known are {known}")
        for key in needed.split():
            if key not in self.value:
                self.wrong(f"lacks {key}")

    def text(self) -> str:
        value = self.value
        if not isinstance(value, str) or not value:
            self.wrong("is no text")
        return value

    def whole(self) -> int:
        value = self.value
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 2**53:
            self.wrong("is no whole number")
        return value

    def truth(self) -> bool:
        value = self.value
        if not isinstance(value, bool):
            self.wrong("is neither true nor false")
        return value

    def one_of(self, known: Callable[[Any], _T]) -> _T:
        try:
            return known(self.value)
        except ValueError:
            self.wrong(f"is unknown: {self.value!r}")

    def time(self) -> int:
        if isinstance(self.value, str) and _TIME.fullmatch(self.value):
            try:
                return round(datetime.fromisoformat(self.value).timestamp() * 1000)
            except ValueError:
                self.wrong("is no date of the calendar")
        return self.whole()

    def wrong(self, what: str) -> NoReturn:
        raise MalformedCase(f"{self.path} {what}.")


def _read(path: Path) -> Any:
    try:
        value = json.loads(path.read_bytes())
    except OSError as problem:
        raise MalformedCase(f"{path}: {problem.strerror}.") from problem
    except (ValueError, RecursionError) as problem:
        raise MalformedCase(f"{path}: {problem}.") from problem
    if not isinstance(value, dict):
        raise MalformedCase(f"{path}: This is no JSON object.")
    return value


def _defaults(path: Path) -> dict[str, Any]:
    built_in = {"offlineGrace": "P3D", "staleAccess": "keep"}
    policies = _read(path).get("catalog", {}).get("policies", {}) if path.exists() else {}
    return built_in | policies


def _policies(document: _Place, defaults: dict[str, Any]) -> tuple[int, str]:
    own = document["policies"] if document.has("policies") else _Place({}, f"{document.path}: policies")
    own.keys(_POLICIES)
    policies = _Place(defaults | own.value, own.path)
    stale_access = policies["staleAccess"]
    if stale_access.value not in ("keep", "deny"):
        stale_access.wrong("is neither keep nor deny")
    return _duration(policies["offlineGrace"]), stale_access.value


def _duration(place: _Place) -> int:
    match = _DURATION.fullmatch(place.text())
    if match is None or not any(match.groups()) or place.value.endswith("T"):
        place.wrong("is no ISO 8601 duration of weeks, days, hours, minutes and seconds")
    duration = sum(int(number) * unit for number, unit in zip(match.groups("0"), _UNITS, strict=True))
    if not 0 < duration <= _LONGEST_GRACE:
        place.wrong("is not between a second and a year")
    return duration


def _snapshot(place: _Place) -> CaseSnapshot:
    place.keys("serverTime intervals willRenew finalEnd", needed="serverTime intervals")
    return CaseSnapshot(
        server_time=place["serverTime"].time(),
        intervals=tuple(map(_interval, place["intervals"].items())),
        will_renew=place["willRenew"].truth() if place.has("willRenew") else None,
        final_end=place.has("finalEnd") and place["finalEnd"].truth(),
    )


def _interval(place: _Place) -> Interval:
    bounds = place.items()
    if len(bounds) != 2:
        place.wrong("is no pair of times")
    start, end = bounds[0].time(), None if bounds[1].value is None else bounds[1].time()
    if end is not None and end <= start:
        place.wrong("does not end after it starts")
    return start, end


def _step(place: _Place, usual: CaseSnapshot | None) -> Step:
    place.keys("wall monotonic event snapshot", needed="wall monotonic event")
    event = place["event"].text()
    if event not in EVENTS:
        place["event"].wrong(f"is unknown: {event!r}")
    own = _snapshot(place["snapshot"]) if place.has("snapshot") else None
    if own is not None and event != "fetch":
        place["snapshot"].wrong(f"is at an event that brings none: {event!r}")
    return Step(place["wall"].time(), place["monotonic"].whole(), event, own or usual)


def _expectation(place: _Place, steps: int) -> Expectation:
    place.keys("step answer flags", needed="step answer")
    step = place["step"].whole()
    if step >= steps:
        place["step"].wrong(f"is behind the last step, which is {steps - 1}")
    flags = None
    if "flags" in place.value:
        flags = frozenset(flag.one_of(Flag) for flag in place["flags"].items())
    return Expectation(step, place["answer"].one_of(Verdict), flags)
