"""The poll machine: every cell of the table in PROTOCOL.md, and the times it chooses."""

import random
import unittest
from collections.abc import Callable

from entitled_client.poll import (
    Action,
    Answered,
    AskToken,
    Declined,
    PollMachine,
    Request,
    Rest,
    Sleep,
    State,
    Token,
    Unauthorized,
    Unreached,
)

FOR_EVER = 1 << 50
S = State


class Chance(random.Random):
    """The longest of every random time."""

    def randint(self, a: int, b: int) -> int:
        return b


class Driven:
    """A machine with a clock."""

    def __init__(self, cursor: str | None = "c0", resign_at: int = FOR_EVER) -> None:
        self.machine = PollMachine(cursor, resign_at, Chance())
        self.now = 1_000_000

    def start(self) -> Action | None:
        return self.machine.start(self.now)

    def ended(self, outcome, after: int = 0) -> Action | None:
        self.now += after
        return self.machine.ended(outcome, self.now)

    def timer(self) -> Action | None:
        return self.machine.timer(self.now)

    def in_state(self, state: State) -> "Driven":
        if state is S.FETCHING:
            self.machine.cursor = None
        if state is not S.IDLE:
            self.start()
        match state:
            case S.PACING:
                self.ended(Answered("c1", pause=50))
            case S.BACKING_OFF:
                self.ended(Declined())
            case S.DRAINING:
                self.ended(Answered("c1", close=True))
            case S.OFFLINE:
                self.ended(Unreached())
            case S.REFRESHING:
                self.ended(Unauthorized())
            case S.AUTH_FAILED:
                self.ended(Unauthorized())
                self.machine.token(Token.NOBODY, self.now)
        assert self.machine.state is state
        return self


EVENTS: dict[str, Callable[[Driven], Action | None]] = {
    "start": Driven.start,
    "stop": lambda driven: driven.machine.stop(),
    "answered": lambda driven: driven.ended(Answered("c2")),
    "answered, pause": lambda driven: driven.ended(Answered("c2", pause=70)),
    "answered, close": lambda driven: driven.ended(Answered("c2", close=True)),
    "declined": lambda driven: driven.ended(Declined()),
    "unreached": lambda driven: driven.ended(Unreached()),
    "401": lambda driven: driven.ended(Unauthorized()),
    "refreshed": lambda driven: driven.machine.token(Token.REFRESHED, driven.now),
    "nobody": lambda driven: driven.machine.token(Token.NOBODY, driven.now),
    "cannot say": lambda driven: driven.machine.token(Token.CANNOT_SAY, driven.now),
    "timer": Driven.timer,
    "wake": lambda driven: driven.machine.wake(driven.now),
}
ASKING = {
    "stop": (S.IDLE, Rest),
    "answered": (S.HOLDING, Request),
    "answered, pause": (S.PACING, Sleep),
    "answered, close": (S.DRAINING, Sleep),
    "declined": (S.BACKING_OFF, Sleep),
    "unreached": (S.OFFLINE, Sleep),
    "401": (S.REFRESHING, AskToken),
}
WAITING = {"stop": (S.IDLE, Rest), "timer": (S.HOLDING, Request)}
TABLE: dict[State, dict[str, tuple[State, type]]] = {
    S.IDLE: {"start": (S.HOLDING, Request)},
    S.FETCHING: ASKING,
    S.HOLDING: ASKING,
    S.PACING: WAITING,
    S.BACKING_OFF: WAITING,
    S.DRAINING: WAITING,
    S.OFFLINE: WAITING | {"wake": (S.HOLDING, Request)},
    S.REFRESHING: {
        "stop": (S.IDLE, Rest),
        "refreshed": (S.HOLDING, Request),
        "nobody": (S.AUTH_FAILED, Rest),
        "cannot say": (S.OFFLINE, Sleep),
    },
    S.AUTH_FAILED: {"stop": (S.IDLE, Rest), "wake": (S.REFRESHING, AskToken)},
}


class Table(unittest.TestCase):
    def test_every_cell(self) -> None:
        self.assertEqual(set(TABLE), set(State))
        for state, row in TABLE.items():
            for name, event in EVENTS.items():
                with self.subTest(state=state, event=name):
                    driven = Driven().in_state(state)
                    action = event(driven)
                    expected, kind = row.get(name, (state, type(None)))
                    self.assertIs(driven.machine.state, expected)
                    self.assertIsInstance(action, kind)


