"""Writes _async/operations.py: a method for each operation of the document, and an iterator for each list."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from textwrap import wrap

from schemas import Schema, Schemas, name_of, variants_of

# POSTs that the service does once however often the same bytes come, beyond those that take an Idempotency-Key or say
# X-Idempotent-Replay: commands whose repeat returns the stored outcome, and what changes nothing the second time.
REPEATABLE = {
    "archiveCreative",
    "cancelOrder",
    "confirmOrder",
    "decideOrder",
    "enableWebhookEndpoint",
    "issueInvoicesAsOf",
    "markInvoicePaid",
    "planOrder",
    "previewOrder",
    "requestAvails",
    "respondOrder",
    "wakeOrder",
}
# An upload takes its content once: a second PUT is refused even if the first had no answer.
ONCE = {"putUploadContent"}

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


@dataclass
class Parameter:
    place: str
    wire: str
    name: str
    type: str
    required: bool
    description: str


@dataclass
class Operation:
    id: str
    method: str
    path: str
    words: list[str]
    parameters: list[Parameter]
    body: str | None  # The type of a JSON body, or Content.
    body_required: bool
    replies: dict[str, str]  # By status: the class, File or None.
    repeatable: bool
    items: tuple[str, str] | None = None  # Of a list: the member and the type of its items.
    named: list[Parameter] = field(default_factory=list)

    @property
    def name(self) -> str:
        return snake(self.id)

    def of(self, place: str) -> list[Parameter]:
        return [each for each in self.parameters if each.place == place]


def snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", name.replace("-", "_")).lower()


def python_name(wire: str) -> str:
    name = snake(wire)
    return f"{name}_" if name in ("from", "in", "class") else name


def operations(schemas: Schemas) -> str:
    found = [
        operation_of(schemas, method, path, row)
        for path, item in schemas.document["paths"].items()
        for method, row in item.items()
        if method in ("get", "put", "post", "patch", "delete")
    ]
    return HEAD + "".join(method_of(each) + (iterator_of(each) if each.items else "") for each in found)


def operation_of(schemas: Schemas, method: str, path: str, row: Schema) -> Operation:
    parameters = [parameter_of(each) for each in row.get("parameters", []) if not is_deprecated(each)]
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


def method_of(operation: Operation) -> str:
    kinds = list(dict.fromkeys(operation.replies.values()))
    if len(kinds) == 1:
        return method_text(operation, kinds[0], signature(operation), docstring(operation))
    # A dry run has a reply of its own, 200; what is done is 201 or 202.
    if len(operation.replies) != 2 or not any(each.wire == "dry_run" for each in operation.parameters):
        raise SystemExit(f"{operation.id} has several kinds of reply.")
    dry, done = operation.replies["200"], next(kind for status, kind in operation.replies.items() if status != "200")
    overloads = [
        f"    @overload\n    async def {operation.name}({signature(operation, 'Literal[False] = False')}) -> {done}: ...\n",
        f"    @overload\n    async def {operation.name}({signature(operation, 'Literal[True]')}) -> {dry}: ...\n",
        f"    @overload\n    async def {operation.name}({signature(operation, 'bool')}) -> {done} | {dry}: ...\n",
    ]
    whole = method_text(operation, f"{done} | {dry}", signature(operation, "bool = False"), docstring(operation))
    reading = f"read(received, {dry}) if dry_run else read(received, {done})"
    return "\n" + "\n".join(overloads) + whole.replace(f"read(received, {done} | {dry})", reading)


def method_text(operation: Operation, kind: str, takes: str, words: str) -> str:
    sent = sending(operation)
    lines = [f"\n    async def {operation.name}({takes}) -> {kind}:", words]
    if kind == "None":
        lines.append(f"        {sent}")
    elif kind == "File":
        lines.append(f"        return read_file({sent})")
    else:
        lines += [f"        received = {sent}", f"        return read(received, {kind})"]
    return "\n".join(lines) + "\n"


def signature(operation: Operation, dry_run: str | None = None) -> str:
    """`dry_run` is how that parameter is declared in an overload."""
    takes = ["self", *(f"{each.name}: str" for each in operation.of("path"))]
    if operation.body:
        takes.append(f"body: {operation.body}" + ("" if operation.body_required else " | None = None"))
    named = sorted([*operation.of("query"), *operation.of("header")], key=lambda each: not each.required)
    if named:
        takes += ["*", *(declared(each, dry_run) for each in named)]
    return ", ".join(takes)


def declared(parameter: Parameter, dry_run: str | None) -> str:
    if parameter.wire == "dry_run":
        return f"dry_run: {dry_run or 'bool = False'}"
    return f"{parameter.name}: {parameter.type}" + ("" if parameter.required else " | None = None")


def sending(operation: Operation) -> str:
    path = operation.path
    for each in operation.of("path"):
        path = path.replace("{" + each.wire + "}", "{segment(" + each.name + ")}")
    text = f'f"{path}"' if "{" in path else f'"{path}"'
    if operation.body == "Content":
        return f'await self._send_content("{operation.method}", {text}, body, repeatable={operation.repeatable})'
    more = [f"repeatable={operation.repeatable}"]
    if operation.of("query"):
        more.append("query={" + ", ".join(f'"{each.wire}": {sent_value(each)}' for each in operation.of("query")) + "}")
    if operation.of("header"):
        more.append("headers={" + ", ".join(f'"{each.wire}": {sent_value(each)}' for each in operation.of("header")) + "}")
    if operation.body:
        more.append("body=body")
    return f'await self._send("{operation.method}", {text}, {", ".join(more)})'


def sent_value(parameter: Parameter) -> str:
    if parameter.wire == "dry_run":
        return "dry_run or None"
    return "idempotency_key or new_key()" if parameter.wire == "Idempotency-Key" else parameter.name


def docstring(operation: Operation) -> str:
    lines = [operation.words[0]]
    if operation.words[1]:
        lines += ["", *wrap(operation.words[1], 120)]
    named = [each for each in operation.parameters if each.description]
    lines += [""] * bool(named)
    for each in named:
        lines += wrap(f"{each.name}: {each.description}", 120, subsequent_indent="    ")
    text = "\n".join(f"        {line}" if line else "" for line in lines[1:])
    closing = '"""' if len(lines) == 1 else '\n        """'
    body = "" if len(lines) == 1 else f"\n{text}"
    return f'        """{lines[0]}{body}{closing}'.replace("\\", "\\\\")


def iterator_of(operation: Operation) -> str:
    """An iterator over all pages: `iter_orders` for `list_orders`, `iter_avails` for `get_avails`."""
    member, kind = operation.items or ("", "")
    name = "iter_" + re.sub(r"^(?:list|get)_", "", operation.name)
    paged = Operation(**{**operation.__dict__, "parameters": [each for each in operation.parameters if each.wire != "cursor"]})
    passed = [each.name for each in paged.of("path")]
    passed += [f"{each.name}={each.name}" for each in [*paged.of("query"), *paged.of("header")]]
    return f'''
    async def {name}({signature(paged)}) -> AsyncIterator[{kind}]:
        """Each of `{operation.name}`, from all pages; limit is the size of a page."""
        cursor: str | None = None
        while True:
            page = await self.{operation.name}({", ".join([*passed, "cursor=cursor"])})
            for item in page.{member}:
                yield item
            cursor = page.next_cursor
            if cursor is None:
                return
'''
