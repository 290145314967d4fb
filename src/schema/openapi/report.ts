import { NEWEST_MINOR } from "./server-features.ts";
import { type Json, isList, isNumber, isObject } from "../../model/json.ts";

/**
 * Why an API server refuses a CRD: the path in the definition and the reason. `version` is "" if the path is not within one
 * version.
 */
export type Refusal = { readonly version: string; readonly path: string; readonly reason: string };

/** The verdict on a CRD. `undecided`: parts that preflight can't judge, for which the API server may refuse the CRD. */
export type Verdict = { readonly refusals: readonly Refusal[]; readonly undecided: readonly Refusal[] };

/** Why a schema is refused, and the step to what is wrong. */
export type Fault = readonly [step: string, reason: string];

/** The place that is being judged, by an API server of Kubernetes 1.`minor`, and the refusals that are collected for the whole definition. */
export type Place = {
  readonly report: { readonly refusals: Refusal[]; readonly undecided: Refusal[] };
  readonly minor: number;
  readonly version: string;
  readonly path: string;
};

/** A new report, at the root of what is judged. */
export function startReport(minor = NEWEST_MINOR): Place {
  return { report: { refusals: [], undecided: [] }, minor, version: "", path: "" };
}

/** The first refusal of what is judged by itself. */
export function findFault(judge: (root: Place) => void, minor?: number): Fault | undefined {
  const root = startReport(minor);
  judge(root);
  const [first] = root.report.refusals;
  return first && [first.path, first.reason];
}

/** The place that a step leads to: ".items", "[0]". */
export function enter({ report, minor, version, path }: Place, step: string): Place {
  return { report, minor, version, path: path + step };
}

/** Refuses what is at the end of a step, which is "" for the place itself. */
export function refuse({ report, version, path }: Place, step: string, reason: string): void {
  report.refusals.push({ version, path: path + step, reason });
}

export function leaveUndecided({ report, version, path }: Place, step: string, reason: string): void {
  report.undecided.push({ version, path: path + step, reason });
}

/** The type that the API server decodes a field into. Null counts as absent for all of them. */
export type Shape =
  | { readonly kind: "plain"; readonly expected: string; readonly fits: (value: Json) => boolean }
  | { readonly kind: "list"; readonly item: Shape }
  | { readonly kind: "map"; readonly value: Shape }
  | { readonly kind: "object"; readonly fields: ReadonlyMap<string, Shape> };

/** Refuses a value that is not of the shape. Unknown fields are ignored. */
export function requireShape(value: Json, shape: Shape, place: Place): void {
  if (value === null) return;
  if (shape.kind === "list") return requireItems(value, shape.item, place);
  if (shape.kind !== "plain") return requireFields(value, shape, place);
  if (!shape.fits(value)) refuse(place, "", `must be ${shape.expected}`);
}

function requireItems(value: Json, item: Shape, place: Place): void {
  if (!isList(value)) return refuse(place, "", "must be a list");
  for (const [i, one] of value.entries()) requireShape(one, item, enter(place, `[${i}]`));
}

function requireFields(value: Json, shape: Extract<Shape, { kind: "map" | "object" }>, place: Place): void {
  if (!isObject(value)) return refuse(place, "", "must be an object");
  for (const [key, field] of Object.entries(value)) {
    if (shape.kind === "map") requireShape(field, shape.value, enter(place, `[${key}]`));
    else requireShape(field, shape.fields.get(key) ?? ANY, enter(place, `.${key}`));
  }
}

export function buildPlainShape(expected: string, fits: (value: Json) => boolean): Shape {
  return { kind: "plain", expected, fits };
}

export function buildIntegerShape(bits: 32 | 64): Shape {
  const limit = 2 ** (bits - 1);
  return buildPlainShape("an integer", (value) => {
    if (typeof value === "bigint") return bits === 64;
    return typeof value === "number" && Number.isSafeInteger(value) && value >= -limit && value < limit;
  });
}

/** JSON.parse makes an infinity of what a double can't hold, and the API server refuses it. */
function isFiniteNumber(value: Json): boolean {
  return isNumber(value) && Number.isFinite(Number(value));
}

export const ANY = buildPlainShape("anything", () => true);
export const TEXT = buildPlainShape("a string", (value) => typeof value === "string");
export const FLAG = buildPlainShape("true or false", (value) => typeof value === "boolean");
export const NUMBER = buildPlainShape("a number", isFiniteNumber);
export const INTEGER = buildIntegerShape(64);

/** Fields that all have one shape. */
export function fieldsOf(shape: Shape, ...names: readonly string[]): Readonly<Record<string, Shape>> {
  return Object.fromEntries(names.map((name) => [name, shape]));
}

export function buildObjectShape(fields: Readonly<Record<string, Shape>>): Extract<Shape, { kind: "object" }> {
  return { kind: "object", fields: new Map(Object.entries(fields)) };
}

export function buildListShape(item: Shape): Shape {
  return { kind: "list", item };
}
