from __future__ import annotations

import httpx
import pytest
from conftest import BUYER, MakeOrder
from wire import LOST, Faulty

from order_marketplace import Marketplace, MarketplaceError, NoAnswerError, Retry
from order_marketplace.models import CreateCreative, CreateHold
from order_marketplace.retry import Outcome

QUICK = Retry(first_wait_s=0.001)


def on(transport: httpx.BaseTransport, retry: Retry = QUICK) -> Marketplace:
    return Marketplace(token=BUYER, retry=retry, http=httpx.Client(transport=transport))


def test_a_create_whose_reply_is_lost_is_repeated_by_the_same_bytes(an_order: MakeOrder) -> None:
    connection = Faulty(LOST)
    created = on(connection).create_order(an_order())
    assert created.http_reply.is_replay
    first, second = connection.sent
    assert first.content == second.content


def test_an_idempotency_key_is_the_same_in_every_attempt_of_a_call_and_new_in_the_next() -> None:
    connection = Faulty(503, 429)
    hold = CreateHold.model_construct(seller="nobody")
    for _ in range(2):
        with pytest.raises(MarketplaceError):
            on(connection).create_hold(hold)
    keys = [request.headers["idempotency-key"] for request in connection.sent]
    assert keys[0] == keys[1] == keys[2] != keys[3]


def test_what_takes_a_key_is_repeated_without_an_answer() -> None:
    connection = Faulty(LOST)
    creative = on(connection).create_creative(CreateCreative(creative_code="C1", name="One", length_seconds=30))
    assert creative.http_reply.is_replay


def test_what_the_service_would_do_twice_is_repeated_only_where_it_did_nothing() -> None:
    def attempts(fault: object) -> int:
        connection = Faulty(fault)
        with pytest.raises((NoAnswerError, MarketplaceError)):  # Buyers may not do it at all.
            on(connection).resend_delivery("whe_1", "dlv_1")
        return len(connection.sent)

    assert [attempts(fault) for fault in (LOST, 502, httpx.ReadTimeout("Late."))] == [1, 1, 1]
    assert [attempts(fault) for fault in (429, 503, httpx.ConnectError("Refused."))] == [2, 2, 2]


@pytest.mark.parametrize("fault", [429, 503, 502, 504, LOST, httpx.ReadTimeout("Late."), httpx.ConnectTimeout("Late.")])
def test_a_read_is_repeated(fault: object) -> None:
    connection = Faulty(fault, fault)
    on(connection).list_orders()
    assert len(connection.sent) == 3


@pytest.mark.parametrize("status", [400, 401, 404, 409, 422, 500])
def test_other_refusals_are_final(status: int) -> None:
    connection = Faulty(status)
    with pytest.raises(MarketplaceError):
        on(connection).list_orders()
    assert len(connection.sent) == 1


def test_attempts_end() -> None:
    connection = Faulty(*[503] * 9)
    with pytest.raises(MarketplaceError) as caught:
        on(connection, Retry(attempts=3, first_wait_s=0.001)).list_orders()
    assert (caught.value.status, len(connection.sent)) == (503, 3)


def test_retry_after_is_honoured_and_one_that_asks_for_too_much_is_final() -> None:
    retry = Retry(first_wait_s=0.5, longest_wait_s=30)
    for _ in range(20):
        assert 7 <= (retry.wait_s(Outcome(429, 7), 1, True) or 0) <= 7.5
    assert retry.wait_s(Outcome(429, 31), 1, True) is None
    connection = Faulty(429, retry_after="3600")
    with pytest.raises(MarketplaceError):
        on(connection).list_orders()
    assert len(connection.sent) == 1


def test_waits_are_drawn_below_a_bound_that_doubles() -> None:
    retry = Retry(attempts=99, first_wait_s=1, longest_wait_s=10)
    for attempt, bound in [(1, 1), (2, 2), (4, 8), (5, 10), (50, 10)]:
        drawn = [retry.wait_s(Outcome(503), attempt, True) or 0 for _ in range(50)]
        assert max(drawn) <= bound
        assert max(drawn) > bound / 4
        assert len(set(drawn)) > 40
