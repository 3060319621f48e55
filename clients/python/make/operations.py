"""Writes _async/operations.py: a method for each operation of the document, and an iterator for each list."""

from __future__ import annotations

from methods import Operation, Parameter, iterator_of, method_of, python_name
from schemas import Schemas
from shapes import Schema, name_of, variants_of, with_scalars

# POSTs that change nothing the second time, beyond those that take an Idempotency-Key or say X-Idempotent-Replay.
REPEATABLE = {
    "archiveCreative",
    "enableWebhookEndpoint",
    "issueInvoicesAsOf",
    "markInvoicePaid",
    "previewOrder",
    "requestAvails",
    "wakeOrder",
}
# An upload takes its content once: a second PUT is refused even if the first had no answer.
ONCE = {"putUploadContent", "putSellerUploadContent"}

HEAD = '''"""Every operation of /v1. Made from docs/openapi.json by make/make.py: do not edit it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from datetime import date, datetime
from typing import Any, Literal, overload

from .. import models
from .._wire import RawBody, new_key, read, read_file, segment
from ..replies import File
from ._io import Content
from .transport import AsyncTransport


class AsyncOperations(AsyncTransport):
    """A method for each operation, named after it."""
'''


def operations(schemas: Schemas) -> str:
    found = [
        operation_of(schemas, method, path, row)
        for path, item in schemas.document["paths"].items()
        for method, row in item.items()
        if method in ("get", "put", "post", "patch", "delete")
    ]
    return HEAD + "".join(method_of(each) + (iterator_of(each) if each.items else "") for each in found)


def operation_of(schemas: Schemas, method: str, path: str, row: Schema) -> Operation:
    named = schemas.document["components"]["schemas"]
    parameters = [parameter_of(each) for each in with_scalars(row.get("parameters", []), named) if not is_deprecated(each)]
    content = row.get("requestBody", {}).get("content", {})
    good = {status: reply for status, reply in row["responses"].items() if status.startswith("2")}
    replays = any("X-Idempotent-Replay" in reply.get("headers", {}) for reply in good.values())
    has_key = any(each.wire == "Idempotency-Key" for each in parameters)
    repeatable = row["operationId"] not in ONCE and (method != "post" or replays or has_key or row["operationId"] in REPEATABLE)
    return Operation(
        id=row["operationId"],
        method=method.upper(),
        path=path,
        words=[f"{row['summary']}.", row.get("description", "")],
        parameters=parameters,
        body=body_of(schemas, content),
        body_required=row.get("requestBody", {}).get("required", False),
        replies={status: reply_of(schemas, reply.get("content", {})) for status, reply in good.items()},
        repeatable=repeatable,
        items=items_of(schemas, parameters, good),
    )


def is_deprecated(parameter: Schema) -> bool:
    return bool(parameter.get("deprecated") or parameter["schema"].get("deprecated"))


def parameter_of(row: Schema) -> Parameter:
    schema, description = row["schema"], row.get("description") or row["schema"].get("description", "")
    return Parameter(
        row["in"], row["name"], python_name(row["name"]), type_of(schema, description), row.get("required", False), description
    )


def type_of(schema: Schema, description: str = "") -> str:
    enum = schema.get("enum")
    if schema.get("type") == "array":
        return "str | Sequence[str]"
    if enum is not None:
        return "bool" if set(enum) == {"true", "false"} else f"Literal[{', '.join(map(repr, enum))}] | str"
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return " | ".join(dict.fromkeys(type_of(each) for each in schema[key] if each.get("type") != "null"))
    kind = {"integer": "int", "number": "float", "boolean": "bool"}.get(schema.get("type", ""), "str")
    if kind == "str" and "comma" in description:
        return "str | Sequence[str]"
    return {"date": "str | date", "date-time": "str | datetime"}.get(schema.get("format", ""), kind)


def body_of(schemas: Schemas, content: Schema) -> str | None:
    if not content:
        return None
    json = content.get("application/json")
    if json is None:
        return "Content"
    name = schemas.final(name_of(json["schema"]))
    return f"models.{name} | RawBody" if name else "RawBody"


def reply_of(schemas: Schemas, content: Schema) -> str:
    if not content:
        return "None"
    json = content.get("application/json")
    name = schemas.final(name_of(json["schema"])) if json else ""
    return f"models.{name}" if name else "File"


def items_of(schemas: Schemas, parameters: list[Parameter], good: Schema) -> tuple[str, str] | None:
    """Of a list that is read by a cursor: the member with its items, the last one where there are several, and their type."""
    if not any(each.wire == "cursor" for each in parameters):
        return None
    name = reply_of(schemas, next(iter(good.values()))["content"]).removeprefix("models.")
    members = schemas.all[name]["properties"]
    named = [member for member in ("items", "lines", "entries") if member in members]
    arrays = named or [member for member, each in members.items() if each.get("type") == "array"]
    return arrays[0], item_type(members[arrays[0]]["items"])


def item_type(schema: Schema) -> str:
    if name_of(schema):
        return f"models.{name_of(schema)}"
    if variants_of(schema):
        raise SystemExit("The items of a list are a union without a name.")
    return "dict[str, Any]" if schema.get("type") == "object" else type_of(schema)
