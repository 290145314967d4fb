import type { LineVisitor, RawSummary, ReadFailure } from "../../model/reader.ts";
import { buildTooLargeFailure, type NotFound, toFailedAttempt, toReadFailure } from "../access/failures.ts";
import { attemptGet } from "../access/get-request.ts";
import { createLineSplitter } from "../../encoding/line-splitter.ts";
import type { BodyReader } from "../access/response-body.ts";
import { type Attempt, withRetries } from "../../network/retry.ts";
import type { GetRequest } from "../access/transport.ts";

const MAX_LINE_BYTES = 1 << 20;

/** Reads a text line by line: the metrics of an API server have several MB, and memory holds one line. */
export async function readLines(
  request: GetRequest,
  begin: () => LineVisitor,
): Promise<RawSummary | NotFound | ReadFailure> {
  const attempt = (): ReturnType<typeof attemptGet<RawSummary | ReadFailure>> =>
    attemptGet(request, (body) => visitLines(request, body, begin()));
  const outcome = await withRetries(attempt, request.transport.clock, request.signal);
  return outcome.kind === "read" ? outcome : toReadFailure(outcome);
}

async function visitLines(
  request: GetRequest,
  body: BodyReader,
  visit: LineVisitor,
): Promise<Attempt<RawSummary | ReadFailure>> {
  const split = createLineSplitter(MAX_LINE_BYTES);
  let bytes = 0;
  for (;;) {
    const part = await body();
    if (part.kind === "broken") return toFailedAttempt(request, part.error);
    const lines = split(part.kind === "end" ? undefined : part.chunk);
    if (lines === undefined) return { kind: "done", value: buildTooLargeFailure(request, "A line", MAX_LINE_BYTES) };
    for (const line of lines) visit(line);
    if (part.kind === "end") return { kind: "done", value: { kind: "read", bytes } };
    bytes += part.chunk.length;
  }
}
