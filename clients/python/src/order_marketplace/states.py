"""What the state of an order means for who waits for it."""

from __future__ import annotations

from .models import OrderSnapshot

TERMINAL_STATUSES = frozenset({"placed", "canceled", "rejected", "failed"})


def is_terminal(order: OrderSnapshot) -> bool:
    """Whether the order has ended. A placed one may still be canceled."""
    return order.status in TERMINAL_STATUSES


def is_parked(order: OrderSnapshot) -> bool:
    """Whether the order waits for its buyer or its seller, or has ended."""
    return is_terminal(order) or (order.waiting_on is not None and order.waiting_on.party in ("buyer", "seller"))
