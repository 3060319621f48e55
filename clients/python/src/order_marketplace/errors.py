"""The errors of calls: a refusal, and no answer."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

from .replies import Reply


@dataclass(frozen=True)
class Fault:
    """One of the faults of a refused request."""

    error_code: str
    message: str
    pointer: str | None
    """The JSON pointer of the member in the body that was sent."""
    field: str | None
    """The member as a dotted path."""
    members: dict[str, Any] = dataclasses.field(repr=False)
    """All members of the fault, those included that this version does not know."""


class MarketplaceError(Exception):
    """The service refused a request; the message is one sentence."""

    def __init__(self, call: str, reply: Reply, body: Any, text: str) -> None:
        envelope = body if isinstance(body, dict) and isinstance(body.get("error_code"), str) else {}
        details = envelope.get("details")
        self.status: int = reply.status
        self.request_id: str | None = reply.request_id
        self.http_reply: Reply = reply
        self.code: str | None = envelope.get("error_code")
        """None if the reply came from a proxy instead of the service."""
        self.stage: str | None = envelope.get("stage")
        self.recoverable: bool = envelope.get("recoverable") is True
        self.details: dict[str, Any] = details if isinstance(details, dict) else {}
        self.field: str | None = self.details.get("field")
        self.errors: list[Fault] = [_fault(each) for each in self.details.get("errors") or [] if isinstance(each, dict)]
        """Every fault that was found, at most 1000."""
        self.text: str = text
        """The body of the reply as received."""
        super().__init__(f"{call} was refused with {self.status}: {self._reason(envelope.get('error_message'))}")

    def _reason(self, message: str | None) -> str:
        if self.code is None:
            return self.text[:200] or "no reason was given."
        others = len(self.errors) - 1
        return f"{self.code}, {message}" + (f" (and {others} more)" if others > 0 else "")


class NoAnswerError(Exception):
    """No reply came, or only part of one, so the request may have been carried out. Send the same bytes again."""

    def __init__(self, call: str, cause: object) -> None:
        super().__init__(f"{call} was not answered ({cause}).")


def _fault(members: dict[str, Any]) -> Fault:
    return Fault(
        error_code=str(members.get("error_code", "")),
        message=str(members.get("message", "")),
        pointer=members.get("pointer"),
        field=members.get("field"),
        members=members,
    )
