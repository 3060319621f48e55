"""A buyer's program on the Python client: reads what to order from standard input, orders it, and answers its seller until the order ends.

MARKETPLACE_URL=... MARKETPLACE_TOKEN=... python buyer.py < brief.json
"""

from __future__ import annotations

import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

from order_marketplace import Marketplace, WebhookFault, is_terminal, verify_webhook
from order_marketplace.models import (
    BuyerMetadata,
    CancelOrder,
    ConfirmOrder,
    CreateOrder,
    LineItem,
    OrderSnapshot,
    RateCited,
    RespondOrder,
)

ACTOR = "Dana Whitfield"
POLL_S = 0.5


def order_of(market: Marketplace, brief: dict[str, Any]) -> CreateOrder:
    seller = brief["seller"]
    head: dict[str, Any] = {
        "seller": seller,
        "external_order_id": brief["external_order_id"],
        "rate_version": market.get_catalog(seller).rate_version or "",
        "buyer_metadata": BuyerMetadata(advertiser_id=brief["advertiser_id"]),
    }
    if brief["workflow"] == "proposal":
        request = {"request_type": "open", "brief": "Evenings", "budget_gross": str(brief["budget_gross"])}
        return CreateOrder.model_validate({**head, "request": request})
    if brief["workflow"] == "document":
        upload = market.upload_file(Path(brief["document"]))
        return CreateOrder.model_validate({**head, "document": {"upload_id": upload.upload_id, "format": "csv"}})
    return CreateOrder(**head, line_items=[line_of(market, brief)])


def line_of(market: Marketplace, brief: dict[str, Any]) -> LineItem:
    """A price is never computed: it is one that the seller published, named by its locked_rate_id."""
    avails = market.iter_avails(brief["seller"], product_id=brief["product_id"], weeks=brief["week"])
    avail, price = next((each, rate) for each in avails for rate in each.rates if rate.gross_rate_unit)
    rate = RateCited(
        locked_rate_id=price.locked_rate_id,
        market_class=price.market_class,
        advertiser_class=price.advertiser_class,
        buy_type=price.buy_type,
        currency=price.currency,
        unit_cost=price.gross_rate_unit,
    )
    return LineItem(product_id=avail.product_id, period=avail.period, units=brief["units"], spot_length=price.spot_length, rate=rate)


def answer(market: Marketplace, order: OrderSnapshot, brief: dict[str, Any]) -> None:
    if order.status == "negotiating" and order.substatus != "quote_lapsed":
        market.respond_order(order.order_id, RespondOrder(action=brief.get("on_counter", "withdraw"), actor=ACTOR))
    if order.status == "needs_confirmation":
        action = brief.get("on_plan", "confirm")
        body: dict[str, Any] = {"action": action, "actor": ACTOR}
        if action == "reject":
            body["reason"] = "Not what was asked for."
        plan_id = next((plan_id for each in order.artifacts if (plan_id := getattr(each, "plan_id", None))), None)
        if plan_id is not None:
            body["plan_id"] = plan_id
        market.confirm_order(order.order_id, ConfirmOrder.model_validate(body))
    if order.status == "seller_review" and brief.get("then") == "cancel":
        market.cancel_order(order.order_id, CancelOrder(actor=ACTOR, reason="The campaign was postponed."))


def listen(port: int, secret: str, hint: threading.Event) -> HTTPServer:
    """Webhooks are hints: each makes the program look, and the snapshot is the truth."""

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            try:
                verify_webhook(self.headers, body, secret)
            except WebhookFault:
                self.send_response(400)
            else:
                self.send_response(204)
                hint.set()
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = HTTPServer(("127.0.0.1", port), Receiver)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def main() -> None:
    brief = json.load(sys.stdin)
    hint = threading.Event()
    with Marketplace() as market:
        # The client sends the same bytes again until they are answered.
        order_id = market.create_order(order_of(market, brief)).order_id
        if "webhook" in brief:
            listen(brief["webhook"]["port"], brief["webhook"]["secret"], hint)
        while True:
            order = market.get_order(order_id)
            if is_terminal(order):
                return
            # One look at a time, so nothing is answered twice.
            answer(market, order, brief)
            hint.wait(POLL_S)
            hint.clear()


main()
