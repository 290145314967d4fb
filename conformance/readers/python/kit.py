"""Runs the cases. Reads {"schema", "index", "cases", "documents"} as JSON on stdin; prints what the reader made of them.

Cases and documents are objects, by the names of the index. If one of those is missing, nothing is run."""

import json
import sys

from document import DocumentInvalid, DocumentMissing, DocumentUnreadable, parse_document, parse_time
from status import Reader

LISTS = ("availableUpdates", "conditionalUpdates", "conditionalUpdateRisks")


def read(step, schema):
    if step.get("isUnreadable"):
        return DocumentUnreadable()
    if "document" not in step and "text" not in step:
        return DocumentMissing()
    try:
        return parse_document(step.get("text", json.dumps(step.get("document"))), schema)
    except DocumentInvalid as problem:
        return problem


def play(case, schema):
    reader, cluster_version, outcomes = Reader(case["fields"]), case["clusterVersion"], []
    for step in case["steps"]:
        if "lists" in step:
            others = {key: value for key, value in cluster_version["status"].items() if key not in LISTS}
            cluster_version = {**cluster_version, "status": {**others, **step["lists"]}}
        preflight = {
            "target": step.get("target", case["target"]),
            "requestedAt": parse_time(case.get("requestedAt")),
            "document": read(step, schema),
        }
        is_requested = step.get("isRequested", True)
        status, conditions = reader.step(cluster_version, parse_time(step["now"]), preflight if is_requested else None)
        kept = [{key: one[key] for key in ("type", "status", "reason", "lastTransitionTime")} for one in conditions]
        outcomes.append({**{key: status[key] for key in LISTS if key in status}, "conditions": kept})
        cluster_version = {**cluster_version, "status": status}
    return outcomes


def find_problems(text, schema):
    try:
        parse_document(text, schema)
        return []
    except DocumentInvalid as problem:
        return list(problem.args)


def main():
    kit = json.load(sys.stdin)
    missing = [name for part in ("cases", "documents") for name in kit["index"][part] if name not in kit[part]]
    if missing:
        sys.exit(f"The kit is not whole, so it proves nothing. It lacks {', '.join(missing)}.")
    made = {
        "cases": {name: play(case, kit["schema"]) for name, case in kit["cases"].items()},
        "documents": {name: find_problems(text, kit["schema"]) for name, text in kit["documents"].items()},
    }
    print(json.dumps(made))


if __name__ == "__main__":
    main()
