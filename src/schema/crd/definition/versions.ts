import type { Json, JsonObject } from "../../../model/json.ts";
import { at, formatCanonicalJson, isObject, listAt, objectAt, textAt, textsAt } from "../../../model/json.ts";
import type { Place, SchemaProps } from "../../openapi/index.ts";
import { countBytes, isDns1035Label, hasFeature, enter, refuse, decodeSchema } from "../../openapi/index.ts";
import { parseFieldPath } from "../rules/rule-language.ts";

/** A version of a CRD; what is refused in it is refused of this version. */
export type DefinedVersion = {
  readonly name: string;
  readonly place: Place;
  readonly raw: Json;
  readonly schema: SchemaProps | undefined;
  readonly isServed: boolean;
  readonly isStorage: boolean;
  readonly hasStatus: boolean;
};

/** Refuses schemas that can't be decoded. */
export function parseVersions(definition: JsonObject, root: Place): readonly DefinedVersion[] {
  return listAt(definition, "spec", "versions").map((raw, i): DefinedVersion => {
    const schema = at(raw, "schema", "openAPIV3Schema");
    const place = enter(root, `spec.versions[${i}]`);
    const name = textAt(raw, "name") ?? "";
    return {
      name,
      place: { ...place, version: name },
      raw,
      schema: isObject(schema) ? decodeSchema(schema, schemaPlace({ place })) : undefined,
      isServed: at(raw, "served") === true,
      isStorage: at(raw, "storage") === true,
      hasStatus: isThere(at(raw, "subresources", "status")),
    };
  });
}

export function schemaPlace({ place }: Pick<DefinedVersion, "place">): Place {
  return enter(place, ".schema.openAPIV3Schema");
}

function isThere(value: Json | undefined): boolean {
  return value !== undefined && value !== null;
}

export function requireVersions(versions: readonly DefinedVersion[], root: Place): void {
  const names = versions.map(({ name }) => name);
  if (new Set(names).size < names.length) refuse(root, "spec.versions", "must not name a version twice");
  if (versions.filter(({ isStorage }) => isStorage).length !== 1) {
    refuse(root, "spec.versions", "must have exactly one version with storage: true");
  }
  for (const [i, name] of names.entries()) {
    if (isDns1035Label(name)) continue;
    refuse(root, `spec.versions[${i}].name`, "must be a DNS label that begins with a letter");
  }
}

/**
 * The API server moves selectable fields that all versions share out of the versions, and then misses the schema for them, unless the
 * versions share their schema, too (Convert_v1_CustomResourceDefinitionSpec_To_apiextensions_CustomResourceDefinitionSpec).
 */
export function requireSharedSchema(versions: readonly DefinedVersion[], root: Place): void {
  if (!hasFeature("selectableFields", root.minor)) return;
  const isShared = (part: (raw: Json) => Json): boolean =>
    new Set(versions.map(({ raw }) => formatCanonicalJson(part(raw)))).size === 1;
  const fieldsOf = (raw: Json): Json => listAt(raw, "selectableFields");
  if (versions.every(({ raw }) => listAt(raw, "selectableFields").length === 0) || !isShared(fieldsOf)) return;
  if (isShared((raw) => objectAt(raw, "schema"))) return;
  const reason = "can't be the same in all versions unless the versions have the same schema, too";
  refuse(root, "spec.selectableFields", reason);
}

/** Versions in which objects may be stored must not be removed. */
export function requireStoredVersions(names: readonly string[], installed: JsonObject | undefined, root: Place): void {
  for (const [i, name] of textsAt(installed, "status", "storedVersions").entries()) {
    if (names.includes(name)) continue;
    const reason = `objects may be stored in ${name}, so spec.versions must still have it`;
    refuse(root, `status.storedVersions[${i}]`, reason);
  }
}

/** The parts of a version other than its schema. */
export function requireVersion(version: DefinedVersion, toleratesMany: boolean): void {
  const { raw, place } = version;
  requireWarning(raw, enter(place, ".deprecationWarning"));
  requireScale(at(raw, "subresources", "scale"), enter(place, ".subresources.scale"));
  for (const [i, column] of listAt(raw, "additionalPrinterColumns").entries()) {
    requireColumn(column, enter(place, `.additionalPrinterColumns[${i}]`));
  }
  if (hasFeature("selectableFields", place.minor))
    requireSelectable(version, toleratesMany, enter(place, ".selectableFields"));
}

const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]*$/u;
const LONGEST_WARNING = 256;

function requireWarning(raw: Json, place: Place): void {
  const warning = textAt(raw, "deprecationWarning");
  if (warning === undefined) return;
  if (at(raw, "deprecated") !== true) return refuse(place, "", "is only allowed for a deprecated version");
  if (warning === "") refuse(place, "", "must not be empty");
  if (countBytes(warning) > LONGEST_WARNING) refuse(place, "", `must not be longer than ${LONGEST_WARNING} bytes`);
  if (!PRINTABLE.test(warning)) refuse(place, "", "must not hold characters that can't be printed");
}

function requireScale(scale: Json | undefined, place: Place): void {
  if (!isThere(scale)) return;
  for (const [field, starts] of [
    ["specReplicasPath", [".spec."]],
    ["statusReplicasPath", [".status."]],
    ["labelSelectorPath", [".spec.", ".status."]],
  ] as const) {
    const text = textAt(scale, field) ?? "";
    if (text === "" && field === "labelSelectorPath") continue;
    if (starts.some((start) => text.startsWith(start))) continue;
    refuse(place, `.${field}`, `must begin with ${starts.join(" or ")}`);
  }
}

const COLUMN_TYPES = ["integer", "number", "string", "boolean", "date"];
const COLUMN_FORMATS = ["int32", "int64", "float", "double", "byte", "date", "date-time", "password"];

function requireColumn(column: Json, place: Place): void {
  const type = textAt(column, "type") ?? "";
  const format = textAt(column, "format") ?? "";
  if ((textAt(column, "name") ?? "") === "") refuse(place, ".name", "is required");
  if (!COLUMN_TYPES.includes(type)) refuse(place, ".type", `must be one of ${COLUMN_TYPES.join(", ")}`);
  if (format !== "" && !COLUMN_FORMATS.includes(format)) {
    refuse(place, ".format", `must be one of ${COLUMN_FORMATS.join(", ")}`);
  }
  if (!(textAt(column, "jsonPath") ?? "").startsWith(".")) refuse(place, ".jsonPath", "must begin with a dot");
}

export const MOST_SELECTABLE = 8;
const SELECTABLE = ["string", "boolean", "integer"];

function requireSelectable({ raw, schema }: DefinedVersion, toleratesMany: boolean, place: Place): void {
  const fields = listAt(raw, "selectableFields");
  if (fields.length === 0) return;
  if (schema === undefined) return refuse(place, "", "is not allowed without a schema");
  const known = new Set<string>();
  for (const [i, field] of fields.entries()) {
    const fault = selectableFault(textAt(field, "jsonPath") ?? "", schema, known);
    if (fault !== undefined) refuse(place, `[${i}].jsonPath`, fault);
  }
  if (known.size <= MOST_SELECTABLE || toleratesMany) return;
  refuse(place, "", `must not be more than ${MOST_SELECTABLE}`);
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
