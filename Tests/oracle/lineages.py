"""Whose a lineage is, and what gives access (R2, R4, R7). See rules.py."""

import calendar
import datetime

from facts import BEGINNING, DAY, FOREVER, Copies, Transaction, id_order


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
