"""A marketplace that runs: MARKETPLACE_URL, and tokens of a buyer and of a seller that has published."""

from __future__ import annotations

import os
import socket
import uuid
from collections.abc import Callable, Iterator

import pytest

from order_marketplace import Marketplace
from order_marketplace.models import AvailsReadAvail, BuyerMetadata, CreateOrder, LineItem, RateCited

BUYER = os.environ.get("MARKETPLACE_TOKEN", "")
SELLER = os.environ.get("MARKETPLACE_SELLER_TOKEN", "")
SELLER_ID = os.environ.get("MARKETPLACE_SELLER", "")

MakeOrder = Callable[[], CreateOrder]


@pytest.fixture
def buyer() -> Iterator[Marketplace]:
    with Marketplace(token=BUYER) as market:
        yield market


@pytest.fixture
def seller() -> Iterator[Marketplace]:
    with Marketplace(token=SELLER) as market:
        yield market


@pytest.fixture(scope="session")
def avail() -> AvailsReadAvail:
    """Some inventory that can be ordered."""
    with Marketplace(token=BUYER) as market:
        return next(
            each
            for each in market.get_avails(SELLER_ID).avails
            if each.state == "available" and any(rate.gross_rate_unit for rate in each.rates)
        )


@pytest.fixture
def an_order(buyer: Marketplace, avail: AvailsReadAvail) -> MakeOrder:
    """Makes orders of one line at a published price."""
    rate_version = str(buyer.get_catalog(SELLER_ID).rate_version)
    rate = next(rate for rate in avail.rates if rate.gross_rate_unit)

    def order() -> CreateOrder:
        line = LineItem(
            product_id=avail.product_id,
            period=avail.period,
            units=1,
            spot_length=rate.spot_length,
            rate=RateCited(
                market_class=rate.market_class,
                advertiser_class=rate.advertiser_class,
                buy_type=rate.buy_type,
                unit_cost=rate.gross_rate_unit,
                locked_rate_id=rate.locked_rate_id,
                currency=rate.currency,
            ),
        )
        return CreateOrder(
            seller=SELLER_ID,
            external_order_id=f"python-{uuid.uuid4()}",
            rate_version=rate_version,
            buyer_metadata=BuyerMetadata(advertiser_id="adv-1"),
            line_items=[line],
        )

    return order


@pytest.fixture
def unused_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])
