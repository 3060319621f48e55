"""Reads order documents as an agency's system would, with lxml alone: figures from the lines up, nothing taken from a total."""

import base64
import json
import re
import sys
from collections import defaultdict
from decimal import Decimal

from lxml import etree


def read(document):
    campaign = etree.fromstring(document).find("campaign")
    units = defaultdict(lambda: defaultdict(int))
    costs = defaultdict(Decimal)
    months = defaultdict(Decimal)
    for system_order in campaign.iterfind("order/systemOrder"):
        month = system_order.xpath("string(key[@codeDescription='BroadcastMonth']/id)")
        starts = {week.get("number"): week.get("startDate") for week in system_order.iterfind("weeks/week")}
        for line in system_order.iterfind("detailLine"):
            unit_id = re.match(r"unit_id=(\S+)", line.findtext("comment")).group(1)
            cost = Decimal(line.findtext("totals/cost"))
            costs[unit_id] += cost
            months[month] += cost
            for spot in line.iterfind("spot"):
                units[unit_id][starts[spot.findtext("weekNumber")]] += int(spot.findtext("quantity"))
    return {
        "estimate_id": campaign.findtext("estimate/ID/code"),
        "gross": str(sum(costs.values())),
        "currency": campaign.find("order/totals/cost").get("currency"),
        "units": units,
        "costs": {unit_id: str(cost) for unit_id, cost in costs.items()},
        "months": {month: str(cost) for month, cost in months.items()},
    }


print(json.dumps([read(base64.b64decode(document)) for document in json.load(sys.stdin)]))
