"""A small App Store that makes up purchases and signs copies of them over time. It knows nothing of entitlements."""

from facts import AUTO, CONSUMABLE, DAY, KEEP, PASS

MINUTE = 60_000
HOUR = 3_600_000
START = 1_767_225_600_000  # 2026-01-01
BUNDLE_ID = "com.example.app"

LENGTHS = {"plus.m": 30 * DAY, "pro.m": 30 * DAY, "pro.q": 91 * DAY, "pro.y": 365 * DAY, "news.m": 31 * DAY}
GROUPS = [["plus.m", "pro.m", "pro.q", "pro.y"], ["news.m"]]
GARBAGE_TOKENS = ["", "user-42", "00000000-0000-0000-0000-000000000000", "1234567890", None]


class Store:
    """What one random history has in the App Store: a list of signed copies, each with the time of signing."""

    def __init__(self, rng, accounts, strangers):
        self.rng = rng
        self.accounts = accounts  # names whose tokens are known
        self.strangers = strangers  # names whose accounts are not known yet
        self.next_id = rng.randrange(10**9, 10**10)
        # (time of signing, transaction, renewal info or None, name of the buyer's account or None)
        self.signed = []
        self.pass_products = set()
        self.repeats = rng.choice([0.08, 0.08, 0.4])  # how often the same content is signed again

    def chance(self, probability):
        return self.rng.random() < probability

    def moment(self, first, last):
        """A second between two instants."""
        first, last = int(first) // 1000 + 1, int(last) // 1000
        return 1000 * self.rng.randint(first, max(first, last))

    def new_id(self):
        self.next_id += self.rng.randrange(1, 1000)
        return str(2_000_000_000_000_000 + self.next_id)

    def buyer(self):
        """Whose purchase it is, and the token that says so: (name or None, token or absent)."""
        kind = self.rng.random()
        if kind < 0.6:
            name = self.rng.choice(self.accounts)
        elif kind < 0.75:
            name = self.rng.choice(self.strangers)
        else:
            return None, self.rng.choice(GARBAGE_TOKENS)
        return name, name

    def transaction(self, product, kind, purchase, token, original=None, environment="Production", **more):
        identifier = self.new_id()
        transaction = {
            "transactionId": identifier, "originalTransactionId": original or identifier, "bundleId": BUNDLE_ID,
            "productId": product, "purchaseDate": purchase, "originalPurchaseDate": purchase, "quantity": 1,
            "type": kind, "inAppOwnershipType": "PURCHASED", "environment": environment,
        }
        if token is not None:
            transaction["appAccountToken"] = token
        transaction.update(more)
        if self.chance(0.1):
            del transaction["quantity"]
        if self.chance(0.1) and transaction["inAppOwnershipType"] == "PURCHASED":
            del transaction["inAppOwnershipType"]
        if self.chance(0.1):
            transaction[self.rng.choice(["offerType", "revocationReason", "offerIdentifier", "futureField"])] = None
        if self.chance(0.05):
            transaction["futureField"] = {"nested": [1, "two", None]}
        return transaction

    def sign(self, transaction, at, renewal=None, buyer=None):
        copy = dict(transaction, signedDate=at)
        if self.chance(0.05):
            copy["deviceVerification"] = self.new_id()
        if renewal is not None:
            renewal = dict(renewal, signedDate=at)
        self.signed.append((at, copy, renewal, buyer))
        if self.chance(self.repeats):
            # The same content once more, later, or so old that it has no date.
            again = at + self.moment(HOUR, 40 * DAY)
            repeated = dict(transaction, signedDate=again)
            if self.chance(0.1) and not transaction.get("isUpgraded"):
                del repeated["signedDate"]
            self.signed.append((again, repeated, None, buyer))

    def refund(self, transaction, at, buyer, consumable=False):
        """A refund or revocation, perhaps taken back, perhaps with another percentage later."""
        purchase = transaction["purchaseDate"]
        revocation = self.rng.choice([at, at - 1000, self.moment(purchase, at), purchase])
        refunded = dict(transaction, revocationDate=max(revocation, purchase), revocationReason=0)
        if self.chance(0.4):
            refunded["revocationPercentage"] = self.rng.choice([50_000, 33_333, 1, 99_999, 100_000])
        self.sign(refunded, at, buyer=buyer)
        if self.chance(0.1):
            # The other content of one signing date: the one with a revocationDate wins.
            self.sign(transaction, at, buyer=buyer)
        later = at + self.moment(MINUTE, 20 * DAY)
        if consumable and self.chance(0.3):
            self.sign(dict(refunded, revocationPercentage=self.rng.choice([25_000, 75_000])), later, buyer=buyer)
            later += self.moment(MINUTE, 20 * DAY)
        if self.chance(0.3):
            self.sign(transaction, later, buyer=buyer)

    # Kinds of purchases

    def buy_once(self, environment):
        """A non-consumable, own or shared by the family."""
        buyer, token = self.buyer()
        product = self.rng.choice(["life", "export"])
        at = self.moment(START, START + 200 * DAY)
        more = {}
        if self.chance(0.25):
            buyer, token, more = None, None, {"inAppOwnershipType": "FAMILY_SHARED"}
        transaction = self.transaction(product, KEEP, at, token, environment=environment, **more)
        self.sign(transaction, at + 2000, buyer=buyer)
        if self.chance(0.4):
            self.refund(transaction, at + self.moment(HOUR, 60 * DAY), buyer)

    def buy_passes(self, environment):
        """Non-renewing subscriptions of one product, one after the other or overlapping."""
        product = self.rng.choice(["pass30", "pass1m"])
        if product in self.pass_products:
            return
        self.pass_products.add(product)
        buyer, token = self.buyer()
        at = self.moment(START, START + 100 * DAY)
        for _ in range(self.rng.randint(1, 4)):
            quantity = self.rng.choice([1, 1, 1, 2, 3])
            transaction = self.transaction(product, PASS, at, token, environment=environment, quantity=quantity)
            self.sign(transaction, at + 2000, buyer=buyer)
            if self.chance(0.3):
                self.refund(transaction, at + self.moment(HOUR, 60 * DAY), buyer)
            at += self.rng.choice([0, 0, 1]) * DAY + self.moment(MINUTE, 45 * DAY)

    def buy_consumables(self, environment):
        buyer, token = self.buyer()
        at = self.moment(START, START + 150 * DAY)
        for _ in range(self.rng.randint(1, 4)):
            more = {"quantity": self.rng.choice([1, 1, 2, 5])}
            if self.chance(0.1):
                more["inAppOwnershipType"] = "FAMILY_SHARED"
            transaction = self.transaction(
                self.rng.choice(["coins100", "gems10"]), CONSUMABLE, at, token, environment=environment, **more)
            self.sign(transaction, at + 2000, buyer=buyer)
            if self.chance(0.4):
                self.refund(transaction, at + self.moment(MINUTE, 30 * DAY), buyer, consumable=True)
            at += self.moment(MINUTE, 20 * DAY)

    def buy_odd_things(self, environment):
        """What the rules keep and leave inert, or refuse."""
        buyer, token = self.buyer()
        at = self.moment(START, START + 150 * DAY)
        kind = self.rng.randrange(8)
        more = {"expiresDate": at + 30 * DAY}
        product, type_ = "pro.m", AUTO
        if kind == 0:
            product = "gold.m"
        elif kind == 1:
            type_ = "Bundle Subscription"
        elif kind == 2:
            more["inAppOwnershipType"] = "LEASED"
        elif kind == 3:
            environment = self.rng.choice(["Xcode", "LocalTesting", "Moon"])
        elif kind == 4:
            more["bundleId"] = "com.example.other"
        elif kind == 5:
            more["expiresDate"] = self.rng.choice([at // 1000, at * 1000, -1, 0])
        elif kind == 6:
            more["expiresDate"] = self.rng.choice([at, at - DAY, str(at + DAY), None])
        else:
            more["purchaseDate"] = at // 1000
        self.sign(self.transaction(product, type_, at, token, environment=environment, **more), at + 2000, buyer=buyer)

    def subscribe(self, environment):
        """A lineage of an auto-renewable subscription with a life of its own."""
        Subscription(self, environment).live()


class Subscription:
    """One lineage: its periods and what the store intends."""

    def __init__(self, store, environment):
        self.store, self.rng, self.environment = store, store.rng, environment
        self.group = self.rng.choice(GROUPS)
        self.buyer, self.token = store.buyer()
        self.ownership = {}
        if store.chance(0.1):
            self.buyer, self.token, self.ownership = None, None, {"inAppOwnershipType": "FAMILY_SHARED"}
        self.now = store.moment(START, START + 120 * DAY)
        self.original = None
        self.periods = []
        self.intent = {}

    def live(self):
        self.begin(self.rng.choice(self.group), self.now)
        events = [self.renew] * 6 + [self.return_later] * 2 + [self.change_plan] * 3 + [
            self.turn_renewal, self.turn_renewal, self.fail_billing, self.fail_billing, self.refund_some,
            self.refund_some, self.extend, self.add_seats, self.void_period, self.double_id, self.other_token]
        for _ in range(self.rng.randint(0, 9)):
            self.rng.choice(events)()

    @property
    def current(self):
        return self.periods[-1]

    def begin(self, product, purchase, signed=None, **more):
        length = LENGTHS[product] if self.store.chance(0.8) else self.rng.choice([3, 7, 14]) * DAY
        fields = {"expiresDate": purchase + length, "subscriptionGroupIdentifier": "main", **self.ownership, **more}
        transaction = self.store.transaction(
            product, AUTO, purchase, self.token, original=self.original, environment=self.environment, **fields)
        if self.original and self.store.chance(0.15) and self.buyer is not None:
            transaction.pop("appAccountToken", None)
        self.original = transaction["originalTransactionId"]
        self.periods.append(transaction)
        self.intent = {"originalTransactionId": self.original, "productId": product, "autoRenewProductId": product,
                       "autoRenewStatus": 1, "environment": self.environment}
        at = purchase + 2000 if signed is None else signed
        renewal = self.intent if self.store.chance(0.8) else None
        self.store.sign(transaction, at, renewal, self.buyer)
        self.now = max(self.now, at)

    def tell(self, at):
        self.store.sign(self.current, at, self.intent, self.buyer)
        self.now = max(self.now, at)

    def renew(self):
        purchase = self.current["expiresDate"]
        signed = purchase + self.rng.choice([2000, 20_000, -HOUR, -8 * HOUR])
        product = self.intent["autoRenewProductId"]
        self.begin(product, purchase, max(signed, self.current["purchaseDate"]))

    def return_later(self):
        gap = self.store.moment(MINUTE, 60 * DAY)
        self.begin(self.rng.choice(self.group), max(self.current["expiresDate"], self.now) + gap)

    def change_plan(self):
        middle = self.store.moment(self.current["purchaseDate"], self.current["expiresDate"])
        others = [p for p in self.group if p != self.current["productId"]]
        if not others:
            return
        product = self.rng.choice(others)
        if self.store.chance(0.4):
            # Takes effect with the next renewal.
            self.intent = dict(self.intent, autoRenewProductId=product)
            self.tell(middle)
            return
        upgraded = dict(self.current, isUpgraded=True)
        at = middle + self.rng.choice([1000, 5000, HOUR])
        if self.store.chance(0.9):
            self.store.sign(upgraded, at, buyer=self.buyer)
        self.periods[-1] = upgraded
        if self.store.chance(0.85):
            self.begin(product, middle)

    def turn_renewal(self):
        self.intent = dict(self.intent, autoRenewStatus=1 - self.intent["autoRenewStatus"])
        self.tell(self.store.moment(self.current["purchaseDate"], self.current["expiresDate"]))

    def fail_billing(self):
        end = self.current["expiresDate"]
        self.intent = dict(self.intent, isInBillingRetryPeriod=self.store.chance(0.8))
        grace = self.rng.choice([None, 3, 16])
        if grace:
            self.intent["gracePeriodExpiresDate"] = end + grace * DAY
        self.tell(end + self.rng.choice([3000, HOUR]))
        if self.store.chance(0.6):
            recovered = end + self.store.moment(HOUR, self.rng.choice([2, 10, 59]) * DAY)
            purchase = recovered if self.store.chance(0.7) else end
            self.begin(self.current["productId"], purchase, recovered + 2000)
        elif self.store.chance(0.4):
            self.intent = {k: v for k, v in self.intent.items()
                           if k not in ("gracePeriodExpiresDate", "isInBillingRetryPeriod")}
            self.intent.update(autoRenewStatus=0, expirationIntent=2)
            self.tell(end + 60 * DAY)

    def refund_some(self):
        period = self.rng.choice(self.periods)
        at = max(self.now, period["purchaseDate"]) + self.store.moment(MINUTE, 10 * DAY)
        self.store.refund(period, at, self.buyer)

    def extend(self):
        longer = dict(self.current, expiresDate=self.current["expiresDate"] + self.rng.randint(1, 90) * DAY)
        self.periods[-1] = longer
        self.tell(self.store.moment(longer["purchaseDate"], longer["expiresDate"]))

    def add_seats(self):
        middle = self.store.moment(self.current["purchaseDate"], self.current["expiresDate"])
        seats = dict(self.current, transactionId=self.store.new_id(), purchaseDate=middle,
                     additionalTransactionReason="SEAT_ADDITION")
        seats.pop("isUpgraded", None)
        self.store.sign(seats, middle + 2000, buyer=self.buyer)
        if self.store.chance(0.3):
            self.store.refund(seats, middle + self.store.moment(HOUR, 5 * DAY), self.buyer)

    def void_period(self):
        middle = self.store.moment(self.current["purchaseDate"], self.current["expiresDate"])
        void = dict(self.current, transactionId=self.store.new_id(), purchaseDate=middle)
        void.pop("isUpgraded", None)
        kind = self.rng.randrange(4)
        if kind == 0:
            void["expiresDate"] = self.rng.choice([middle, middle - DAY])
        elif kind == 1:
            del void["expiresDate"]
        elif kind == 2:
            void["revocationDate"] = self.rng.choice([middle, middle - 1000])
        else:
            void["expiresDate"] = str(void["expiresDate"])
        self.store.sign(void, middle + 2000, buyer=self.buyer)

    def double_id(self):
        twin = dict(self.current, transactionId=self.store.new_id())
        twin.pop("isUpgraded", None)
        self.store.sign(twin, twin["purchaseDate"] + 3000, buyer=self.buyer)

    def other_token(self):
        """The next periods are bought by somebody else on the same store account."""
        if self.buyer in self.store.accounts:
            self.buyer = self.token = self.rng.choice(self.store.accounts)
            self.return_later()
