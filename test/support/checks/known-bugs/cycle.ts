import embedded from "../../../../src/checks/known-bugs/check.ts";
import type { AffectedVersions } from "../../../../src/data-checks/format/definition.ts";
import type { Reader } from "../../../../src/model/reader.ts";
import type { Outcome, ReportRisk } from "../../../../src/model/report.ts";
import { parseVersion } from "../../../../src/model/version.ts";
import { runCycle } from "../../../../src/runner/cycle.ts";
import { release, version } from "../../fixtures.ts";
import { freezeCheck } from "../../../../src/cases/runner.ts";

export type KnownBugsResult = { readonly outcome: Outcome; readonly risks: readonly ReportRisk[] };

/** Runs a whole cycle of the check. */
export async function runKnownBugs(
  reader: Reader,
  target: string,
  { check = embedded, now = new Date(0) }: { readonly check?: typeof embedded; readonly now?: Date } = {},
): Promise<KnownBugsResult> {
  const result = await runCycle({
    selection: { checks: [freezeCheck(check)] },
    reader,
    target: { kind: "read", version: version(target), select: () => release(target) },
    now,
    signal: new AbortController().signal,
    limits: { concurrency: 4, checkTimeout: 60_000, cycleTimeout: 60_000 },
  });
  if (result.kind === "failed") throw new Error(result.failure.message);
  const [report] = result.report.checks;
  if (!report) throw new Error("no check ran");
  return { outcome: report.outcome, risks: result.report.risks };
}

/** An affected source: the last one before the upper bound, if there is one. */
export function getAffectedSource({ first, sources: [span] = [] }: AffectedVersions): string {
  if (span?.before !== undefined) return getVersionBefore(span.before);
  return span?.from ?? getVersionBefore(first);
}

/** The release before a version; of the previous minor if it is the first of its minor. */
export function getVersionBefore(text: string): string {
  const { major, minor, patch, pre } = version(text);
  if (pre.length > 0 && patch > 0) return `${major}.${minor}.${patch - 1}`;
  const last = Number(pre.at(-1));
  if (last > 0) return `${major}.${minor}.${patch}-${[...pre.slice(0, -1), last - 1].join(".")}`;
  if (patch > 0) return `${major}.${minor}.${patch - 1}`;
  if (pre.length === 0) return `${major}.${minor}.0-rc.99`;
  return minor > 0 ? `${major}.${minor - 1}.99` : "4.22.99";
}

/** The next pre-release or patch release after a version. */
export function getVersionAfter(text: string): string {
  const { major, minor, patch, pre } = version(text);
  const last = Number(pre.at(-1));
  return pre.length > 0
    ? `${major}.${minor}.${patch}-${[...pre.slice(0, -1), last + 1].join(".")}`
    : `${major}.${minor}.${patch + 1}`;
}

export function isVersion(text: string): boolean {
  return parseVersion(text) !== undefined;
}
