"""When a snapshot is believed: each of the five rules, and every change of a character."""

import unittest
import uuid

from entitled_client.errors import Unbelievable
from entitled_client.snapshot import Pins, believe

from .support import ACCOUNT, BUNDLE, DAY, INSTALLATION, OTHER_ACCOUNT, START, Signer, entry, payload


class Believing(unittest.TestCase):
    def setUp(self) -> None:
        self.signer = Signer()
        self.pins = Pins(self.signer.pins, BUNDLE, "Production", uuid.UUID(ACCOUNT), INSTALLATION)

    def code(self, jws: str) -> str:
        with self.assertRaises(Unbelievable) as refusal:
            believe(jws, self.pins)
        return refusal.exception.code

    def test_a_good_one(self) -> None:
        snapshot = believe(self.signer.sign(payload(account=ACCOUNT.upper(), unknown="passed over")), self.pins)
        self.assertEqual(snapshot.server_time, START)
        self.assertEqual(snapshot.place, (1, 1, 1, START))
        self.assertEqual(snapshot.balances, {"coins": 120})
        self.assertEqual(snapshot.entries["pro"].intervals, ((START - DAY, START + 10 * DAY),))
        self.assertEqual(snapshot.limit, START + 3 * DAY)

    def test_the_header(self) -> None:
        for header in ({"alg": "none"}, {"alg": "ES256"}, {"typ": "JWT"}, {"typ": None}, {"crit": ["exp"]}):
            with self.subTest(header):
                self.assertEqual(self.code(self.signer.sign(payload(), **header)), "wrongKind")
        for kid in ("k2", None, 1, ["k1"]):
            with self.subTest(kid):
                self.assertEqual(self.code(self.signer.sign(payload(), kid=kid)), "unknownKey")

    def test_another_key_of_the_same_name(self) -> None:
        self.assertEqual(self.code(Signer().sign(payload())), "badSignature")

    def test_two_keys_are_pinned_while_they_rotate(self) -> None:
        new = Signer("k2")
        pins = Pins(self.signer.pins | new.pins, BUNDLE, "Production", uuid.UUID(ACCOUNT), INSTALLATION)
        for signer in (self.signer, new):
            self.assertEqual(believe(signer.sign(payload()), pins).server_time, START)

    def test_foreign(self) -> None:
        foreign = (
            {"bundleId": "com.example.other"},
            {"environment": "Sandbox"},
            {"account": OTHER_ACCOUNT},
            {"account": "nobody"},
            {"installation": "7e57ab1e-0000-4000-8000-000000000002"},
            {"installation": None},
        )
        for changes in foreign:
            with self.subTest(changes):
                self.assertEqual(self.code(self.signer.sign(payload(**changes))), "foreign")

    def test_malformed(self) -> None:
        malformed = (
            {"serverTime": 946684799999},
            {"serverTime": 4102444800000},
            {"serverTime": "1780300800000"},
            {"serverTime": True},
            {"cursor": ""},
            {"cursor": None},
            {"epoch": 1.5},
            {"activation": "1"},
            {"version": None},
            {"entitlements": {}},
            {"entitlements": ["pro"]},
            {"entitlements": [entry(willRenew="yes")]},
            {"entitlements": [entry(activeIntervals=[[1]])]},
            {"entitlements": [entry(activeIntervals=[["a", None]])]},
            {"offline": {"graceMs": 0, "staleAccess": "keep"}},
            {"offline": None},
            {"balances": {"coins": "many"}},
        )
        for changes in malformed:
            with self.subTest(changes):
                self.assertEqual(self.code(self.signer.sign(payload(**changes))), "malformed")
        self.assertEqual(self.code(self.signer.sign(["no object"])), "malformed")

    def test_every_changed_and_every_lost_character_shows(self) -> None:
        jws = self.signer.sign(payload())
        for place, character in enumerate(jws):
            other = "B" if character == "A" else "A"
            self.code(jws[:place] + other + jws[place + 1 :])
            self.code(jws[:place])
            self.code(jws[:place] + jws[place + 1 :])
        self.code(jws + "A")
        self.code(jws + ".")
        self.code(jws + "=")

    def test_nesting_without_end(self) -> None:
        self.assertEqual(self.code("W1tb." * 2 + "W1tb"), "malformed")

    def test_order(self) -> None:
        def at(server_time: int = START, **changes: int):
            return believe(self.signer.sign(payload(server_time, **changes)), self.pins)

        first = at()
        self.assertTrue(first.follows(None))
        self.assertFalse(first.follows(first))
        self.assertTrue(at(START + 1, asOf=START).follows(first), "the same view, signed later")
        self.assertTrue(at(version=2).follows(first))
        self.assertFalse(at(START + DAY, version=0).follows(first))
        self.assertTrue(at(activation=2, version=0).follows(first))
        self.assertFalse(at(activation=0, version=9).follows(first))
        self.assertTrue(at(START - DAY, epoch=2, activation=0, version=0).follows(first), "a greater epoch")
        self.assertFalse(at(epoch=0, version=9).follows(first))
