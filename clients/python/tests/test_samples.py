"""Runs every sample of the README and of the page for buyers, as it stands there."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from conftest import BUYER, SELLER, MakeOrder
from samples import samples_of
from test_webhooks import BODY, HEADERS, SECRET

from order_marketplace import Marketplace

README = samples_of(Path(os.environ["MARKETPLACE_README"]))
PAGE = samples_of(Path(os.environ["MARKETPLACE_PAGE"]))

Run = Callable[[str], str]
PATIENCE_S = 120


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    monkeypatch.chdir(tmp_path)

    def run(source: str) -> str:
        exec(compile(source, "sample.py", "exec"), {"__name__": "__main__"})
        return capsys.readouterr().out

    return run


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    started: list[subprocess.Popen[str]] = []

    def start(source: str, **env: str) -> subprocess.Popen[str]:
        arguments = [sys.executable, "-c", source]
        started.append(subprocess.Popen(arguments, cwd=tmp_path, env={**os.environ, **env}, stdout=subprocess.PIPE, text=True))
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.communicate()


def until(is_true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not is_true():
        assert time.monotonic() < deadline, f"It did not happen within {PATIENCE_S} s."
        time.sleep(0.05)


def test_every_sample_is_known() -> None:
    assert list(README) == ["Order", "Decide", "Events", "Webhooks", "Errors and retries", "Files", "Asynchronous"]
    assert list(PAGE) == ["A first order"]


def with_own_id(source: str, external_order_id: str) -> str:
    assert '"PO-55120"' in source
    return source.replace('"PO-55120"', f'"{external_order_id}"')


def test_order_and_decide(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(with_own_id(README["Order"], "PO-README")).strip().endswith(" seller_review")
    assert run(with_own_id(PAGE["A first order"], "PO-PAGE")).strip().endswith(" seller_review")
    monkeypatch.setenv("MARKETPLACE_TOKEN", SELLER)
    lines = run(README["Decide"]).splitlines()
    assert {"PO-README placed placed", "PO-PAGE placed placed"} <= set(lines)


def test_events_are_stored_once_also_by_a_consumer_that_is_killed(
    start: Callable[..., subprocess.Popen[str]], tmp_path: Path, buyer: Marketplace, an_order: MakeOrder
) -> None:
    store = sqlite3.connect(tmp_path / "events.db", timeout=60)

    def stored() -> list[str]:
        return [event for (event,) in store.execute("select event from handled")]

    with store:  # The consumer was here before: it need not read what other tests did.
        store.execute("create table handled (event text primary key, body text)")
        store.execute("create table place (id integer primary key check (id = 1), cursor text)")
        store.execute("insert into place values (1, ?)", (buyer.read_feed(after="now", events="order.status_changed").next_cursor,))
    order_ids = [buyer.create_order(an_order()).order_id]
    consumer = start(README["Events"])
    until(lambda: f"{order_ids[0]}:1" in stored())
    consumer.kill()
    consumer.wait()
    order_ids.append(buyer.create_order(an_order()).order_id)
    again = start(README["Events"])
    until(lambda: f"{order_ids[1]}:1" in stored())
    assert again.poll() is None
    assert {order_ids[0], order_ids[1]} == {event.partition(":")[0] for event in stored()}
    store.close()


def test_webhooks_are_received(start: Callable[..., subprocess.Popen[str]], unused_port: int) -> None:
    receiver = start(README["Webhooks"], WEBHOOK_SECRET=SECRET, PORT=str(unused_port))
    url = f"http://127.0.0.1:{unused_port}"

    def post(body: str) -> int:
        try:
            return httpx.post(url, content=body, headers=HEADERS).status_code
        except httpx.ConnectError:
            return 0

    until(lambda: post(BODY) == 204)
    assert post(BODY + " ") == 400
    assert receiver.stdout is not None
    assert receiver.stdout.readline().strip() == HEADERS["webhook-id"]


def test_errors(run: Run) -> None:
    assert run(README["Errors and retries"]).splitlines()[0] == "404 NOT_FOUND None"


def test_files(run: Run) -> None:
    assert run(README["Files"]).startswith("uploaded ")


def test_asynchronous(run: Run, buyer: Marketplace, an_order: MakeOrder) -> None:
    order_id = buyer.create_order(an_order()).order_id
    assert order_id in run(README["Asynchronous"])
    assert os.environ["MARKETPLACE_TOKEN"] == BUYER
