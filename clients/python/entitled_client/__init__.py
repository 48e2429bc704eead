"""What an account may use, with proof and without network: a client of Entitled (clients/PROTOCOL.md)."""

import logging

from .answer import Answer, Flag, Verdict
from .client import EntitledClient, Settings, View
from .courier import Delivery
from .errors import EntitledError, NoAnswer, NotWriter, OutboxFull, Refused, Unbelievable
from .keys import keys_of_jwks
from .service import Result
from .session import SignedOut

# What is worth a report is logged under this name; an app that wants it adds a handler.
logging.getLogger(__name__).addHandler(logging.NullHandler())

__all__ = [
    "Answer",
    "Delivery",
    "EntitledClient",
    "EntitledError",
    "Flag",
    "NoAnswer",
    "NotWriter",
    "OutboxFull",
    "Refused",
    "Result",
    "Settings",
    "SignedOut",
    "Unbelievable",
    "Verdict",
    "View",
    "keys_of_jwks",
]
