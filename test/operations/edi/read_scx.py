"""Reads order documents in base64 from standard input with the program that agencies are given."""

import base64
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3] / "docs" / "examples" / "edi"))
from read_order_mail import read_document  # noqa: E402

print(json.dumps([read_document(base64.b64decode(document)) for document in json.load(sys.stdin)]))
