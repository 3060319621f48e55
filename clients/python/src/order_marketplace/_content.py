"""The bytes of a file that is sent, from wherever they come."""

from __future__ import annotations

import os
from pathlib import Path, PurePath
from typing import Any, Literal, TypeAlias

CHUNK_BYTES = 65_536
Format: TypeAlias = Literal["pdf", "xlsx", "csv"]
FORMATS: dict[str, Format] = {".pdf": "pdf", ".xlsx": "xlsx", ".csv": "csv"}


def is_repeatable(content: Any) -> bool:
    """Whether the same bytes can be read again: a stream of which nothing is kept can be sent once."""
    return isinstance(content, (bytes, Path)) or (is_file(content) and bool(content.seekable()))


def is_file(content: Any) -> bool:
    return callable(getattr(content, "read", None)) and callable(getattr(content, "seekable", None))


def position_of(content: Any) -> int:
    """Where an open file stands; its bytes are sent from here, also by a retry."""
    return int(content.tell()) if is_file(content) and content.seekable() else 0


def size_of(content: Any) -> int:
    """The number of bytes that will be sent; raises ValueError for a stream that does not know it."""
    if isinstance(content, bytes):
        return len(content)
    if isinstance(content, Path):
        return content.stat().st_size
    if is_file(content) and content.seekable():
        here = content.tell()
        end = content.seek(0, os.SEEK_END)
        content.seek(here)
        return int(end - here)
    raise ValueError("size_bytes is needed for a stream that cannot tell its size.")


def name_of(content: Any, filename: str | None) -> str:
    found = filename or (content.name if isinstance(content, Path) else getattr(content, "name", None))
    if not isinstance(found, str):
        raise ValueError("filename is needed for content without a name.")
    return PurePath(found).name


def format_of(filename: str, format: Format | None) -> Format:
    found = format or FORMATS.get(PurePath(filename).suffix.lower())
    if found is None:
        raise ValueError(f"format is needed: {filename} does not end in {', '.join(FORMATS)}.")
    return found
