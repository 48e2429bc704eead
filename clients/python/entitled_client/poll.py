"""When to ask the service, as a state machine without I/O (PROTOCOL.md, "Polling").

Each event returns what to do now, or None where the table has a dash: then what is being done goes on.
Times are milliseconds of any clock that only goes forward.
"""

from __future__ import annotations

import enum
import random
from collections import deque
from dataclasses import dataclass

HOLD_SECONDS = 50
_PROVING_SECONDS = 1
_LONG = 10_000
"""A hold that lived this long shows that the path carries holds."""
_RECONNECT_WITHIN = 5_000
_FIRST_BACKOFF = 500
_LAST_BACKOFF = 60_000
_LOOP_ANSWERS = 5
_LOOP_WITHIN = 500


class State(enum.Enum):
    """The states of the table."""

    IDLE = enum.auto()
    FETCHING = enum.auto()
    HOLDING = enum.auto()
    PACING = enum.auto()
    BACKING_OFF = enum.auto()
    DRAINING = enum.auto()
    OFFLINE = enum.auto()
    REFRESHING = enum.auto()
    AUTH_FAILED = enum.auto()


@dataclass(frozen=True)
class Request:
    """Ask now. Without a cursor: fetch. With one: hold for `wait` seconds."""

    cursor: str | None = None
    wait: int | None = None


@dataclass(frozen=True)
class Sleep:
    """Wait, then say `timer`."""

    milliseconds: int


@dataclass(frozen=True)
class AskToken:
    """Ask the app for a new token, then say `token`."""


@dataclass(frozen=True)
class Rest:
    """Do nothing until somebody starts or wakes the machine."""


Action = Request | Sleep | AskToken | Rest


@dataclass(frozen=True)
class Answered:
    """The service answered: with a view, or 204. `cursor` is where the client is now, `pause` what it asked for."""

    cursor: str
    pause: int = 0
    close: bool = False


@dataclass(frozen=True)
class Declined:
    """A refusal, a busy proxy, or an answer that cannot be believed."""

    pause: int = 0


@dataclass(frozen=True)
class Unreached:
    """No answer of the service."""


@dataclass(frozen=True)
class Unauthorized:
    """The service refused the token."""


Outcome = Answered | Declined | Unreached | Unauthorized


class Token(enum.Enum):
    """What the app said when it was asked for a new token."""

    REFRESHED = enum.auto()
    NOBODY = enum.auto()
    CANNOT_SAY = enum.auto()


