"""Checks that a webhook was sent by the marketplace."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import re
import time
from collections.abc import Iterable
from datetime import datetime
from typing import Any, Protocol, TypeAlias

from pydantic import TypeAdapter

from .models import Event, WebhookTest

TOLERANCE_SECONDS = 300


WebhookEvent: TypeAlias = Event | WebhookTest


class Headers(Protocol):
    """The headers of a request in any framework."""

    def items(self) -> Iterable[tuple[str, Any]]: ...


class WebhookFault(ValueError):
    """A request cannot be trusted; the message says why."""


def verify_webhook(headers: Headers, body: bytes | str, secret: str, *, now: datetime | None = None) -> WebhookEvent:
    """Returns the event of a webhook if its `X-Signature` proves that the marketplace sent it within the last five minutes.

    headers: as received; the case of names does not matter. body: the bytes before anything parses them. secret: that of the endpoint,
    as `whsec_...`. Raises WebhookFault otherwise: answer such a request with 400, and do nothing else.
    """
    content = body.encode() if isinstance(body, str) else body
    signature = next((str(value) for name, value in headers.items() if name.lower() == "x-signature"), None)
    if signature is None:
        raise WebhookFault("There is no X-Signature.")
    parts = [part.partition("=")[::2] for part in signature.split(",")]
    timestamp = next((value for name, value in parts if name == "t"), "")
    if re.fullmatch(r"[0-9]{1,12}", timestamp) is None:
        raise WebhookFault("X-Signature has no timestamp.")
    if abs((time.time() if now is None else now.timestamp()) - int(timestamp)) > TOLERANCE_SECONDS:
        raise WebhookFault("The timestamp is too far from now.")
    expected = hmac.new(_key(secret), timestamp.encode() + b"." + content, hashlib.sha256).hexdigest().encode()
    # During a rotation the request has a signature for each secret; one correct signature is enough.
    if not any(name == "v1" and hmac.compare_digest(value.lower().encode(), expected) for name, value in parts):
        raise WebhookFault("No signature is by this secret.")
    event = _EVENT.validate_json(content)
    return WebhookTest.model_validate_json(content) if event.event_type == "webhook.test" else event


def _key(secret: str) -> bytes:
    try:
        return base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except binascii.Error:
        raise ValueError("The secret is not one of an endpoint: it is whsec_ and base64.") from None


_EVENT: TypeAdapter[Event] = TypeAdapter(Event)
