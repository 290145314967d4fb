import { TABLE_MINOR, type FieldRow, listFieldRows } from "../../data-checks/kinds/kind-table.ts";
import { type Json, type JsonObject, findOwn, isList, isObject } from "../../model/json.ts";
import type { ManifestFinding, ManifestPath, ManifestUnknown } from "../../model/manifest.ts";
import { formatManifestPath } from "../../model/manifest.ts";
import { findNearestName } from "../../model/text.ts";
import { buildRefusal, findConstraintFaults } from "./constraint-faults.ts";
import { FIELD_TYPES, describeValue } from "./field-types.ts";

/** What was found so far, and the minor of Kubernetes 1 that judges. */
type FieldWalk = {
  readonly kubernetes: number;
  readonly findings: ManifestFinding[];
  readonly unknowns: ManifestUnknown[];
};

/** Judges the fields of an object as the API server's decoder does, and what is missing. `type`: of the table of kinds. */
export function judgeFields(
  object: JsonObject,
  type: string,
  kubernetes: number,
): Pick<FieldWalk, "findings" | "unknowns"> {
  const walk: FieldWalk = { kubernetes, findings: [], unknowns: [] };
  judgeObject(walk, object, type, []);
  return walk;
}

/** A null is decoded as if the field were absent. */
function judgeValue(walk: FieldWalk, value: Json, type: string, path: ManifestPath): void {
  if (value === null || type === "any") return;
  const inner = type.slice(1, -1);
  if (type.startsWith("[")) {
    if (!isList(value)) return refuse(walk, path, value, "a list");
    // An item that is null is decoded as an empty one.
    for (const [i, item] of value.entries()) judgeValue(walk, item ?? getEmptyItem(inner), inner, [...path, i]);
  } else if (type.startsWith("{")) {
    if (!isObject(value)) return refuse(walk, path, value, "a map");
    for (const [key, item] of Object.entries(value)) judgeValue(walk, item, inner, [...path, key]);
  } else if (type.startsWith("(")) judgeChoice(walk, value, inner.split("|"), path);
  else judgePlain(walk, value, type, path);
}

function getEmptyItem(type: string): Json {
  return listFields(type).size === 0 ? null : {};
}

function judgePlain(walk: FieldWalk, value: Json, type: string, path: ManifestPath): void {
  const plain = findOwn(FIELD_TYPES, type);
  if (plain === undefined && !isObject(value)) refuse(walk, path, value, "a map");
  else if (plain === undefined && isObject(value)) judgeObject(walk, value, type, path);
  else if (plain?.accepts(value) === false) {
    const meant = typeof value === "string" ? plain.edit?.(value) : undefined;
    refuse(walk, path, value, plain.wanted, meant);
  }
}

/** `meant`: what a value in quotes says without them, if that is what is wanted. */
function refuse({ findings }: FieldWalk, path: ManifestPath, value: Json, wanted: string, meant?: Json): void {
  const message = `${formatManifestPath(path)} is ${describeValue(value)}, and the API server accepts ${wanted} only.`;
  findings.push(
    meant === undefined
      ? buildRefusal(path, message, `Write ${wanted}.`)
      : {
          ...buildRefusal(path, message, `Write ${describeValue(meant)} without quotes.`),
          edits: [{ kind: "set", path, value: meant }],
        },
  );
}

/** An empty text stands for the default. */
function judgeChoice(walk: FieldWalk, value: Json, choices: readonly string[], path: ManifestPath): void {
  if (typeof value !== "string") return refuse(walk, path, value, "a string");
  if (value === "" || choices.includes(value)) return;
  const field = formatManifestPath(path);
  const message = `${field} is ${describeValue(value)}, and Kubernetes 1.${TABLE_MINOR} accepts ${choices.join(", ")} only.`;
  if (walk.kubernetes > TABLE_MINOR) {
    walk.unknowns.push({ reason: "LaterRelease", path, message });
    return;
  }
  const near = choices.find((one) => one.toLowerCase() === value.toLowerCase());
  const nearest = near ?? findNearestName(value, choices);
  const remedy = nearest === undefined ? `Write one of ${choices.join(", ")}.` : `Write ${nearest}.`;
  const edits: Pick<ManifestFinding, "edits"> =
    near === undefined ? {} : { edits: [{ kind: "set", path, value: near }] };
  walk.findings.push({ ...buildRefusal(path, message, remedy), ...edits });
}

