"""Writes models.py: runs the generator on the prepared schemas, and adds what it cannot make."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from schemas import Schemas
from shapes import unknown_name

OPTIONS = [
    "--input-file-type=openapi",
    "--output-model-type=pydantic_v2.BaseModel",
    "--base-class=order_marketplace._model.Model",
    "--target-python-version=3.10",
    "--enum-field-as-literal=all",
    "--use-standard-collections",
    "--use-union-operator",
    "--use-field-description",
    "--use-attribute-docstrings",
    "--use-single-line-docstring",
    "--use-schema-description",
    "--use-double-quotes",
    "--output-datetime-class=datetime",
    "--keep-model-order",
    "--disable-timestamp",
    "--formatters=ruff-format",
]

HEAD = '''"""What requests and replies of /v1 carry. Made from docs/openapi.json by make/make.py: do not edit it."""

'''
IMPORTS = """from typing import Annotated
from order_marketplace._model import known_or_unknown
from order_marketplace.money import Money
from pydantic import Discriminator, Tag
"""


def models(schemas: Schemas) -> str:
    with TemporaryDirectory() as folder:
        given, made = Path(folder) / "schemas.json", Path(folder) / "models.py"
        given.write_text(json.dumps(schemas.for_generator()))
        generator = [sys.executable, "-m", "datamodel_code_generator", f"--input={given}", f"--output={made}", *OPTIONS]
        subprocess.run(generator, check=True, cwd=folder)
        text = made.read_text()
    for name in ["Money", *schemas.unions]:
        text = without_class(text, name)
    # The base class says it once.
    text = re.sub(r"\n    model_config = ConfigDict\(\n        use_attribute_docstrings=True,\n    \)\n", "\n", text)
    text = re.sub(r"\n    stands_for: str \| None = None\n", "\n    pass\n", text)
    # An `alias` is what type checkers without the plugin of pydantic want as the argument, and `for` cannot be one.
    text = re.sub(r', alias=("\w+")', r", validation_alias=\1, serialization_alias=\1", text)
    text = text.partition("from __future__")[2]
    future, _, rest = text.partition("\n")
    unions = "\n\n".join(union(schemas, name) for name in schemas.unions)
    return f"{HEAD}from __future__{future}\n{IMPORTS}{rest}\n\n{unions}\n"


def without_class(text: str, name: str) -> str:
    found, count = re.subn(rf"^class {name}\(Model\):\n(?:(?: .*)?\n)+", "", text, flags=re.MULTILINE)
    if count != 1:
        raise SystemExit(f"The generator made {count} classes named {name}.")
    return found


def union(schemas: Schemas, name: str) -> str:
    tag, variants = schemas.unions[name]
    if tag is None:
        return f'{name} = Annotated[{" | ".join([*variants, unknown_name(name)])}, Field(union_mode="left_to_right")]'
    tagged = [f'Annotated[{variant}, Tag("{value}")]' for variant, value in variants.items()]
    tagged.append(f'Annotated[{unknown_name(name)}, Tag("unknown")]')
    return f'{name} = Annotated[{" | ".join(tagged)}, Discriminator(known_or_unknown("{tag}", {sorted(variants.values())!r}))]'
