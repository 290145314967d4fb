import type { ErrorObject } from "ajv";
import { isList, isObject } from "../../model/json.ts";
import { takeCharacters } from "../../model/text.ts";
import { toLine } from "../../model/visible-text.ts";

/** "risks[2].name: must match ..., not \"a b\"": one violation of the schema, and where. */
export function formatSchemaProblem(error: ErrorObject, document: unknown): string {
  const path = parsePointer(error.instancePath);
  if (error.keyword === "required") {
    const { missingProperty } = error.params;
    return `${formatPath([...path, String(missingProperty)])}: is missing`;
  }
  return `${formatPath(path)}: ${formatDemand(error)}${formatActual(getValueAt(document, path))}`;
}

function formatDemand({ keyword, params, message }: ErrorObject): string {
  if (keyword === "const") return `must be ${JSON.stringify(params["allowedValue"])}`;
  if (keyword === "enum") return `must be one of ${JSON.stringify(params["allowedValues"])}`;
  if (keyword === "false schema") return "must be absent with this executionStatus";
  if (keyword === "pattern") return `must match ${String(params["pattern"])}`;
  if (keyword === "minLength") return "must not be empty";
  if (keyword === "maxLength") return `must have at most ${String(params["limit"])} characters`;
  if (keyword === "minItems") return `must have at least ${String(params["limit"])} items`;
  if (keyword === "maxItems") return `must have at most ${String(params["limit"])} items`;
  return message ?? `violates ${keyword}`;
}

/** JSON Pointer, RFC 6901. */
function parsePointer(pointer: string): readonly string[] {
  if (pointer === "") return [];
  return pointer
    .slice(1)
    .split("/")
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function formatPath(steps: readonly string[]): string {
  const text = steps.map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${toLine(step)}`)).join("");
  return text === "" ? "document" : text.replace(/^\./, "");
}

function getValueAt(document: unknown, steps: readonly string[]): unknown {
  let here = document;
  for (const step of steps) {
    if (isList(here)) here = here[Number(step)];
    else here = isObject(here) ? here[step] : undefined;
  }
  return here;
}

const MAX_SHOWN = 60;

/** The actual value, if it is a scalar; a long text is cut. */
export function formatActual(value: unknown): string {
  if (value === "" || value === undefined || isObject(value) || isList(value)) return "";
  if (typeof value !== "string") return `, not ${JSON.stringify(value)}`;
  const start = takeCharacters(value, MAX_SHOWN);
  return start.length < value.length ? `, not "${toLine(start)}…"` : `, not "${toLine(value)}"`;
}
