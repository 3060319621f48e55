"""Requests and replies as bytes, for both clients."""

from __future__ import annotations

import json
import os
import re
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, TypeAlias, TypeVar
from urllib.parse import quote, unquote, urlencode, urlsplit

import httpx
from pydantic import BaseModel, ValidationError

from ._model import Model
from .errors import MarketplaceError
from .replies import File, Reply
from .retry import Outcome

RawBody: TypeAlias = Mapping[str, Any] | bytes
"""A body as a mapping, or as the very bytes that are sent."""
QueryValue: TypeAlias = str | int | float | bool | date | datetime | Sequence[str] | None
M = TypeVar("M", bound=Model)


@dataclass(frozen=True)
class Received:
    """A reply below 400, as received."""

    call: str
    reply: Reply
    content: bytes


def encode(body: BaseModel | RawBody) -> bytes:
    """Returns the bytes by which a body is sent. Only what was set is sent. Keep them to send the very same request after a restart."""
    if isinstance(body, bytes):
        return body
    if isinstance(body, BaseModel):
        return body.model_dump_json(exclude_unset=True, by_alias=True).encode()
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"), default=_json_of).encode()


def _json_of(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", exclude_unset=True, by_alias=True)
    if isinstance(value, (date, datetime)):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} cannot be sent as JSON.")


def api_url(base_url: str | None) -> str:
    """Returns the base URL with its version segment, which the caller may omit; that of MARKETPLACE_URL if there is none."""
    given = base_url or os.environ.get("MARKETPLACE_URL", "")
    parts = urlsplit(given)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise ValueError("base_url, or MARKETPLACE_URL, must be the URL of a marketplace, such as https://marketplace.example.com/v1.")
    segments = [segment for segment in parts.path.split("/") if segment]
    if not segments or re.fullmatch(r"v[0-9]+", segments[-1]) is None:
        segments.append("v1")
    return "/".join([f"{parts.scheme}://{parts.netloc}", *segments])


def segment(value: str) -> str:
    """A path parameter. An empty one would be another path."""
    if value == "":
        raise ValueError("A parameter of the path is empty.")
    return quote(value, safe="")


def path_with(path: str, query: Mapping[str, QueryValue] | None) -> str:
    given = [(name, _text(value)) for name, value in (query or {}).items() if value is not None]
    return f"{path}?{urlencode(given)}" if given else path


def _text(value: QueryValue) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (date, datetime)):
        return value.isoformat()
    return value if isinstance(value, str) else ",".join(value) if isinstance(value, Sequence) else str(value)


def new_key() -> str:
    """An Idempotency-Key: one for all attempts of a call."""
    return str(uuid.uuid4())


def reply_of(response: httpx.Response) -> Reply:
    return Reply(response.status_code, {name.lower(): value for name, value in response.headers.items()})


def outcome_of(status: int, headers: Mapping[str, str], content: bytes) -> Outcome:
    asked = headers.get("retry-after", "")
    seconds = float(asked) if re.fullmatch(r"[0-9]{1,9}", asked) else None
    body = parsed(content)
    return Outcome(status, seconds, is_of_service=isinstance(body, dict) and "error_code" in body)


def parsed(content: bytes) -> Any:
    """The JSON of a reply; None if it is none."""
    try:
        return json.loads(content)
    except ValueError:
        return None


def refusal(call: str, reply: Reply, content: bytes) -> MarketplaceError:
    return MarketplaceError(call, reply, parsed(content), content.decode(errors="replace"))


def read(received: Received, model: type[M]) -> M:
    """The body of a reply as an object. One that is no JSON object came from a proxy."""
    try:
        found = model.model_validate_json(received.content)
    except ValidationError as error:
        if {each["type"] for each in error.errors()} <= {"json_invalid", "model_type"}:
            raise refusal(received.call, received.reply, received.content) from None
        raise
    found._reply = received.reply
    return found


def read_file(received: Received) -> File:
    headers = received.reply.headers
    disposition = headers.get("content-disposition", "")
    plain = re.search(r'filename="([^"]{0,1000})"', disposition)
    encoded = re.search(r"filename\*=UTF-8''([^;]{1,3000})", disposition)
    filename = unquote(encoded.group(1)) if encoded else plain.group(1) if plain else None
    return File(received.content, headers.get("content-type", "").partition(";")[0], filename, received.reply)
