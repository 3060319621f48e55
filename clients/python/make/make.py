"""Makes the package's code from docs/openapi.json: models, operations, and the synchronous client from the asynchronous one.

python make.py [--into FOLDER]: writes into the package, or into a copy of it elsewhere. `npm run client:python` does it with the
versions of requirements.txt.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

from models import models
from operations import operations
from schemas import Schemas

HERE = Path(__file__).resolve().parent
PACKAGE = HERE.parent / "src" / "order_marketplace"
DOCUMENT = HERE.parents[2] / "docs" / "openapi.json"

# What is asynchronous, in order: the synchronous client is the same without it.
SYNCHRONOUS = [
    (r"\basync (def|for|with)\b", r"\1"),
    (r"\bawait ", ""),
    (r"\bAsync([A-Z])", r"\1"),
    (r"\bhttpx\.AsyncClient\b", "httpx.Client"),
    (r"__a(enter|exit)__", r"__\1__"),
    (r"\baclose\b", "close"),
]


def synchronous(text: str) -> str:
    for pattern, replacement in SYNCHRONOUS:
        text = re.sub(pattern, replacement, text)
    title, _, rest = text.partition("\n")
    return (
        f'{title.removesuffix(chr(34) * 3)} Made from _async by make/make.py: do not edit it."""\n{rest}'
        if "Made from" not in title
        else text
    )


def main() -> None:
    target = Path(sys.argv[sys.argv.index("--into") + 1]).resolve() if "--into" in sys.argv else PACKAGE
    schemas = Schemas(json.loads(DOCUMENT.read_text()))
    made = {"models.py": models(schemas), "_async/operations.py": operations(schemas)}
    for name in ("transport.py", "client.py"):
        made[f"_sync/{name}"] = synchronous((PACKAGE / "_async" / name).read_text())
    made["_sync/operations.py"] = synchronous(made["_async/operations.py"])
    for name, text in made.items():
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        (target / name).write_text(text)
    ruff = [sys.executable, "-m", "ruff"]
    files = [str(target / name) for name in made]
    configured = ["--config", str(HERE.parent / "pyproject.toml")]
    subprocess.run([*ruff, "check", "--quiet", "--fix", "--select", "F401,I", *configured, *files], check=True)
    subprocess.run([*ruff, "format", "--quiet", *configured, *files], check=True)


main()
