"""What waits, for the asynchronous client. The same names are in _sync/_io.py."""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Iterable
from pathlib import Path
from typing import BinaryIO, TypeAlias

import anyio

from .._content import CHUNK_BYTES, is_file

Content: TypeAlias = bytes | Path | BinaryIO | Iterable[bytes] | AsyncIterable[bytes]
"""The bytes of a file: themselves, a path, an open binary file, or a stream."""
Token: TypeAlias = str | Callable[[], str | Awaitable[str]]
"""A token, or a function that is called for each request and returns or awaits one."""

sleep = anyio.sleep


async def token_of(token: Token) -> str:
    if isinstance(token, str):
        return token
    found = token()
    return await found if inspect.isawaitable(found) else found


async def chunks(content: Content, position: int) -> AsyncIterator[bytes]:
    """The bytes in pieces, a file from `position` on. Files are read in a thread, so that the loop goes on."""
    if isinstance(content, bytes):
        yield content
    elif isinstance(content, Path):
        async with await anyio.open_file(content, "rb") as file:
            while piece := await file.read(CHUNK_BYTES):
                yield piece
    elif isinstance(content, AsyncIterable):
        async for piece in content:
            yield piece
    elif is_file(content):
        async for piece in _file_chunks(content, position):  # type: ignore[arg-type]
            yield piece
    else:
        for piece in content:
            yield piece


async def _file_chunks(file: BinaryIO, position: int) -> AsyncIterator[bytes]:
    if file.seekable():
        file.seek(position)
    while piece := await anyio.to_thread.run_sync(file.read, CHUNK_BYTES):
        yield piece
