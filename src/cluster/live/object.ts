import { type JsonObject, textAt, parseObject } from "../../model/json.ts";
import type { Absence } from "../../model/read.ts";
import type { FoundObject, ObjectLocation, ReadFailure } from "../../model/reader.ts";
import { buildFailure, buildTooLargeFailure, getPathname, toFailedAttempt, toReadFailure } from "../access/failures.ts";
import { attemptGet } from "../access/get-request.ts";
import { type BodyReader, readWholeBody } from "../access/response-body.ts";
import { findObjectMismatch } from "../access/response-identity.ts";
import { type Attempt, withRetries } from "../../network/retry.ts";
import type { GetRequest } from "../access/transport.ts";

/** Several times what an API server stores. */
export const MAX_OBJECT_BYTES = 8 << 20;

export async function getObject(
  request: GetRequest,
  location: ObjectLocation,
): Promise<FoundObject | Absence | ReadFailure> {
  const attempt = (): ReturnType<typeof attemptGet<FoundObject | ReadFailure>> =>
    attemptGet(request, (body) => readObjectBody(request, body, location));
  const outcome = await withRetries(attempt, request.transport.clock, request.signal);
  return outcome.kind === "found" ? outcome : toReadFailure(outcome);
}

async function readObjectBody(
  request: GetRequest,
  body: BodyReader,
  location: ObjectLocation,
): Promise<Attempt<FoundObject | ReadFailure>> {
  const read = await readWholeBody(body, MAX_OBJECT_BYTES);
  if (read.kind === "broken") return toFailedAttempt(request, read.error);
  if (read.kind === "tooLarge")
    return { kind: "done", value: buildTooLargeFailure(request, "The object", MAX_OBJECT_BYTES) };
  const object = parseKubernetesObject(read.text);
  const mismatch = object ? findObjectMismatch(location, object) : "with something other than a Kubernetes object";
  if (object && mismatch === undefined) return { kind: "done", value: { kind: "found", object, bytes: read.bytes } };
  const failure = buildFailure("NotUnderstood", `${getPathname(request)} was answered ${mismatch}`);
  return { kind: "done", value: failure };
}

function parseKubernetesObject(text: string): JsonObject | undefined {
  const value = parseObject(text);
  if (!textAt(value, "apiVersion") || !textAt(value, "kind")) return undefined;
  return textAt(value, "kind") === "Status" ? undefined : value;
}
