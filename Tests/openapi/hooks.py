"""What schemathesis cannot make up: signed data that is genuine, ids of purchases, polls that end soon."""

import json
import os
import random

import schemathesis

SIGNED = json.loads(os.environ["ENTITLED_SIGNED"])
PURCHASE = os.environ["ENTITLED_PURCHASE"]


@schemathesis.hook
def before_call(context, case, kwargs):
    # A poll that is held for minutes finds nothing that one of a second does not.
    if str((case.query or {}).get("wait", "")).isdigit():
        case.query["wait"] = "1"


@schemathesis.hook
def map_path_parameters(context, parameters):
    # The purchase that was pushed before the run.
    if isinstance(parameters, dict) and "id" in parameters and random.random() < 0.3:
        parameters["id"] = PURCHASE
    return parameters


@schemathesis.hook
def map_body(context, body):
    # Half of the pushes carry what the test authority signed, so that they get past verification.
    if isinstance(body, dict) and isinstance(body.get("signedTransactions"), list) and random.random() < 0.5:
        body["signedTransactions"] = random.sample(SIGNED, random.randint(1, len(SIGNED)))
    if isinstance(body, dict) and isinstance(body.get("originalTransactionId"), str) and random.random() < 0.5:
        body["originalTransactionId"] = PURCHASE
    return body
