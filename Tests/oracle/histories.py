"""Random histories: what the store signed reaches the service late, doubled, in any order or never, while accounts and
operators do things of their own. The oracle says what must follow."""

import json
import random

from facts import DAY, FOREVER, PASS
from rules import World
from store import BUNDLE_ID, HOUR, MINUTE, START, Store

ACCOUNTS = {
    "A1": "a1a1a1a1-0000-4000-8000-00000000000a", "A2": "a2a2a2a2-0000-4000-8000-00000000000b",
    "A3": "a3a3a3a3-0000-4000-8000-00000000000c", "U1": "b1b1b1b1-0000-4000-8000-00000000000d",
    "U2": "b2b2b2b2-0000-4000-8000-00000000000e",
}
KNOWN = ["A1", "A2", "A3"]
STRANGERS = ["U1", "U2"]

PRODUCTS = {
    "pro.m": {"type": "Auto-Renewable Subscription", "subscriptionGroup": "main", "level": 2, "entitlements": ["pro"]},
    "pro.q": {"type": "Auto-Renewable Subscription", "subscriptionGroup": "main", "level": 2,
              "entitlements": ["pro", "export"]},
    "pro.y": {"type": "Auto-Renewable Subscription", "subscriptionGroup": "main", "level": 3, "entitlements": ["pro"]},
    "plus.m": {"type": "Auto-Renewable Subscription", "subscriptionGroup": "main", "level": 1, "entitlements": ["plus"]},
    "news.m": {"type": "Auto-Renewable Subscription", "subscriptionGroup": "news", "level": 1, "entitlements": ["news"]},
    "life": {"type": "Non-Consumable", "level": 3, "entitlements": ["pro"]},
    "export": {"type": "Non-Consumable", "level": 1, "entitlements": ["export"]},
    "pass30": {"type": "Non-Renewing Subscription", "level": 1, "entitlements": ["pro"], "duration": "P30D",
               "stacking": "extend"},
    "pass1m": {"type": "Non-Renewing Subscription", "level": 1, "entitlements": ["plus"], "duration": "P1M",
               "stacking": "overlap"},
    "coins100": {"type": "Consumable", "credits": {"currency": "coins", "amount": 100}},
    "gems10": {"type": "Consumable", "credits": {"currency": "gems", "amount": 10}},
}


