"""The client: every operation, and what takes several calls."""

from __future__ import annotations

import hashlib
import math
import random
import time
from collections.abc import AsyncIterator, Callable, Sequence

from .._content import Format, format_of, is_repeatable, name_of, position_of, size_of
from .._feed import NOW, FeedEvent, FeedPlace
from ..errors import MarketplaceError, NoAnswerError
from ..models import CreateUpload, OrderEvent, OrderSnapshot, Upload
from ..states import is_parked, is_terminal
from ._io import Content, chunks, sleep
from .operations import AsyncOperations
from .transport import LOG

LONGEST_POLL_S = 30
PAGE = 500
# The service is away or asks for less: what follows the feed goes on by itself.
PASSING = (429, 502, 503, 504)
FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 30.0


class AsyncMarketplace(AsyncOperations):
    """Every operation of /v1 as a method, for one tenant.

    A refusal raises MarketplaceError. NoAnswerError means that no reply came: the request may have been carried out, and the same call
    with the same body may be made again.
    """

    async def __aenter__(self) -> AsyncMarketplace:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def events(
        self,
        *,
        after: str | None = None,
        events: str | Sequence[str] | None = None,
        statuses: str | Sequence[str] | None = None,
        wait_s: int = LONGEST_POLL_S,
        give_up_after_s: float | None = None,
    ) -> AsyncIterator[FeedEvent]:
        """Every event of the tenant, each once and those of an order in its seq; waits for the next one at the end.

        after: the cursor that you stored with the last event that you handled, with the same filters; the beginning of the feed if
        omitted, and "now" for what follows from now on. Whoever handles an event and stores its cursor in one transaction handles each
        event exactly once, also after a crash. Does not end by itself: while the service is away it goes on for `give_up_after_s`
        seconds, or for ever if omitted, and then raises the last error. Any other refusal is raised at once.
        """
        place = FeedPlace(after)
        away_since: float | None = None
        pause_s = FIRST_PAUSE_S
        while True:
            try:
                page = await self.read_feed(after=place.after, events=events, statuses=statuses, limit=PAGE, wait_s=wait_s)
            except (MarketplaceError, NoAnswerError) as error:
                if isinstance(error, MarketplaceError) and error.status not in PASSING:
                    raise
                away_since = time.monotonic() if away_since is None else away_since
                if give_up_after_s is not None and time.monotonic() - away_since >= give_up_after_s:
                    raise
                LOG.warning("%s; the feed is read again in %.1f s at most", error, pause_s)
                # Jitter spreads consumers that lost the service together.
                await sleep(random.uniform(pause_s / 2, pause_s))
                pause_s = min(pause_s * 2, LONGEST_PAUSE_S)
                continue
            away_since, pause_s = None, FIRST_PAUSE_S
            for found in place.take(page):
                yield found

    async def until_parked(self, order_id: str, *, as_seller: bool = False, timeout_s: float | None = None) -> OrderSnapshot:
        """Waits until the order waits for its buyer or its seller, or has ended, and returns it.

        Raises TimeoutError after `timeout_s` seconds; it waits for ever if omitted.
        """
        return await self.until(order_id, is_parked, as_seller=as_seller, timeout_s=timeout_s)

    async def until_terminal(self, order_id: str, *, as_seller: bool = False, timeout_s: float | None = None) -> OrderSnapshot:
        """Waits until the order is placed, canceled, rejected or failed, and returns it.

        Raises TimeoutError after `timeout_s` seconds; it waits for ever if omitted.
        """
        return await self.until(order_id, is_terminal, as_seller=as_seller, timeout_s=timeout_s)

    async def until(
        self,
        order_id: str,
        is_reached: Callable[[OrderSnapshot], bool],
        *,
        as_seller: bool = False,
        timeout_s: float | None = None,
    ) -> OrderSnapshot:
        """Waits until a snapshot of the order satisfies `is_reached`, and returns it. Raises TimeoutError after `timeout_s` seconds."""
        deadline = math.inf if timeout_s is None else time.monotonic() + timeout_s
        # The feed says when to look, from before the first look on; the snapshot says what is true.
        cursor = (await self.read_feed(after=NOW, events="order.status_changed")).next_cursor
        while True:
            order = await (self.get_received_order(order_id) if as_seller else self.get_order(order_id))
            if is_reached(order):
                return order
            is_due = False
            while not is_due:
                left_s = deadline - time.monotonic()
                if left_s <= 0:
                    raise TimeoutError(f"{order_id} is {order.status} after {timeout_s} s.")
                wait_s = max(1, min(LONGEST_POLL_S, math.floor(left_s)))
                page = await self.read_feed(after=cursor, events="order.status_changed", limit=PAGE, wait_s=wait_s)
                cursor = page.next_cursor
                # Whom an order waits for may change with the clock alone, so a quiet poll is a reason to look as well.
                is_due = not page.events or any(isinstance(event, OrderEvent) and event.order_id == order_id for event in page.events)

    async def upload_file(
        self, content: Content, *, filename: str | None = None, format: Format | None = None, size_bytes: int | None = None
    ) -> Upload:
        """Announces a file, sends its bytes, and returns the upload with its sha256, ready to be cited by upload_id.

        content: bytes, a path, an open binary file, or a stream. filename and format are taken from the path if omitted; size_bytes is
        needed only for a stream that cannot tell it.
        """
        named = name_of(content, filename)
        announced = CreateUpload(filename=named, format=format_of(named, format), size_bytes=size_bytes or size_of(content))
        upload = await self.create_upload(announced)
        start, hashed = position_of(content), hashlib.sha256()
        sent = content if is_repeatable(content) else _hashed(content, hashed)
        try:
            await self.put_upload_content(upload.upload_id, sent)
        except (NoAnswerError, MarketplaceError) as error:
            if isinstance(error, MarketplaceError) and error.code != "CONFLICT":
                raise
            # The bytes may have arrived with an attempt that had no answer: an upload takes its content once.
            kept = await self.get_upload(upload.upload_id)
            if kept.status != "uploaded" or kept.sha256 != await _hash_of(content, start, hashed):
                raise
            return kept
        return await self.get_upload(upload.upload_id)


async def _hashed(content: Content, hashed: hashlib._Hash) -> AsyncIterator[bytes]:
    async for piece in chunks(content, 0):
        hashed.update(piece)
        yield piece


async def _hash_of(content: Content, start: int, streamed: hashlib._Hash) -> str:
    """The hash of what was sent: of a stream it was made on the way."""
    if not is_repeatable(content):
        return streamed.hexdigest()
    hashed = hashlib.sha256()
    async for piece in chunks(content, start):
        hashed.update(piece)
    return hashed.hexdigest()
