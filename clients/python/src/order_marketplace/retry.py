"""When a request is sent again."""

from __future__ import annotations

import random
from dataclasses import dataclass

SERVICE_DID_NOTHING = (429, 503)
# Only proxies send these: a balancer does if the API behind it ends during a request, which may have been carried out.
OF_A_PROXY = (502, 504)


@dataclass(frozen=True)
class Outcome:
    """How an attempt ended. `status` is None if no reply came."""

    status: int | None
    retry_after_s: float | None = None
    is_of_service: bool = False
    """Whether the reply has the error envelope of the service."""
    was_sent: bool = True
    """False if there was no connection that the request could have reached the service by."""


@dataclass(frozen=True)
class Retry:
    """The same bytes are sent again after 429, 503 and no answer, where that is safe: reads, and writes that the service does once."""

    attempts: int = 5
    """How often a request is sent in all; 1 makes every outcome final."""
    first_wait_s: float = 0.2
    """The longest wait before the second attempt; it doubles with every further one. The actual wait is drawn at random below it."""
    longest_wait_s: float = 30.0
    """No wait is longer; a Retry-After that asks for more makes the outcome final."""

    def wait_s(self, outcome: Outcome, attempt: int, is_repeatable: bool) -> float | None:
        """Returns the seconds to wait before the next attempt; None if the outcome of this one (1 is the first) is final."""
        if attempt >= self.attempts or not _is_safe(outcome, is_repeatable):
            return None
        asked = outcome.retry_after_s
        if asked is not None and asked > self.longest_wait_s:
            return None
        backoff = min(self.first_wait_s * 2 ** (attempt - 1), self.longest_wait_s)
        # Jitter spreads the retries of clients that failed together.
        return random.uniform(0, backoff) if asked is None else asked + random.uniform(0, self.first_wait_s)


def _is_safe(outcome: Outcome, is_repeatable: bool) -> bool:
    if outcome.status is None:
        return is_repeatable or not outcome.was_sent
    if outcome.status in SERVICE_DID_NOTHING:
        return is_repeatable or outcome.is_of_service
    return outcome.status in OF_A_PROXY and is_repeatable
