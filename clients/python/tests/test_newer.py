"""What a newer marketplace answers passes: members, statuses, events and kinds that this version does not know."""

from __future__ import annotations

from typing import Any

import httpx
from conftest import BUYER, MakeOrder
from wire import Edit, Newer

from order_marketplace import Marketplace, key_of
from order_marketplace.models import (
    OrderEvent,
    OrderWarning,
    UnknownArtifact,
    UnknownEvent,
    UnknownMember,
    UnknownOrderWarning,
    UnknownPeriod,
)


def against(edit: Edit) -> Marketplace:
    return Marketplace(token=BUYER, http=httpx.Client(transport=Newer(edit)))


def test_an_unknown_status_and_member_of_an_order(buyer: Marketplace, an_order: MakeOrder) -> None:
    order_id = buyer.create_order(an_order()).order_id

    def edit(order: dict[str, Any]) -> None:
        order["status"] = "in_flight"
        order["carbon"] = {"grams": 7}
        order["line_items"][0]["status"] = "aired"
        order["line_items"][0]["period"] = {"grain": "hour", "start": "2030-06-03T20"}
        order["artifacts"] = [{"name": "air_certificate", "seq": 9, "pages": 2}]

    order = against(edit).get_order(order_id)
    assert order.status == "in_flight"
    assert order.model_extra == {"carbon": {"grams": 7}}
    assert order.line_items[0].status == "aired"
    period, artifact = order.line_items[0].period, order.artifacts[0]
    assert isinstance(period, UnknownPeriod)
    assert isinstance(artifact, UnknownArtifact)
    assert (period.grain, period.model_extra) == ("hour", {"start": "2030-06-03T20"})
    assert (artifact.name, artifact.model_extra) == ("air_certificate", {"seq": 9, "pages": 2})


def test_an_unknown_event_and_an_event_with_an_unknown_status(buyer: Marketplace, an_order: MakeOrder) -> None:
    buyer.create_order(an_order())

    def edit(page: dict[str, Any]) -> None:
        page["events"] = page["events"][:1]
        page["events"][0]["status"] = "in_flight"
        page["events"].append({"event_type": "catalog.renamed", "event_id": "evt_1", "data": {"to": "x"}})

    feed = against(edit).events(events="order.status_changed")
    (known, _), (unknown, _) = next(feed), next(feed)
    assert isinstance(known, OrderEvent)
    assert known.status == "in_flight"
    assert isinstance(unknown, UnknownEvent)
    assert (unknown.event_type, unknown.model_extra) == ("catalog.renamed", {"event_id": "evt_1", "data": {"to": "x"}})
    assert key_of(unknown) == "evt_1"


def test_an_unknown_warning(an_order: MakeOrder) -> None:
    def edit(reply: dict[str, Any]) -> None:
        reply["warnings"] = [
            {"code": "UNKNOWN_MEMBER", "pointer": "/x"},
            {"code": "LATE", "product_id": "p", "dates": ["2030-06-03"]},
            {"code": "ODD", "hint": 1},
        ]

    member, late, odd = against(edit).create_order(an_order()).warnings or []
    assert isinstance(member, UnknownMember)
    assert isinstance(late, OrderWarning)
    assert isinstance(odd, UnknownOrderWarning)
    assert odd.model_extra == {"code": "ODD", "hint": 1}
