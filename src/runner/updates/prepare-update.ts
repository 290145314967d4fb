import type { CheckAcceptance } from "../../model/acceptance.ts";
import { buildContext, type Check, type Context } from "../../model/check.ts";
import { defined } from "../../model/optional.ts";
import type { Reader } from "../../model/reader.ts";
import type { ClusterFacts, Release, ReleaseSelector } from "../../model/release.ts";
import type { CycleFailure, CycleResult } from "../../model/report.ts";
import type { MinorsBetween, Recommendation } from "../../model/route.ts";
import { redactText } from "../../model/secrets/redact-text.ts";
import { withSpecial } from "../../model/special-check.ts";
import type { Version } from "../../model/version.ts";
import type { FactsResult } from "../facts/openshift-facts.ts";
import { findMinorsPassed } from "./passed-minors.ts";
import { findUnsupportedSkew } from "./skew.ts";

/** The target before anything is known about the cluster. */
export type CycleTarget =
  | {
      readonly kind: "read";
      /** Absent if the target has no version of its own: the cluster's version then counts. */
      readonly version?: Version;
      readonly select: ReleaseSelector;
      /** What the update service says of the update, if the target was looked up there. */
      readonly recommendation?: Recommendation;
    }
  | { readonly kind: "failed"; readonly failure: CycleFailure; readonly version?: Version };

/** An update whose release is selected for the cluster, and the cluster. */
export type PreparedUpdate = {
  readonly context: Context;
  readonly facts: ClusterFacts;
  /** The checks that run in any case. */
  readonly given: readonly Check[];
  readonly reader: Reader;
  readonly signal: AbortSignal;
};

/** The checks that an update's release or the cluster brings, selected as the others are. */
export type FindChecks = (update: PreparedUpdate) => Promise<FoundChecks>;
export type FoundChecks = {
  readonly checks: readonly Check[];
  readonly leftOut: readonly LeftOutCheck[];
  /** Whether installed operators could bring some. */
  readonly includesOperators?: boolean;
};

/** A check that the user left out. `by`: the setting that did, "--only" or "--skip". */
export type LeftOutCheck = { readonly check: Check; readonly by: string; readonly accepted?: CheckAcceptance };

export type FailedCycle = Extract<CycleResult, { readonly kind: "failed" }>;

export type ReadyUpdate = {
  readonly kind: "ready";
  readonly context: Context;
  readonly facts: ClusterFacts;
  /** For the report: a check judges the update as one, whichever minors it passes. */
  readonly minorsBetween?: MinorsBetween;
};

/** What a cycle is asked. */
export type CycleQuestion = {
  readonly now: Date;
  /** Set if the target is asked about as one update, as a runner is: no minor on the way is then an update of its own. */
  readonly isOneUpdate?: boolean;
};

/** Selects the release for the cluster, or says why nothing can be checked against it. */
export function prepareUpdate(
  target: CycleTarget,
  readResult: FactsResult,
  facts: FactsResult,
  { now, isOneUpdate = false }: CycleQuestion,
): ReadyUpdate | FailedCycle {
  const source = facts.kind === "known" ? facts.facts.version : undefined;
  const fail = (failure: CycleFailure): FailedCycle => ({
    kind: "failed",
    failure: { ...failure, message: redactText(failure.message) },
    observedAt: now,
    ...defined({ source, target: target.version }),
  });
  if (target.kind === "failed") return fail(target.failure);
  if (facts.kind === "failed") return fail(facts.failure);
  const { platform } = facts;
  const skew = findUnsupportedSkew(facts.facts.version, target.version ?? facts.facts.version, platform);
  if (skew) return fail(skew);
  const release = addFactProblems(target.select(facts.facts), facts);
  const running = findRunningVersion(readResult, facts.facts.version);
  const { recommendation } = target;
  const base = buildContext(facts.facts.version, release, now, platform);
  const offer = defined({ running, recommendation });
  const minorsBetween = isOneUpdate ? undefined : findMinorsPassed({ ...base, ...offer }, facts.listedUpdates);
  return { kind: "ready", context: withSpecial(base, offer), facts: facts.facts, ...defined({ minorsBetween }) };
}

/** The checks that run for an update. */
export type UpdateChecks = FoundChecks & Pick<ReadyUpdate, "context">;

/** The given checks with those that the update brings. */
export async function addFoundChecks(
  { context, facts }: ReadyUpdate,
  given: FoundChecks,
  findChecks: FindChecks | undefined,
  { reader, signal }: Pick<PreparedUpdate, "reader" | "signal">,
): Promise<UpdateChecks> {
  const found = await findChecks?.({ context, facts, given: given.checks, reader, signal });
  if (found === undefined) return { context, ...given };
  return {
    context: withSpecial(context, defined({ runsOperatorChecks: found.includesOperators })),
    checks: [...given.checks, ...found.checks],
    leftOut: [...given.leftOut, ...found.leftOut],
  };
}

/** The facts to assume instead of those that were read: those after an update that is still to be done. */
export type AssumeFacts = (facts: ClusterFacts) => ClusterFacts;

export function assume(result: FactsResult, assumeFacts: AssumeFacts | undefined): FactsResult {
  return result.kind === "failed" || assumeFacts === undefined
    ? result
    : { ...result, facts: assumeFacts(result.facts) };
}

/** The version that the cluster runs, if another one is assumed. */
function findRunningVersion(read: FactsResult, assumed: Version): Version | undefined {
  return read.kind === "failed" || read.facts.version.text === assumed.text ? undefined : read.facts.version;
}

/** If the facts that decide on inclusion can't be read, neither can the manifests that apply: as with an unreadable file. */
function addFactProblems(release: Release, facts: Extract<FactsResult, { kind: "known" }>): Release {
  if (facts.problems.length === 0) return release;
  return { ...release, problems: [...facts.problems, ...release.problems], unknownFacts: facts.problems };
}
