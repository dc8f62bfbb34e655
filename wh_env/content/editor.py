"""JSON Schemas of content files, for editors that complete and check while the user writes.

They allow everything that the loaders allow, and a little more.
"""

from __future__ import annotations

from typing import Any

from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from wh_env.content.errors import unknown
from wh_env.content.games import game_named

DRAFT = "https://json-schema.org/draft/2020-12/schema"
IN_WORDS: JsonSchemaValue = {
    "type": ["string", "number"]
}  # forms of a value that a validator reads first: 3+, D6+1, melee


class EditorSchema(GenerateJsonSchema):
    """Schemas of the text in the files, before the loaders read it.

    Values that a loader reads first may be text or numbers, and short forms may leave out fields.
    """

    def function_before_schema(self, schema: core_schema.BeforeValidatorFunctionSchema) -> JsonSchemaValue:
        """A value that a validator reads first may be written in words; ``model_schema`` treats models."""
        inner = super().function_before_schema(schema)
        return inner if "properties" in inner else {"anyOf": [inner, IN_WORDS]}

    def model_schema(self, schema: core_schema.ModelSchema) -> JsonSchemaValue:
        """Add the fields of a model's short form, none of them required.

        A model that a validator reads first may be written in words.
        """
        found = super().model_schema(schema)
        short: tuple[str, ...] = getattr(schema["cls"], "_shorthand", tuple)()
        if short and "properties" in found:
            found["properties"] = {**{name: {} for name in short}, **found["properties"]}
            found.pop("required", None)
        return {"anyOf": [found, IN_WORDS]} if is_read_first(schema["schema"]) else found


def is_read_first(schema: Any) -> bool:
    """Whether a validator reads the written value before the fields of a model are checked."""
    while isinstance(schema, dict):
        if schema.get("type") == "function-before":
            return True
        schema = schema.get("schema")
    return False


def schema_of(ruleset: str, kind: str) -> dict[str, Any]:
    """The JSON Schema of files of a kind (``armies``, ``battles``, ...) of a ruleset.

    Raises:
        ContentError: there is no such ruleset, or it has no files of that kind.
    """
    known = game_named(ruleset).schemas
    if kind not in known:
        raise unknown("<call>", "kind", kind, known)
    found = known[kind].model_json_schema(schema_generator=EditorSchema)
    return {"$schema": DRAFT, "$id": f"{ruleset}/{kind}.json", **found}
