import { type JsonObject, textAt, parseObject } from "../model/json.ts";
import type { Absent } from "../model/read.ts";
import type { Found, ReadFailure } from "../model/reader.ts";
import { type Body, type Request, exchange, interrupted, pathOf, readWhole, tooLarge } from "./exchange.ts";
import { failed } from "./failures.ts";
import { LARGEST_OBJECT } from "./limits.ts";
import { type Attempt, withRetries } from "./retry.ts";

/** Reads one object. */
export async function getObject(request: Request): Promise<Found | Absent | ReadFailure> {
  const attempt = (): ReturnType<typeof exchange<Found | ReadFailure>> =>
    exchange(request, (body) => readObject(request, body));
  const outcome = await withRetries(attempt, request.line.clock, request.signal);
  return outcome.kind === "gone" ? failed("ServerError", `${pathOf(request)} is gone (410)`) : outcome;
}

async function readObject(request: Request, body: Body): Promise<Attempt<Found | ReadFailure>> {
  const read = await readWhole(body, LARGEST_OBJECT);
  if (read.kind === "broken") return interrupted(request, read.error);
  if (read.kind === "tooLarge") return { kind: "done", value: tooLarge(request, "The object", LARGEST_OBJECT) };
  const object = kubernetesObject(read.bytes.toString("utf8"));
  if (object) return { kind: "done", value: { kind: "found", object, bytes: read.bytes.length } };
  const failure = failed(
    "NotUnderstood",
    `${pathOf(request)} was answered with something that is no Kubernetes object`,
  );
  return { kind: "done", value: failure };
}

function kubernetesObject(text: string): JsonObject | undefined {
  const value = parseObject(text);
  if (!textAt(value, "apiVersion") || !textAt(value, "kind")) return undefined;
  return textAt(value, "kind") === "Status" ? undefined : value;
}
