"""What one signed object says, and which of its copies counts (R0 to R2). See rules.py."""

import json

FOREVER = float("inf")
BEGINNING = float("-inf")
DAY = 86_400_000
EARLIEST = 946_684_800_000  # 2000-01-01
LATEST = 4_133_980_799_999  # the end of 2100

AUTO = "Auto-Renewable Subscription"
KEEP = "Non-Consumable"
PASS = "Non-Renewing Subscription"
CONSUMABLE = "Consumable"
SERVED = {"Production", "Sandbox"}
SIGNING = {"signedDate", "deviceVerification", "deviceVerificationNonce"}
ZERO = "00000000-0000-0000-0000-000000000000"


def date(value):
    """A date of a signed object; one written as text counts as absent (R0)."""
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def account_of(token):
    """The account a token names, in lower case; None for what names nobody (R7)."""
    if not isinstance(token, str):
        return None
    parts = token.lower().split("-")
    is_uuid = [len(p) for p in parts] == [8, 4, 4, 4, 12] and all(c in "0123456789abcdef" for c in "".join(parts))
    return token.lower() if is_uuid and token != ZERO else None


def id_order(identifier):
    """Ids compare as numbers when both are."""
    return (0, int(identifier), "") if identifier.isdigit() else (1, 0, identifier)


class Copies:
    """All copies of one signed object (R1): each distinct content with its signing dates."""

    def __init__(self):
        self.signed = {}  # canonical text -> [content, earliest date, latest date]

    def add(self, payload):
        """Adds a copy. Says whether anything new was said; None where the rules leave it open: an earlier date of a copy
        marked isUpgraded moves the period's end although it repeats known content."""
        before = self.newest()
        content = {k: v for k, v in payload.items() if k not in SIGNING and v is not None}
        text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        signed = date(payload.get("signedDate"))
        signed = BEGINNING if signed is None else signed
        if text not in self.signed:
            self.signed[text] = [content, signed, signed]
            return True
        known = self.signed[text]
        if signed < known[1] and content.get("isUpgraded") is True:
            known[1] = signed
            return None
        known[1], known[2] = min(known[1], signed), max(known[2], signed)
        return before is not self.newest()

    def _newest(self):
        def strength(item):
            text, (content, _, latest) = item
            expires = date(content.get("expiresDate"))
            return (latest, date(content.get("revocationDate")) is not None, content.get("isUpgraded") is True,
                    BEGINNING if expires is None else expires, text.encode())
        return max(self.signed.items(), key=strength)[1] if self.signed else None

    def newest(self):
        """The content that counts."""
        newest = self._newest()
        return newest and newest[0]

    def newest_signed(self):
        """When what counts was signed last."""
        return self._newest()[2]

    def first_marked_upgraded(self):
        """The earliest signing date of the copies marked isUpgraded."""
        return min(first for content, first, _ in self.signed.values() if content.get("isUpgraded") is True)


class Transaction:
    """What counts of one transaction, as the rules see it."""

    def __init__(self, copies, catalog):
        self.copies = copies
        self.content = c = copies.newest()
        self.id = c["transactionId"]
        self.product_id = c.get("productId")
        self.product = catalog["products"].get(self.product_id)
        self.type = c.get("type")
        self.purchase = date(c.get("purchaseDate"))
        self.expires = date(c.get("expiresDate"))
        self.revoked = date(c.get("revocationDate"))
        self.is_upgraded = c.get("isUpgraded") is True
        self.is_seat = c.get("additionalTransactionReason") is not None
        self.ownership = c.get("inAppOwnershipType", "PURCHASED")
        self.quantity = c.get("quantity", 1)
        tokens = [content.get("appAccountToken") for content, _, _ in copies.signed.values()]
        # A newer copy without a token takes no token away.
        self.tokens = sorted({account_of(t) for t in tokens} - {None})

    @property
    def is_inert(self):
        return (self.type not in (AUTO, KEEP, PASS, CONSUMABLE) or self.product is None
                or self.ownership not in ("PURCHASED", "FAMILY_SHARED"))

    @property
    def is_void(self):
        """R2: ended by its own facts at or before its start."""
        if self.expires is None or self.expires <= self.purchase:
            return True
        if self.revoked is not None and self.revoked <= self.purchase:
            return True
        return self.is_upgraded and self.copies.first_marked_upgraded() <= self.purchase
