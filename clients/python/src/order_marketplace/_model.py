"""The base of every model: what a newer marketplace adds is kept, never refused."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, PrivateAttr

from .replies import Reply


class Model(BaseModel):
    """An object of the contract. Members that this version does not know are kept, in `model_extra` and as attributes."""

    model_config = ConfigDict(extra="allow", populate_by_name=True, protected_namespaces=(), defer_build=True)

    _reply: Reply | None = PrivateAttr(default=None)

    @property
    def http_reply(self) -> Reply:
        """The HTTP reply that the object is the body of: its status, headers, ETag, request id and whether it is a repeat."""
        if self._reply is None:
            raise AttributeError("Only what a method returned has an HTTP reply.")
        return self._reply


def known_or_unknown(member: str, known: Sequence[str]) -> Callable[[Any], str]:
    """Tells variants of a union by a member; those of other values are of the variant `unknown`."""

    def tag(value: Any) -> str:
        named = value.get(member) if isinstance(value, dict) else getattr(value, member, None)
        return named if isinstance(named, str) and named in known else "unknown"

    return tag