class Times(unittest.TestCase):
    def holding(self) -> Driven:
        """A machine whose path is proven."""
        driven = Driven()
        driven.start()
        driven.ended(Answered("c1"), after=1000)
        return driven

    def test_the_first_hold_is_short(self) -> None:
        driven = Driven(cursor=None)
        self.assertEqual(driven.start(), Request())
        self.assertEqual(driven.ended(Answered("c1")), Request("c1", 1))
        self.assertEqual(driven.ended(Answered("c1"), after=1000), Request("c1", 50))
        driven.ended(Unreached(), after=20)
        self.assertEqual(driven.timer(), Request("c1", 1))

    def test_a_204_moves_the_cursor(self) -> None:
        self.assertEqual(self.holding().ended(Answered("c9"), after=50_000), Request("c9", 50))

    def test_a_cut_hold_is_shorter_the_next_time(self) -> None:
        driven = self.holding()
        self.assertEqual(driven.ended(Unreached(), after=30_000), Sleep(5000))
        self.assertEqual(driven.timer(), Request("c1", 1))
        self.assertEqual(driven.ended(Answered("c1"), after=1000), Request("c1", 24))
        driven.machine.stop()
        driven.start()
        self.assertEqual(driven.ended(Answered("c1"), after=1000), Request("c1", 50), "a new start learns anew")

    def test_signed_anew(self) -> None:
        driven = self.holding()
        driven.machine.resign_at = driven.now + 30_400
        self.assertEqual(driven.ended(Answered("c1"), after=10_000), Request("c1", 21))
        self.assertEqual(driven.ended(Answered("c1"), after=20_400), Request())

    def test_backoff_doubles_to_a_minute_and_only_a_long_hold_resets_it(self) -> None:
        driven = Driven(cursor=None)
        driven.start()
        waits = []
        for _ in range(9):
            sleep = driven.ended(Unreached())
            assert isinstance(sleep, Sleep)
            waits.append(sleep.milliseconds)
            driven.timer()
        self.assertEqual(waits, [500, 1000, 2000, 4000, 8000, 16000, 32000, 60000, 60000])
        driven.ended(Answered("c1"))
        driven.ended(Answered("c1"), after=1000)
        self.assertEqual(driven.ended(Declined(), after=9_999), Sleep(60_000))
        driven.timer()
        driven.ended(Answered("c1"), after=10_000)
        self.assertEqual(driven.ended(Declined()), Sleep(500))

    def test_a_service_that_is_down_is_not_asked_every_five_seconds(self) -> None:
        driven = Driven()
        driven.start()
        waits = []
        for _ in range(4):
            waits.append(driven.ended(Unreached()))
            driven.timer()
        self.assertEqual(waits, [Sleep(5000), Sleep(1000), Sleep(2000), Sleep(4000)])

    def test_pauses_bind(self) -> None:
        self.assertEqual(self.holding().ended(Answered("c1", pause=250)), Sleep(250))
        self.assertEqual(self.holding().ended(Declined(pause=30_000)), Sleep(30_000))
        self.assertEqual(self.holding().ended(Answered("c1", pause=9000, close=True)), Sleep(9000))
        self.assertEqual(self.holding().ended(Answered("c1", close=True)), Sleep(5000))

    def test_a_fast_loop_slows_down_and_drops_the_cursor_once(self) -> None:
        driven = self.holding()

        def loop() -> Action | None:
            action = None
            for _ in range(5):
                action = driven.ended(Answered("c1"), after=10)
            return action

        self.assertIsInstance(loop(), Sleep)
        self.assertEqual(driven.timer(), Request("c1", 50))
        self.assertIsInstance(loop(), Sleep)
        self.assertEqual(driven.timer(), Request())
        driven.ended(Answered("c1"))
        self.assertIsInstance(loop(), Sleep)
        self.assertEqual(driven.timer(), Request("c1", 50), "only once")

    def test_answers_that_are_no_loop(self) -> None:
        driven = self.holding()
        for number in range(20):
            self.assertIsInstance(driven.ended(Answered(f"c{number}"), after=10), Request)
        for _ in range(20):
            self.assertIsInstance(driven.ended(Answered("c1"), after=126), Request)

    def test_one_new_token_an_answer(self) -> None:
        driven = self.holding()
        for _ in range(3):
            self.assertEqual(driven.ended(Unauthorized()), AskToken())
            self.assertIsInstance(driven.machine.token(Token.REFRESHED, driven.now), Request)
            driven.ended(Answered("c1"))
        driven.ended(Unauthorized())
        driven.machine.token(Token.REFRESHED, driven.now)
        self.assertEqual(driven.ended(Unauthorized()), Rest())

    def test_an_app_that_cannot_say_is_asked_again(self) -> None:
        driven = self.holding()
        driven.ended(Unauthorized())
        driven.machine.token(Token.CANNOT_SAY, driven.now)
        driven.timer()
        self.assertEqual(driven.ended(Unauthorized()), AskToken())

    def test_waking_gives_up_an_old_hold_only(self) -> None:
        driven = self.holding()
        self.assertIsNone(driven.machine.wake(driven.now + 9_999))
        self.assertEqual(driven.machine.wake(driven.now + 10_000), Request("c1", 50))

    def test_a_week_of_polling_keeps_its_pace(self) -> None:
        driven, chance = self.holding(), random.Random(7)
        requests, end = 0, driven.now + 7 * 86_400_000
        action: Action | None = Request("c1", 50)
        while driven.now < end:
            match action:
                case Request(_, wait):
                    requests += 1
                    outcome = chance.choice([Answered("c1"), Answered("c1", pause=250), Unreached(), Declined()])
                    action = driven.ended(outcome, after=chance.randint(0, (wait or 1) * 1000))
                case Sleep(milliseconds):
                    driven.now += milliseconds
                    action = driven.timer()
        self.assertLess(requests, 7 * 86_400, "less than one a second on the worst of networks")
