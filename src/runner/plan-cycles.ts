import type { Check, Finding } from "../model/check.ts";
import type { PendingCheck, StepResult } from "../model/plan.ts";
import type { ClusterFacts, ReleaseSelector } from "../model/release.ts";
import type { CycleFailure, CycleResult, Report } from "../model/report.ts";
import { buildRefKey } from "../model/resource.ts";
import { redactText } from "../model/secrets/redact-text.ts";
import { type CycleBase, runCycles } from "./cycle.ts";
import type { CycleSelection, CycleTarget, FindChecks } from "./updates/update.ts";

/** The release of one step, or why there is none. */
export type StepRelease = CycleTarget | { readonly kind: "absent"; readonly message: string };

export type StepsResult =
  | { readonly kind: "completed"; readonly results: readonly StepResult[] }
  | { readonly kind: "failed"; readonly failure: CycleFailure };

/** The facts of the cluster after an update that follow from its release. */
type KnownFacts = Partial<Pick<ClusterFacts, "version" | "capabilities">>;

/** Releases that are in memory at the same time. Each takes some 5 MiB, and a route may have a hundred updates. */
const MOST_AT_ONCE = 8;

/**
 * Checks each update of a route with its own release, and reads the cluster once for all of them, or for some at a time. A later update
 * starts from the release before it: its version and capabilities are assumed. A release that is not at hand is passed over, and the next
 * one is then checked from the last one that is.
 */
export async function runSteps(
  { selection, ...input }: CycleBase,
  readTargets: readonly (() => Promise<StepRelease>)[],
): Promise<StepsResult> {
  const results: StepResult[] = [];
  const checks = new Map(selection.checks.map((check) => [check.id, check]));
  const watched = rememberFound(selection, (check) => void checks.set(check.id, check));
  let known: KnownFacts = {};
  for (let first = 0; first < readTargets.length; first += MOST_AT_ONCE) {
    const releases = await readInTurn(readTargets.slice(first, first + MOST_AT_ONCE));
    const targets = releases
      .filter((release) => release.kind !== "absent")
      .map((target) => assumeUpdated(target, { get: () => known, set: (after) => void (known = after) }));
    const cycles = targets.length === 0 ? [] : await runCycles({ ...input, selection: watched, targets });
    const checked = cycles.values();
    for (const release of releases) {
      if (release.kind === "absent") {
        results.push({ kind: "notChecked", message: redactText(release.message) });
        continue;
      }
      const { value } = checked.next();
      if (value === undefined) throw new Error("a step has a result");
      if (value.kind === "failed") return value;
      results.push(buildStepResult(value, [...checks.values()], results));
    }
  }
  return { kind: "completed", results };
}

async function readInTurn<T>(reads: readonly (() => Promise<T>)[]): Promise<readonly T[]> {
  const found: T[] = [];
  for (const read of reads) found.push(await read());
  return found;
}

function rememberFound(selection: CycleSelection, onFound: (check: Check) => void): CycleSelection {
  const { findChecks } = selection;
  if (findChecks === undefined) return selection;
  const find: FindChecks = async (update) => {
    const found = await findChecks(update);
    found.checks.forEach(onFound);
    return found;
  };
  return { ...selection, findChecks: find };
}

/** Releases are selected in the order of the route: each begins with what the one before it has set. */
function assumeUpdated(
  target: CycleTarget,
  facts: { readonly get: () => KnownFacts; readonly set: (after: KnownFacts) => void },
): CycleTarget {
  if (target.kind === "failed") return target;
  const select: ReleaseSelector = (of) => {
    const release = target.select(of);
    const { version, capabilities } = release;
    facts.set({ version, capabilities: { known: capabilities.known, enabled: capabilities.enabled } });
    return release;
  };
  return { ...target, select, assumeFacts: (read) => ({ ...read, ...facts.get() }) };
}

function buildStepResult(
  { report }: Extract<CycleResult, { kind: "completed" }>,
  checks: readonly Check[],
  earlier: readonly StepResult[],
): StepResult {
  const pending = earlier.length === 0 ? [] : findPending(report, checks);
  const knownAhead = new Set(checks.filter(({ special }) => special?.isKnownAhead).map(({ id }) => id));
  const open = pending.filter(({ id }) => !knownAhead.has(id));
  const decided = omitChecks(report, new Set(open.map(({ id }) => id)));
  return { kind: "checked", report: decided, pending, repeated: findRepeated(decided, earlier) };
}

/** The checks that apply to a later update, but judge what the update before it changes. */
function findPending(report: Report, checks: readonly Check[]): readonly PendingCheck[] {
  const reasons = new Map(
    checks.map(({ id, seenAfterUpdate, hosted }) => [
      id,
      (report.isHosted === true ? hosted?.seenAfterUpdate : undefined) ?? seenAfterUpdate,
    ]),
  );
  return report.checks.flatMap(({ id, outcome, leftOut }) => {
    const reason = leftOut === undefined ? reasons.get(id) : undefined;
    return reason === undefined || outcome.kind === "notApplicable" ? [] : [{ id, reason }];
  });
}

function omitChecks(report: Report, ids: ReadonlySet<string>): Report {
  return {
    ...report,
    checks: report.checks.filter(({ id }) => !ids.has(id)),
    risks: report.risks.filter(({ check }) => check === undefined || !ids.has(check)),
    unseen: report.unseen.filter(({ check }) => check === undefined || !ids.has(check)),
  };
}

/** The risks all of whose findings an earlier step has, with the number of the first such step, from 1. */
function findRepeated(report: Report, earlier: readonly StepResult[]): ReadonlyMap<string, number> {
  const findings = groupFindings(report);
  const repeated = new Map<string, number>();
  for (const [i, result] of earlier.entries()) {
    if (result.kind !== "checked") continue;
    const known = groupFindings(result.report);
    for (const [risk, keys] of findings)
      if (!repeated.has(risk) && [...keys].every((key) => known.get(risk)?.has(key))) repeated.set(risk, i + 1);
  }
  return repeated;
}

function groupFindings({ checks }: Report): ReadonlyMap<string, ReadonlySet<string>> {
  const findings = checks.flatMap(({ outcome }) =>
    outcome.kind === "risk" || outcome.kind === "unknown" ? outcome.findings : [],
  );
  const groups = Map.groupBy(findings, ({ risk }) => risk);
  const buildKey = ({ object, path = "" }: Finding): string => `${buildRefKey(object)} ${path}`;
  return new Map([...groups].map(([risk, ofRisk]) => [risk, new Set(ofRisk.map(buildKey))]));
}
