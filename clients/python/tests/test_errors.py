from __future__ import annotations

import httpx
import pytest
from conftest import BUYER, MakeOrder
from wire import Faulty

from order_marketplace import Marketplace, MarketplaceError, NoAnswerError, Retry

ONCE = Retry(attempts=1)


def test_a_refusal_has_code_field_every_fault_and_request_id(buyer: Marketplace, an_order: MakeOrder) -> None:
    body = an_order().model_dump(mode="json", exclude_unset=True)
    body["line_items"][0]["units"] = 0
    body["line_items"][0]["product_id"] = "nothing"
    with pytest.raises(MarketplaceError) as caught:
        buyer.create_order(body)
    error = caught.value
    assert (error.status, error.code, error.stage, error.recoverable) == (422, "INVALID_INPUT", "validation", True)
    assert error.field == "line_items.0.units" or error.field == "line_items.0.product_id"
    assert {fault.pointer for fault in error.errors} >= {"/line_items/0/units", "/line_items/0/product_id"}
    assert error.details["errors"][0]["error_code"] == error.errors[0].error_code
    assert error.request_id == error.http_reply.headers["x-request-id"]
    assert str(error).startswith("POST /v1/orders was refused with 422: INVALID_INPUT, ")
    assert str(error).endswith("more)")


def test_a_token_that_is_unknown_is_401() -> None:
    with Marketplace(token="omp_test_nothing") as market, pytest.raises(MarketplaceError) as caught:
        market.list_orders()
    assert (caught.value.status, caught.value.code) == (401, "UNAUTHENTICATED")


def test_no_connection_is_no_answer(unused_port: int) -> None:
    url = f"http://127.0.0.1:{unused_port}"
    with Marketplace(url, token=BUYER, retry=ONCE) as market, pytest.raises(NoAnswerError, match="^GET /v1/orders was not answered"):
        market.list_orders()


@pytest.mark.parametrize("status", [200, 302, 502])
def test_the_page_of_a_proxy_is_no_reply_of_the_service(status: int) -> None:
    page = httpx.MockTransport(lambda _: httpx.Response(status, text="<html>Welcome</html>"))
    with Marketplace(token=BUYER, retry=ONCE, http=httpx.Client(transport=page)) as market, pytest.raises(MarketplaceError) as caught:
        market.list_orders()
    assert (caught.value.status, caught.value.code, caught.value.text) == (status, None, "<html>Welcome</html>")


def test_the_token_may_be_a_function_and_is_asked_for_each_attempt() -> None:
    given: list[str] = []

    def token() -> str:
        given.append(BUYER)
        return BUYER

    with Marketplace(token=token, http=httpx.Client(transport=Faulty(503))) as market:
        market.list_orders()
    assert len(given) == 2


def test_what_is_needed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MARKETPLACE_TOKEN")
    with pytest.raises(ValueError, match="MARKETPLACE_TOKEN"):
        Marketplace()
    monkeypatch.delenv("MARKETPLACE_URL")
    with pytest.raises(ValueError, match="MARKETPLACE_URL"):
        Marketplace(token="t")
