import { type JsonObject, compareText, isObject, objectAt, textAt } from "../../../model/json.ts";
import {
  type DroppedField,
  type FieldError,
  compareErrors,
  decodeObjectMeta,
  findObjectMetaFault,
  formatBracketPath,
} from "../../openapi/index.ts";
import type { CompiledSchema } from "../objects/schema-compiler.ts";
import { decodeRequest, decodeStored, newPruneState } from "../objects/stored-object.ts";
import { validateObjectMeta } from "./embedded-resource.ts";
import { type UpdateResult, validateCreate, validateUpdate } from "./object-validation.ts";

/** What an API server makes of a new object. `droppedPaths`: fields that it takes and does not store. */
export type RequestResult = UpdateResult & { readonly droppedPaths: readonly string[] };

/** Validates an object that a client sends as a new one, with its metadata. Its apiVersion and kind are not checked: it must be of the schema's version. */
export function validateRequest(compiled: CompiledSchema, object: JsonObject): RequestResult {
  const { errors, ...result } = validateCreate(compiled, object);
  return withForm(compiled, object, errors, result);
}

/**
 * Validates an object that a client writes in place of a stored one, which is as the schema's version shows it. The status stays if it has a
 * subresource. Without ratcheting, what was wrong before counts as well.
 */
export function validateReplacement(
  compiled: CompiledSchema,
  object: JsonObject,
  stored: JsonObject,
  hasRatcheting: boolean,
): RequestResult {
  const { root, isPruning, hasStatus } = compiled;
  const { status: _status, ...rest } = object;
  const { status } = stored;
  const written = hasStatus ? { ...rest, ...(status === undefined ? {} : { status }) } : object;
  const { errors, ...result } = validateUpdate(compiled, stored, () => decodeRequest(written, root, isPruning));
  const asNew = hasRatcheting ? [] : validateCreate(compiled, object).errors;
  const isKnown = (error: FieldError): boolean =>
    errors.some(({ path, message }) => path === error.path && message === error.message);
  return withForm(compiled, object, [...errors, ...asNew.filter((error) => !isKnown(error))], result);
}

/** What is judged before the schema: metadata, and fields that can't be read or are dropped. */
function withForm(
  compiled: CompiledSchema,
  object: JsonObject,
  errors: readonly FieldError[],
  result: Pick<UpdateResult, "unevaluatedRules" | "isTruncated">,
): RequestResult {
  const { malformed, unknown } = findDropped(compiled, object);
  return {
    ...result,
    errors: [...validateMetadata(object["metadata"]), ...malformed, ...errors].toSorted(compareErrors),
    droppedPaths: unknown,
  };
}

function validateMetadata(metadata: JsonObject[string] | undefined): readonly FieldError[] {
  if (!isObject(metadata ?? {})) return [invalid("metadata", "The metadata must be an object")];
  const fault = findObjectMetaFault(objectAt(metadata));
  if (fault !== undefined) return [invalid(`metadata${fault[0]}`, `This field ${fault[1]}`)];
  const faults = [...validateObjectMeta(metadata)].map(({ field, ...error }) => ({
    ...error,
    path: formatBracketPath(field),
  }));
  // An empty name has a fault of its own.
  if (textAt(metadata, "name") !== undefined || textAt(metadata, "generateName")) return faults;
  return [...faults, { type: "FieldValueRequired", path: "metadata.name", message: "The object must have a name" }];
}

function invalid(path: string, message: string): FieldError {
  return { type: "FieldValueInvalid", path, message };
}

type DroppedFields = { readonly malformed: readonly FieldError[]; readonly unknown: readonly string[] };

/** What the API server drops of an embedded resource that it reads from etcd, it refuses in a request. */
function findDropped({ root, isPruning }: CompiledSchema, object: JsonObject): DroppedFields {
  const state = newPruneState("request");
  decodeStored(object, root, isPruning, state);
  const own = decodeObjectMeta(objectAt(object, "metadata")).dropped.filter((one) => !one.isMalformed);
  const { malformed = [], unknown = [] } = Object.groupBy(state.dropped, ({ isMalformed }) =>
    isMalformed ? "malformed" : "unknown",
  );
  const paths = [...state.pruned, ...[...unknown, ...own.map(inMetadata)].map(({ path }) => path)];
  return {
    malformed: malformed.map(({ path }) =>
      invalid(path, "The API server can't read this field of the embedded resource"),
    ),
    unknown: paths.toSorted(compareText),
  };
}

function inMetadata({ path }: DroppedField): { readonly path: string } {
  return { path: `metadata.${path}` };
}
