import type { JsonObject } from "../../model/json.ts";
import { sortNames } from "../../model/text.ts";
import type { CompiledSchema, FieldError, PruneState, ValidationResult } from "../../schema/crd/index.ts";
import { decodeShown, decodeStored, newPruneState } from "../../schema/crd/index.ts";
import { listWriters } from "../shared/api-use.ts";
import type { ServerSchemas } from "./kind-schemas.ts";

/** The object as its stored version's schema reads it from etcd, and whether that is another one than the version's. */
export type StoredObject = {
  readonly object: JsonObject;
  readonly isConverted: boolean;
  readonly prunedPaths: readonly string[];
};

export function readFromStore(
  object: JsonObject,
  server: ServerSchemas,
  version: string,
  storedIn: string,
): StoredObject {
  const schema = server.get(storedIn);
  if (schema === undefined || schema === server.get(version)) return { object, isConverted: false, prunedPaths: [] };
  const state = newPruneState();
  const read = decodeStored(object, schema.root, schema.isPruning, state);
  return { object: read, isConverted: true, prunedPaths: state.pruned };
}

/** "v1beta1": the versions that the entries of managedFields name. */
export function listManagedVersions(object: JsonObject): readonly string[] {
  const names = listWriters(object).map(({ version }) => version.slice(version.lastIndexOf("/") + 1));
  return sortNames(names);
}

/** As a version shows what was read from etcd. */
export function readThrough({ object, isConverted }: StoredObject, { root, isPruning }: CompiledSchema): JsonObject {
  return decodeShown(object, root, isPruning, isConverted);
}

/** Refuse every write that is to be stored in another version: only reading from etcd drops what is malformed. `live`: as this one has it. */
export function findUnstorable(server: ServerSchemas, version: string, live: JsonObject): readonly FieldError[] {
  return listUnconvertible(storeAs(server, version, live).dropped, server.storage, false);
}

/** What of an object that is written through a version is gone once it is stored, if that is in another one. */
export function storeAs(
  { get, storage }: ServerSchemas,
  version: string,
  object: JsonObject,
): Pick<PruneState, "pruned" | "dropped"> {
  const schema = get(storage);
  const state = newPruneState();
  if (schema !== undefined && schema !== get(version)) decodeStored(object, schema.root, schema.isPruning, state);
  return state;
}

export function listUnconvertible(
  dropped: ValidationResult["droppedFields"],
  version: string,
  isUnreadable: boolean,
): readonly FieldError[] {
  const message = `The API server can't convert this field to version ${version}, where it is one of an embedded resource and malformed`;
  return dropped
    .filter(({ isMalformed }) => isMalformed)
    .map(({ path }) => ({ type: "FieldValueInvalid", path, message, ...(isUnreadable ? { isUnreadable } : {}) }));
}
