import { type Json, isList, isObject } from "../../../model/json.ts";
import { type Place, enter, refuse } from "./report.ts";

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
  // JSON.parse rounds the greatest integer of 64 bits to the limit, which is what the limit less one is here, too.
  return buildPlainShape(
    "an integer",
    (value) => typeof value === "number" && Number.isInteger(value) && value >= -limit && value <= limit - 1,
  );
}

export const ANY = buildPlainShape("anything", () => true);
export const TEXT = buildPlainShape("a string", (value) => typeof value === "string");
export const FLAG = buildPlainShape("true or false", (value) => typeof value === "boolean");
export const NUMBER = buildPlainShape("a number", (value) => typeof value === "number");
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
