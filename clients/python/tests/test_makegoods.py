from __future__ import annotations

import pytest
from conftest import MakeOrder

from order_marketplace import Marketplace, MarketplaceError
from order_marketplace.models import (
    AnswerMakegood,
    DecideOrder,
    MissedUnits,
    NoticeMakegood,
    OfferMakegood,
    ReviseMakegood,
)


def test_a_spot_is_preempted_another_offered_and_accepted(buyer: Marketplace, seller: Marketplace, an_order: MakeOrder) -> None:
    body = an_order()
    assert body.line_items is not None
    body.line_items[0].units = 6
    order_id = buyer.create_order(body).order_id
    buyer.until_parked(order_id, timeout_s=120)
    seller.decide_order(order_id, DecideOrder(decision="approve", actor="Ada"))
    line = buyer.until_terminal(order_id, timeout_s=120).line_items[0]
    missed = line.allocation[0].date

    missing = MissedUnits(unit_id=line.unit_id, date=missed, units=1, reason_code="preempted")
    notice = NoticeMakegood.model_validate({"for": [missing]})
    noticed = seller.notice_makegood(order_id, notice, idempotency_key="notice-1")
    again = seller.notice_makegood(order_id, notice, idempotency_key="notice-1")
    assert (noticed.status, again.makegood_id, again.http_reply.is_replay) == ("noticed", noticed.makegood_id, True)

    offer = OfferMakegood(product_id=line.product_id, date=missed, units=1, spot_length=line.spot_length)
    offered = seller.revise_makegood(order_id, noticed.makegood_id, ReviseMakegood(action="offer", offers=[offer]))
    assert (offered.status, offered.version) == ("offered", 2)
    with pytest.raises(MarketplaceError) as refused:
        buyer.answer_makegood(order_id, noticed.makegood_id, AnswerMakegood(action="accept", version=1))
    assert refused.value.code == "INVALID_STATE"
    answered = buyer.answer_makegood(order_id, noticed.makegood_id, AnswerMakegood(action="accept", version=2))
    assert answered.status == "accepted"
    for makegoods in (buyer.iter_makegoods(order_id=order_id), seller.iter_received_makegoods(order_id=order_id)):
        assert [makegood.makegood_id for makegood in makegoods] == [noticed.makegood_id]
