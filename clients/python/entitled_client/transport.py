"""One HTTP exchange at a time over a connection that is kept, with a deadline for the whole of it."""

from __future__ import annotations

import contextlib
import http.client
import socket
import ssl
import threading
import urllib.parse
from collections.abc import Mapping
from dataclasses import dataclass

from .errors import EntitledError, NoAnswer

_CONNECT_SECONDS = 10.0
_MAXIMUM_BODY = 4 << 20


@dataclass(frozen=True)
class Call:
    """An HTTP request; `path` is below the service's address."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes | None = None


@dataclass(frozen=True)
class Response:
    """An HTTP answer, whoever gave it. Names of headers are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def media_type(self) -> str:
        """The content type without parameters."""
        return self.headers.get("content-type", "").split(";")[0].strip().lower()


class Transport:
    """Speaks to one origin. Redirects are answers like any other; proxies of the environment are not used."""

    def __init__(self, url: str) -> None:
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
            raise EntitledError(
                "invalidURL", f"{url} is no address of a service. Give one like https://entitled.example."
            )
        self._https = parts.scheme == "https"
        self._host, self._port = parts.hostname, parts.port
        self._prefix = parts.path.rstrip("/")
        self._tls = ssl.create_default_context() if self._https else None
        self._connection: http.client.HTTPConnection | None = None
        self._socket: socket.socket | None = None
        self._in_use = threading.Lock()
        self._expired = False
        self._is_over = False

    def exchange(self, call: Call, seconds: float, interrupt: threading.Event | None = None) -> Response:
        """The answer; raises `NoAnswer` when there is none within `seconds`.

        To break it off, set `interrupt` and then call `abort`: so it ends at whatever point it is.
        """
        with self._in_use:
            self._expired = False
            # The socket's own time-out starts again with every byte; a peer that drips would hold it for ever.
            deadline = threading.Timer(seconds, self._expire)
            deadline.daemon = True
            deadline.start()
            try:
                return self._twice(call, interrupt)
            finally:
                deadline.cancel()

    def _expire(self) -> None:
        self._expired = True
        self.abort()

    def _twice(self, call: Call, interrupt: threading.Event | None) -> Response:
        was_kept = self._connection is not None
        try:
            return self._exchange(call, interrupt)
        except (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError) as problem:
            # A server may close a kept connection at any moment. Every call of the protocol may be sent twice.
            if not was_kept or self._expired:
                raise NoAnswer(f"The connection broke: {problem}") from problem
        except (OSError, http.client.HTTPException, ValueError) as problem:
            raise NoAnswer(f"The service was not reached: {problem}") from problem
        try:
            return self._exchange(call, interrupt)
        except (OSError, http.client.HTTPException, ValueError) as problem:
            raise NoAnswer(f"The service was not reached: {problem}") from problem

    def abort(self) -> None:
        """Breaks the exchange that another thread waits in."""
        peer = self._socket
        if peer is not None:
            with contextlib.suppress(OSError):  # It may be broken already.
                peer.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Breaks off what is under way and closes the connection."""
        self._is_over = True
        self.abort()
        # Whoever is in an exchange closes the connection at its end; closing it here would pull it from under them.
        if self._in_use.acquire(blocking=False):
            self._close()
            self._in_use.release()

    def _close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = self._socket = None

    def _exchange(self, call: Call, interrupt: threading.Event | None) -> Response:
        finished = False
        try:
            connection = self._connection or self._connect()
            if self._expired or self._is_over or (interrupt is not None and interrupt.is_set()):
                raise ValueError("the exchange was broken off")
            connection.request(call.method, self._prefix + call.path, body=call.body, headers=dict(call.headers))
            answer = connection.getresponse()
            content = answer.read(_MAXIMUM_BODY + 1)
            if len(content) > _MAXIMUM_BODY:
                raise ValueError("the answer is too long")
            # Without a length, an answer that was broken off looks like one that ended.
            if answer.length or self._expired:
                raise ValueError("the answer was cut short")
            finished = not answer.will_close
            return Response(answer.status, {name.lower(): value for name, value in answer.getheaders()}, content)
        finally:
            if not finished or self._is_over:
                self._close()

    def _connect(self) -> http.client.HTTPConnection:
        if self._https:
            connection: http.client.HTTPConnection = http.client.HTTPSConnection(
                self._host, self._port, timeout=_CONNECT_SECONDS, context=self._tls
            )
        else:
            connection = http.client.HTTPConnection(self._host, self._port, timeout=_CONNECT_SECONDS)
        self._connection = connection
        connection.connect()
        connection.sock.settimeout(None)
        # http.client lets go of it when an answer ends with the connection, which is when a peer may drip.
        self._socket = connection.sock
        return connection
