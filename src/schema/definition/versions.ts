import { type Json, type JsonObject, at, isObject, listAt, textAt, textsAt } from "../../model/json.ts";
import { countBytes, isDns1035Label } from "../formats/names.ts";
import { parseFieldPath } from "./field-path.ts";
import { type DefinitionReport, refuse } from "./report.ts";
import { decodeSchema } from "./schema-decoder.ts";
import type { SchemaProps } from "./schema-props.ts";

/** A version of a CRD. */
export type DefinedVersion = {
  readonly name: string;
  readonly path: string;
  readonly raw: Json;
  readonly schema: SchemaProps | undefined;
  readonly isServed: boolean;
  readonly isStorage: boolean;
  readonly hasStatus: boolean;
};

/** Refuses schemas that can't be decoded. */
export function parseVersions(definition: JsonObject, report: DefinitionReport): readonly DefinedVersion[] {
  return listAt(definition, "spec", "versions").map((raw, i): DefinedVersion => {
    const schema = at(raw, "schema", "openAPIV3Schema");
    const path = `spec.versions[${i}]`;
    return {
      name: textAt(raw, "name") ?? "",
      path,
      raw,
      schema: isObject(schema) ? decodeSchema(schema, `${path}.schema.openAPIV3Schema`, report) : undefined,
      isServed: at(raw, "served") === true,
      isStorage: at(raw, "storage") === true,
      hasStatus: isThere(at(raw, "subresources", "status")),
    };
  });
}

function isThere(value: Json | undefined): boolean {
  return value !== undefined && value !== null;
}

export function requireVersions(versions: readonly DefinedVersion[], report: DefinitionReport): void {
  const names = versions.map(({ name }) => name);
  if (new Set(names).size < names.length) refuse(report, "spec.versions", "must not name a version twice");
  if (versions.filter(({ isStorage }) => isStorage).length !== 1) {
    refuse(report, "spec.versions", "must have exactly one version with storage: true");
  }
  for (const { name, path } of versions) {
    if (!isDns1035Label(name)) refuse(report, `${path}.name`, "must be a DNS label that begins with a letter");
  }
}

/** Versions in which objects may be stored must not be removed. */
export function requireStoredVersions(
  versions: readonly DefinedVersion[],
  installed: JsonObject | undefined,
  report: DefinitionReport,
): void {
  const stored = textsAt(installed, "status", "storedVersions");
  for (const [i, name] of stored.entries()) {
    if (versions.some((version) => version.name === name)) continue;
    refuse(
      report,
      `status.storedVersions[${i}]`,
      `objects may be stored in ${name}, so spec.versions must still have it`,
    );
  }
}

/** The parts of a version other than its schema. */
export function requireVersion(version: DefinedVersion, toleratesMany: boolean, report: DefinitionReport): void {
  const { raw, path } = version;
  requireWarning(raw, `${path}.deprecationWarning`, report);
  requireScale(at(raw, "subresources", "scale"), `${path}.subresources.scale`, report);
  for (const [i, column] of listAt(raw, "additionalPrinterColumns").entries()) {
    requireColumn(column, `${path}.additionalPrinterColumns[${i}]`, report);
  }
  requireSelectable(version, toleratesMany, report);
}

const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]*$/u;
const LONGEST_WARNING = 256;

function requireWarning(raw: Json, path: string, report: DefinitionReport): void {
  const warning = textAt(raw, "deprecationWarning");
  if (warning === undefined) return;
  if (at(raw, "deprecated") !== true) return refuse(report, path, "is only allowed for a deprecated version");
  if (warning === "") refuse(report, path, "must not be empty");
  if (countBytes(warning) > LONGEST_WARNING) refuse(report, path, `must not be longer than ${LONGEST_WARNING} bytes`);
  if (!PRINTABLE.test(warning)) refuse(report, path, "must not hold characters that can't be printed");
}

function requireScale(scale: Json | undefined, path: string, report: DefinitionReport): void {
  if (!isThere(scale)) return;
  for (const [field, starts] of [
    ["specReplicasPath", [".spec."]],
    ["statusReplicasPath", [".status."]],
    ["labelSelectorPath", [".spec.", ".status."]],
  ] as const) {
    const text = textAt(scale, field) ?? "";
    if (text === "" && field === "labelSelectorPath") continue;
    if (!starts.some((start) => text.startsWith(start)))
      refuse(report, `${path}.${field}`, `must begin with ${starts.join(" or ")}`);
  }
}

const COLUMN_TYPES = ["integer", "number", "string", "boolean", "date"];
const COLUMN_FORMATS = ["int32", "int64", "float", "double", "byte", "date", "date-time", "password"];

function requireColumn(column: Json, path: string, report: DefinitionReport): void {
  const [type, format] = [textAt(column, "type") ?? "", textAt(column, "format") ?? ""];
  if ((textAt(column, "name") ?? "") === "") refuse(report, `${path}.name`, "is required");
  if (!COLUMN_TYPES.includes(type)) refuse(report, `${path}.type`, `must be one of ${COLUMN_TYPES.join(", ")}`);
  if (format !== "" && !COLUMN_FORMATS.includes(format)) {
    refuse(report, `${path}.format`, `must be one of ${COLUMN_FORMATS.join(", ")}`);
  }
  if (!(textAt(column, "jsonPath") ?? "").startsWith(".")) refuse(report, `${path}.jsonPath`, "must begin with a dot");
}

export const MOST_SELECTABLE = 8;
const SELECTABLE = ["string", "boolean", "integer"];

function requireSelectable(
  { raw, path, schema }: DefinedVersion,
  toleratesMany: boolean,
  report: DefinitionReport,
): void {
  const fields = listAt(raw, "selectableFields");
  if (fields.length === 0) return;
  if (schema === undefined) return refuse(report, `${path}.selectableFields`, "is not allowed without a schema");
  const known = new Set<string>();
  for (const [i, field] of fields.entries()) {
    const fault = selectableFault(textAt(field, "jsonPath") ?? "", schema, known);
    if (fault !== undefined) refuse(report, `${path}.selectableFields[${i}].jsonPath`, fault);
  }
  if (known.size > MOST_SELECTABLE && !toleratesMany) {
    refuse(report, `${path}.selectableFields`, `must not be more than ${MOST_SELECTABLE}`);
  }
}

function selectableFault(path: string, schema: SchemaProps, known: Set<string>): string | undefined {
  if (path === "") return "is required";
  const found = parseFieldPath(path, schema, false);
  if (found.kind === "invalid") return found.reason;
  const isRepeated = known.has(path);
  known.add(path);
  if (found.names[0] === "metadata") return "can't be a field of metadata";
  if (!SELECTABLE.includes(found.schema?.type ?? "")) return `must be a field of type ${SELECTABLE.join(", ")}`;
  return isRepeated ? "is given twice" : undefined;
}
