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

    def exchange(self, call: Call, seconds: float, interrupt: threading.Event | None = None) -> Response:
        """The answer; raises `NoAnswer` when there is none within `seconds`.

        To break it off, set `interrupt` and then call `abort`: so it ends at whatever point it is.
        """
        was_kept = self._connection is not None
        try:
            return self._exchange(call, seconds, interrupt)
        except (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError) as problem:
            # A server may close a kept connection at any moment. Every call of the protocol may be sent twice.
            if not was_kept:
                raise NoAnswer(f"The connection broke: {problem}") from problem
        except (OSError, http.client.HTTPException, ValueError) as problem:
            raise NoAnswer(f"The service was not reached: {problem}") from problem
        try:
            return self._exchange(call, seconds, interrupt)
        except (OSError, http.client.HTTPException, ValueError) as problem:
            raise NoAnswer(f"The service was not reached: {problem}") from problem

    def abort(self) -> None:
        """Breaks the exchange that another thread waits in."""
        connection = self._connection
        if connection is not None and connection.sock is not None:
            with contextlib.suppress(OSError):  # It may be broken already.
                connection.sock.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Closes the connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _exchange(self, call: Call, seconds: float, interrupt: threading.Event | None) -> Response:
        # The socket's own time-out starts again with every byte; a peer that drips would hold it for ever.
        deadline = threading.Timer(seconds, self.abort)
        deadline.daemon = True
        deadline.start()
        finished = False
        try:
            connection = self._connection or self._connect()
            if interrupt is not None and interrupt.is_set():
                raise ValueError("the exchange was broken off")
            connection.request(call.method, self._prefix + call.path, body=call.body, headers=dict(call.headers))
            answer = connection.getresponse()
            content = answer.read(_MAXIMUM_BODY + 1)
            if len(content) > _MAXIMUM_BODY:
                raise ValueError("the answer is too long")
            if answer.length:
                raise ValueError("the answer was cut short")
            finished = not answer.will_close
            return Response(answer.status, {name.lower(): value for name, value in answer.getheaders()}, content)
        finally:
            deadline.cancel()
            if not finished:
                self.close()

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
        return connection
