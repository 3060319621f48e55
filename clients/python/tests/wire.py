"""Connections to the real marketplace on which something goes wrong, or on which a newer marketplace answers."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import httpx

Edit = Callable[[Any], None]
LOST = object()
"""What a fault is that loses the reply after the marketplace has answered."""


class Faulty(httpx.BaseTransport):
    """Answers the first requests by `faults`: LOST, an exception, or a status; all others by the marketplace. Keeps what was sent."""

    def __init__(self, *faults: object, retry_after: str = "0", only: str = "") -> None:
        self.faults = list(faults)
        self.retry_after = retry_after
        self.only = only
        self.sent: list[httpx.Request] = []
        self._real = httpx.HTTPTransport()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        request.read()
        self.sent.append(request)
        fault = self.faults.pop(0) if self.faults and self.only in request.url.path else None
        if isinstance(fault, int):
            body = {"error_code": "UNAVAILABLE", "error_message": "Away.", "stage": "platform", "recoverable": True, "details": {}}
            return httpx.Response(fault, json=body, headers={"retry-after": self.retry_after})
        if isinstance(fault, Exception):
            raise fault
        response = self._real.handle_request(request)
        if fault is LOST:
            response.read()
            raise httpx.ReadError("The connection was reset.")
        return response


class Newer(httpx.BaseTransport):
    """The replies of the marketplace as a newer one might give them: `edit` changes the parsed body."""

    def __init__(self, edit: Edit) -> None:
        self._edit = edit
        self._real = httpx.HTTPTransport()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        response = self._real.handle_request(request)
        body = json.loads(response.read())
        self._edit(body)
        return httpx.Response(response.status_code, json=body)
