import { each } from "../../../src/model/read.ts";
import type { CycleResult } from "../../../src/model/report.ts";
import { runCycle } from "../../../src/runner/cycle.ts";
import { fakeReader } from "../../../verify/api-server/fake-reader.ts";
import { checkWith, clusterRunning, release, version } from "../fixtures.ts";

/** A cycle of two checks: one throws a text, and one can't read its list because of it. */
export async function runThrowingCycle(text: string): Promise<CycleResult> {
  const throwing = checkWith({
    id: "throwing",
    evaluate() {
      throw new Error(text, { cause: new Error(text) });
    },
  });
  const unread = checkWith({ id: "unread", reads: () => ({ nodes: each("v1/nodes", () => true) }) });
  return runCycle({
    selection: { checks: [throwing, unread] },
    reader: fakeReader({
      ...clusterRunning("4.18.8"),
      "/api/v1/nodes": { kind: "failed", reason: "ServerError", message: text },
    }),
    target: { kind: "read", version: version("4.19.3"), select: () => release("4.19.3") },
    now: new Date(0),
    signal: new AbortController().signal,
    limits: { concurrency: 4, checkTimeout: 5_000, cycleTimeout: 10_000 },
  });
}