function judgeObject(walk: FieldWalk, object: JsonObject, type: string, path: ManifestPath): void {
  const fields = listFields(type);
  // The fields of some types are nowhere described.
  if (fields.size === 0) return;
  for (const [name, value] of Object.entries(object)) {
    const field = fields.get(name);
    const inner = [...path, name];
    if (field === undefined) dropUnknown(walk, object, fields, inner);
    else if (isKnown(field, walk.kubernetes)) judgeValue(walk, value, field.type, inner);
    else dropOther(walk, field, inner);
  }
  for (const { name, isEnforced } of fields.values())
    if (isEnforced && isEmpty(object[name]))
      requireField(walk, [...path, name], name in object ? [...path, name] : path);
  walk.findings.push(...findConstraintFaults(object, type, path));
}

function isEmpty(value: Json | undefined): boolean {
  return value === undefined || value === null || value === "" || (isList(value) && value.length === 0);
}

function requireField({ findings }: FieldWalk, field: ManifestPath, path: ManifestPath): void {
  const name = formatManifestPath(field);
  const message = `${name} is missing or empty, and the API server requires it.`;
  findings.push(buildRefusal(path, message, `Write ${name}.`));
}

function isKnown({ since = 0, until = Infinity }: FieldRow, kubernetes: number): boolean {
  return since <= kubernetes && kubernetes <= until;
}

function dropOther({ findings, kubernetes }: FieldWalk, { since = 0, until }: FieldRow, path: ManifestPath): void {
  const known = kubernetes < since ? `from 1.${since} on` : `up to 1.${until}`;
  const message = `Kubernetes 1.${kubernetes} drops ${formatManifestPath(path)}, which it knows ${known}.`;
  findings.push({ risk: "UnknownField", effect: "dropped", path, message, remedy: "Leave it out for this release." });
}

function dropUnknown(
  walk: FieldWalk,
  object: JsonObject,
  fields: ReadonlyMap<string, FieldRow>,
  path: ManifestPath,
): void {
  const name = String(path.at(-1));
  const field = formatManifestPath(path);
  if (walk.kubernetes > TABLE_MINOR) {
    const message = `Kubernetes 1.${TABLE_MINOR} knows no field ${field}. A later release may.`;
    walk.unknowns.push({ reason: "LaterRelease", path, message });
    return;
  }
  const names = [...fields.values()].filter((one) => isKnown(one, walk.kubernetes)).map((one) => one.name);
  const same = names.find((one) => simplify(one) === simplify(name) && !(one in object));
  const nearest = same ?? findNearestName(name, names, MOST_WRONG);
  walk.findings.push({
    risk: "UnknownField",
    effect: "dropped",
    path,
    message: `The API server drops ${field}: Kubernetes 1.${walk.kubernetes} knows no such field.`,
    remedy: nearest === undefined ? "Leave it out, or write it where it belongs." : `Write ${nearest}.`,
    ...(same === undefined ? {} : { edits: [{ kind: "rename", path, to: same }] }),
  });
}

/** Letters: with more of them it is another name. */
const MOST_WRONG = 2;

function simplify(name: string): string {
  return name.replaceAll(/[-_]/g, "").toLowerCase();
}

const known = new Map<string, ReadonlyMap<string, FieldRow>>();

function listFields(type: string): ReadonlyMap<string, FieldRow> {
  const fields = known.get(type) ?? new Map(listFieldRows(type).map((row) => [row.name, row] as const));
  known.set(type, fields);
  return fields;
}
