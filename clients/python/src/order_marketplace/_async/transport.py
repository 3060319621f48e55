"""Sends requests, again where that is safe."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping

import httpx
from pydantic import BaseModel

from .._content import is_repeatable, position_of
from .._version import VERSION
from .._wire import QueryValue, RawBody, Received, api_url, encode, outcome_of, path_with, refusal, reply_of
from ..errors import NoAnswerError
from ..retry import Outcome, Retry
from ._io import Content, Token, chunks, sleep, token_of

LOG = logging.getLogger("order_marketplace")
# Nothing of the request left this machine.
NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)


class AsyncTransport:
    """One tenant's access to the API.

    base_url: with or without the version segment; MARKETPLACE_URL if omitted. token: or a function that returns one; MARKETPLACE_TOKEN
    if omitted. timeout_s: for a connection, and for each pause within a reply. http: replaces the httpx client, for proxies or
    certificates; it is then the caller's to close.
    """

    def __init__(
        self,
        base_url: str | None = None,
        token: Token | None = None,
        *,
        retry: Retry | None = None,
        timeout_s: float = 30.0,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        self._base_url = api_url(base_url)
        given = token if token is not None else os.environ.get("MARKETPLACE_TOKEN")
        if given is None:
            raise ValueError("token, or MARKETPLACE_TOKEN, must be a token of the marketplace.")
        self._token: Token = given
        self._retry = retry or Retry()
        self._timeout_s = timeout_s
        self._http = http or httpx.AsyncClient()
        self._is_http_ours = http is None

    async def aclose(self) -> None:
        """Closes the connections."""
        if self._is_http_ours:
            await self._http.aclose()

    async def _send(
        self,
        method: str,
        path: str,
        *,
        repeatable: bool,
        query: Mapping[str, QueryValue] | None = None,
        headers: Mapping[str, str | None] | None = None,
        body: BaseModel | RawBody | None = None,
    ) -> Received:
        """Sends JSON, or nothing. The bytes and the headers are the same in each attempt."""
        content = None if body is None else encode(body)
        named = {**(headers or {}), "Content-Type": None if body is None else "application/json"}
        poll_s = float(str((query or {}).get("wait_s") or 0))
        return await self._exchange(method, path_with(path, query), named, content, repeatable, poll_s)

    async def _send_content(self, method: str, path: str, content: Content, *, repeatable: bool) -> Received:
        """Sends the bytes of a file; a stream that cannot be read again is sent once."""
        named = {"Content-Type": "application/octet-stream"}
        return await self._exchange(method, path, named, content, repeatable, 0)

    async def _exchange(
        self, method: str, path: str, headers: Mapping[str, str | None], content: Content | None, repeatable: bool, poll_s: float
    ) -> Received:
        call = f"{method} /v1{path.partition('?')[0]}"
        position = position_of(content)
        attempt = 1
        while True:
            response: httpx.Response | None = None
            try:
                response = await self._attempt(method, path, headers, content, position, poll_s)
                outcome = outcome_of(response.status_code, response.headers, response.content if response.is_error else b"")
                if not response.is_error:
                    return Received(call, reply_of(response), response.content)
                fault: Exception = refusal(call, reply_of(response), response.content)
            except (httpx.TransportError, httpx.DecodingError) as error:
                if isinstance(error, (httpx.LocalProtocolError, httpx.UnsupportedProtocol)):
                    raise
                outcome = Outcome(None, was_sent=not isinstance(error, NOT_SENT))
                fault = NoAnswerError(call, error or type(error).__name__)
                fault.__cause__ = error
            # A stream of which a part is gone cannot be sent again, whatever the outcome.
            may_resend = content is None or is_repeatable(content)
            wait_s = self._retry.wait_s(outcome, attempt, repeatable) if may_resend else None
            if wait_s is None:
                raise fault
            LOG.info("%s; attempt %d follows in %.1f s", fault, attempt + 1, wait_s)
            await sleep(wait_s)
            attempt += 1

    async def _attempt(
        self, method: str, path: str, headers: Mapping[str, str | None], content: Content | None, position: int, poll_s: float
    ) -> httpx.Response:
        sent = {name: value for name, value in headers.items() if value is not None}
        sent["Authorization"] = f"Bearer {await token_of(self._token)}"
        sent["User-Agent"] = f"order-marketplace-python/{VERSION}"
        return await self._http.request(
            method,
            self._base_url + path,
            headers=sent,
            content=content if content is None or isinstance(content, bytes) else chunks(content, position),
            timeout=httpx.Timeout(self._timeout_s, read=self._timeout_s + poll_s),
            follow_redirects=False,
        )
