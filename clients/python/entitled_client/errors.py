"""Errors: each has a stable `code` and a message that says what is wrong and what to do."""


class EntitledError(Exception):
    """Anything this package refuses. `code` is stable, the message is for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class Unbelievable(EntitledError):
    """A snapshot that fails one of the five rules of PROTOCOL.md, or cannot be read."""


class OutboxFull(EntitledError):
    """The outbox holds as much as it may: nothing of the push was taken."""

    def __init__(self, message: str) -> None:
        super().__init__("outboxFull", message)


class NotWriter(EntitledError):
    """Another process holds the lock of this directory: this one only reads."""

    def __init__(self) -> None:
        super().__init__("notWriter", "Another process writes in this directory. Push and fetch there, or stop it.")


class NoAnswer(EntitledError):
    """The service was not reached: no network, a captive portal, a broken connection. Nothing is known by it."""

    def __init__(self, message: str) -> None:
        super().__init__("noAnswer", message)


class Refused(EntitledError):
    """The service, or a proxy before it, answered with a refusal. `status` is HTTP's, `pause` milliseconds to wait."""

    def __init__(self, status: int, code: str, message: str, pause: int = 0) -> None:
        super().__init__(code, message)
        self.status = status
        self.pause = pause
