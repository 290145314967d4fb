import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { checks } from "../../src/checks/index.ts";
import { selectOfSubject } from "../../src/cli/checks/check-selection.ts";
import { getExitCode } from "../../src/cli/session/result.ts";
import { decide } from "../../src/format/view/decision.ts";
import { type JsonObject, parseObject } from "../../src/model/json.ts";
import type { Reader } from "../../src/model/reader.ts";
import { type CycleResult, findingsOf, type Report } from "../../src/model/report.ts";
import { formatRef } from "../../src/model/resource.ts";
import { isComplete } from "../../src/model/unseen.ts";
import { readPayload } from "../../src/release/payload/payload-reader.ts";
import { selectRelease } from "../../src/release/payload/release-selection.ts";
import { runCycle } from "../../src/runner/cycle.ts";
import type { CycleLimits } from "../../src/runner/gather/gathering.ts";

const DEMO = join(import.meta.dirname, "..", "..", "demo");

export function readDemo(): JsonObject {
  return parseObject(readFileSync(join(DEMO, "cluster.json"), "utf8")) ?? {};
}

/** One cycle of all checks against the demo's target. */
export async function checkDemo(reader: Reader, limits: Partial<CycleLimits> = {}): Promise<CycleResult> {
  const read = await readPayload(join(DEMO, "release"));
  if (read.kind === "failed") assert.fail(read.failure.message);
  const { payload } = read;
  return runCycle({
    selection: { checks: selectOfSubject(checks) },
    reader,
    target: { kind: "read", version: payload.version, select: (facts) => selectRelease(payload, facts) },
    now: new Date(0),
    signal: new AbortController().signal,
    limits: { concurrency: 4, checkTimeout: 60_000, cycleTimeout: 60_000, ...limits },
  });
}

export async function reportDemo(reader: Reader): Promise<Report> {
  const result = await checkDemo(reader);
  if (result.kind === "failed") assert.fail(result.failure.message);
  return result.report;
}

/**
 * What came out better than on the whole cluster, with no unknown of its own: checks, and the result as a whole. A cycle that failed
 * hides nothing.
 */
export function listHidden(whole: Report, result: CycleResult): readonly string[] {
  if (result.kind === "failed") return [];
  const { report } = result;
  const hidden = whole.checks.flatMap(({ id, outcome: before }) => {
    const after = report.checks.find((one) => one.id === id)?.outcome;
    if (after?.kind === "unknown") return [];
    const left = new Set(after && listFindings(after));
    const isSame = after?.kind === before.kind && listFindings(before).every((finding) => left.has(finding));
    return isSame ? [] : [`${id}: ${before.kind} became ${after?.kind}`];
  });
  const seen = report.coverage.objects;
  const all = whole.coverage.objects;
  if (isComplete(report) && seen < all) hidden.push(`complete with ${seen} of ${all} objects`);
  if (getCode(report) === 0 && getCode(whole) !== 0) hidden.push(`exit code 0 instead of ${getCode(whole)}`);
  return hidden;
}

function getCode(report: Report): number {
  return getExitCode([decide(report, { accepted: new Set() }).kind], "incomplete");
}

function listFindings(outcome: Report["checks"][number]["outcome"]): readonly string[] {
  return findingsOf(outcome).map(({ risk, object, path }) => [risk, formatRef(object), path ?? ""].join(" "));
}
