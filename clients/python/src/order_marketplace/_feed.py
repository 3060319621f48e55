"""Where a reader of the feed is, event by event."""

from __future__ import annotations

from collections import OrderedDict
from typing import NamedTuple

from .models import Event, EventFeed, OrderEvent, WebhookTest

NOW = "now"
# No letter of a cursor of the service.
SEPARATOR = "~"
REMEMBERED = 10_000


class FeedEvent(NamedTuple):
    """An event, and the cursor behind it: store it with what you did, and go on with `events(after=cursor)`."""

    event: Event
    cursor: str


def key_of(event: Event | WebhookTest) -> str:
    """What identifies an event everywhere: `order_id:seq` of an order's event, else its event_id. A webhook has it as `webhook-id`."""
    if isinstance(event, OrderEvent):
        return f"{event.order_id}:{event.seq}"
    members = {**(event.model_extra or {}), **event.__dict__}
    return str(members.get("event_id") or f"{members.get('order_id')}:{members.get('seq')}")


class FeedPlace:
    """Turns pages into events with a cursor each.

    The service has a cursor for each page. That of an event inside of a page is the cursor that its page was read by, how many of its
    events were taken, and the key of the last of them: who continues there reads the page again and leaves these out.
    """

    def __init__(self, after: str | None) -> None:
        cursor, _, rest = (after or "").partition(SEPARATOR)
        count, _, key = rest.partition(SEPARATOR)
        self._start: str | None = cursor or None
        self._taken = int(count) if count.isdecimal() else 0
        self._taken_key = key
        self._held: list[Event] = []
        self._seen = _Seen()
        self.after: str | None = self._start
        """The cursor to read the next page by."""

    def take(self, page: EventFeed) -> list[FeedEvent]:
        """The events of the page that are new to the reader."""
        self.after = page.next_cursor
        events = [*self._held, *page.events]
        if page.events and len(events) < self._taken:
            # A page may end early, so what is left out may go on in the next one.
            self._held = events
            return []
        first = self._first_new(events)
        found = [FeedEvent(event, self._cursor(events, index, page)) for index, event in enumerate(events) if index >= first]
        self._start, self._taken, self._held = page.next_cursor, 0, []
        return [each for each in found if self._seen.is_new(each.event)]

    def _first_new(self, events: list[Event]) -> int:
        """Behind the last event that was taken. After a restore of the service it may be gone: then nothing is left out."""
        keys = [key_of(event) for event in events]
        return keys.index(self._taken_key) + 1 if self._taken and self._taken_key in keys else 0

    def _cursor(self, events: list[Event], index: int, page: EventFeed) -> str:
        if index == len(events) - 1:
            return page.next_cursor
        return SEPARATOR.join([self._start or "", str(index + 1), key_of(events[index])])


class _Seen:
    """An event is delivered at least once: drops the repeats. Of an order, seq says which event is new; others have ids of their own."""

    def __init__(self) -> None:
        self._last: OrderedDict[str, int] = OrderedDict()

    def is_new(self, event: Event) -> bool:
        name, seq = (event.order_id, event.seq) if isinstance(event, OrderEvent) else (key_of(event), 1)
        if self._last.get(name, 0) >= seq:
            return False
        self._last[name] = seq
        self._last.move_to_end(name)
        if len(self._last) > REMEMBERED:
            self._last.popitem(last=False)
        return True