class History:
    """One random history as a case file."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.seed = seed
        policies = {
            "honorGracePeriod": self.rng.random() < 0.85, "refundDebt": self.rng.choice(["floor", "negative"]),
            "transfer": self.rng.choice(["onRestore", "onRestore", "ifInactive", "never"]),
            "transferLimit": self.rng.choice([1, 2, 2, 3]), "offlineGrace": "P3D", "staleAccess": "keep",
        }
        products = json.loads(json.dumps(PRODUCTS))
        products["pass1m"]["stacking"] = self.rng.choice(["overlap", "extend"])
        products["pass1m"]["duration"] = self.rng.choice(["P1M", "P2M", "P1Y"])
        self.catalog = {"products": products, "policies": policies}
        self.store = Store(self.rng, KNOWN, STRANGERS)
        self.steps = []
        self.notification_number = 0
        # How this history's deliveries behave: some are nearly all pushes, some come very late.
        self.pushes = self.rng.choice([0.35, 0.35, 0.9])
        self.on_time = self.rng.choice([0.7, 0.7, 0.3])
        self.erases = self.rng.random() < 0.15

    def chance(self, probability):
        return self.rng.random() < probability

    def case(self):
        self.make_purchases()
        self.deliver_all()
        self.let_people_act()
        # One instant a step: which of two steps of one millisecond was first is another question.
        self.steps.sort(key=lambda s: s["at"])
        for before, after in zip(self.steps, self.steps[1:]):
            after["at"] = max(after["at"], before["at"] + 1)
        self.replay()
        return {
            "id": f"H{self.seed}", "title": f"random history {self.seed}", "why": "The oracle says so.",
            "catalog": self.catalog, "accounts": ACCOUNTS, "known": KNOWN, "steps": self.steps,
            "expect": self.expectations(),
        }

    def make_purchases(self):
        makers = [self.store.subscribe] * 5 + [self.store.buy_once] * 3 + [
            self.store.buy_passes, self.store.buy_consumables, self.store.buy_consumables, self.store.buy_odd_things]
        for _ in range(self.rng.randint(1, 7)):
            environment = "Sandbox" if self.chance(0.15) else "Production"
            self.rng.choice(makers)(environment)

    # Delivery

    def delay(self):
        kind = self.rng.random()
        if kind < self.on_time:
            return self.rng.randint(1000, 30_000)
        return self.rng.randint(1000, HOUR if kind < self.on_time + 0.15 else 20 * DAY)

    def deliver_all(self):
        for signed, transaction, renewal, buyer in self.store.signed:
            if self.chance(0.06):
                continue
            at = signed + self.delay()
            pusher = buyer if buyer and self.chance(0.7) else self.rng.choice(KNOWN)
            if pusher in STRANGERS and self.chance(0.7):
                pusher = None  # strangers mostly stay unmet
            if pusher and self.chance(self.pushes):
                step = {"at": at, "push": {"account": pusher, "transactions": [transaction]}}
                if renewal and self.chance(0.7):
                    step["push"]["renewalInfos"] = [renewal]
                if self.chance(0.2):
                    # A device hands over more than one.
                    others = [t for s, t, _, b in self.store.signed if s < signed and b == buyer]
                    step["push"]["transactions"] += self.rng.sample(others, min(2, len(others)))
            else:
                step = {"at": at, "notification": self.notification(signed, transaction, renewal)}
            self.steps.append(step)
            if self.chance(0.12):
                again = json.loads(json.dumps(step))
                again["at"] = at + self.delay()
                self.steps.append(again)

    def notification(self, signed, transaction, renewal):
        self.notification_number += 1
        transaction, renewal = dict(transaction), renewal and dict(renewal)
        environment = transaction["environment"]
        if self.chance(0.1):
            # Old data: the environment stands only outside.
            del transaction["environment"]
        data = {"environment": environment, "bundleId": transaction["bundleId"], "transaction": transaction}
        if renewal:
            data["renewalInfo"] = renewal
        return {
            "notificationType": self.rng.choice(["DID_RENEW", "SUBSCRIBED", "REFUND", "EXPIRED", "SOMETHING_NEW"]),
            "notificationUUID": f"00000000-0000-4000-8000-{self.seed:06x}{self.notification_number:06x}",
            "version": "2.0", "signedDate": signed, "data": data,
        }

    # People

    def let_people_act(self):
        first, last = START, max([s["at"] for s in self.steps], default=START) + DAY
        def some(limit):
            return range(self.rng.choice([0, 0] + list(range(limit + 1))))
        for _ in some(4):
            self.act(first, last, "spend", {
                "account": self.rng.choice(KNOWN), "currency": self.rng.choice(["coins", "coins", "gems"]),
                "amount": self.rng.choice([1, 10, 60, 100, 250]), "idempotencyKey": f"k{self.rng.randrange(4)}"})
        for number in some(3):
            self.give(first, last, number)
        for _ in some(4):
            self.restore()
        for name in STRANGERS:
            if self.chance(0.5):
                self.act(first, last, "known", {"account": name})
        if self.erases:
            self.act(first, last, "erase", {"account": "A3"})

    def act(self, first, last, kind, content):
        at = self.rng.randint(first, last)
        self.steps.append({"at": at, kind: content})
        return at

    def give(self, first, last, number):
        grant = {"account": self.rng.choice(KNOWN), "id": f"g{number}",
                 "entitlement": self.rng.choice(["pro", "plus", "news", "vip"])}
        at = self.rng.randint(first, last)
        if self.chance(0.5):
            grant["from"] = at + self.rng.randint(-20, 20) * DAY + number
        if self.chance(0.6):
            grant["until"] = grant.get("from", at) + self.rng.randint(1, 60) * DAY + number
        elif self.chance(0.5):
            grant["until"] = None
        if self.chance(0.15):
            grant["environment"] = "Sandbox"
        self.steps.append({"at": at, "grant": grant})
        if self.chance(0.4):
            self.steps.append({"at": at + self.rng.randint(1, 40 * DAY), "revokeGrant": {"id": f"g{number}"}})

    def restore(self):
        if not self.store.signed:
            return
        signed, transaction, _, _ = self.rng.choice(self.store.signed)
        passes = {t["transactionId"] for _, t, _, _ in self.store.signed if t["productId"] == transaction["productId"]}
        if transaction["type"] == PASS and len(passes) > 1:
            return  # how a moved pass chains in its new account is not said by the rules
        self.steps.append({"at": signed + self.rng.randint(MINUTE, 50 * DAY),
                           "restore": {"account": self.rng.choice(KNOWN), "transactions": [transaction]}})

    # The oracle

    def world(self):
        return World(self.catalog, BUNDLE_ID, [ACCOUNTS[n] for n in KNOWN])

    def replay(self):
        """Lets everything happen once, notes the answers, and leaves out what the rules do not settle."""
        world = self.world()
        kept = []
        for step in self.steps:
            if self.is_settled(world, step):
                answers = apply(world, step)
                if answers is not None and None not in answers:
                    step["answers"] = answers
                kept.append(step)
        self.steps = kept

    def is_settled(self, world, step):
        """Whether the rules say what a step does to an erased account."""
        erased = ACCOUNTS["A3"]
        if "erase" in step:
            # Only what was A3's alone: who else is locked out is not said.
            return all([who for _, who in lineage.speakers(world.catalog)] in ([], [erased])
                       or all(who != erased for _, who in lineage.speakers(world.catalog))
                       for lineage in world.lineages.values())
        if erased not in world.erased:
            return True
        for content in step.values():
            if isinstance(content, dict) and content.get("account") == "A3":
                return False
        signed = [(t, t["environment"]) for t in step.get("push", step.get("restore", {})).get("transactions", [])]
        if "notification" in step:
            data = step["notification"]["data"]
            signed.append((data["transaction"], data["environment"]))
        for transaction, environment in signed:
            lineage = world.lineages.get((environment, transaction["originalTransactionId"]))
            if transaction.get("appAccountToken") == "A3" and not (lineage and lineage.is_locked):
                return False
        return "revokeGrant" not in step or step["revokeGrant"]["id"] in world.grants

    def expectations(self):
        final = self.world()
        for step in self.steps:
            apply(final, step)
        instants = self.interesting_instants(final)
        names = list(ACCOUNTS)
        expectations = []
        for _ in range(14):
            name = self.rng.choice(names[:3] * 3 + names)
            environment = "Sandbox" if self.chance(0.2) else "Production"
            at = self.rng.choice(instants) + self.rng.choice([0, 0, -1, 1, self.rng.randint(-20, 20) * DAY])
            known_at = None
            world = final
            if self.chance(0.4) and self.steps:
                known_at = self.rng.choice(self.steps)["at"] + self.rng.choice([0, 0, -1])
                world = self.world()
                for step in self.steps:
                    if step["at"] <= known_at:
                        apply(world, step)
            expectations += self.questions(world, name, environment, at, known_at)
        for environment in ["Production", "Sandbox"]:
            expectations.append({"environment": environment, "unclaimed": final.unclaimed(environment)})
        return expectations

    def interesting_instants(self, world):
        instants = [START]
        for name in ACCOUNTS.values():
            for environment in ["Production", "Sandbox"]:
                for grantor in world.grantors(name, environment):
                    instants += [i for part in grantor.intervals for i in part if i != FOREVER]
                    instants.append(grantor.regular_end if grantor.regular_end != FOREVER else START)
        return [int(i) for i in instants]

    def questions(self, world, name, environment, at, known_at):
        account = ACCOUNTS[name]
        question = {"account": name, "environment": environment}
        if known_at is not None:
            question["knownAt"] = known_at
        entries = world.entries(account, environment, at)
        shown = {}
        for entitlement in ["pro", "plus", "news", "export"]:
            entry = entries.get(entitlement)
            shown[entitlement] = entry and {k: v for k, v in entry.items() if k != "activeIntervals"}
        moment = dict(
            question, at=at, active=sorted(e for e, entry in entries.items() if entry["isActive"]), entries=shown,
            nextChangeAt=world.next_change(account, environment, at),
            balances={c: world.balances.get((account, environment, c), 0) for c in ["coins", "gems"]})
        needs = world.needs_reconciliation(account, environment)
        if needs is not None:
            moment["needsReconciliation"] = needs
        yield moment
        intervals = world.intervals(account, environment)
        yield dict(question, intervals={
            e: [[s, None if end == FOREVER else end] for s, end in intervals.get(e, [])]
            for e in ["pro", "plus", "news", "export"]})


def expanded(payload):
    """A payload with the account behind the token's name."""
    token = payload.get("appAccountToken")
    return dict(payload, appAccountToken=ACCOUNTS[token]) if token in ACCOUNTS else payload


