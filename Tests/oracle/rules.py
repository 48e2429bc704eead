"""The entitlement rules (R0 to R7) once more, for comparison.

Written from the rules' text alone and independent of the Swift code: clear rather than fast. A disagreement between the
two is a mistake in one of them, or a sentence in the rules that can be read in two ways.
"""

import calendar
import datetime
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


class Lineage:
    """All transactions of one originalTransactionId in one environment, and the evidence of whose it is."""

    def __init__(self):
        self.transactions = {}  # id -> Copies
        self.renewals = Copies()
        self.claim = None  # (account, purchase date of what was claimed)
        self.restores = []  # (account, instant)
        self.known_tokens = set()  # (transaction id, account): tokens whose account is known
        self.is_locked = False
        self.locked_at = None
        self.ledger = {}  # transaction id -> what is entered: None, "credit" or ("refund", percentage, taken)

    def all(self, catalog):
        transactions = [Transaction(copies, catalog) for copies in self.transactions.values()]
        return sorted(transactions, key=lambda t: (t.purchase, id_order(t.id)))

    def speakers(self, catalog):
        """Who speaks from when (R7), ascending."""
        spoken = []
        previous = None
        for transaction in self.all(catalog):
            for token in transaction.tokens:
                repeats = token == previous
                previous = token
                if repeats or (transaction.id, token) not in self.known_tokens:
                    continue
                if self.claim and transaction.purchase < self.claim[1]:
                    continue
                spoken.append((transaction.purchase, token))
        if self.claim:
            spoken.append((BEGINNING, self.claim[0]))
        spoken.sort(key=lambda s: s[0])
        if spoken:
            spoken[0] = (BEGINNING, spoken[0][1])
        spoken += [(instant, account) for account, instant in self.restores]
        return sorted(spoken, key=lambda s: s[0])

    def owner_at(self, instant, catalog):
        owner = None
        for start, account in self.speakers(catalog):
            if start <= instant:
                owner = account
        return owner

    def spans_of(self, account, catalog):
        """The intervals in which the account owns the lineage."""
        speakers = self.speakers(catalog)
        ends = [s[0] for s in speakers[1:]] + [FOREVER]
        return [(start, end) for (start, who), end in zip(speakers, ends) if who == account and start < end]

    def is_bound(self, catalog):
        return bool(self.speakers(catalog))


class Grantor:
    """Something that gives access: a transaction or an operator's grant."""

    def __init__(self, identifier, entitlements, start, end, regular_end, spans=((BEGINNING, FOREVER),)):
        self.id = identifier
        self.entitlements = entitlements
        self.regular_end = regular_end  # without grace
        cut = [(max(start, s), min(end, e)) for s, e in spans]
        self.intervals = [(s, e) for s, e in cut if s < e]
        self.transaction = None
        self.lineage = None
        self.final_end = None  # the revocation date, or when the operator took it back

    @property
    def end(self):
        return self.intervals[-1][1]

    def is_active(self, instant):
        return any(s <= instant < e for s, e in self.intervals)


