from __future__ import annotations

import json
import os
from datetime import datetime, timezone
from typing import Any

import pytest

from order_marketplace import WebhookFault, key_of, verify_webhook
from order_marketplace.models import OrderEvent, UnknownEvent, WebhookTest

SIGNED: dict[str, Any] = json.loads(os.environ.get("MARKETPLACE_SIGNED_WEBHOOK", "{}"))
"""A webhook as the marketplace signs it: its headers, body, secret and time; `rotated` has the headers while two secrets are valid."""
HEADERS: dict[str, str] = SIGNED.get("headers", {})
BODY: str = SIGNED.get("body", "")
SECRET: str = SIGNED.get("secret", "")
NOW = datetime.fromtimestamp(SIGNED.get("timestamp", 0), timezone.utc)
LATER = datetime.fromtimestamp(SIGNED.get("timestamp", 0) + 301, timezone.utc)


def test_what_the_marketplace_signed_is_an_event() -> None:
    for headers in (HEADERS, SIGNED["rotated"], {name.title(): value for name, value in HEADERS.items()}):
        event = verify_webhook(headers, BODY.encode(), SECRET, now=NOW)
        assert isinstance(event, OrderEvent)
        assert f"{event.order_id}:{event.seq}" == headers.get("webhook-id", headers.get("Webhook-Id"))


@pytest.mark.parametrize(
    ("headers", "body", "now", "reason"),
    [
        ({}, BODY, NOW, "no X-Signature"),
        ({"x-signature": "v1=00"}, BODY, NOW, "no timestamp"),
        ({"x-signature": HEADERS.get("x-signature", "").partition(",")[0]}, BODY, NOW, "No signature"),
        (HEADERS, BODY + " ", NOW, "No signature"),
        (HEADERS, BODY, LATER, "too far"),
    ],
)
def test_anything_else_is_refused(headers: dict[str, str], body: str, now: datetime, reason: str) -> None:
    with pytest.raises(WebhookFault, match=reason):
        verify_webhook(headers, body.encode(), SECRET, now=now)


def test_the_secret_of_another_endpoint_is_refused() -> None:
    with pytest.raises(WebhookFault, match="No signature"):
        verify_webhook(HEADERS, BODY, "whsec_b3RoZXI=", now=NOW)


@pytest.mark.parametrize(("name", "kind"), [("unknown", UnknownEvent), ("ping", WebhookTest)])
def test_other_kinds_pass(name: str, kind: type) -> None:
    signed = SIGNED[name]
    event = verify_webhook(signed["headers"], signed["body"], SECRET, now=NOW)
    assert isinstance(event, kind)
    assert key_of(event) == "evt_1"
