"""Reads and validates a preflight-v1-json document. Python's standard library only."""

import json
import re
from datetime import datetime, timezone
from urllib.parse import urlsplit

MAX_LENGTH = 4 * 1024 * 1024
MAX_TEXT = 16_000
FURTHER_RISKS = "PreflightFurtherRisks"


class DocumentMissing(Exception):
    """There is no file."""


class DocumentUnreadable(Exception):
    """There is a file or a folder, and reading it fails."""


class DocumentInvalid(Exception):
    """The file is no valid document. The arguments are the problems."""


def read_document(path, schema):
    """The document in a file. A runner replaces the file in one step, so it is never half written."""
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read(MAX_LENGTH + 1)
    except FileNotFoundError as error:
        raise DocumentMissing(str(error)) from error
    except UnicodeDecodeError as error:
        raise DocumentInvalid("document: is not UTF-8") from error
    except OSError as error:
        raise DocumentUnreadable(str(error)) from error
    return parse_document(text, schema)


def parse_document(text, schema):
    if len(text) > MAX_LENGTH:
        raise DocumentInvalid(f"document: must have at most {MAX_LENGTH} characters")
    try:
        document = json.loads(text, object_pairs_hook=_to_object)
        problems = list(_schema_problems(document, schema, schema, "document")) or list(_rule_problems(document))
    except (ValueError, RecursionError) as error:
        raise DocumentInvalid(f"document: is not JSON: {error}") from error
    if problems:
        raise DocumentInvalid(*problems)
    return document


def _to_object(pairs):
    return {key: value for key, value in pairs if key not in ("toString", "valueOf")}


TYPES = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "integer": lambda value: not isinstance(value, bool)
    and (isinstance(value, int) or isinstance(value, float) and value.is_integer()),
}


def _schema_problems(value, schema, root, path):
    """As much of JSON Schema as the format's schema uses."""
    if schema is False:
        yield f"{path}: must be absent"
        return
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        yield from _schema_problems(value, root["definitions"][name], root, path)
        return
    if "type" in schema and not TYPES[schema["type"]](value):
        yield f"{path}: must be of type {schema['type']}"
        return
    if "const" in schema and not _is_same(value, schema["const"]):
        yield f"{path}: must be {json.dumps(schema['const'])}"
    if "enum" in schema and not any(_is_same(value, one) for one in schema["enum"]):
        yield f"{path}: must be one of {json.dumps(schema['enum'])}"
    if isinstance(value, str):
        yield from _text_problems(value, schema, path)
    elif isinstance(value, list):
        yield from _list_problems(value, schema, root, path)
    elif isinstance(value, dict):
        yield from _object_problems(value, schema, root, path)
    elif "minimum" in schema and value < schema["minimum"]:
        yield f"{path}: must be at least {schema['minimum']}"
    if "if" in schema and not list(_schema_problems(value, schema["if"], root, path)):
        yield from _schema_problems(value, schema["then"], root, path)


def _is_same(a, b):
    # In Python, True is 1.
    return json.dumps(a, sort_keys=True) == json.dumps(b, sort_keys=True)


def _text_problems(value, schema, path):
    # ECMAScript's $ is the end of the text, and its \d is ASCII.
    if "pattern" in schema and not re.search(schema["pattern"].replace("$", r"\Z"), value, re.ASCII):
        yield f"{path}: must match {schema['pattern']}"
    if len(value) < schema.get("minLength", 0):
        yield f"{path}: must not be empty"
    if len(value) > schema.get("maxLength", len(value)):
        yield f"{path}: must have at most {schema['maxLength']} characters"


def _list_problems(value, schema, root, path):
    if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
        yield f"{path}: has {len(value)} items"
    for i, item in enumerate(value):
        yield from _schema_problems(item, schema.get("items", {}), root, f"{path}[{i}]")


def _object_problems(value, schema, root, path):
    for key in schema.get("required", []):
        if key not in value:
            yield f"{path}.{key}: is missing"
    known = schema.get("properties", {})
    for key, item in value.items():
        yield from _schema_problems(item, known.get(key, schema.get("additionalProperties", {})), root, f"{path}.{key}")


def _rule_problems(document):
    """The rules that the schema's description lists."""
    risks = document["risks"]
    checks = document.get("checks")
    names = [risk["name"] for risk in risks]
    ordered = names[:-1] if names[-1:] == [FURTHER_RISKS] else names
    for what, keys in (("risks", ordered), ("checks", [check["id"] for check in checks or []])):
        if any(a >= b for a, b in zip(keys, keys[1:])):
            yield f"{what}: must be sorted, and each unique"
    target = document.get("targetVersion")
    if any((risk.get("targetVersion", target) or "") != target for risk in risks):
        yield "risks: targetVersion must be the document's"
    if sum(len(risk["message"]) + len(risk["url"]) for risk in risks) > MAX_TEXT:
        yield f"risks: messages and urls must add up to at most {MAX_TEXT} characters"
    if not all(_is_url(risk["url"]) for risk in risks):
        yield "risks: url must be an absolute https:// URL"
    yield from _time_problems(document)
    if document["executionStatus"] == "completed":
        yield from _contradictions(document, names, checks)


def _is_url(text):
    try:
        return urlsplit(text).port is not False
    except ValueError:
        return False


def _time_problems(document):
    applies = [condition for risk in document["risks"] for condition in risk.get("conditions", [])]
    times = [document["preflightID"][:20], document.get("observedAt"), document.get("validUntil")]
    for time in times + [condition["lastTransitionTime"] for condition in applies]:
        try:
            parse_time(time)
        except ValueError:
            yield f"document: {time} does not exist"
    # Times have one form, so the order of the texts is that of the times.
    if "validUntil" in document and document["validUntil"] < document.get("observedAt", ""):
        yield "validUntil: must not be before observedAt"


def parse_time(text):
    return None if text is None else datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=timezone.utc)


def _contradictions(document, names, checks):
    if checks == []:
        yield "checks: must not be empty in a completed document"
    if document.get("complete") is True:
        if checks is None:
            yield "complete: must not be true without checks"
        if any(check["outcome"] == "unknown" and "accepted" not in check for check in checks or []):
            yield "complete: must not be true with an unknown outcome"
        conditions = [condition for risk in document["risks"] for condition in risk.get("conditions", [])]
        if any(condition["reason"] == "PreflightPartial" for condition in conditions):
            yield "complete: must not be true with a risk of an incomplete check"
    if FURTHER_RISKS in names:
        return
    for check in checks or []:
        if not set(check.get("risks", [])) <= set(names):
            yield f"checks: risks of {check['id']} are not in risks"
        if check["outcome"] == "risk" and not check.get("risks") and not names:
            yield f"risks: must not be empty, because the outcome of {check['id']} is risk"
