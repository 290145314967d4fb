import { type Json, type JsonObject, isList, isObject, textAt } from "../../model/json.ts";
import type { ManifestEdit, ManifestFinding, ManifestPath } from "../../model/manifest.ts";
import { formatManifestPath } from "../../model/manifest.ts";
import { joinNames } from "../../model/text.ts";
import {
  LABEL_KEY,
  LABEL_VALUE,
  type NameFormat,
  PORT_NAME,
  findChoice,
  findFormat,
  findRange,
  findUniqueField,
  hasLabels,
} from "./constraints.ts";
import { describeValue } from "./field-types.ts";

/** What the API server's validation refuses in an object of a type, or a part of one, by the constraints of its fields. */
export function findConstraintFaults(object: JsonObject, type: string, path: ManifestPath): readonly ManifestFinding[] {
  return [
    ...findChoiceFaults(object, type, path),
    ...Object.entries(object).flatMap(([field, value]) => findFieldFaults(type, field, value, [...path, field])),
  ];
}

function findFieldFaults(type: string, field: string, value: Json, path: ManifestPath): readonly ManifestFinding[] {
  if (typeof value === "number") return findRangeFaults(type, field, value, path);
  if (typeof value === "string") return findFormatFaults(value, findFormat(type, field), path);
  if (isObject(value)) return hasLabels(type, field, path) ? findLabelFaults(value, path) : [];
  if (!isList(value)) return [];
  const unique = findUniqueField(type, field);
  return [
    ...value.flatMap((item, i) =>
      isObject(item) || isList(item) ? [] : findFieldFaults(type, field, item, [...path, i]),
    ),
    ...(unique === undefined ? [] : findTwins(value, unique, path)),
  ];
}

function findRangeFaults(type: string, field: string, value: number, path: ManifestPath): readonly ManifestFinding[] {
  const [least, most] = findRange(type, field) ?? [-Infinity, Infinity];
  if (least <= value && value <= most) return [];
  const wanted = most === Infinity ? `${least} or more` : `${least} to ${most}`;
  return [refuseValue(path, value, wanted, `Write a number of ${wanted}.`)];
}

/** A format of one more field of an object. An empty name is an absent one. */
export function findFormatFaults(
  value: string,
  format: NameFormat | undefined,
  path: ManifestPath,
): readonly ManifestFinding[] {
  if (format === undefined || value === "" || (value.length <= format.most && format.pattern.test(value))) return [];
  const length = format.most === Infinity ? "" : `at most ${format.most} characters: `;
  const wanted = `${length}${format.wanted}`;
  const isNumber = format === PORT_NAME && /^[1-9]\d{0,4}$/.test(value);
  const edits: readonly ManifestEdit[] = isNumber ? [{ kind: "set", path, value: Number(value) }] : [];
  const remedy = isNumber ? `Write ${value} without quotes.` : `Write ${wanted}.`;
  return [{ ...refuseValue(path, value, wanted, remedy), ...(isNumber ? { edits } : {}) }];
}

function findLabelFaults(labels: JsonObject, path: ManifestPath): readonly ManifestFinding[] {
  return Object.entries(labels).flatMap(([key, value]) => [
    ...findFormatFaults(key, LABEL_KEY, [...path, key]),
    ...(typeof value === "string" ? findFormatFaults(value, LABEL_VALUE, [...path, key]) : []),
  ]);
}

function findTwins(items: readonly Json[], field: string, path: ManifestPath): readonly ManifestFinding[] {
  const seen = new Set<string>();
  return items.flatMap((item, i) => {
    const value = textAt(item, field) ?? "";
    const isTwin = value !== "" && seen.has(value);
    seen.add(value);
    if (!isTwin) return [];
    const where = [...path, i, field];
    return [refuseValue(where, value, "each value once", `Write another ${field}, or leave out this item.`)];
  });
}

function findChoiceFaults(object: JsonObject, type: string, path: ManifestPath): readonly ManifestFinding[] {
  const choice = findChoice(type);
  if (choice === undefined) return [];
  const present = choice.fields.filter((field) => hasValue(object, field));
  const where = path.length === 0 ? "It" : formatManifestPath(path);
  const names = joinNames(choice.fields);
  const remedy = `Write one of ${names}.`;
  const [, second] = present;
  if (second !== undefined)
    return [
      buildRefusal([...path, second], `${where} has ${joinNames(present)}, and the API server accepts one.`, remedy),
    ];
  if (present.length >= choice.least) return [];
  return [buildRefusal(path, `${where} has none of ${names}, and the API server requires one.`, remedy)];
}

function hasValue(object: JsonObject, field: string): boolean {
  const value = Object.hasOwn(object, field) ? object[field] : undefined;
  return value !== undefined && value !== null && value !== "" && value !== 0;
}

export function refuseValue(path: ManifestPath, value: Json, wanted: string, remedy: string): ManifestFinding {
  const message = `${formatManifestPath(path)} is ${describeValue(value)}, and the API server accepts ${wanted}.`;
  return buildRefusal(path, message, remedy);
}

export function buildRefusal(path: ManifestPath, message: string, remedy: string): ManifestFinding {
  return { risk: "InvalidField", effect: "refused", path, message, remedy };
}
