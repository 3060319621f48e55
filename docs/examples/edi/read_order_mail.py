"""Reads mails with order documents as an agency's system would: Python and lxml alone, figures from the lines up, nothing taken from a total.

    python read_order_mail.py .data/mail
    TOKEN=omp_test_... python read_order_mail.py http://127.0.0.1:8080/v1

takes a folder of mails, oldest first by name, or those of the sandbox's mailbox, and prints the documents as JSON, each once, in the order in which
they came.
"""

import hashlib
import json
import os
import re
import sys
from collections import defaultdict
from decimal import Decimal
from email import message_from_bytes, policy
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import Request, urlopen

from lxml import etree

# Nothing outside of a document is ever read because the document says so.
PARSER = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)


def read_document(document):
    """The figures of an SCX document."""
    campaign = etree.fromstring(document, PARSER).find("campaign")
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
        "status": campaign.findtext("key/status"),
        "supersedes": campaign.xpath("string(key[@codeDescription='SupersedesOrderID']/id)") or None,
        "estimate_id": campaign.findtext("estimate/ID/code"),
        "gross": str(sum(costs.values())),
        "currency": campaign.find("order/totals/cost").get("currency"),
        "units": units,
        "costs": {unit_id: str(cost) for unit_id, cost in costs.items()},
        "months": {month: str(cost) for month, cost in months.items()},
    }


def read_mail(raw):
    """The headers by which a mail is filed, and the figures of its document."""
    mail = message_from_bytes(raw, policy=policy.default)
    attached = {part.get_content_type(): part.get_payload(decode=True) for part in mail.iter_attachments()}
    document = attached["application/xml"]
    if hashlib.sha256(document).hexdigest() != mail["EDI-SHA256"]:
        raise ValueError(f"{mail['Message-ID']} does not carry the document of its EDI-SHA256")
    return {
        "message_id": mail["Message-ID"],
        "in_reply_to": mail["In-Reply-To"],
        "references": (mail["References"] or "").split(),
        "to": mail["To"],
        "subject": mail["Subject"],
        "document_id": mail["EDI-Document-Id"],
        "order_id": mail["EDI-Order-Id"],
        "has_csv": "text/csv" in attached,
        **read_document(document),
    }


def documents(mails):
    """Each document once: one that was sent again has the id that it had."""
    seen = set()
    for raw in mails:
        read = read_mail(raw)
        if read["document_id"] not in seen:
            seen.add(read["document_id"])
            yield read


def in_folder(folder):
    return [path.read_bytes() for path in sorted(Path(folder).glob("*.eml"))]


def in_sandbox(api):
    """The mails of the caller's orders, oldest first; the API lists the newest first."""

    def get(path, **query):
        request = Request(f"{api}{path}?{urlencode(query)}", headers={"Authorization": f"Bearer {os.environ['TOKEN']}"})
        with urlopen(request, timeout=30) as reply:
            return reply.read()

    ids, more = [], {}
    while more is not None:
        page = json.loads(get("/sandbox/mail", limit=100, **more))
        ids += [mail["mail_id"] for mail in page["items"]]
        more = page["next_cursor"] and {"cursor": page["next_cursor"]}
    return [get(f"/sandbox/mail/{mail_id}") for mail_id in reversed(ids)]


if __name__ == "__main__":
    source = sys.argv[1]
    print(json.dumps(list(documents(in_sandbox(source) if source.startswith("http") else in_folder(source)))))
