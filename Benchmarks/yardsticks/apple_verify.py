"""Verifies signed transactions with Apple's app-store-server-library.

Arguments: root certificate, file of transactions (one a line), bundle id. Each line on standard input is a count; the
answer is the nanoseconds it took.
"""

import sys
import time

from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier

with open(sys.argv[1], "rb") as file:
    root = file.read()
with open(sys.argv[2], encoding="ascii") as file:
    transactions = file.read().split()
verifier = SignedDataVerifier([root], False, Environment.SANDBOX, sys.argv[3], 1234567890)

done = 0
for line in sys.stdin:
    begin = time.perf_counter_ns()
    for _ in range(int(line)):
        verifier.verify_and_decode_signed_transaction(transactions[done % len(transactions)])
        done += 1
    print(time.perf_counter_ns() - begin, flush=True)
