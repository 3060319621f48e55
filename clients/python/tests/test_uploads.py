from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from conftest import BUYER
from wire import LOST, Faulty

from order_marketplace import Marketplace, NoAnswerError, Retry
from order_marketplace.models import CreateUpload

CSV = b"week,units\n" + b"2030-W23,10\n" * 20_000


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "buysheet.csv"
    file.write_bytes(CSV)
    return file


def stream() -> Iterator[bytes]:
    for start in range(0, len(CSV), 1000):
        yield CSV[start : start + 1000]


def test_bytes_paths_files_and_streams_are_uploaded(buyer: Marketplace, path: Path) -> None:
    with path.open("rb") as file:
        uploads = [
            buyer.upload_file(CSV, filename="buysheet.csv"),
            buyer.upload_file(path),
            buyer.upload_file(file),
            buyer.upload_file(stream(), filename="buysheet.csv", size_bytes=len(CSV)),
        ]
    for upload in uploads:
        assert (upload.status, upload.sha256, upload.filename) == ("uploaded", hashlib.sha256(CSV).hexdigest(), "buysheet.csv")
    content = buyer.get_upload_content(uploads[0].upload_id)
    assert (content.content, content.filename) == (CSV, "buysheet.csv")


def test_bytes_that_arrived_without_an_answer_are_not_a_fault(path: Path) -> None:
    for content in (path, stream()):
        connection = Faulty(LOST, only="/content")
        with Marketplace(token=BUYER, retry=Retry(first_wait_s=0.001), http=httpx.Client(transport=connection)) as market:
            assert market.upload_file(content, filename="buysheet.csv", size_bytes=len(CSV)).status == "uploaded"
        assert [request.method for request in connection.sent] == ["POST", "PUT", "GET"]


def test_bytes_that_did_not_arrive_are_no_answer(path: Path) -> None:
    connection = Faulty(httpx.ReadError("Reset."), only="/content")
    with Marketplace(token=BUYER, http=httpx.Client(transport=connection)) as market, pytest.raises(NoAnswerError):
        market.upload_file(path)


def test_an_open_file_is_sent_from_where_it_stands_also_by_a_retry(buyer: Marketplace) -> None:
    file = io.BytesIO(b"not this;" + CSV)
    file.seek(9)
    connection = Faulty(503, only="/content")
    with Marketplace(token=BUYER, retry=Retry(first_wait_s=0.001), http=httpx.Client(transport=connection)) as market:
        upload = market.upload_file(file, filename="rest.csv")
    assert upload.sha256 == hashlib.sha256(CSV).hexdigest()


def test_what_cannot_be_known_is_asked_for(buyer: Marketplace) -> None:
    with pytest.raises(ValueError, match="filename"):
        buyer.upload_file(CSV)
    with pytest.raises(ValueError, match="format"):
        buyer.upload_file(CSV, filename="buysheet.doc")
    with pytest.raises(ValueError, match="size_bytes"):
        buyer.upload_file(stream(), filename="buysheet.csv")


def test_a_stream_of_which_a_part_is_gone_is_not_sent_again(buyer: Marketplace) -> None:
    upload = buyer.create_upload(CreateUpload(filename="a.csv", format="csv", size_bytes=len(CSV)))
    connection = Faulty(503)
    with Marketplace(token=BUYER, http=httpx.Client(transport=connection)) as market, pytest.raises(Exception, match="503"):
        market.put_upload_content(upload.upload_id, stream())
    assert len(connection.sent) == 1
