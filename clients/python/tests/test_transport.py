"""HTTP with a deadline: peers that say nothing, too little or too much."""

import contextlib
import socket
import threading
import unittest

from entitled_client.errors import EntitledError, NoAnswer
from entitled_client.transport import Call, Transport

from .support import FakeService, nothing_newer, page

CALL = Call("GET", "/", {})
SOON = 0.05
LATE = 30.0


class Peer:
    """Takes one connection, sends what it is given and then holds the connection open."""

    def __init__(self, test: unittest.TestCase, text: bytes) -> None:
        listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        self.taken = threading.Event()

        def serve() -> None:
            with listener, listener.accept()[0] as connection:
                self.taken.set()
                connection.sendall(text)
                with contextlib.suppress(OSError):
                    while connection.recv(65536):
                        pass

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        test.addCleanup(thread.join)


class TransportTests(unittest.TestCase):
    def transport(self, url: str) -> Transport:
        transport = Transport(url)
        self.addCleanup(transport.close)
        return transport

    def test_a_peer_that_does_not_finish(self) -> None:
        head = b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n"
        for text in (b"", b"HTTP/1.1 200", head, head + b"\r\n1234", b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n1"):
            with self.subTest(text), self.assertRaises(NoAnswer):
                self.transport(Peer(self, text).url).exchange(CALL, SOON)

    def test_breaking_off(self) -> None:
        peer = Peer(self, b"")
        transport, interrupt = self.transport(peer.url), threading.Event()

        def break_off() -> None:
            peer.taken.wait()
            interrupt.set()
            transport.abort()

        breaker = threading.Thread(target=break_off)
        breaker.start()
        with self.assertRaises(NoAnswer):
            transport.exchange(CALL, LATE, interrupt)
        breaker.join()
        with self.assertRaises(NoAnswer):
            transport.exchange(CALL, LATE, interrupt)

    def test_a_connection_is_kept_and_made_anew(self) -> None:
        service = FakeService(self)
        transport = self.transport(service.url)
        service.script = [nothing_newer("c"), page(), lambda _: None, nothing_newer("d")]
        self.assertEqual([transport.exchange(CALL, LATE).status for _ in range(3)], [204, 200, 204])

    def test_nothing_after_the_end(self) -> None:
        service = FakeService(self)
        transport = self.transport(service.url)
        service.script = [page()]
        transport.exchange(CALL, LATE)
        transport.close()
        with self.assertRaises(NoAnswer):
            transport.exchange(CALL, LATE)
        self.assertEqual(len(service.asked), 1)

    def test_addresses(self) -> None:
        for url in ("entitled.example", "ftp://entitled.example", "https://", "https://entitled.example?x=1"):
            with self.assertRaises(EntitledError):
                Transport(url)
