"""The entitlement rules (R0 to R7) once more, for comparison.

Written from the rules' text alone and independent of the Swift code: clear rather than fast. A disagreement between the
two is a mistake in one of them, or a sentence in the rules that can be read in two ways.
"""

from facts import (
    AUTO, BEGINNING, CONSUMABLE, DAY, EARLIEST, FOREVER, KEEP, LATEST, PASS, SERVED, Copies, account_of, date, id_order)
from lineages import Grantor, Lineage, add_duration, union


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
            grants_of_one_end = [g for g in candidates if g.transaction is None and g.end == describing.end]
            entry = entries[entitlement] = {
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
            if describing.transaction is None and len(grants_of_one_end) > 1:
                # Which of two grants with one end describes is not said.
                del entry["transactionId"]
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
