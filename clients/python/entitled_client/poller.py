"""Does what the poll machine says, in one thread, and lets other threads start, stop and wake it."""

from __future__ import annotations

import threading
from collections.abc import Callable

from .clock import Clock
from .poll import Action, AskToken, Outcome, PollMachine, Request, Rest, Sleep, Token


class Poller:
    """`step` does one action. An event from outside makes what is being done void: its end is not told the machine."""

    def __init__(
        self,
        machine: PollMachine,
        clock: Clock,
        perform: Callable[[Request], Outcome],
        ask_token: Callable[[], Token],
        abort: Callable[[], None],
    ) -> None:
        self._machine = machine
        self._clock = clock
        self._perform = perform
        self._ask_token = ask_token
        self._abort = abort
        self._lock = threading.Lock()
        self.interrupt = threading.Event()
        """Set while what is being done is void."""
        self._action: Action = Rest()
        self._turn = 0

    def start(self) -> None:
        """Begins to ask."""
        self._tell(lambda: self._machine.start(self._now()))

    def stop(self) -> None:
        """Ends asking; breaks off the request under way."""
        self._tell(self._machine.stop)

    def wake(self) -> None:
        """The device woke, or the network came back."""
        self._tell(lambda: self._machine.wake(self._now()))

    def step(self) -> bool:
        """Does one action to its end. False if there is nothing to do."""
        with self._lock:
            action, turn = self._action, self._turn
            self.interrupt.clear()
        match action:
            case Rest():
                return False
            case Request():
                outcome = self._perform(action)
                self._finish(turn, lambda: self._machine.ended(outcome, self._now()))
            case Sleep(milliseconds):
                self._clock.sleep(self.interrupt, milliseconds)
                self._finish(turn, lambda: self._machine.timer(self._now()))
            case AskToken():
                token = self._ask_token()
                self._finish(turn, lambda: self._machine.token(token, self._now()))
        return True

    def _tell(self, event: Callable[[], Action | None]) -> None:
        with self._lock:
            action = event()
            if action is None:
                return
            self._action = action
            self._turn += 1
            self.interrupt.set()
        self._abort()

    def _finish(self, turn: int, event: Callable[[], Action | None]) -> None:
        with self._lock:
            if turn == self._turn:
                self._action = event() or self._action

    def _now(self) -> int:
        return self._clock.read().monotonic
