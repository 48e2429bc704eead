"""The worked client cases, and the command that runs them."""

import contextlib
import io
import json
import tempfile
import unittest
from pathlib import Path
from typing import Any

from entitled_client.__main__ import main
from entitled_client.cases import MalformedCase, load
from entitled_client.derive import differences

from .support import shared_directory

CASE = {
    "id": "T1",
    "snapshot": {"serverTime": "2026-06-01T08:00:00.000Z", "intervals": [[1779782400000, 1780387200000]]},
    "clockTrace": [{"wall": "2026-06-01T08:00:00.000Z", "monotonic": 5, "event": "fetch"}],
    "expect": [{"step": 0, "answer": "active", "flags": []}],
}


class WorkedCases(unittest.TestCase):
    def test_every_case_is_answered_as_it_should(self) -> None:
        own = Path(__file__).resolve().parents[2] / "cases"
        files = [file for folder in (shared_directory() / "cases", own) for file in sorted(folder.glob("client-*.json"))]
        self.assertGreaterEqual(len(files), 14, "the worked cases are missing")
        for file in files:
            with self.subTest(file.name):
                self.assertEqual(list(differences(load(file))), [])


class Command(unittest.TestCase):
    def setUp(self) -> None:
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.directory = Path(temporary.name)

    def run_cases(self, *documents: Any) -> tuple[int, str, str]:
        files = []
        for number, document in enumerate(documents):
            files.append(self.directory / f"{number}.json")
            files[-1].write_text(document if isinstance(document, str) else json.dumps(document))
        with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
            status = main(["derive", "--case", *map(str, files)])
        return status, out.getvalue(), err.getvalue()

    def test_says_ok(self) -> None:
        self.assertEqual(self.run_cases(CASE), (0, "ok T1\n", ""))

    def test_says_what_differs(self) -> None:
        wrong = CASE | {"expect": [{"step": 0, "answer": "inactive", "flags": ["stale"]}]}
        status, out, _ = self.run_cases(wrong, CASE | {"id": "T2"})
        self.assertEqual(status, 1)
        self.assertIn("T1 step 0 (fetch): expected inactive, got active", out)
        self.assertIn("expected flags stale, got none", out)
        self.assertIn("ok T2", out)

    def test_defaults_are_no_case_and_are_used(self) -> None:
        policies = {"offlineGrace": "PT1S", "staleAccess": "deny"}
        defaults = self.directory / "defaults.json"
        defaults.write_text(json.dumps({"catalog": {"policies": policies}}))
        later = {"wall": "2026-06-01T08:00:01.000Z", "monotonic": 1005, "event": "ask"}
        case = CASE | {
            "clockTrace": [*CASE["clockTrace"], later],
            "expect": [{"step": 1, "answer": "inactive", "flags": ["stale"]}],
        }
        self.assertEqual(self.run_cases(case)[:2], (0, "ok T1\n"))
        self.assertEqual(main(["derive", "--case", str(defaults)]), 0)

    def test_refuses_what_is_no_client_case_with_its_place(self) -> None:
        step = CASE["clockTrace"][0]
        malformed = {
            "{": "0.json: Expecting",
            json.dumps([]): "0.json: This is no JSON object",
            json.dumps({"id": "C05", "steps": []}): "a case for the service",
            json.dumps(CASE | {"colour": 1}): "unknown key 'colour'",
            json.dumps(CASE | {"policies": {"x": 1}}): "policies has the unknown key 'x'",
            json.dumps(CASE | {"policies": {"offlineGrace": "P1M"}}): "policies.offlineGrace is no ISO 8601 duration",
            json.dumps(CASE | {"clockTrace": [step | {"event": "nap"}]}): "clockTrace[0].event is unknown: 'nap'",
            json.dumps(CASE | {"clockTrace": [step | {"wall": "soon"}]}): "clockTrace[0].wall is no whole number",
            json.dumps(CASE | {"expect": [{"step": 1, "answer": "active"}]}): "expect[0].step is behind the last step",
            json.dumps(CASE | {"expect": [{"step": 0, "answer": "yes"}]}): "expect[0].answer is unknown: 'yes'",
        }
        for text, place in malformed.items():
            with self.subTest(place):
                status, out, err = self.run_cases(text)
                self.assertEqual((status, out), (2, ""))
                self.assertIn("0.json", err)
                self.assertIn(place, err)

    def test_a_missing_file_and_wrong_use(self) -> None:
        with self.assertRaises(MalformedCase):
            load(self.directory / "none.json")
        for arguments in ([], ["derive"], ["derive", "--cases", "x"], ["dance"]):
            with self.subTest(arguments), contextlib.redirect_stderr(io.StringIO()):
                with self.assertRaises(SystemExit) as exit:
                    main(arguments)
                self.assertEqual(exit.exception.code, 2)
