"""Small functions on schemas of the document."""

from __future__ import annotations

import re
from typing import Any

Schema = dict[str, Any]

PREFIX = "#/components/schemas/"


def ref(name: str) -> Schema:
    return {"$ref": PREFIX + name}


def name_of(schema: Schema) -> str:
    return str(schema.get("$ref", "")).removeprefix(PREFIX)


def pascal(member: str) -> str:
    return "".join(part[:1].upper() + part[1:] for part in re.split(r"[^A-Za-z0-9]+", member))


def singular(name: str) -> str:
    if name.endswith("ies"):
        return name[:-3] + "y"
    return name[:-1] if name.endswith("s") and not name.endswith("ss") else name


def without_words(value: Any) -> Any:
    """A schema without descriptions, which differ between requests and replies; `properties` may have a member of that name."""
    if isinstance(value, list):
        return [without_words(each) for each in value]
    if not isinstance(value, dict):
        return value
    return {
        key: {name: without_words(each) for name, each in inside.items()} if key == "properties" else without_words(inside)
        for key, inside in value.items()
        if key != "description"
    }


def variants_of(schema: Schema) -> list[str]:
    """The names of the objects that a union of several may be; empty if it is none."""
    found: list[str] = []
    for each in schema.get("oneOf", schema.get("anyOf", [])):
        found += variants_of(each) or ([name_of(each)] if name_of(each) not in ("", "Money") else [])
    return found if len(found) > 1 else []


def tag_of(variants: list[Schema]) -> str | None:
    """The member that tells the variants apart: a constant of its own in two of them at least."""
    for member in {member: None for each in variants for member in each.get("properties", {})}:
        values = [value for each in variants if (value := constant(each, member))]
        if len(values) > 1 and len(set(values)) == len(values):
            return member
    return None


def constant(schema: Schema, member: str | None) -> str:
    return str(schema.get("properties", {}).get(member, {}).get("const", ""))


def unknown_name(union: str) -> str:
    return f"Unknown{union.removeprefix('Any')}"


def unknown(name: str, tag: str | None) -> Schema:
    words = f"A kind of {name} that this version does not know, with everything that it has."
    members = {tag: {"type": "string", "description": "Its kind."}} if tag else {}
    always = {"stands_for": {"type": "string"}} if not members else {}
    return {"type": "object", "description": words, "properties": members or always, "required": [tag] if tag else []}


def opened(schema: Schema) -> Schema:
    """The same with any text where it names some."""
    if "const" in schema and isinstance(schema["const"], str):
        schema = {**{key: each for key, each in schema.items() if key != "const"}, "enum": [schema["const"]]}
    if "enum" in schema and all(isinstance(each, str) for each in schema["enum"]):
        words = {"description": schema["description"]} if "description" in schema else {}
        return {"anyOf": [{"type": "string", "enum": schema["enum"]}, {"type": "string"}], **words}
    changed = dict(schema)
    for key in ("anyOf", "oneOf"):
        if key in changed:
            changed[key] = flat([opened(each) for each in changed[key]])
    for key in ("items", "additionalProperties"):
        if isinstance(changed.get(key), dict):
            changed[key] = opened(changed[key])
    return changed


def flat(variants: list[Schema]) -> list[Schema]:
    found: list[Schema] = []
    for each in variants:
        for inside in each["anyOf"] if set(each) == {"anyOf"} else [each]:
            if inside not in found:
                found.append(inside)
    return found


def objects_in(value: Any) -> list[Schema]:
    """Every object of a document, from the outside to the inside."""
    if isinstance(value, list):
        return [found for each in value for found in objects_in(each)]
    return [value, *(found for each in value.values() for found in objects_in(each))] if isinstance(value, dict) else []


def is_class(schema: Schema) -> bool:
    """Whether a named schema is an object or a union of objects. Others, such as named enums, are written where they are used."""
    return schema.get("type") == "object" or len([each for key in ("anyOf", "oneOf") for each in schema.get(key, []) if "$ref" in each]) > 1


def with_scalars(value: Any, named: dict[str, Schema]) -> Any:
    """The same with the named schemas that are no classes in place of references to them."""
    if isinstance(value, list):
        return [with_scalars(each, named) for each in value]
    if not isinstance(value, dict):
        return value
    changed = {key: with_scalars(each, named) for key, each in value.items()}
    target = named.get(name_of(changed)) if isinstance(changed.get("$ref"), str) else None
    if target is None or is_class(target):
        return changed
    return {**with_scalars(target, named), **{key: each for key, each in changed.items() if key != "$ref"}}


def inline_webhooks(document: Schema) -> dict[str, Schema]:
    """The bodies of webhooks that are not among the named schemas: WebhookTest for webhook.test."""
    bodies = {name: each["post"]["requestBody"]["content"]["application/json"]["schema"] for name, each in document["webhooks"].items()}
    return {pascal(name): schema for name, schema in bodies.items() if "$ref" not in schema}
