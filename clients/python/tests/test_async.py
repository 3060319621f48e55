"""The asynchronous client has the same methods, and waits without holding the loop."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import anyio
from conftest import BUYER, SELLER, MakeOrder

from order_marketplace import AsyncMarketplace, Marketplace, MarketplaceError, key_of
from order_marketplace.models import CancelOrder, DecideOrder

CSV = b"week,units\n2030-W23,10\n"


def run(work: Callable[[AsyncMarketplace], Awaitable[None]]) -> None:
    async def main() -> None:
        async with AsyncMarketplace(token=BUYER) as market:
            await work(market)

    anyio.run(main)


def test_both_have_the_same_methods_with_the_same_parameters() -> None:
    def methods(client: type) -> dict[str, list[str]]:
        named = inspect.getmembers(client, inspect.isfunction)
        return {name: list(inspect.signature(function).parameters) for name, function in named if not name.startswith("_")}

    renamed = {("close" if name == "aclose" else name): takes for name, takes in methods(AsyncMarketplace).items()}
    assert renamed == methods(Marketplace)
    assert len(renamed) > 100


def test_an_order_is_followed_to_its_end(an_order: MakeOrder) -> None:
    async def work(buyer: AsyncMarketplace) -> None:
        start = (await buyer.read_feed(after="now", events="order.status_changed")).next_cursor
        order_id = (await buyer.create_order(an_order())).order_id
        await buyer.until_parked(order_id, timeout_s=120)

        async def decide() -> None:
            async with AsyncMarketplace(token=token) as seller:
                await seller.decide_order(order_id, DecideOrder(decision="approve", actor="Ada"))

        async def token() -> str:
            return SELLER

        async with anyio.create_task_group() as group:
            group.start_soon(decide)
            assert (await buyer.until_terminal(order_id, timeout_s=120)).status == "placed"
        seen: list[str] = []
        async for event, _ in buyer.events(after=start, events="order.status_changed"):
            seen.append(key_of(event))
            if getattr(event, "status", None) == "placed":
                break
        assert seen == [f"{order_id}:{seq}" for seq in range(1, len(seen) + 1)]
        assert [order.order_id async for order in buyer.iter_orders(q=order_id)] == [order_id]

    run(work)


def test_a_refusal_is_the_same_error() -> None:
    async def work(buyer: AsyncMarketplace) -> None:
        try:
            await buyer.cancel_order("ord_nothing", CancelOrder(actor="Dana"))
        except MarketplaceError as error:
            assert (error.status, error.code) == (404, "NOT_FOUND")
        else:
            raise AssertionError("It was not refused.")

    run(work)


def test_files_and_streams_are_uploaded(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(CSV)

    async def stream() -> AsyncIterator[bytes]:
        yield CSV[:10]
        yield CSV[10:]

    async def work(buyer: AsyncMarketplace) -> None:
        with path.open("rb") as file:
            uploads = [
                await buyer.upload_file(CSV, filename="a.csv"),
                await buyer.upload_file(path),
                await buyer.upload_file(file),
                await buyer.upload_file(stream(), filename="a.csv", size_bytes=len(CSV)),
            ]
        assert {upload.sha256 for upload in uploads} == {hashlib.sha256(CSV).hexdigest()}

    run(work)