class PollMachine:
    """One poll of an account. `resign_at` is when the snapshot is to be signed anew; the owner keeps it."""

    def __init__(self, cursor: str | None, resign_at: int, chance: random.Random) -> None:
        self.state = State.IDLE
        self.cursor = cursor
        self.resign_at = resign_at
        self._chance = chance
        self._wait = HOLD_SECONDS
        self._asked_at = 0
        self._path_is_proven = False
        self._failures = 0
        self._asked_token = False
        self._loops = 0
        self._answers: deque[tuple[str | None, int]] = deque(maxlen=_LOOP_ANSWERS)
        self._asked_cursor: str | None = None

    def start(self, now: int) -> Action | None:
        """Somebody is signed in and wants news."""
        if self.state is not State.IDLE:
            return None
        self._wait, self._path_is_proven, self._asked_token = HOLD_SECONDS, False, False
        return self._request(now)

    def stop(self) -> Action | None:
        """Nobody wants news any more."""
        return None if self.state is State.IDLE else self._enter(State.IDLE, Rest())

    def ended(self, outcome: Outcome, now: int) -> Action | None:
        """The request ended so."""
        if self.state not in (State.FETCHING, State.HOLDING):
            return None
        lived = now - self._asked_at
        # Where shorter holds were learned, none lives ten seconds, and a shorter one is the proof.
        if self.state is State.HOLDING and lived >= min(_LONG, self._wait * 800):
            self._failures = self._loops = 0
        match outcome:
            case Answered():
                return self._answered(outcome, now)
            case Declined(pause):
                return self._enter(State.BACKING_OFF, Sleep(max(pause, self._backoff())))
            case Unreached():
                return self._unreached(lived)
            case Unauthorized():
                if self._asked_token:
                    return self._enter(State.AUTH_FAILED, Rest())
                self._asked_token = True
                return self._enter(State.REFRESHING, AskToken())

    def token(self, token: Token, now: int) -> Action | None:
        """The app answered the question for a token."""
        if self.state is not State.REFRESHING:
            return None
        match token:
            case Token.REFRESHED:
                return self._request(now)
            case Token.NOBODY:
                return self._enter(State.AUTH_FAILED, Rest())
            case Token.CANNOT_SAY:
                self._asked_token = False  # It was no answer, so the app may be asked again.
                return self._enter(State.OFFLINE, Sleep(self._backoff()))

    def timer(self, now: int) -> Action | None:
        """What `Sleep` asked for is over."""
        waiting = (State.PACING, State.BACKING_OFF, State.DRAINING, State.OFFLINE)
        return self._request(now) if self.state in waiting else None

    def wake(self, now: int) -> Action | None:
        """The device woke, the network came back, or the person looks."""
        match self.state:
            case State.HOLDING if now - self._asked_at >= _LONG:
                return self._request(now)
            case State.OFFLINE:
                return self._request(now)
            case State.AUTH_FAILED:
                return self._enter(State.REFRESHING, AskToken())
        return None

    def _request(self, now: int) -> Action:
        self._asked_at = now
        left = self.resign_at - now
        if self.cursor is None or left <= 0:
            self._asked_cursor = None
            return self._enter(State.FETCHING, Request())
        self._asked_cursor = self.cursor
        wait = min(self._wait, -(-left // 1000)) if self._path_is_proven else _PROVING_SECONDS
        return self._enter(State.HOLDING, Request(self.cursor, wait))

    def _answered(self, answer: Answered, now: int) -> Action:
        self._path_is_proven = self._path_is_proven or self.state is State.HOLDING
        self._asked_token = False
        self.cursor = answer.cursor
        if answer.close:
            return self._enter(State.DRAINING, Sleep(max(answer.pause, self._within(_RECONNECT_WITHIN))))
        if self._loops_fast(now):
            return self._enter(State.BACKING_OFF, Sleep(max(answer.pause, self._backoff())))
        if answer.pause > 0:
            return self._enter(State.PACING, Sleep(answer.pause))
        return self._request(now)

    def _unreached(self, lived: int) -> Action:
        if self.state is State.HOLDING and lived >= _LONG:
            self._wait = min(self._wait, lived * 4 // 5000)
        # Only what was a live path a moment ago is tried again soon; after that the doubling counts.
        is_first = self.state is State.HOLDING and self._failures == 0
        backoff = self._backoff()
        self._path_is_proven = False
        return self._enter(State.OFFLINE, Sleep(self._within(_RECONNECT_WITHIN) if is_first else backoff))

    def _loops_fast(self, now: int) -> bool:
        self._answers.append((self._asked_cursor, now))
        first_cursor, first_time = self._answers[0]
        same = all(cursor == first_cursor for cursor, _ in self._answers)
        if len(self._answers) < _LOOP_ANSWERS or not same or now - first_time > _LOOP_WITHIN:
            return False
        self._answers.clear()
        self._loops += 1
        if self._loops == 2:
            self.cursor = None
        return True

    def _backoff(self) -> int:
        self._failures += 1
        return backoff(self._failures - 1, self._chance)

    def _within(self, milliseconds: int) -> int:
        return self._chance.randint(0, milliseconds)

    def _enter(self, state: State, action: Action) -> Action:
        self.state = state
        return action


def backoff(failures: int, chance: random.Random) -> int:
    """A random time after so many failures before this one: up to half a second, doubling to a minute."""
    return chance.randint(0, min(_LAST_BACKOFF, _FIRST_BACKOFF << min(failures, 16)))
