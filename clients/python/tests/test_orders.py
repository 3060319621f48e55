from __future__ import annotations

import datetime
from itertools import islice

import pytest
from conftest import SELLER_ID, MakeOrder

from order_marketplace import Marketplace, MarketplaceError, encode, is_terminal
from order_marketplace.models import CancelOrder, CreateOrder, DecideOrder, DecidePreview, DecideReply


def test_an_order_is_created_read_and_repeated_by_the_same_bytes(buyer: Marketplace, an_order: MakeOrder) -> None:
    body = an_order()
    created = buyer.create_order(body)
    assert created.status == "submitted"
    assert created.http_reply.status == 201
    assert not created.http_reply.is_replay
    again = buyer.create_order(encode(body))
    assert (again.order_id, again.http_reply.is_replay) == (created.order_id, True)
    snapshot = buyer.get_order(created.order_id)
    assert snapshot.http_reply.etag == f'"{snapshot.last_seq}"'
    assert isinstance(snapshot.created_at, datetime.datetime)
    assert not is_terminal(snapshot)


def test_money_is_text_and_arrives_as_the_number_that_it_is(buyer: Marketplace, an_order: MakeOrder) -> None:
    body = an_order()
    assert body.line_items is not None
    cited = body.line_items[0].rate.unit_cost
    assert isinstance(cited, str)
    snapshot = buyer.get_order(buyer.create_order(body).order_id)
    assert snapshot.line_items[0].rate.unit_cost == cited
    with pytest.raises(ValueError, match="15 significant digits"):
        type(body.line_items[0].rate).model_validate({**body.line_items[0].rate.model_dump(), "unit_cost": "1234567890123.4567"})


def test_a_mapping_is_sent_as_it_is(buyer: Marketplace, an_order: MakeOrder) -> None:
    members = an_order().model_dump(mode="json", exclude_unset=True)
    assert buyer.create_order(members).external_order_id == members["external_order_id"]


def test_dry_runs_write_nothing(buyer: Marketplace, seller: Marketplace, an_order: MakeOrder) -> None:
    body = an_order()
    preview = buyer.preview_order(body)
    assert preview.valid is True
    with pytest.raises(MarketplaceError):
        buyer.get_order(body.external_order_id)
    order_id = buyer.create_order(body).order_id
    order = buyer.until_parked(order_id, timeout_s=120)
    would = buyer.cancel_order(order_id, CancelOrder(actor="Dana", reason="advertiser_postponed"), dry_run=True)
    assert would.status == "canceled"
    decision = DecideOrder(decision="approve", actor="Ada")
    assert isinstance(seller.decide_order(order_id, decision, dry_run=True), DecidePreview)
    assert buyer.get_order(order_id).last_seq == order.last_seq
    assert isinstance(seller.decide_order(order_id, decision, if_match=order.http_reply.etag), DecideReply)
    assert buyer.until_terminal(order_id, timeout_s=120).status == "placed"


def test_pages_are_one_iterator(buyer: Marketplace, an_order: MakeOrder) -> None:
    created = [buyer.create_order(an_order()).order_id for _ in range(3)]
    found = [order.order_id for order in islice(buyer.iter_orders(seller=SELLER_ID, limit=1), 3)]
    assert found == created[::-1]
    by_status = buyer.list_orders(status=["submitted", "validating", "seller_review"], limit=200)
    assert set(created) <= {order.order_id for order in by_status.orders}


def test_only_what_was_set_is_sent() -> None:
    body = CreateOrder.model_construct(_fields_set={"seller", "flight"}, seller="s", flight=None)
    assert encode(body) == b'{"seller":"s","flight":null}'
