import { type Json, type JsonObject, formatCanonicalJson, isObject } from "../../src/model/json.ts";
import type { Outcome } from "./verdict.ts";

/**
 * An object of a round: as it is sent first; the version in which it is stored, absent if it was refused; what etcd has of it, if that can be
 * known; and, for each version, as it is shown before the update, what writes are answered then, and other objects' spec or status that it
 * gets after the update.
 */
export type Sample = {
  readonly object: JsonObject;
  readonly storedIn?: string;
  readonly stored?: JsonObject;
  readonly shown: Readonly<Record<string, JsonObject>>;
  readonly today: Readonly<Record<string, Outcome>>;
  readonly parts: Readonly<Record<string, Parts>>;
};

export type Parts = { readonly edit?: JsonObject; readonly status?: JsonObject };

/** How many of the next objects of a round may lend an object their spec and status. */
export const PARTNERS = 3;

/** The first value that one of the objects has, as the part of a sample. */
export function findField(others: readonly JsonObject[], part: keyof Parts, field: string): Parts {
  const value = others.find((other) => other[field] !== undefined)?.[field];
  return value === undefined ? {} : { [part]: { [field]: value } };
}

/** What the API server returns; metadata is left out, since servers add to it. */
export function formatRead(object: Json): string {
  return formatCanonicalJson(isObject(object) ? { ...object, metadata: {} } : object);
}
