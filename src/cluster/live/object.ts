import { type JsonObject, textAt, parseObject } from "../../model/json.ts";
import type { Absence } from "../../model/read.ts";
import type { FoundObject, ReadFailure } from "../../model/reader.ts";
import {
  type BodyReader,
  type GetRequest,
  attemptGet,
  toFailedAttempt,
  getPathname,
  readWholeBody,
  buildTooLargeFailure,
} from "../access/get-request.ts";
import { buildFailure } from "../access/failures.ts";
import { MAX_OBJECT_BYTES } from "./limits.ts";
import { type Attempt, withRetries } from "../access/retry.ts";

/** Reads one object. */
export async function getObject(request: GetRequest): Promise<FoundObject | Absence | ReadFailure> {
  const attempt = (): ReturnType<typeof attemptGet<FoundObject | ReadFailure>> =>
    attemptGet(request, (body) => readObjectBody(request, body));
  const outcome = await withRetries(attempt, request.transport.clock, request.signal);
  return outcome.kind === "gone" ? buildFailure("ServerError", `${getPathname(request)} is gone (410)`) : outcome;
}

async function readObjectBody(request: GetRequest, body: BodyReader): Promise<Attempt<FoundObject | ReadFailure>> {
  const read = await readWholeBody(body, MAX_OBJECT_BYTES);
  if (read.kind === "broken") return toFailedAttempt(request, read.error);
  if (read.kind === "tooLarge")
    return { kind: "done", value: buildTooLargeFailure(request, "The object", MAX_OBJECT_BYTES) };
  const object = parseKubernetesObject(read.bytes.toString("utf8"));
  if (object) return { kind: "done", value: { kind: "found", object, bytes: read.bytes.length } };
  const failure = buildFailure(
    "NotUnderstood",
    `${getPathname(request)} was answered with something that is no Kubernetes object`,
  );
  return { kind: "done", value: failure };
}

function parseKubernetesObject(text: string): JsonObject | undefined {
  const value = parseObject(text);
  if (!textAt(value, "apiVersion") || !textAt(value, "kind")) return undefined;
  return textAt(value, "kind") === "Status" ? undefined : value;
}