def add_duration(start, text, count):
    """The end of count durations of days or months as one step (R2)."""
    number = int(text[1:-1]) * count
    if text[-1] == "D":
        return start + number * DAY
    months = number * (12 if text[-1] == "Y" else 1)
    moment = datetime.datetime.fromtimestamp(start // 1000, datetime.timezone.utc)
    month = moment.month - 1 + months
    year, month = moment.year + month // 12, month % 12 + 1
    day = min(moment.day, calendar.monthrange(year, month)[1])
    return int(moment.replace(year=year, month=month, day=day).timestamp()) * 1000 + start % 1000


def union(intervals):
    """The union, ascending; parts that touch are one."""
    result = []
    for start, end in sorted(intervals):
        if result and start <= result[-1][1]:
            result[-1][1] = max(result[-1][1], end)
        else:
            result.append([start, end])
    return result


class World:
    """An app with everything that happened to it."""

    def __init__(self, catalog, bundle_id, known):
        self.catalog = catalog
        self.policies = catalog["policies"]
        self.bundle_id = bundle_id
        self.known = set(known)
        self.lineages = {}  # (environment, originalTransactionId) -> Lineage
        self.notifications = set()
        self.grants = {}  # id -> [account, environment, entitlement, from, until, taken back at]
        self.balances = {}  # (account, environment, currency) -> amount
        self.spends = {}  # (account, environment, key) -> content
        self.erased = set()

    # What happens

    def refusal(self, payload, environment):
        """Why a transaction is not taken in (R0); None when it is."""
        if payload.get("bundleId") != self.bundle_id:
            return "rejected:bundleId"
        if environment not in SERVED:
            return "rejected:environment"
        dates = [date(payload.get(k)) for k in ("purchaseDate", "expiresDate", "revocationDate", "signedDate")]
        if any(d is not None and not EARLIEST <= d <= LATEST for d in dates):
            return "rejected:malformed"
        return None

    def push(self, account, transactions, renewals, now, is_restore=False):
        self.make_known(account)
        answers = []
        for payload in transactions:
            environment = payload.get("environment")
            refusal = self.refusal(payload, environment)
            if refusal:
                answers.append(refusal)
            elif is_restore:
                answers.append(self.restore(account, payload, environment, now))
            else:
                answers.append(self.push_one(account, payload, environment, now))
        for payload in renewals:
            self.learn_renewal(payload, payload.get("environment"))
        return answers

    def push_one(self, account, payload, environment, now):
        lineage, says_new = self.learn(payload, environment)
        if lineage.is_locked:
            return "belongsToAnotherAccount"
        if not lineage.is_bound(self.catalog):
            lineage.claim = (account, date(payload["purchaseDate"]))
            self.enter_consumables(environment, lineage)
            return "recorded"
        owner = lineage.owner_at(now, self.catalog)
        if owner != lineage.owner_at(date(payload["purchaseDate"]), self.catalog) and now < payload["purchaseDate"]:
            # A period still to come that will be another account's: whose it is now is not said.
            return None
        if owner != account:
            return "belongsToAnotherAccount"
        return self.word(says_new)

    @staticmethod
    def word(says_new):
        return None if says_new is None else "recorded" if says_new else "duplicate"

    def restore(self, account, payload, environment, now):
        lineage, says_new = self.learn(payload, environment)
        if lineage.is_locked:
            return "belongsToAnotherAccount"
        if not lineage.is_bound(self.catalog):
            lineage.claim = (account, date(payload["purchaseDate"]))
            self.enter_consumables(environment, lineage)
            return "recorded"
        if lineage.owner_at(now, self.catalog) == account:
            return self.word(says_new)
        if payload.get("type") == CONSUMABLE or not self.may_move(lineage, environment, now):
            return "belongsToAnotherAccount"
        lineage.restores.append((account, now))
        return "recorded"

    def may_move(self, lineage, environment, now):
        policy = self.policies["transfer"]
        if policy == "never":
            return False
        if policy == "ifInactive":
            owner = lineage.owner_at(now, self.catalog)
            if any(g.lineage is lineage and g.is_active(now) for g in self.grantors(owner, environment)):
                return False
        recent = [at for _, at in lineage.restores if at > now - 30 * DAY]
        return len(recent) < self.policies["transferLimit"]

    def notify(self, payload, now):
        data = payload["data"]
        environment = data.get("environment")
        if data.get("bundleId") != self.bundle_id:
            return "rejected:bundleId"
        if environment not in SERVED:
            return "rejected:environment"
        transaction, renewal = data["transaction"], data.get("renewalInfo")
        inner = transaction.get("environment") or environment
        refusal = self.refusal(transaction, inner)
        key = (environment, payload["notificationUUID"])
        if key in self.notifications:
            # Whether a refusal of what is inside shows outside is not said, nor what an erasure leaves of a UUID.
            return None if refusal or self.erased else "duplicate"
        self.notifications.add(key)
        lineage = None if refusal else self.learn(transaction, inner)[0]
        if renewal:
            self.learn_renewal(renewal, renewal.get("environment") or environment)
        if refusal:
            return None
        if not lineage.is_locked and not lineage.is_bound(self.catalog):
            return "unclaimed"
        return "recorded"

    def learn(self, payload, environment):
        """Takes a transaction in. Gives its lineage, and whether anything new was said."""
        lineage = self.lineages.setdefault((environment, payload["originalTransactionId"]), Lineage())
        copies = lineage.transactions.setdefault(payload["transactionId"], Copies())
        token = account_of(payload.get("appAccountToken"))
        was_hint = payload["transactionId"] in self.hints(lineage, token)
        says_new = copies.add(payload)
        if token in self.known and not lineage.is_locked:
            # A hint that lost against a claim or a restore stays one.
            if not was_hint or not (lineage.claim or lineage.restores):
                lineage.known_tokens.add((payload["transactionId"], token))
        self.enter_consumables(environment, lineage)
        return lineage, says_new

    def hints(self, lineage, token):
        return [t for t, copies in lineage.transactions.items()
                if (t, token) not in lineage.known_tokens
                and any(account_of(c.get("appAccountToken")) == token for c, _, _ in copies.signed.values())]

    def learn_renewal(self, payload, environment):
        lineage = self.lineages.get((environment, payload["originalTransactionId"]))
        if lineage and environment in SERVED:
            lineage.renewals.add(payload)

    def make_known(self, account):
        if account in self.known:
            return
        self.known.add(account)
        for (environment, _), lineage in self.lineages.items():
            if lineage.claim or lineage.restores or lineage.is_locked:
                continue
            for transaction in self.hints(lineage, account):
                lineage.known_tokens.add((transaction, account))
            self.enter_consumables(environment, lineage)

    def grant(self, account, environment, identifier, entitlement, start, until, now):
        self.grants[identifier] = [account, environment, entitlement, now if start is None else start,
                                   FOREVER if until is None else until, None]

    def revoke_grant(self, identifier, now):
        if self.grants[identifier][5] is None:
            self.grants[identifier][5] = now

    def spend(self, account, environment, currency, amount, key):
        self.make_known(account)
        content = (currency, amount)
        known = self.spends.get((account, environment, key))
        if known is not None:
            return "ok" if known == content else "idempotencyConflict"
        balance = self.balances.get((account, environment, currency), 0)
        if amount > balance:
            return "insufficientBalance"
        self.balances[account, environment, currency] = balance - amount
        self.spends[account, environment, key] = content
        return "ok"

    def erase(self, account, now):
        self.erased.add(account)
        self.known.discard(account)
        for lineage in self.lineages.values():
            if lineage.owner_at(FOREVER, self.catalog) == account:
                lineage.is_locked = True
        self.balances = {key: amount for key, amount in self.balances.items() if key[0] != account}
        self.grants = {key: grant for key, grant in self.grants.items() if grant[0] != account}

    # Ledger (R6)

    def enter_consumables(self, environment, lineage):
        if lineage.is_locked:
            return
        speakers = lineage.speakers(self.catalog)
        if not speakers:
            return
        owner = speakers[0][1]
        for transaction in lineage.all(self.catalog):
            if transaction.type != CONSUMABLE or transaction.is_inert or transaction.ownership != "PURCHASED":
                continue
            credits = transaction.product.get("credits")
            if not credits:
                continue
            key = (owner, environment, credits["currency"])
            amount = credits["amount"] * transaction.quantity
            entered = lineage.ledger.get(transaction.id)
            if entered is None:
                self.balances[key] = self.balances.get(key, 0) + amount
                entered = "credit"
            wanted = "credit"
            if transaction.revoked is not None:
                wanted = transaction.content.get("revocationPercentage", 100_000)
            if entered != "credit" and entered[0] != wanted:
                # The refund is taken back, and gives what it took.
                self.balances[key] += entered[1]
                entered = "credit"
            if wanted != "credit" and entered == "credit":
                owed = -(-amount * wanted // 100_000)
                taken = owed
                if self.policies["refundDebt"] == "floor":
                    taken = min(owed, max(self.balances[key], 0))
                self.balances[key] -= taken
                entered = (wanted, taken)
            lineage.ledger[transaction.id] = entered

    # What follows

    def periods(self, lineage):
        """The transactions that end others: neither void nor inert nor seat additions (R2)."""
        return [t for t in lineage.all(self.catalog)
                if t.type == AUTO and not t.is_inert and not t.is_seat and not t.is_void]

    def newest_of(self, lineage):
        """The lineage's newest transaction (R3)."""
        periods = self.periods(lineage)
        return periods[-1].id if periods else None

    def subscription(self, lineage, transaction, spans):
        later = [t for t in self.periods(lineage) if t.purchase > transaction.purchase]
        ends = [transaction.expires]
        if transaction.revoked is not None:
            ends.append(transaction.revoked)
        if later:
            ends.append(later[0].purchase)
        if self.misses_successor(lineage, transaction):
            ends.append(transaction.copies.first_marked_upgraded())
        end = regular_end = min(ends)
        grace = self.grace_end(lineage, transaction)
        if grace is not None:
            end = max(end, grace)
        grantor = Grantor(transaction.id, transaction.product.get("entitlements", []), transaction.purchase, end,
                          regular_end, spans)
        grantor.final_end = transaction.revoked
        return grantor

    def misses_successor(self, lineage, transaction):
        if not transaction.is_upgraded:
            return False
        later = [t for t in self.periods(lineage) if t.purchase > transaction.purchase]
        return not later or later[0].purchase >= transaction.expires

    def grace_end(self, lineage, transaction):
        renewal = lineage.renewals.newest()
        if not renewal or not self.policies["honorGracePeriod"] or transaction.id != self.newest_of(lineage):
            return None
        if transaction.revoked is not None or transaction.is_upgraded:
            return None
        if lineage.renewals.newest_signed() < transaction.purchase:
            return None
        return date(renewal.get("gracePeriodExpiresDate"))

    def grantors(self, account, environment):
        if account in self.erased:
            return []
        grantors = []
        passes = {}
        for (world, _), lineage in self.lineages.items():
            spans = lineage.spans_of(account, self.catalog)
            if world != environment or not spans:
                continue
            for transaction in lineage.all(self.catalog):
                if transaction.is_inert:
                    continue
                grantor = None
                if transaction.type == AUTO and not transaction.is_void:
                    grantor = self.subscription(lineage, transaction, spans)
                elif transaction.type == KEEP:
                    end = FOREVER if transaction.revoked is None else transaction.revoked
                    grantor = Grantor(transaction.id, transaction.product.get("entitlements", []),
                                      transaction.purchase, end, end, spans)
                    grantor.final_end = transaction.revoked
                elif transaction.type == PASS:
                    passes.setdefault(transaction.product_id, []).append((transaction, lineage, spans))
                if grantor:
                    grantor.transaction, grantor.lineage = transaction, lineage
                    grantors.append(grantor)
        for chain in passes.values():
            grantors += self.chain(chain)
        for identifier, (owner, world, entitlement, start, until, taken_back) in self.grants.items():
            if (owner, world) == (account, environment):
                end = until if taken_back is None else min(until, taken_back)
                grantor = Grantor(identifier, [entitlement], start, end, end)
                grantor.final_end = taken_back
                grantors.append(grantor)
        return [g for g in grantors if g.intervals]

    def chain(self, passes):
        grantors = []
        previous_end = BEGINNING
        for transaction, lineage, spans in sorted(passes, key=lambda p: (p[0].purchase, id_order(p[0].id))):
            product = transaction.product
            start = transaction.purchase
            if product.get("stacking", "extend") == "extend":
                start = max(start, previous_end)
            end = add_duration(start, product["duration"], transaction.quantity)
            if transaction.revoked is not None:
                end = max(start, min(end, transaction.revoked))
            previous_end = end
            grantor = Grantor(transaction.id, product["entitlements"], start, end, end, spans)
            grantor.final_end = transaction.revoked
            grantor.transaction, grantor.lineage = transaction, lineage
            grantors.append(grantor)
        return grantors

    def needs_reconciliation(self, account, environment):
        """Whether a successor is missing; None where the rules leave it open: a period without a readable end "raises an
        alarm", and of a lineage with several owners it is not said whom the flag concerns."""
        if account in self.erased:
            return False
        answer = False
        for (world, _), lineage in self.lineages.items():
            if world != environment or not lineage.spans_of(account, self.catalog):
                continue
            periods = [t for t in lineage.all(self.catalog) if t.type == AUTO and not t.is_inert]
            if any(t.expires is None for t in periods):
                return None
            if any(not t.is_void and self.misses_successor(lineage, t) for t in periods):
                if len(lineage.speakers(self.catalog)) > 1:
                    return None
                answer = True
        return answer

    def describing(self, candidates, instant):
        """R4: the grantor that fills the entry's fields."""
        def rank(grantor):
            transaction = grantor.transaction
            head = (grantor.is_active(instant), grantor.end, transaction is not None)
            if transaction is None:
                return head
            return head + (transaction.ownership == "PURCHASED", transaction.product.get("level", 0),
                           transaction.purchase, id_order(transaction.id))
        return max(candidates, key=rank)

    def state(self, grantor, instant):
        if grantor.is_active(instant):
            return "active" if instant < grantor.regular_end else "inGracePeriod"
        if any(instant < start for start, _ in grantor.intervals):
            return "upcoming"
        if grantor.final_end is not None and grantor.end == grantor.final_end:
            return "revoked"
        if grantor.transaction and grantor.transaction.type == AUTO:
            renewal = grantor.lineage.renewals.newest()
            is_newest = grantor.transaction.id == self.newest_of(grantor.lineage)
            if is_newest and renewal and renewal.get("isInBillingRetryPeriod") is True:
                return "inBillingRetry"
        return "expired"

    def renewal(self, grantor, account, instant):
        """willRenew and nextProductId."""
        transaction, lineage = grantor.transaction, grantor.lineage
        if transaction is None or transaction.type != AUTO or lineage.owner_at(instant, self.catalog) != account:
            return None, None
        later = [t for t in self.periods(lineage) if t.purchase > transaction.purchase]
        if later:
            if later[0].purchase <= instant:
                return None, None
            will_renew, product_id = True, later[0].product_id
        else:
            renewal = lineage.renewals.newest() or {}
            will_renew = {1: True, 0: False}.get(renewal.get("autoRenewStatus"))
            product_id = renewal.get("autoRenewProductId")
        return will_renew, None if product_id == transaction.product_id else product_id

    def entries(self, account, environment, instant, grantors=None):
        """The entries of the snapshot, by entitlement."""
        grantors = self.grantors(account, environment) if grantors is None else grantors
        entries = {}
        for entitlement in sorted({e for g in grantors for e in g.entitlements}):
            candidates = [g for g in grantors if entitlement in g.entitlements]
            describing = self.describing(candidates, instant)
            will_renew, next_product = self.renewal(describing, account, instant)
            content = describing.transaction.content if describing.transaction else {}
            everything = union([i for g in candidates for i in g.intervals])
            entries[entitlement] = {
                "isActive": any(g.is_active(instant) for g in candidates),
                "state": self.state(describing, instant),
                "transactionId": describing.id,
                "productId": content.get("productId"),
                "expiresDate": date(content.get("expiresDate")),
                "ownershipType": content.get("inAppOwnershipType", "PURCHASED") if content else None,
                "willRenew": will_renew,
                "nextProductId": next_product,
                "activeIntervals": [i for i in everything if i[1] > instant],
            }
        return entries

    def intervals(self, account, environment):
        grantors = self.grantors(account, environment)
        names = {e for g in grantors for e in g.entitlements}
        return {n: union([i for g in grantors if n in g.entitlements for i in g.intervals]) for n in names}

    def next_change(self, account, environment, instant):
        """The earliest instant after this one at which anything in the snapshot changes by time alone."""
        grantors = self.grantors(account, environment)
        now = self.entries(account, environment, instant, grantors)
        boundaries = {b for g in grantors for i in g.intervals for b in (*i, g.regular_end)}
        for (world, _), lineage in self.lineages.items():
            if world == environment:
                boundaries |= {t.purchase for t in lineage.all(self.catalog)}
                boundaries |= {start for start, _ in lineage.speakers(self.catalog)}
        for boundary in sorted(b for b in boundaries if instant < b < FOREVER):
            if self.entries(account, environment, boundary, grantors) != now:
                return boundary
        return None

    def unclaimed(self, environment):
        return sorted(original for (world, original), lineage in self.lineages.items()
                      if world == environment and lineage.transactions and not lineage.is_locked
                      and not lineage.is_bound(self.catalog))
