"""The poll of the client against a service that follows a script."""

import os
import random
import threading
from typing import Any
from unittest import mock

from entitled_client import (
    EntitledClient,
    SignedOut,
    Verdict,
)
from entitled_client.poll import State

from .client_test import ClientTest
from .support import (
    HOUR,
    START,
    Asked,
    nothing_newer,
    page,
    problem,
    view,
)


class Polling(ClientTest):
    def polled(self, *script: Any, client: EntitledClient | None = None) -> EntitledClient:
        """Starts the poll, without its thread, and lets it take each reply of the script."""
        client = client or self.client()
        self.service.script = list(script)
        if client.session.machine.state is State.IDLE:
            client.session.poller.start()
        while self.service.script:
            self.assertTrue(client.session.poller.step())
        return client

    def queries(self) -> list[str]:
        return [asked.path.partition("?")[2] for asked in self.service.asked]

    def test_fetch_then_holds_that_follow_the_cursor(self) -> None:
        self.polled(
            view(self.signed()),
            self.after(1000, nothing_newer("c2")),
            self.after(50_000, nothing_newer("c3")),
            self.after(3_000, view(self.signed(START + 60_000, 2))),
            self.after(50_000, nothing_newer("c5")),
        )
        first = f"cursor-1-{START}"
        second = f"cursor-2-{START + 60_000}"
        self.assertEqual(
            self.queries(),
            ["", f"cursor={first}&wait=1", "cursor=c2&wait=50", "cursor=c3&wait=50", f"cursor={second}&wait=50"],
        )

    def test_a_start_with_a_cache_holds_at_once(self) -> None:
        self.fetched().close()
        self.polled(nothing_newer("c2"))
        self.assertEqual(self.queries(), ["", f"cursor=cursor-1-{START}&wait=1"])

    def test_a_quiet_account_is_signed_anew(self) -> None:
        client = self.polled(view(self.signed()), self.after(1000, nothing_newer("c2")))
        self.clock.advance(6 * HOUR)
        self.polled(self.after(50_000, nothing_newer("c3")), view(self.signed(START + 6 * HOUR, 1)), client=client)
        self.assertEqual(self.queries()[-1], "")
        self.assertEqual(client.session.cache.snapshot and client.session.cache.snapshot.server_time, START + 6 * HOUR)

    def test_an_older_view_is_passed_over_and_the_cursor_stays(self) -> None:
        client = self.polled(
            view(self.signed(START, 5)),
            self.after(1000, view(self.signed(START + 1000, 4))),
            self.after(50_000, nothing_newer("c")),
        )
        self.assertEqual(self.queries()[1:], [f"cursor=cursor-5-{START}&wait=1", f"cursor=cursor-5-{START}&wait=50"])
        self.assertEqual(client.session.cache.snapshot and client.session.cache.snapshot.place[2], 5)

    def test_pauses_of_the_service_bind(self) -> None:
        client = self.polled(
            view(self.signed(), Entitlement_Backoff_Ms="250"),
            problem(503, "overloaded", Retry_After="7", Entitlement_Backoff_Ms="100"),
            page(429),
        )
        self.assertEqual(self.clock.slept[:2], [250, 7000])
        client.session.poller.step()
        self.assertLess(self.clock.slept[2], 7000)

    def test_nonsense_pauses_do_not_silence_a_client(self) -> None:
        client = self.polled(view(self.signed(), Retry_After="999999999"))
        client.session.poller.step()
        self.assertEqual(self.clock.slept, [HOUR])
        client = self.polled(nothing_newer("c", Retry_After="soon", Entitlement_Backoff_Ms="-5"), client=client)
        self.assertIs(client.session.machine.state, State.HOLDING)

    def test_a_portal_then_the_service_again(self) -> None:
        client = self.polled(page(), page(401), *[lambda _: None] * 2, view(self.signed()))
        self.assertEqual(client.answer("pro").verdict, Verdict.ACTIVE)
        self.assertEqual(len(self.clock.slept), 3)

    def test_a_drained_connection_is_made_anew_later(self) -> None:
        client = self.polled(view(self.signed()), nothing_newer("c2", Connection="close"))
        self.assertIs(client.session.machine.state, State.DRAINING)
        self.polled(nothing_newer("c3"), client=client)
        self.assertEqual(self.queries()[-1], "cursor=c2&wait=50")

    def test_a_new_token(self) -> None:
        self.tokens = ["old", "new"]
        client = self.polled(problem(401, "expiredToken"), view(self.signed()))
        self.assertEqual([asked.headers["authorization"] for asked in self.service.asked], ["Bearer old", "Bearer new"])
        self.assertEqual(client.answer("pro").verdict, Verdict.ACTIVE)

    def test_a_token_refused_again_or_nobody_signed_in(self) -> None:
        client = self.polled(problem(401, "invalidToken"), problem(401, "invalidToken"))
        self.assertFalse(client.session.poller.step())
        self.assertIs(client.session.machine.state, State.AUTH_FAILED)
        self.tokens = [None, None]
        client.wake()
        self.assertTrue(client.session.poller.step())
        self.assertIs(client.session.machine.state, State.AUTH_FAILED)
        with self.assertRaises(SignedOut):
            self.tokens = [None]
            client.refresh()

    def test_an_app_that_cannot_say_now(self) -> None:
        self.tokens = [RuntimeError("the sign-in service is down"), "usual"]
        client = self.polled(view(self.signed()))
        self.assertEqual(client.answer("pro").verdict, Verdict.ACTIVE)

    def test_stopping_breaks_off_a_hold(self) -> None:
        client = self.client()
        held, release = threading.Event(), threading.Event()
        self.addCleanup(release.set)

        def hold(_: Asked) -> None:
            held.set()
            release.wait()

        self.service.script = [hold]
        client.start()
        held.wait()
        client.close()
        self.assertIs(client.session.machine.state, State.IDLE)

    @mock.patch.object(os, "fsync", lambda descriptor: None)
    def test_rubbish_without_end(self) -> None:
        """Whatever comes instead of answers, the client ends where the service is, and loses nothing."""
        seed = random.randrange(1 << 32)
        chance = random.Random(seed)
        client = self.fetched()
        for version in range(2, 40):
            jws = self.signed(START + version * 1000, version)
            rubbish = [
                page(chance.choice([200, 302, 401, 404, 502])),
                view(jws[: chance.randrange(len(jws))]),
                view(jws[:-1] + ("A" if jws[-1] != "A" else "Q")),
                (200, {"Content-Type": "application/jose"}, chance.randbytes(chance.randrange(3000))),
                problem(chance.choice([400, 403, 429, 500, 503]), "x"),
                (204, {}, b""),
                lambda _: None,
            ]
            chance.shuffle(rubbish)
            self.polled(*rubbish, view(jws), client=client)
            snapshot = client.session.cache.snapshot
            self.assertEqual(snapshot and snapshot.place[2], version, f"seed {seed}")
            self.assertEqual(client.answer("pro").verdict, Verdict.ACTIVE, f"seed {seed}")
