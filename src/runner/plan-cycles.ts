import type { Check, Finding } from "../model/check.ts";
import type { PendingCheck, StepResult } from "../model/plan.ts";
import type { ClusterFacts, ReleaseSelector } from "../model/release.ts";
import type { CycleFailure, CycleResult, Report } from "../model/report.ts";
import { buildRefKey } from "../model/resource.ts";
import { redactText } from "../model/secrets/redact-text.ts";
import { type CycleBase, runCycle } from "./cycle.ts";
import type { CycleSelection, CycleTarget, FindChecks } from "./updates/update.ts";

/** The release of one step, or why there is none. */
export type StepRelease = CycleTarget | { readonly kind: "absent"; readonly message: string };

export type StepsResult =
  | { readonly kind: "completed"; readonly results: readonly StepResult[] }
  | { readonly kind: "failed"; readonly failure: CycleFailure };

/** The facts of the cluster after an update that follow from its release. */
type KnownFacts = Partial<Pick<ClusterFacts, "version" | "capabilities">>;

/**
 * Checks each update of a route with its own release. A later update starts from the release before it: its version and capabilities are
 * assumed. A release that is not at hand is passed over, and the next one is then checked from the last one that is.
 */
export async function runSteps(
  { selection, ...input }: CycleBase,
  readTargets: readonly (() => Promise<StepRelease>)[],
): Promise<StepsResult> {
  const results: StepResult[] = [];
  const checks = new Map(selection.checks.map((check) => [check.id, check]));
  const watched = rememberFound(selection, (check) => void checks.set(check.id, check));
  let known: KnownFacts = {};
  for (const [i, readTarget] of readTargets.entries()) {
    const target = await readTarget();
    if (target.kind === "absent") {
      results.push({ kind: "notChecked", message: redactText(target.message) });
      continue;
    }
    const next = assumeUpdated(target, known, (after) => void (known = after));
    const result = await runCycle({ ...input, selection: watched, target: next });
    if (result.kind === "failed") return result;
    results.push(buildStepResult(result, i, [...checks.values()], results));
  }
  return { kind: "completed", results };
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

/** Keeps no more than a few facts of each release, since a release is large and a route may have several. */
function assumeUpdated(target: CycleTarget, before: KnownFacts, onSelect: (after: KnownFacts) => void): CycleTarget {
  if (target.kind === "failed") return target;
  const select: ReleaseSelector = (facts) => {
    const release = target.select(facts);
    const { version, capabilities } = release;
    onSelect({ version, capabilities: { known: capabilities.known, enabled: capabilities.enabled } });
    return release;
  };
  return { ...target, select, assumeFacts: (facts) => ({ ...facts, ...before }) };
}

function buildStepResult(
  { report }: Extract<CycleResult, { kind: "completed" }>,
  index: number,
  checks: readonly Check[],
  earlier: readonly StepResult[],
): StepResult {
  const pending = index === 0 ? [] : findPending(report, checks);
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
