# python3 verify_audit.py page-1.json [page-2.json ...]: verifies the pages of GET /v1/orders/{order_id}/audit, in their order.
import hashlib, json, sys

sha256 = lambda text: hashlib.sha256(text.encode()).hexdigest()
pages = [json.load(open(name, encoding="utf-8")) for name in sys.argv[1:]]
first, record = pages[0], pages[0]["record"]
parts = ["request", "facts", "reply", "notify_endpoint"]
for part in parts:
    assert part not in record or sha256(record[part]) == record[part + "_sha256"], f"the {part} is not what was hashed"
hashes = [record["sent_sha256"]] + [record[part + "_sha256"] for part in parts]
assert first["algorithm"] == "order-audit-1" and sha256("\n".join([first["algorithm"], first["order_id"], *hashes])) == record["hash"], "the record does not hash to its hash"
last, seq = record["hash"], 0
for event in (event for page in pages for event in page["events"]):
    seq, body = seq + 1, json.loads(event["body"])
    assert event["seq"] == body["seq"] == seq and body["order_id"] == first["order_id"], f"event {seq} is of another place or order"
    assert event["prev_hash"] == last, f"event {seq} does not follow the event before"
    last = sha256(f"{last}\n{seq}\n{event['body']}")
    assert event["hash"] == last, f"event {seq} does not hash to its hash"
assert pages[-1]["next_after_seq"] is None and pages[-1]["last_seq"] == seq and pages[-1]["head_hash"] == last, "the pages do not reach the newest event"
print(f"{first['order_id']}: {seq} events verified, head {last}")
