"""What the tests of the client share: time passes only where a test says so."""

import random
from typing import Any

from entitled_client import (
    Delivery,
    EntitledClient,
    Settings,
)

from .support import (
    ACCOUNT,
    BUNDLE,
    Asked,
    Directory,
    FakeClock,
    FakeService,
    Reply,
    Signer,
    payload,
    view,
)


class ClientTest(Directory):
    def setUp(self) -> None:
        super().setUp()
        self.signer = Signer()
        self.clock = FakeClock()
        self.service = FakeService(self)
        self.tokens: list[Any] = []
        self.delivered: list[Delivery] = []

    def client(self, account: str = ACCOUNT, **changes: Any) -> EntitledClient:
        settings = {"url": self.service.url, "bundle_id": BUNDLE, "keys": self.signer.pins, "directory": self.directory}
        client = EntitledClient(
            Settings(**settings | changes),
            account,
            self.token,
            on_delivery=self.delivered.append,
            clock=self.clock,
            chance=random.Random(1),
        )
        self.addCleanup(client.close)
        return client

    def token(self) -> str | None:
        token = self.tokens.pop(0) if self.tokens else "usual"
        if isinstance(token, Exception):
            raise token
        return token

    def signed(self, *arguments: int, **changes: Any) -> str:
        return self.signer.sign(payload(*arguments, **changes))

    def fetched(self, *arguments: int, **changes: Any) -> EntitledClient:
        client = self.client()
        self.service.script.append(view(self.signed(*arguments, **changes)))
        client.refresh()
        return client

    def after(self, milliseconds: int, reply: Reply | None) -> Any:
        """A reply that takes that long."""

        def held(_: Asked) -> Reply | None:
            self.clock.advance(milliseconds)
            return reply

        return held
