"""The client's answers and updates, with a service on loopback that follows a script."""

import os
import threading
from typing import Any
from unittest import mock

from entitled_client import (
    Answer,
    Flag,
    NoAnswer,
    NotWriter,
    Refused,
    Unbelievable,
    Verdict,
    View,
)
from entitled_client.answer import UNKNOWN

from .client_test import ClientTest
from .support import (
    ACCOUNT,
    BUNDLE,
    DAY,
    HOUR,
    INSTALLATION,
    OTHER_ACCOUNT,
    START,
    PatientClock,
    Signer,
    answer,
    entry,
    nothing_newer,
    page,
    payload,
    problem,
    view,
)

ACTIVE = Answer(Verdict.ACTIVE)


class Answers(ClientTest):
    def test_nothing_fetched_is_unknown(self) -> None:
        client = self.client()
        self.assertEqual(client.answer("pro"), UNKNOWN)
        self.assertIsNone(client.balance("coins"))
        self.assertFalse(client.view().known)

    def test_a_fetch(self) -> None:
        client = self.fetched()
        self.assertEqual(client.answer("pro"), ACTIVE)
        self.assertEqual(client.answer("other"), Answer(Verdict.INACTIVE))
        self.assertEqual((client.balance("coins"), client.balance("gems")), (120, 0))
        asked = self.service.asked[0]
        self.assertEqual(asked.path, f"/v1/apps/{BUNDLE}/accounts/{ACCOUNT}/entitlements")
        expected = {
            "authorization": "Bearer usual",
            "entitlement-installation": INSTALLATION,
            "accept": "application/jose",
        }
        self.assertLessEqual(expected.items(), asked.headers.items())

    def test_another_environment(self) -> None:
        client = self.client(environment="Sandbox")
        self.service.script.append(view(self.signed(environment="Sandbox")))
        client.refresh()
        self.assertEqual(client.answer("pro"), ACTIVE)
        self.assertTrue(self.service.asked[0].path.endswith("/entitlements?environment=Sandbox"))

    def test_the_next_start_answers_from_the_disk(self) -> None:
        self.fetched().close()
        self.clock.advance(4 * DAY)
        self.assertEqual(self.client().answer("pro"), Answer(Verdict.ACTIVE, frozenset({Flag.STALE})))
        self.assertEqual(len(self.service.asked), 1)

    def test_what_is_no_answer_changes_nothing(self) -> None:
        client = self.fetched()
        foreign = Signer().sign(payload(version=9))
        bad: list[tuple[Any, type[Exception]]] = [
            (page(), NoAnswer),
            (page(401), NoAnswer),
            ((302, {"Location": "http://127.0.0.1:9/"}, b""), NoAnswer),
            ((204, {}, b""), NoAnswer),
            # A kept connection that breaks is no evidence yet: the request is sent once more.
            ([lambda _: None] * 2, NoAnswer),
            (
                (200, {"Content-Type": "application/jose", "Content-Length": "9999", "Connection": "close"}, b"x"),
                NoAnswer,
            ),
            (page(503), Refused),
            (problem(403, "forbiddenAccount"), Refused),
            (view(foreign), Unbelievable),
            (answer({"snapshot": {}}), Unbelievable),
        ]
        for reply, error in bad:
            self.service.script = reply if isinstance(reply, list) else [reply]
            with self.subTest(reply), self.assertRaises(error):
                client.refresh()
            self.assertEqual(client.answer("pro"), ACTIVE)
        self.assertEqual(self.service.script, [])

    def test_a_service_that_is_gone(self) -> None:
        client = self.client(url="http://127.0.0.1:1")
        with self.assertRaises(NoAnswer):
            client.refresh()
        self.assertEqual(client.answer("pro"), UNKNOWN)

    def test_switching_accounts_is_one_step(self) -> None:
        client = self.fetched()
        client.switch_account(OTHER_ACCOUNT, self.token)
        self.assertEqual(client.answer("pro"), UNKNOWN)
        self.service.script.append(view(self.signed(account=OTHER_ACCOUNT, entitlements=[])))
        client.refresh()
        self.assertEqual(client.answer("pro").verdict, Verdict.INACTIVE)
        client.switch_account(ACCOUNT, self.token)
        self.assertEqual(client.answer("pro"), ACTIVE)

    def test_a_second_process_reads(self) -> None:
        writer, reader = self.client(), self.client()
        self.assertTrue(writer.is_writer)
        self.assertFalse(reader.is_writer)
        self.service.script.append(view(self.signed()))
        writer.refresh()
        self.assertEqual(reader.answer("pro"), ACTIVE)
        for forbidden in (reader.refresh, lambda: reader.push(["a.b.c"]), lambda: reader.spend("coins", 1, "k")):
            with self.assertRaises(NotWriter):
                forbidden()
        reader.start()
        self.assertEqual(len(self.service.asked), 1)


class Updates(ClientTest):
    def test_first_the_disk_then_what_a_person_would_see(self) -> None:
        client = self.fetched()
        updates = client.updates()
        self.assertEqual(next(updates).answers["pro"], ACTIVE)
        self.service.script = [view(self.signed(START + 1)), view(self.signed(START + 2, 2, balances={"coins": 5}))]
        client.refresh()
        client.refresh()
        self.assertEqual(next(updates).balances, {"coins": 5}, "the same view signed anew is no news")
        client.close()
        self.assertEqual(list(updates), [])

    @mock.patch.object(os, "fsync", lambda descriptor: None)  # Three days are many.
    def test_ends_and_the_limit_come_without_network(self) -> None:
        ends_soon = entry(activeIntervals=[[START - DAY, START + HOUR]], willRenew=True)
        ends_later = entry("export", activeIntervals=[[START - DAY, START + 2 * DAY]])
        updates = self.fetched(entitlements=[ends_soon, ends_later]).updates()
        seen: list[tuple[int, dict[str, Answer]]] = []
        for _ in range(4):
            shown = next(updates)
            seen.append((self.clock.wall - START, dict(shown.answers)))
        inactive, stale = Answer(Verdict.INACTIVE), Answer(Verdict.INACTIVE, frozenset({Flag.STALE}))
        assumed = Answer(Verdict.ACTIVE, frozenset({Flag.ASSUMED_RENEWAL}))
        self.assertEqual(
            seen,
            [
                (0, {"pro": ACTIVE, "export": ACTIVE}),
                (HOUR, {"pro": assumed, "export": ACTIVE}),
                (2 * DAY, {"pro": assumed, "export": inactive}),
                (3 * DAY, {"pro": stale, "export": stale}),
            ],
        )

    def test_many_observers_one_poll(self) -> None:
        self.clock = PatientClock()
        client = self.client()
        self.service.script = [view(self.signed(), Retry_After="1"), nothing_newer("c", Retry_After="3600")]
        seen: list[View] = []

        def observe() -> None:
            for shown in client.updates():
                if shown.known:
                    seen.append(shown)
                    return

        observers = [threading.Thread(target=observe) for _ in range(5)]
        for observer in observers:
            observer.start()
        client.start()
        for observer in observers:
            observer.join(timeout=30)
        client.close()
        self.assertEqual(len(seen), 5)
        without_cursor = [asked for asked in self.service.asked if "cursor" not in asked.path]
        self.assertEqual(len(without_cursor), 1)
