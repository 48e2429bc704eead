"""What the client hands over, restores and spends."""

from typing import Any

from entitled_client import (
    EntitledClient,
    NoAnswer,
    Refused,
    Settings,
    Verdict,
)

from .client_test import ClientTest
from .support import (
    ACCOUNT,
    BUNDLE,
    OTHER_ACCOUNT,
    START,
    Asked,
    Reply,
    answer,
    nothing_newer,
    page,
    problem,
    view,
)


class Pushing(ClientTest):
    def results(self, *outcomes: str, **members: Any) -> Reply:
        return answer(
            {
                "results": [
                    {"transactionId": str(number), "outcome": outcome, "finish": outcome in ("recorded", "duplicate")}
                    for number, outcome in enumerate(outcomes)
                ]
            }
            | members
        )

    def pushed(self) -> list[list[str]]:
        return [asked.json["signedTransactions"] for asked in self.service.asked if asked.method == "POST"]

    def test_a_push_and_the_snapshot_after_it(self) -> None:
        client = self.client()
        self.service.script = [self.results("recorded", signedSnapshot=self.signed())]
        deliveries = client.push(["a.a.a"], ["i.i.i"])
        self.assertEqual([delivery.may_finish for delivery in deliveries], [True, False])
        self.assertEqual(self.delivered, deliveries)
        self.assertEqual(client.answer("pro").verdict, Verdict.ACTIVE)
        asked = self.service.asked[0]
        self.assertEqual(asked.json, {"signedTransactions": ["a.a.a"], "signedRenewalInfos": ["i.i.i"]})
        self.assertEqual(asked.headers["entitlement-signed"], "1")
        self.assertTrue(asked.path.endswith("/transactions"))

    def test_what_could_not_be_sent_is_sent_after_the_next_start(self) -> None:
        client = self.client()
        self.service.script = [page()]
        self.assertEqual(client.push(["a.a.a"]), [])
        client.close()
        client = self.client()
        self.service.script = [view(self.signed()), self.results("duplicate")]
        client.session.poller.start()
        client.session.poller.step()
        self.assertEqual([delivery.may_finish for delivery in self.delivered], [True])
        self.assertEqual(self.pushed(), [["a.a.a"], ["a.a.a"]])

    def test_a_failed_push_shortens_the_hold(self) -> None:
        client = self.fetched()
        self.service.script = [nothing_newer("c2")]
        client.session.poller.start()
        client.session.poller.step()
        self.service.script = [problem(503, "overloaded", Retry_After="7"), nothing_newer("c3")]
        client.push(["a.a.a"])
        client.session.poller.step()
        self.assertTrue(self.service.asked[-1].path.endswith("wait=7"))

    def test_retry_goes_behind_the_rest(self) -> None:
        client = self.client()
        self.service.script = [self.results("retry", "recorded")]
        self.assertEqual([delivery.jws for delivery in client.push(["a.a.a", "b.b.b"])], ["b.b.b"])
        self.service.script = [self.results("recorded", "recorded")]
        client.push(["c.c.c"])
        self.assertEqual(self.pushed(), [["a.a.a", "b.b.b"], ["a.a.a", "c.c.c"]])

    def test_results_that_do_not_match_finish_nothing(self) -> None:
        client = self.client()
        for reply in (self.results("recorded"), self.results(), answer({}), answer([]), view(self.signed())):
            self.service.script = [reply]
            self.assertEqual(client.push(["a.a.a", "b.b.b"]), [])
        self.service.script = [self.results("recorded", "recorded")]
        self.assertEqual(len(client.push([])), 2)

    def test_a_refused_request_is_halved_and_one_object_given_up(self) -> None:
        client = self.client()

        def picky(asked: Asked) -> Reply:
            sent = asked.json["signedTransactions"]
            return problem(400, "invalidBody") if "bad.b.c" in sent else self.results(*["recorded"] * len(sent))

        self.service.script = [picky] * 20
        deliveries = client.push(["a.a.a", "b.b.b", "bad.b.c", "d.d.d", "e.e.e"])
        finished = {delivery.jws: delivery.given_up for delivery in deliveries}
        expected = {"a.a.a": None, "b.b.b": None, "bad.b.c": "invalidBody", "d.d.d": None, "e.e.e": None}
        self.assertEqual(finished, expected)
        self.assertEqual(client.push([]), [])

    def test_never_for_another_account(self) -> None:
        client = self.client()
        self.service.script = [page()]
        client.push(["a.a.a"])
        client.switch_account(OTHER_ACCOUNT, self.token)
        self.service.script = [self.results("recorded")]
        client.push(["b.b.b"])
        self.assertEqual(self.pushed(), [["a.a.a"], ["b.b.b"]])
        client.switch_account(ACCOUNT, self.token)
        self.service.script = [self.results("recorded")]
        self.assertEqual([delivery.jws for delivery in client.push([])], ["a.a.a"])
        self.assertIn(ACCOUNT, self.service.asked[-1].path)

    def test_a_new_token_for_a_push(self) -> None:
        self.tokens = ["old", "new"]
        self.service.script = [problem(401, "expiredToken"), self.results("recorded")]
        self.assertEqual(len(self.client().push(["a.a.a"])), 1)

    def test_a_callback_that_fails_does_no_harm(self) -> None:
        client = EntitledClient(
            Settings(self.service.url, BUNDLE, self.signer.pins, self.directory),
            ACCOUNT,
            self.token,
            on_delivery=lambda delivery: 1 // 0,
            clock=self.clock,
        )
        self.addCleanup(client.close)
        self.service.script = [self.results("recorded")]
        with self.assertLogs("entitled_client", "ERROR"):
            self.assertEqual(len(client.push(["a.a.a"])), 1)

    def test_restore_is_only_sent_now(self) -> None:
        client = self.client()
        self.service.script = [page(), self.results("recorded", signedSnapshot=self.signed())]
        with self.assertRaises(NoAnswer):
            client.restore(["a.a.a"])
        self.assertTrue(client.restore(["a.a.a"])[0].may_finish)
        self.assertTrue(self.service.asked[-1].path.endswith("/restore"))
        self.assertEqual(client.answer("pro").verdict, Verdict.ACTIVE)

    def test_spending(self) -> None:
        client = self.fetched()
        after = self.signed(START + 1, 2, balances={"coins": 40})
        self.service.script = [
            answer({"outcome": "recorded", "signedSnapshot": after}),
            problem(409, "insufficientBalance"),
        ]
        client.spend("coins", 80, "k1")
        self.assertEqual(client.balance("coins"), 40)
        self.assertEqual(self.service.asked[-1].json, {"amount": 80, "idempotencyKey": "k1"})
        with self.assertRaises(Refused) as refusal:
            client.spend("coins", 80, "k2")
        self.assertEqual(refusal.exception.code, "insufficientBalance")
        self.assertEqual(client.balance("coins"), 40)
