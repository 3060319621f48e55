"""Places the order of a file with models of datamodel-code-generator: place_order.py <base url> <token> <body file>; prints what it read as JSON."""

import json
import sys
import urllib.request

from models import CreateOrder, EventFeed, OrderCreated, OrderSnapshot

base_url, token, file = sys.argv[1:]


def call(method: str, path: str, body: str | None = None) -> bytes:
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    request = urllib.request.Request(base_url + path, method=method, headers=headers, data=body.encode() if body else None)
    with urllib.request.urlopen(request) as reply:
        return reply.read()


with open(file, encoding="utf-8") as sent:
    # Optional members that were not sent are null, as pydantic writes them.
    body = CreateOrder.model_validate(json.load(sent)).model_dump_json()
created = OrderCreated.model_validate_json(call("POST", "/orders", body))
snapshot = OrderSnapshot.model_validate_json(call("GET", f"/orders/{created.order_id}"))
feed = EventFeed.model_validate_json(call("GET", "/events/feed"))
status = getattr(snapshot.status, "value", snapshot.status)
print(json.dumps({"order_id": created.order_id, "status": status, "lines": len(snapshot.line_items), "last": feed.events[-1].event_type}))
