"""The text of the methods of an operation."""

from __future__ import annotations

import re
from dataclasses import dataclass
from textwrap import wrap


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
