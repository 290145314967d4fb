import type { IncomingMessage } from "node:http";
import type { Absent } from "../model/read.ts";
import type { ReadFailure } from "../model/reader.ts";
import { aborted, broken, failed, refusal } from "./failures.ts";
import type { Attempt } from "./retry.ts";
import { type Line, send } from "./send.ts";

/** The next part of a body, `broken` where its connection died. */
export type Part =
  | { readonly kind: "chunk"; readonly chunk: Buffer }
  | { readonly kind: "end" }
  | { readonly kind: "broken"; readonly error: unknown };
export type Body = () => Promise<Part>;

/** `gone`: the API server no longer has the state that was asked for (410 Expired). */
export type Refused = Absent | ReadFailure | { readonly kind: "gone" };

export type Request = {
  readonly line: Line;
  /** With the query. */
  readonly path: string;
  readonly signal: AbortSignal;
  /** The form in which the answer is wanted, where it is not plain JSON. */
  readonly accept?: string;
};

const RETRIED = new Set([429, 500, 502, 503, 504]);
const GONE = 410;
/** The most that is read of an answer that is no success. */
const LARGEST_REFUSAL = 1 << 20;

/** One GET; `consume` reads the body of a 200. Rejects with nothing but what `consume` throws of its own. */
export async function exchange<T>(
  request: Request,
  consume: (body: Body) => Promise<Attempt<T>>,
): Promise<Attempt<T | Refused>> {
  const { signal } = request;
  if (signal.aborted) return { kind: "done", value: aborted(signal, pathOf(request)) };
  const answer = await attemptSend(request);
  if (answer.kind !== "answer") return answer;
  try {
    const body = bodyOf(answer.message);
    return answer.message.statusCode === 200 ? await consume(body) : await refuse(request, answer.message, body);
  } finally {
    if (!answer.message.complete) answer.message.destroy();
  }
}

export function pathOf(request: Request): string {
  return request.path.split("?", 1).join();
}

/** What a broken connection means for the read, unless it broke since nobody wants the answer any more. */
export function interrupted(request: Request, error: unknown): Attempt<ReadFailure> {
  if (request.signal.aborted) return { kind: "done", value: aborted(request.signal, pathOf(request)) };
  const { failure, retry } = broken(error, request.line.connection.server);
  return retry ? { kind: "retry", failure } : { kind: "done", value: failure };
}

type Answer = { readonly kind: "answer"; readonly message: IncomingMessage };

async function attemptSend(request: Request): Promise<Answer | Attempt<ReadFailure>> {
  try {
    return { kind: "answer", message: await send(request.line, request.path, request.signal, request.accept) };
  } catch (error) {
    return interrupted(request, error);
  }
}

function bodyOf(message: IncomingMessage): Body {
  const chunks: AsyncIterator<unknown> = message[Symbol.asyncIterator]();
  return async () => {
    try {
      const next = await chunks.next();
      if (next.done) return { kind: "end" };
      return Buffer.isBuffer(next.value) ? { kind: "chunk", chunk: next.value } : { kind: "end" };
    } catch (error) {
      return { kind: "broken", error };
    }
  };
}

async function refuse(request: Request, message: IncomingMessage, body: Body): Promise<Attempt<Refused>> {
  const status = message.statusCode ?? 0;
  const read = await readWhole(body, LARGEST_REFUSAL);
  if (read.kind === "broken") return interrupted(request, read.error);
  if (status === GONE) return { kind: "done", value: { kind: "gone" } };
  const refused = refusal(status, read.kind === "whole" ? read.bytes.toString("utf8") : "", pathOf(request));
  if (refused.kind === "absent" || !RETRIED.has(status)) return { kind: "done", value: refused };
  return { kind: "retry", failure: refused, retryAfter: message.headers["retry-after"] };
}

export type Whole =
  | { readonly kind: "whole"; readonly bytes: Buffer }
  | { readonly kind: "tooLarge" }
  | { readonly kind: "broken"; readonly error: unknown };

/** A body that has to be small. */
export async function readWhole(body: Body, largest: number): Promise<Whole> {
  const chunks: Buffer[] = [];
  let size = 0;
  for (;;) {
    const part = await body();
    if (part.kind === "broken") return part;
    if (part.kind === "end") return { kind: "whole", bytes: Buffer.concat(chunks) };
    size += part.chunk.length;
    if (size > largest) return { kind: "tooLarge" };
    chunks.push(part.chunk);
  }
}

export function tooLarge(request: Request, what: string, bytes: number): ReadFailure {
  return failed("TooLarge", `${what} of ${pathOf(request)} has more than ${bytes >> 20} MiB`);
}
