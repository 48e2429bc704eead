"""The files: judged at every load, replaced whole, never a step back, one writer."""

import os
import uuid
from unittest import mock

from entitled_client import files
from entitled_client.cache import Cache
from entitled_client.errors import Unbelievable
from entitled_client.snapshot import Pins

from .support import (
    ACCOUNT,
    BUNDLE,
    DAY,
    HOUR,
    INSTALLATION,
    OTHER_ACCOUNT,
    START,
    Directory,
    FakeClock,
    Signer,
    payload,
)


class CacheTests(Directory):
    def setUp(self) -> None:
        super().setUp()
        self.signer = Signer()
        self.clock = FakeClock()
        self.pins = Pins(self.signer.pins, BUNDLE, "Production", uuid.UUID(ACCOUNT), INSTALLATION)

    def loaded(self, writer: bool = True) -> Cache:
        cache = Cache(self.directory, self.pins, writer)
        cache.load(self.clock.read())
        return cache

    def take(self, *arguments: int, **changes: int) -> bool:
        return self.loaded().take(self.signer.sign(payload(*arguments, **changes)), self.clock.read())

    def test_nothing_there(self) -> None:
        cache = self.loaded()
        self.assertIsNone(cache.snapshot)
        self.assertIsNone(cache.now)

    def test_trusted_time_goes_on_over_a_restart(self) -> None:
        self.take()
        self.clock.monotonic += HOUR
        self.clock.wall -= DAY
        self.assertEqual(self.loaded().now, START + HOUR)

    def test_the_highest_wall_time_is_kept(self) -> None:
        self.take()
        cache = self.loaded()
        self.clock.wall += DAY
        cache.observe(self.clock.read())
        self.clock.wall -= DAY
        self.assertEqual(self.loaded().now, START + DAY)

    def test_never_a_step_back(self) -> None:
        self.assertTrue(self.take(START, 5))
        kept = (self.directory / "snapshot.jws").read_bytes()
        self.assertFalse(self.take(START + DAY, 4))
        self.assertFalse(self.take(START, 5))
        self.assertEqual((self.directory / "snapshot.jws").read_bytes(), kept)
        self.assertTrue(self.take(START + HOUR, 5))

    def test_what_cannot_be_believed_changes_nothing(self) -> None:
        self.take()
        cache = self.loaded()
        with self.assertRaises(Unbelievable):
            cache.take(Signer().sign(payload(version=9)), self.clock.read())
        self.assertEqual(cache.snapshot, self.loaded().snapshot)

    def test_every_damage_of_the_file_is_unknown(self) -> None:
        self.take()
        path = self.directory / "snapshot.jws"
        whole = path.read_bytes()
        with self.assertLogs("entitled_client", "WARNING"):
            for place in range(0, len(whole), 7):
                for damaged in (whole[:place], whole[:place] + b"\xff" + whole[place + 1 :]):
                    path.write_bytes(damaged)
                    self.assertIsNone(self.loaded().snapshot)
            path.write_bytes(b"x" * (2 << 20))
            self.assertIsNone(self.loaded().snapshot)
            path.write_text(self.signer.sign(payload(account=OTHER_ACCOUNT)))
            self.assertIsNone(self.loaded().snapshot)
        path.unlink()
        path.mkdir()
        self.assertIsNone(self.loaded().snapshot)

    def test_a_lost_or_forged_clock_never_makes_it_earlier(self) -> None:
        self.take()
        path = self.directory / "clock.json"
        path.unlink()
        self.clock.wall += DAY
        self.assertEqual(self.loaded().now, START + DAY)
        self.clock.wall -= 2 * DAY
        self.assertEqual(self.loaded().now, START)
        self.take(START + HOUR, 2)
        text = path.read_text().replace(f'"server_time": {START + HOUR}', '"server_time": 1')
        path.write_text(text)
        self.assertEqual(self.loaded().now, START + HOUR)

    def test_a_crash_at_any_replacement(self) -> None:
        self.take()
        for survived in range(2):
            replace, calls = os.replace, iter(range(survived))

            def crash(*paths: object, calls=calls, replace=replace) -> None:
                if next(calls, None) is None:
                    raise KeyboardInterrupt
                replace(*paths)

            self.clock.advance(HOUR)
            with mock.patch.object(os, "replace", crash), self.assertRaises(KeyboardInterrupt):
                self.take(START + HOUR, 2)
            after = self.loaded()
            self.assertEqual(after.snapshot and after.snapshot.place[2], 1)
            self.assertGreaterEqual(after.now or 0, START + HOUR)

    def test_a_full_disk_costs_only_the_next_start(self) -> None:
        cache = self.loaded()
        full = mock.patch.object(os, "fsync", side_effect=OSError(28, "No space left"))
        with full, self.assertLogs("entitled_client", "ERROR"):
            self.assertTrue(cache.take(self.signer.sign(payload()), self.clock.read()))
        self.assertIsNotNone(cache.snapshot)

    def test_a_reader_writes_nothing_and_sees_what_the_writer_wrote(self) -> None:
        reader = self.loaded(writer=False)
        self.take()
        reader.reload(self.clock.read())
        self.assertIsNotNone(reader.snapshot)
        before = {path: path.stat().st_mtime_ns for path in self.directory.iterdir()}
        self.clock.advance(DAY)
        reader.observe(self.clock.read())
        reader.keep_clock()
        self.assertEqual(before, {path: path.stat().st_mtime_ns for path in self.directory.iterdir()})


class FilesTests(Directory):
    def test_one_holds_the_lock(self) -> None:
        first, second = files.Lock(self.directory), files.Lock(self.directory)
        self.assertTrue(first.held)
        self.assertFalse(second.held)
        first.release()
        third = files.Lock(self.directory)
        self.assertTrue(third.held)
        third.release()

    def test_the_installation_is_made_once(self) -> None:
        self.assertEqual(files.installation(self.directory, writer=True), INSTALLATION)
        (self.directory / "installation").write_text("damaged")
        made = files.installation(self.directory, writer=True)
        self.assertNotEqual(made, INSTALLATION)
        self.assertEqual(files.installation(self.directory, writer=False), made)

    def test_the_directory_of_an_account(self) -> None:
        # printf 'com.example.app\nProduction\na1a1a1a1-0000-4000-8000-00000000000a' | sha256sum | cut -c 1-32
        directory = files.account_directory(self.directory, BUNDLE, "Production", uuid.UUID(ACCOUNT.upper()))
        self.assertEqual(directory.relative_to(self.directory).as_posix(), "accounts/49e1e2dab185354487d071dca148dd19")
