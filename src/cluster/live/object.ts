import { type JsonObject, MAX_DEPTH, textAt, parseObject } from "../../model/json.ts";
import type { FoundObject, ObjectLocation, ReadFailure } from "../../model/reader.ts";
import { buildFailure, getPathname, type NotFound, toFailedAttempt, toReadFailure } from "../access/failures.ts";
import { getWithRetries } from "../access/get-request.ts";
import { type BodyReader, readWholeBody } from "../access/response-body.ts";
import { findObjectMismatch } from "../access/response-identity.ts";
import { createJsonSplitter, MAX_NESTED } from "./list-parser.ts";
import type { Attempt } from "../../network/retry.ts";
import type { GetRequest } from "../access/transport.ts";

/** Several times what an API server stores. */
export const MAX_OBJECT_BYTES = 8 << 20;

export function buildObjectTooLargeFailure(request: GetRequest, what: string): ReadFailure {
  const limits = `${MAX_OBJECT_BYTES >> 20} MiB, or more than ${MAX_NESTED.toLocaleString("en")} objects and lists in it, or is nested more than ${MAX_DEPTH.toLocaleString("en")} deep`;
  return buildFailure("TooLarge", `${what} of ${getPathname(request)} has more than ${limits}`);
}

export async function getObject(
  request: GetRequest,
  location: ObjectLocation,
): Promise<FoundObject | NotFound | ReadFailure> {
  const outcome = await getWithRetries(request, (body) => readObjectBody(request, body, location));
  return outcome.kind === "found" ? outcome : toReadFailure(outcome);
}

async function readObjectBody(
  request: GetRequest,
  body: BodyReader,
  location: ObjectLocation,
): Promise<Attempt<FoundObject | ReadFailure>> {
  const read = await readWholeBody(body, MAX_OBJECT_BYTES);
  if (read.kind === "broken") return toFailedAttempt(request, read.error);
  if (read.kind === "tooLarge" || hasTooManyNested(read.text))
    return { kind: "done", value: buildObjectTooLargeFailure(request, "The object") };
  const object = parseKubernetesObject(read.text);
  const mismatch = object ? findObjectMismatch(location, object) : "with something other than a Kubernetes object";
  if (object && mismatch === undefined) return { kind: "done", value: { kind: "found", object, bytes: read.bytes } };
  const failure = buildFailure("NotUnderstood", `${getPathname(request)} was answered ${mismatch}`);
  return { kind: "done", value: failure };
}

/** A shorter text can't be as deep. */
function hasTooManyNested(text: string): boolean {
  return text.length > 2 * MAX_DEPTH && createJsonSplitter(Infinity)(Buffer.from(text), 0).kind === "tooLarge";
}

function parseKubernetesObject(text: string): JsonObject | undefined {
  const value = parseObject(text);
  if (!textAt(value, "apiVersion") || !textAt(value, "kind")) return undefined;
  return textAt(value, "kind") === "Status" ? undefined : value;
}
