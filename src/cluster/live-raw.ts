import type { Absent } from "../model/read.ts";
import type { LineVisitor, RawDone, ReadFailure } from "../model/reader.ts";
import { type Body, type Request, exchange, interrupted, pathOf, tooLarge } from "./exchange.ts";
import { failed } from "./failures.ts";
import { LARGEST_LINE } from "./limits.ts";
import { lineSplitter } from "./lines.ts";
import { type Attempt, withRetries } from "./retry.ts";

/** Reads a text line by line; an API server's metrics have several MB, of which no more than a line is held. */
export async function readLines(request: Request, begin: () => LineVisitor): Promise<RawDone | Absent | ReadFailure> {
  const attempt = (): ReturnType<typeof exchange<RawDone | ReadFailure>> =>
    exchange(request, (body) => visitLines(request, body, begin()));
  const outcome = await withRetries(attempt, request.line.clock, request.signal);
  return outcome.kind === "gone" ? failed("ServerError", `${pathOf(request)} is gone (410)`) : outcome;
}

async function visitLines(request: Request, body: Body, visit: LineVisitor): Promise<Attempt<RawDone | ReadFailure>> {
  const split = lineSplitter(LARGEST_LINE);
  let bytes = 0;
  for (;;) {
    const part = await body();
    if (part.kind === "broken") return interrupted(request, part.error);
    const lines = split(part.kind === "end" ? undefined : part.chunk);
    if (lines === undefined) return { kind: "done", value: tooLarge(request, "A line", LARGEST_LINE) };
    for (const line of lines) visit(line);
    if (part.kind === "end") return { kind: "done", value: { kind: "read", bytes } };
    bytes += part.chunk.length;
  }
}