def apply(world, step):
    """Lets a step happen in the oracle's world; its answers, where it has any."""
    at = step["at"]
    if "notification" in step:
        notification = step["notification"]
        data = dict(notification["data"], transaction=expanded(notification["data"]["transaction"]))
        return [world.notify(dict(notification, data=data), at)]
    for kind in ("push", "restore"):
        if kind in step:
            content = step[kind]
            return world.push(ACCOUNTS[content["account"]], [expanded(t) for t in content["transactions"]],
                              content.get("renewalInfos", []), at, is_restore=kind == "restore")
    if "spend" in step:
        spend = step["spend"]
        return [world.spend(ACCOUNTS[spend["account"]], "Production", spend["currency"], spend["amount"],
                            spend["idempotencyKey"])]
    if "grant" in step:
        grant = step["grant"]
        world.grant(ACCOUNTS[grant["account"]], grant.get("environment", "Production"), grant["id"],
                    grant["entitlement"], grant.get("from"), grant.get("until"), at)
    elif "revokeGrant" in step:
        if step["revokeGrant"]["id"] in world.grants:
            world.revoke_grant(step["revokeGrant"]["id"], at)
    elif "known" in step:
        world.make_known(ACCOUNTS[step["known"]["account"]])
    elif "erase" in step:
        world.erase(ACCOUNTS[step["erase"]["account"]], at)
    return None
