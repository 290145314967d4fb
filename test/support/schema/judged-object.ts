import {
  findSchemaChanges,
  type FieldError,
  type UnevaluatedRule,
  compileSchema,
  validateObject,
  validateUpdate,
  decodeStored,
  newPruneState,
} from "../../../src/schema/crd/index.ts";
import { formatError as formatThrown } from "../../../src/model/errors.ts";
import { formatCanonicalJson } from "../../../src/model/json.ts";
import { unstructuredToValue } from "../../../src/schema/cel/values/unstructured.ts";
import { formatCel } from "./cel/judged-expression.ts";
import { valueType } from "../../../src/schema/cel/types/value-type.ts";
import { typeText } from "../../../src/schema/cel/types/types.ts";
import { startReport } from "../../../src/schema/openapi/report.ts";
import { decodeSchema } from "../../../src/schema/openapi/schema-props.ts";
import { findFormat } from "../../../src/schema/openapi/formats.ts";
import { NEWEST_MINOR } from "../../../src/schema/openapi/server-features.ts";
import { compileForTest, wrapSchema } from "../../../verify/schema/cel/cases.ts";
import { parseInput, splitMinor } from "./crd/judged-definition.ts";

function split(text: string, mark: string): readonly [string, string] {
  const place = text.indexOf(mark);
  return [text.slice(0, place), text.slice(place + mark.length)];
}

/** Judges a stored object: "SCHEMA <- VALUE" are those of its field `f`, in YAML. */
export function judgeStored(text: string): string {
  const [minor = NEWEST_MINOR, rest] = splitMinor(text);
  const [schema, value] = split(rest, " <- ");
  return judge(wrapSchema(parseInput(schema)), parseInput(`{f: ${value}}`), minor);
}

/** Judges a whole stored object: "SCHEMA <- OBJECT". */
export function judgeWhole(text: string): string {
  const [minor = NEWEST_MINOR, rest] = splitMinor(text);
  const [schema, object] = split(rest, " <- ");
  return judge(parseInput(schema), parseInput(object), minor);
}

function judge(
  schema: ReturnType<typeof parseInput>,
  object: ReturnType<typeof parseInput>,
  kubernetesMinor: number,
): string {
  const compiled = compileSchema(formatCanonicalJson(schema), { kubernetesMinor });
  if (compiled.kind === "refused") return `no schema: ${compiled.message}`;
  const result = validateObject(compiled, object);
  const stored = decodeStored(object, compiled.root, true, newPruneState());
  const isSame = JSON.stringify(stored) === JSON.stringify(object);
  return (
    [
      ...result.errors.map(formatError),
      ...result.prunedPaths.map((path) => `pruned ${path}`),
      ...result.droppedFields.map(({ path, message, isMalformed }) => `dropped ${path}: ${message}, ${isMalformed}`),
      ...result.applyFaults.map(({ path, message }) => `apply ${path}: ${message}`),
      ...result.unevaluatedRules.map(formatUnevaluated),
      ...(result.isTruncated ? ["truncated"] : []),
      ...(isSame ? [] : [`read as ${JSON.stringify(stored)}`]),
    ].join("; ") || "fine"
  );
}

function formatError({ type, path, message, isUnreadable }: FieldError): string {
  return `${type.replace("FieldValue", "")} ${path}: ${message}${isUnreadable === true ? " (unreadable)" : ""}`;
}

function formatUnevaluated({ path, location, rule }: UnevaluatedRule): string {
  return `unevaluated ${path} at ${location}: ${rule}`;
}

/** Judges a write: "SCHEMA <- OLD -> NEW" are those of the field `f`. */
export function judgeWrite(text: string): string {
  const [minor = NEWEST_MINOR, rest] = splitMinor(text);
  const [schema, values] = split(rest, " <- ");
  const [before, after] = split(values, " -> ");
  const compiled = compileForTest(wrapSchema(parseInput(schema)), { kubernetesMinor: minor });
  const result = validateUpdate(compiled, parseInput(`{f: ${before}}`), () => parseInput(`{f: ${after}}`));
  const said = [...result.errors.map(formatError), ...result.unevaluatedRules.map(formatUnevaluated)];
  return said.join("; ") || "fine";
}

/** Compares two schemas of the field `f`: "BEFORE -> AFTER". */
export function judgeSchemaChange(text: string): string {
  const [before, after] = split(text, " -> ");
  const changes = findSchemaChanges(wrapSchema(parseInput(before)), wrapSchema(parseInput(after)));
  return (
    changes.map(({ kind, path, keys, message }) => `${kind} ${path} (${keys.join(" ")}): ${message}`).join(" ") ||
    "nothing"
  );
}

/** What rules see of a value, and the bounds of its size: "TYPE, most MOST, least LEAST". */
export function judgeType(text: string): string {
  const [minor = NEWEST_MINOR, schema] = splitMinor(text);
  const type = valueType(decodeSchema(parseInput(schema), startReport(minor)), schema.includes("isResource"), minor);
  return formatType(type);
}

function formatType(type: ReturnType<typeof valueType>): string {
  if (type === undefined) return "unseen";
  const fields = [...(type.fields ?? [])].map(([name, field]) => `${name}: ${formatType(field)}`);
  const parts = [
    ...(fields.length > 0 ? [`fields {${fields.join("; ")}}`] : []),
    ...(type.key ? [`key (${formatType(type.key)})`] : []),
    ...(type.element ? [`element (${formatType(type.element)})`] : []),
  ];
  return [typeText(type.type), `most ${type.most}`, `least ${type.leastBytes}`, ...parts].join(", ");
}

/** Says whether a text is of a format: "FORMAT TEXT", where x{9} stands for nine of them. */
export function judgeFormat(line: string): string {
  const [format, written] = split(line, " ");
  const text = written.replaceAll(/(\(.*\)|\\u....|.)\{(\d+)\}/g, (_, part: string, count: string) =>
    part.replace(/^\((.*)\)$/, "$1").repeat(Number(count)),
  );
  const parsed: unknown = JSON.parse(`"${text.replaceAll(/(?<!\\)"/g, '\\"')}"`);
  const { validator } = findFormat(format, ["string"], NEWEST_MINOR);
  return validator?.(String(parsed)) === true ? "valid" : "invalid";
}

/** What rules read: "SCHEMA <- VALUE" are those of the value itself. */
export function judgeReading(text: string): string {
  const [minor = NEWEST_MINOR, rest] = splitMinor(text);
  const [schema, value] = split(rest, " <- ");
  const compiled = compileForTest(wrapSchema(parseInput(schema)), { kubernetesMinor: minor });
  const field = compiled.root.properties.get("f") ?? compiled.root;
  try {
    return formatCel(unstructuredToValue(parseInput(`{f: ${value}}`)["f"] ?? null, field));
  } catch (error) {
    return formatThrown(error);
  }
}
