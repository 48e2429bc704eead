"""The outbox: nothing that was taken is lost, whatever becomes of the file's end."""

import os
import unittest
from unittest import mock

from entitled_client import outbox as outbox_module
from entitled_client.courier import MAXIMUM_BYTES, parts
from entitled_client.errors import OutboxFull
from entitled_client.outbox import Item, Kind, Outbox
from entitled_client.service import push_body

from .support import Directory


def item(name: str) -> Item:
    return Item(Kind.TRANSACTION, f"header.{name}.signature")


class OutboxTests(Directory):
    def setUp(self) -> None:
        super().setUp()
        self.path = self.directory / "outbox.log"

    def waiting(self) -> list[Item]:
        return Outbox(self.path).waiting

    def test_what_waits_survives(self) -> None:
        outbox = Outbox(self.path)
        info = Item(Kind.RENEWAL_INFO, "i.i.i")
        outbox.add([item("a"), item("b"), info])
        outbox.add([item("b"), item("c")])
        outbox.done([item("a"), item("never")])
        self.assertEqual(outbox.waiting, [item("b"), info, item("c")])
        self.assertEqual(self.waiting(), outbox.waiting)

    def test_again_is_behind_the_rest(self) -> None:
        outbox = Outbox(self.path)
        outbox.add([item("a"), item("b")])
        outbox.again(item("a"))
        self.assertEqual(outbox.waiting, [item("b"), item("a")])

    @mock.patch.object(os, "fsync", lambda descriptor: None)  # A thousand of them take seconds.
    def test_cut_at_every_byte(self) -> None:
        outbox = Outbox(self.path)
        states: list[tuple[int, list[Item]]] = [(0, [])]
        for change in (
            lambda: outbox.add([item("a")]),
            lambda: outbox.add([item("b")]),
            lambda: outbox.done([item("a")]),
        ):
            change()
            states.append((self.path.stat().st_size, outbox.waiting))
        whole = self.path.read_bytes()
        for length in range(len(whole) + 1):
            self.path.write_bytes(whole[:length])
            expected = [waiting for size, waiting in states if size <= length][-1]
            cut = Outbox(self.path)
            self.assertEqual(cut.waiting, expected, f"cut at {length}")
            cut.add([item("z")])
            self.assertEqual(self.waiting(), [*expected, item("z")], f"written after a cut at {length}")

    @mock.patch.object(os, "fsync", lambda descriptor: None)
    def test_a_changed_byte_costs_its_own_record_only(self) -> None:
        outbox = Outbox(self.path)
        outbox.add([item("a"), item("b"), item("c")])
        whole = self.path.read_bytes()
        lines = whole.splitlines(keepends=True)
        for place in range(len(whole)):
            self.path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
            left = self.waiting()
            hit = place // len(lines[0])
            # A line feed that is lost costs the record behind it, too.
            lost = {hit, hit + 1} if whole[place : place + 1] == b"\n" else {hit}
            self.assertEqual(left, [item(name) for number, name in enumerate("abc") if number not in lost])
            self.assertEqual(self.waiting(), left)

    def test_full_takes_nothing(self) -> None:
        outbox = Outbox(self.path)
        with mock.patch.object(outbox_module, "MAXIMUM_OBJECTS", 2):
            outbox.add([item("a")])
            with self.assertRaises(OutboxFull):
                outbox.add([item("b"), item("c")])
            outbox.add([item("a"), item("b")])
        with mock.patch.object(outbox_module, "MAXIMUM_BYTES", 100), self.assertRaises(OutboxFull):
            outbox.add([item("x" * 100)])
        self.assertEqual(self.waiting(), [item("a"), item("b")])

    def test_a_disk_that_fails_leaves_no_half_record(self) -> None:
        outbox = Outbox(self.path)
        outbox.add([item("a")])
        with mock.patch.object(os, "fsync", side_effect=OSError(28, "No space left")), self.assertRaises(OSError):
            outbox.add([item("b")])
        self.assertEqual(outbox.waiting, [item("a")])
        outbox.add([item("c")])
        self.assertEqual(self.waiting(), [item("a"), item("c")])

    def test_the_file_stays_short(self) -> None:
        outbox = Outbox(self.path)
        outbox.add([item("stays")])
        with mock.patch.object(outbox_module, "_COMPACT_ABOVE", 2000):
            for number in range(200):
                outbox.add([item(str(number))])
                outbox.done([item(str(number))])
                self.assertLess(self.path.stat().st_size, 3000)
        self.assertEqual(self.waiting(), [item("stays")])


class Parts(unittest.TestCase):
    def test_requests_are_bounded(self) -> None:
        many = [item(str(number)) for number in range(250)]
        self.assertEqual([len(part) for part in parts(many)], [100, 100, 50])
        large = [item("x" * 50_000 + str(number)) for number in range(8)]
        cut = list(parts(large))
        self.assertEqual([entry for part in cut for entry in part], large)
        for part in cut:
            self.assertLessEqual(len(push_body(part)), MAXIMUM_BYTES)
        self.assertEqual(len(list(parts([item("x" * 300_000), item("a")]))), 2)
        self.assertEqual(list(parts([])), [])
