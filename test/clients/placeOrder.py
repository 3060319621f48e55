"""Places the order of a file with the generated Python client: place_order.py <base url> <token> <body file>; prints what it read as JSON."""

import json
import sys

from order_marketplace_service_client import AuthenticatedClient
from order_marketplace_service_client.api.events import read_feed
from order_marketplace_service_client.api.orders import create_order, get_order
from order_marketplace_service_client.models import CreateOrder, EventFeed, OrderCreated, OrderSnapshot

base_url, token, file = sys.argv[1:]
client = AuthenticatedClient(base_url=base_url, token=token)
with open(file, encoding="utf-8") as body:
    created = create_order.sync(client=client, body=CreateOrder.from_dict(json.load(body)))
assert isinstance(created, OrderCreated), created
snapshot = get_order.sync(created.order_id, client=client)
assert isinstance(snapshot, OrderSnapshot), snapshot
feed = read_feed.sync(client=client)
assert isinstance(feed, EventFeed), feed
last = feed.events[-1].event_type
print(json.dumps({"order_id": created.order_id, "status": snapshot.status, "lines": len(snapshot.line_items), "last": last}))
