"""The offline contract, row by row, and trusted time."""

import unittest
from typing import Any

from entitled_client.answer import UNKNOWN, Flag, Verdict, answer, next_change
from entitled_client.clock import Reading, TrustedClock
from entitled_client.snapshot import Entry, Snapshot

from .support import DAY, HOUR, START

END = START + DAY
LIMIT = START + 3 * DAY
STALE = {Flag.STALE}


def snapshot(stale_access: str = "keep", **changes: Any) -> Snapshot:
    entry = {"intervals": ((START - DAY, END),), "will_renew": False, "end_is_final": False, "fields": {}} | changes
    place = (1, 1, 1, START)
    return Snapshot({"pro": Entry(**entry)}, {}, 3 * DAY, stale_access, "c", START, place)


class Contract(unittest.TestCase):
    def check(self, given: Snapshot | None, now: int, verdict: Verdict, flags: set[Flag] | None = None) -> None:
        got = answer(given, "pro", now)
        self.assertEqual((got.verdict, set(got.flags)), (verdict, flags or set()))

    def test_nothing_known(self) -> None:
        self.assertEqual(answer(None, "pro", START, rolled_back=True), UNKNOWN)

    def test_an_end_is_half_open(self) -> None:
        self.check(snapshot(), END - 1, Verdict.ACTIVE)
        self.check(snapshot(), END, Verdict.INACTIVE)
        self.check(snapshot(will_renew=None), END, Verdict.INACTIVE)
        self.check(snapshot(intervals=((END, None),)), END - 1, Verdict.INACTIVE)
        self.check(snapshot(intervals=((END, None),)), END, Verdict.ACTIVE)

    def test_no_entry(self) -> None:
        self.assertEqual(answer(snapshot(), "other", END).verdict, Verdict.INACTIVE)
        self.check(snapshot(intervals=()), START, Verdict.INACTIVE)
        self.check(snapshot(intervals=(), will_renew=True), START, Verdict.INACTIVE)

    def test_a_renewal_is_assumed_up_to_the_limit(self) -> None:
        renews = snapshot(will_renew=True)
        self.check(renews, END - 1, Verdict.ACTIVE)
        self.check(renews, END, Verdict.ACTIVE, {Flag.ASSUMED_RENEWAL})
        self.check(renews, LIMIT - 1, Verdict.ACTIVE, {Flag.ASSUMED_RENEWAL})
        self.check(renews, LIMIT, Verdict.INACTIVE, STALE)

    def test_no_renewal_is_assumed(self) -> None:
        self.check(snapshot(will_renew=True, end_is_final=True), END, Verdict.INACTIVE)
        before = ((START - DAY, START),)
        self.check(snapshot(will_renew=True, intervals=before), START, Verdict.INACTIVE)
        gap = ((START - DAY, END), (END + DAY, END + 2 * DAY))
        self.check(snapshot(will_renew=True, intervals=gap), END + HOUR, Verdict.INACTIVE)

    def test_the_limit(self) -> None:
        ever = ((START - DAY, None),)
        self.check(snapshot(intervals=ever), LIMIT - 1, Verdict.ACTIVE)
        self.check(snapshot(intervals=ever), LIMIT, Verdict.ACTIVE, STALE)
        self.check(snapshot("deny", intervals=ever), LIMIT - 1, Verdict.ACTIVE)
        self.check(snapshot("deny", intervals=ever), LIMIT, Verdict.INACTIVE, STALE)
        self.assertEqual(answer(snapshot(), "other", LIMIT).flags, STALE)

    def test_a_clock_set_back_is_reported(self) -> None:
        self.assertEqual(answer(snapshot(), "pro", START, rolled_back=True).flags, {Flag.CLOCK_ROLLED_BACK})

    def test_next_change(self) -> None:
        two = snapshot(intervals=((START - DAY, END), (END + HOUR, None)))
        expected = [(START, END), (END - 1, END), (END, END + HOUR), (END + HOUR, LIMIT), (LIMIT, None)]
        for now, change in expected:
            self.assertEqual(next_change(two, now), change)


class TrustedTime(unittest.TestCase):
    def setUp(self) -> None:
        # The wall clock was two days wrong from the start, which must do no harm.
        self.wall = START - 2 * DAY
        self.clock = TrustedClock.fetched(START, Reading(self.wall, 1000, "a"))

    def now(self, wall: int, monotonic: int, boot: str = "a") -> int:
        self.clock.observe(Reading(wall, monotonic, boot))
        return self.clock.now - START

    def test_the_greater_of_two_clocks(self) -> None:
        self.assertEqual(self.now(self.wall, 1000), 0)
        self.assertEqual(self.now(self.wall + 5, 1001), 5)
        self.assertEqual(self.now(self.wall + 5, 1500), 500)

    def test_an_earlier_wall_clock_never_helps(self) -> None:
        self.assertEqual(self.now(self.wall + DAY, 2000), DAY)
        back = Reading(self.wall, 3000, "a")
        self.assertEqual(self.now(back.wall, back.monotonic), DAY)
        self.assertTrue(self.clock.rolled_back(back))
        self.assertFalse(self.clock.rolled_back(Reading(self.wall + DAY, 4000, "a")))

    def test_monotonic_time_goes_on_over_starts_and_reboots(self) -> None:
        self.now(self.wall, 1000 + HOUR)
        restarted = TrustedClock.decode(self.clock.encode())
        assert restarted is not None
        self.clock = restarted
        self.assertEqual(self.now(self.wall, 1000 + 2 * HOUR), 2 * HOUR)
        self.assertEqual(self.now(self.wall, HOUR, "b"), 3 * HOUR)
        self.assertEqual(self.now(self.wall, 2 * HOUR, "b"), 4 * HOUR)
        self.assertEqual(self.now(self.wall, HOUR, "b"), 5 * HOUR, "a clock that went back has started anew")

    def test_without_a_file_the_wall_clock_is_taken_at_its_word(self) -> None:
        self.clock = TrustedClock.unremembered(START, Reading(START + DAY, 50, "a"))
        self.assertEqual(self.clock.now, START + DAY)
        self.clock = TrustedClock.unremembered(START, Reading(START - DAY, 50, "a"))
        self.assertEqual(self.clock.now, START)
        self.assertTrue(self.clock.rolled_back(Reading(START - DAY, 50, "a")))

    def test_a_damaged_file_counts_as_none(self) -> None:
        text = self.clock.encode()
        for length in range(len(text)):
            self.assertIsNone(TrustedClock.decode(text[:length]))
        self.assertIsNone(TrustedClock.decode(text.replace(b'"elapsed": 0', b'"elapsed": -1')))
        self.assertIsNone(TrustedClock.decode(text.replace(b'"elapsed": 0', b'"elapsed": "0"')))
        self.assertIsNone(TrustedClock.decode(b"[" * 100_000))
