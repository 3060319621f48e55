"""Prepares the schemas of docs/openapi.json for the generator of the models.

A client must not refuse what a newer marketplace sends, and must be able to send on what it read. So bounds and patterns are left to
the service, enums and unions are open, and what is money is text. Every object has a name without numbers.
"""

from __future__ import annotations

import copy
import json
from typing import Any

from money import is_money
from shapes import (
    PREFIX,
    Schema,
    constant,
    flat,
    inline_webhooks,
    is_class,
    name_of,
    objects_in,
    opened,
    pascal,
    ref,
    singular,
    tag_of,
    unknown,
    unknown_name,
    variants_of,
    with_scalars,
    without_words,
)

KEPT = {"type", "properties", "required", "items", "additionalProperties", "enum", "const", "anyOf", "oneOf", "$ref", "description"}
KEPT_FORMATS = {"date", "date-time"}
NULL = {"type": "null"}
# Names of unions that are written inside of an object, by the object and the member; others are named after their first variant.
UNIONS = {"EventFeed.events": "Event"}


class Schemas:
    """The schemas by name, and the unions that are written by us: name, discriminator (None if there is none) and variants."""

    def __init__(self, document: Schema) -> None:
        self.document = document
        self.all: dict[str, Schema] = {}
        self.undecided: list[str] = []
        self.unions: dict[str, tuple[str | None, dict[str, str]]] = {}
        named = {**document["components"]["schemas"], **inline_webhooks(document)}
        fallbacks = {each["x-fallback"].removeprefix(PREFIX) for each in objects_in(named) if "x-fallback" in each}
        for name, schema in named.items():
            if is_class(schema) and name not in fallbacks:
                self.all[name] = self._cleaned(with_scalars(copy.deepcopy(schema), named), name)
        if self.undecided:
            raise SystemExit(f"Which of these numbers are money? Say so in clients/python/make/money.py: {', '.join(self.undecided)}")
        self._merge_outputs()
        self._pull_out_unions()
        for name in list(self.all):
            self._open(name)

    def _cleaned(self, schema: Schema, owner: str, member: str = "") -> Schema:
        """Without bounds, with named objects, and with money as a reference. `owner` is the name of the enclosing object."""
        kept: Schema = {key: value for key, value in schema.items() if key in KEPT}
        if schema.get("format") in KEPT_FORMATS:
            kept["format"] = schema["format"]
        if isinstance(kept.get("type"), list):
            return self._cleaned(self._split_types(kept, schema), owner, member)
        if kept.get("type") == "number":
            return self._number(kept, owner, member)
        if "enum" in kept and "type" in kept:
            return opened(kept)
        if "anyOf" in kept or "oneOf" in kept:
            fallback = schema.get("x-fallback")
            variants = [each for key in ("anyOf", "oneOf") for each in kept.pop(key, []) if each.get("$ref", "") != fallback]
            kept.pop("type", None)
            kept["anyOf"] = flat([self._nested(each, owner, member or "Variant") for each in variants])
        if "items" in kept:
            kept["items"] = self._nested(kept["items"], owner, singular(member) if member else "Item")
        return self._object(kept, owner) if kept.get("type") == "object" and "anyOf" not in kept else kept

    def _object(self, kept: Schema, owner: str) -> Schema:
        extra = kept.pop("additionalProperties", True)
        members = kept.get("properties", {})
        if not members:
            kept.pop("properties", None)
            is_typed = isinstance(extra, dict) and extra != {}
            kept["additionalProperties"] = self._nested(extra, owner, "Value") if is_typed else True
            return kept
        # A member that nothing satisfies is one that was retired.
        members = {name: each for name, each in members.items() if each.get("not") != {}}
        kept["properties"] = {name: self._nested(each, owner, name) for name, each in members.items()}
        return kept

    def _nested(self, schema: Schema, owner: str, member: str) -> Schema:
        is_object = schema.get("type") == "object" and (schema.get("properties") or {}) != {}
        kept = self._cleaned(schema, owner + pascal(member) if is_object else owner, member)
        if not is_object:
            return kept
        name = owner + pascal(member)
        if name in self.all or name in self.document["components"]["schemas"]:
            raise SystemExit(f"There are two objects named {name}.")
        description = kept.pop("description", None)
        self.all[name] = kept
        return {**ref(name), **({"description": description} if description else {})}

    def _number(self, kept: Schema, owner: str, member: str) -> Schema:
        if is_money(member) is None:
            self.undecided.append(f"{owner}.{member}")
        return {**ref("Money"), **{key: kept[key] for key in ("description",) if key in kept}} if is_money(member) else kept

    @staticmethod
    def _split_types(kept: Schema, schema: Schema) -> Schema:
        description = {"description": kept["description"]} if "description" in kept else {}
        single = {key: value for key, value in {**schema, **kept}.items() if key not in ("type", "description")}
        return {"anyOf": [{"type": "null"} if each == "null" else {**single, "type": each} for each in kept["type"]], **description}

    def _merge_outputs(self) -> None:
        """Where a schema of replies differs from that of requests in bounds alone, there is one class."""
        while merged := {
            name: bare for name, bare in self._outputs().items() if bare not in self.all or self._text(name) == self._text(bare)
        }:
            for name, bare in merged.items():
                schema = self.all.pop(name)
                self.all.setdefault(bare, schema)
            self._rename(merged)

    def _outputs(self) -> dict[str, str]:
        """The names of the schemas of replies, and of objects inside of them, without that word."""
        return {name: name.replace("Output", "", 1) for name in self.all if "Output" in name}

    def _text(self, name: str) -> str:
        return json.dumps(without_words(self.all.get(name)), sort_keys=True)

    def _rename(self, names: dict[str, str]) -> None:
        def renamed(value: Any) -> Any:
            if isinstance(value, list):
                return [renamed(each) for each in value]
            if not isinstance(value, dict):
                return value
            changed = {key: renamed(each) for key, each in value.items()}
            if "$ref" in changed and isinstance(changed["$ref"], str):
                changed["$ref"] = PREFIX + names.get(name_of(changed), name_of(changed))
            return changed

        self.all = {name: renamed(schema) for name, schema in self.all.items()}
        self.renamed = {**getattr(self, "renamed", {}), **names}

    def final(self, name: str) -> str:
        """The name under which a schema of the document is kept."""
        names: dict[str, str] = getattr(self, "renamed", {})
        while name in names:
            name = names[name]
        return name

    def _pull_out_unions(self) -> None:
        for name in list(self.all):
            schema = self.all[name]
            if variants_of(schema):
                self.all[name] = self._union(name, schema)
            for member, inside in schema.get("properties", {}).items():
                holder = inside.get("items", inside)
                if variants_of(holder):
                    named = UNIONS.get(f"{name}.{member}", f"Any{variants_of(holder)[0]}")
                    self.all[named] = self._union(named, holder)
                    replaced = {**ref(named), **{key: holder[key] for key in ("description",) if key in holder}}
                    if "items" in inside:
                        inside["items"] = replaced
                    else:
                        schema["properties"][member] = replaced

    def _union(self, name: str, schema: Schema) -> Schema:
        names = variants_of(schema)
        tag = tag_of([self.all[each] for each in names])
        # Without a constant a variant is the fallback of the document; ours is made below.
        tags = {each: constant(self.all[each], tag) for each in names if not tag or constant(self.all[each], tag)}
        self.unions[name] = (tag, tags)
        # A stand-in: the union itself is written after the classes (models.py).
        return {"type": "object", "properties": {"stands_for": {"type": "string"}}}

    def _open(self, name: str) -> None:
        if name in self.unions:
            self.all[unknown_name(name)] = unknown(name, self.unions[name][0])
            return
        tags = {tag for tag, variants in self.unions.values() if name in variants}
        schema = self.all[name]
        members = schema.get("properties", {})
        schema["properties"] = {member: each if member in tags and "const" in each else opened(each) for member, each in members.items()}
        if not members:
            self.all[name] = opened({key: each for key, each in schema.items() if key != "properties"})

    def for_generator(self) -> Schema:
        """A document of schemas alone. Money stands in for the type of ours."""
        named = {"Money": {"type": "object", "properties": {"stands_for": {"type": "string"}}}, **self.all}
        info = {"title": "Order Marketplace Service", "version": "1"}
        return {"openapi": "3.1.0", "info": info, "paths": {}, "components": {"schemas": dict(sorted(named.items()))}}
