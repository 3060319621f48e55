from __future__ import annotations

from typing import Any

import httpx
import pytest
from conftest import BUYER, MakeOrder
from wire import Faulty, Newer

from order_marketplace import FeedEvent, Marketplace, MarketplaceError, NoAnswerError, Retry, is_parked, key_of
from order_marketplace._feed import FeedPlace
from order_marketplace.models import CancelOrder, EventFeed

ORDERS = "order.status_changed"


def orders_of(buyer: Marketplace, an_order: MakeOrder, count: int) -> str:
    """Makes orders, and returns the cursor before their events."""
    before = buyer.read_feed(after="now", events=ORDERS).next_cursor
    for _ in range(count):
        buyer.until_parked(buyer.create_order(an_order()).order_id, timeout_s=120)
    return before


def test_a_consumer_that_crashes_after_any_event_sees_each_once(buyer: Marketplace, an_order: MakeOrder) -> None:
    before = orders_of(buyer, an_order, 2)
    expected = [key_of(event) for event in buyer.read_feed(after=before, events=ORDERS, limit=500).events]
    assert len(expected) >= 6
    handled: list[str] = []
    cursor = before
    while len(handled) < len(expected):
        # Each time a new process: it handles one event, stores the cursor, and ends.
        event, cursor = next(buyer.events(after=cursor, events=ORDERS, wait_s=1))
        handled.append(key_of(event))
    assert handled == expected
    assert cursor == buyer.read_feed(after=cursor, events=ORDERS).next_cursor


def test_it_waits_for_the_next_event_and_survives_an_outage(buyer: Marketplace, an_order: MakeOrder) -> None:
    cursor = buyer.read_feed(after="now", events=ORDERS, statuses="submitted").next_cursor
    order_id = buyer.create_order(an_order()).order_id
    connection = Faulty(503, httpx.ReadError("Reset."))
    with Marketplace(token=BUYER, retry=Retry(attempts=1), http=httpx.Client(transport=connection)) as market:
        event, _ = next(market.events(after=cursor, events=[ORDERS], statuses=["submitted"]))
    assert key_of(event) == f"{order_id}:1"
    assert len(connection.sent) == 3


def test_it_gives_up_when_it_is_told_to_and_at_once_at_a_refusal() -> None:
    away = httpx.Client(transport=Faulty(*[httpx.ReadError("Reset.")] * 9))
    with Marketplace(token=BUYER, retry=Retry(attempts=1), http=away) as market, pytest.raises(NoAnswerError):
        next(market.events(give_up_after_s=0))
    with Marketplace(token=BUYER) as market, pytest.raises(MarketplaceError) as caught:
        next(market.events(after="of-other-filters"))
    assert caught.value.status == 422


def test_repeats_and_older_events_of_an_order_are_dropped(buyer: Marketplace, an_order: MakeOrder) -> None:
    before = orders_of(buyer, an_order, 1)
    expected = [key_of(event) for event in buyer.read_feed(after=before, events=ORDERS).events]

    def twice(page: dict[str, Any]) -> None:
        page["events"] = [*page["events"], *page["events"]]

    with Marketplace(token=BUYER, http=httpx.Client(transport=Newer(twice))) as market:
        feed = market.events(after=before, events=ORDERS, wait_s=0)
        assert [key_of(next(feed).event) for _ in expected] == expected


def page_of(seqs: range, next_cursor: str) -> EventFeed:
    events = [{"event_type": "catalog.of_test", "event_id": f"evt_{seq}"} for seq in seqs]
    return EventFeed.model_validate({"events": events, "next_cursor": next_cursor})


def keys(found: list[FeedEvent]) -> list[str]:
    return [key_of(each.event) for each in found]


def test_a_page_that_ends_earlier_when_it_is_read_again_changes_nothing() -> None:
    cursor = FeedPlace("a").take(page_of(range(1, 7), "b"))[4].cursor
    place = FeedPlace(cursor)
    assert place.after == "a"
    assert keys(place.take(page_of(range(1, 3), "a2"))) == []
    assert place.after == "a2"
    assert keys(place.take(page_of(range(3, 9), "c"))) == ["evt_6", "evt_7", "evt_8"]


def test_nothing_is_left_out_when_the_last_event_was_lost_by_a_restore() -> None:
    cursor = FeedPlace("a").take(page_of(range(1, 7), "b"))[2].cursor
    place = FeedPlace(cursor)
    assert keys(place.take(page_of(range(11, 13), "a2"))) == []
    assert keys(place.take(page_of(range(0, 0), "a3"))) == ["evt_11", "evt_12"]


def test_a_cursor_within_the_first_page_of_the_feed() -> None:
    place = FeedPlace(FeedPlace(None).take(page_of(range(1, 4), "b"))[0].cursor)
    assert place.after is None
    found = place.take(page_of(range(1, 4), "b"))
    assert keys(found) == ["evt_2", "evt_3"]
    assert found[-1].cursor == "b"


def test_until_parked_and_until_terminal_wait_for_what_is_done(buyer: Marketplace, seller: Marketplace, an_order: MakeOrder) -> None:
    order_id = buyer.create_order(an_order()).order_id
    parked = seller.until_parked(order_id, as_seller=True, timeout_s=120)
    assert is_parked(parked)
    assert parked.status == "seller_review"
    with pytest.raises(TimeoutError, match="seller_review"):
        buyer.until_terminal(order_id, timeout_s=1)
    buyer.cancel_order(order_id, CancelOrder(actor="Dana"))
    assert buyer.until_terminal(order_id, timeout_s=120).status == "canceled"
    assert buyer.until_parked(order_id, timeout_s=120).status == "canceled"
