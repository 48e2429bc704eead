"""The service that is looked at, and an account with a history to look at."""

import base64
import json
import os
import subprocess
import time
import urllib.parse
import urllib.request

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils

READY = json.load(open("ready"))
URL = READY["url"]
BUNDLE = READY["bundleId"]
ACCOUNT = READY["account"]
ADMIN = READY["tokens"]["admin"]
SUPPORT = os.environ["ENTITLED_SUPPORT"]
QUERY = {"environment": "Sandbox"}
AUTHORITY = os.path.join(".entitled", "authority")
DAY = 86_400_000
NOW = time.time_ns() // 1_000_000


def ask(method, path, body=None, token=ADMIN, query=QUERY):
    """An answer of the service, below the app."""
    address = f"{URL}/v1/apps/{BUNDLE}{path}?{urllib.parse.urlencode(query)}"
    request = urllib.request.Request(
        address,
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={"Authorization": f"Bearer {token}", "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


def sign(*arguments):
    """The body of a push, signed by the test authority."""
    output = subprocess.run(["entitled", "dev", "sign", *arguments, "--body"], check=True, capture_output=True, text=True)
    return json.loads(output.stdout)


def push(body):
    return ask("POST", f"/accounts/{ACCOUNT}/transactions", body, READY["tokens"]["device"])


def coded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def signed(payload):
    """A JWS of the test authority over any payload: times and products that `entitled dev sign` does not make."""
    chain = [base64.b64encode(read(f"{name}.cer")).decode() for name in ("leaf", "intermediate", "root")]
    key = serialization.load_pem_private_key(read("leaf.key"), None)
    text = ".".join(coded(json.dumps(part).encode()) for part in ({"alg": "ES256", "x5c": chain}, payload))
    r, s = utils.decode_dss_signature(key.sign(text.encode(), ec.ECDSA(hashes.SHA256())))
    return f"{text}.{coded(r.to_bytes(32, 'big') + s.to_bytes(32, 'big'))}"


def read(name):
    with open(os.path.join(AUTHORITY, name), "rb") as file:
        return file.read()


def bought(number, product, begins, days, **more):
    """A period of one subscription: `begins` and `days` count from now."""
    ids = {"transactionId": f"20000000000010{number:02}", "originalTransactionId": "2000000000001001"}
    dates = {"purchaseDate": NOW + begins * DAY, "originalPurchaseDate": NOW - 75 * DAY, "expiresDate": NOW + (begins + days) * DAY}
    kind = {"type": "Auto-Renewable Subscription", "subscriptionGroupIdentifier": "pro", "quantity": 1}
    whose = {"bundleId": BUNDLE, "environment": "Sandbox", "inAppOwnershipType": "PURCHASED", "appAccountToken": ACCOUNT}
    payload = {**ids, **dates, **kind, **whose, "productId": product, "signedDate": NOW + begins * DAY}
    return {**payload, **more}


def tell():
    """Three months, then a year that is refunded; coins; a grant. Returns the id of the refunded transaction."""
    year = bought(4, "pro.yearly", -10, 365)
    for payload in (bought(1, "pro.monthly", -75, 30), bought(2, "pro.monthly", -45, 30), bought(3, "pro.monthly", -15, 30), year):
        push({"signedTransactions": [signed(payload)]})
    push(sign("coins.100"))
    grant = {"id": "outage-3-june", "entitlement": "export", "until": NOW + 20 * DAY, "reason": "outage of 3 June"}
    ask("POST", f"/accounts/{ACCOUNT}/grants", grant, SUPPORT)
    # So that the moment before the refund was known is another one.
    time.sleep(1.2)
    refund = {"signedDate": NOW - 2 * DAY, "revocationDate": NOW - 2 * DAY, "revocationReason": 0}
    push({"signedTransactions": [signed({**year, **refund})]})
    return year["transactionId"]
