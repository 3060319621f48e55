"""What waits, for the synchronous client. The same names are in _async/_io.py."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, TypeAlias

from .._content import CHUNK_BYTES, is_file

Content: TypeAlias = bytes | Path | BinaryIO | Iterable[bytes]
"""The bytes of a file: themselves, a path, an open binary file, or a stream."""
Token: TypeAlias = str | Callable[[], str]
"""A token, or a function that is called for each request and returns one."""

sleep = time.sleep


def token_of(token: Token) -> str:
    return token if isinstance(token, str) else token()


def chunks(content: Content, position: int) -> Iterator[bytes]:
    """The bytes in pieces, a file from `position` on."""
    if isinstance(content, bytes):
        yield content
    elif isinstance(content, Path):
        with content.open("rb") as file:
            while piece := file.read(CHUNK_BYTES):
                yield piece
    elif is_file(content):
        yield from _file_chunks(content, position)  # type: ignore[arg-type]
    else:
        yield from content


def _file_chunks(file: BinaryIO, position: int) -> Iterator[bytes]:
    if file.seekable():
        file.seek(position)
    while piece := file.read(CHUNK_BYTES):
        yield piece
