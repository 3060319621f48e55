"""What is known of an HTTP reply beside its body."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Reply:
    """The status and the headers of a reply; header names are in lower case."""

    status: int
    headers: Mapping[str, str] = field(repr=False)

    @property
    def etag(self) -> str | None:
        """The version in which the object was read, for `if_match`."""
        return self.headers.get("etag")

    @property
    def request_id(self) -> str | None:
        """The id that the logs of the service have too: quote it to support."""
        return self.headers.get("x-request-id")

    @property
    def is_replay(self) -> bool:
        """Whether the service had received the same request before and repeats its first answer."""
        return self.headers.get("x-idempotent-replay") == "true"


@dataclass(frozen=True)
class File:
    """The bytes of a file that the service returned."""

    content: bytes = field(repr=False)
    media_type: str
    filename: str | None
    """As Content-Disposition names it."""
    http_reply: Reply
