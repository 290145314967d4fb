import type { CheckAcceptance } from "../../model/unseen.ts";
import { type Check, type Context, buildContext } from "../../model/check.ts";
import type { Reader } from "../../model/reader.ts";
import type { ClusterFacts, Release, ReleaseSelector } from "../../model/release.ts";
import type { CycleFailure, CycleResult } from "../../model/report.ts";
import type { MinorsBetween, Recommendation } from "../../model/route.ts";
import { redactText } from "../../model/secrets/redact-text.ts";
import { type SpecialContext, withSpecial } from "../../model/special-check.ts";
import { type Version, type Platform, getPlatform, findMinorsBetween } from "../../model/version.ts";
import type { FactsResult } from "../facts/openshift-facts.ts";
import { HOSTED_PROFILE } from "../../model/infrastructure.ts";
import { type ApplicableChecks, selectApplicable } from "./applicable-checks.ts";
import { isListed, type ListedUpdates } from "../../model/cluster-version.ts";

/** The target before anything is known about the cluster. */
export type CycleTarget =
  | {
      readonly kind: "read";
      /** Absent if the target has no version of its own: the cluster's version then counts. */
      readonly version?: Version;
      readonly select: ReleaseSelector;
      /** What the update service says of the update, if the target was looked up there. */
      readonly recommendation?: Recommendation;
      /** Set if it is asked about as one update, as a runner is: no minor on the way is then an update of its own. */
      readonly isOneUpdate?: boolean;
      /** The facts to assume instead of those that were read: those after an update that is still to be done. */
      readonly assumeFacts?: (facts: ClusterFacts) => ClusterFacts;
    }
  | { readonly kind: "failed"; readonly failure: CycleFailure; readonly version?: Version };

/** What a cycle judges. */
export type CycleSelection = {
  /** The checks that run in any case. */
  readonly checks: readonly Check[];
  /** The checks that the user left out: those that apply to the update are reported as unknown. */
  readonly leftOut?: readonly LeftOutCheck[];
  readonly findChecks?: FindChecks;
  /** "show" by default. */
  readonly operatorRisks?: OperatorRisks;
};

/** A check that the user left out. `by`: the setting that did, such as "--only". `why`: what more is known of it, as the end of "the check". */
export type LeftOutCheck = {
  readonly check: Check;
  readonly by: string;
  readonly why?: string;
  readonly clearAt?: string;
  readonly accepted?: CheckAcceptance;
};

/** Whether to report risks that the running cluster-version operator reports itself ("show"), or to omit them ("leave"). */
export type OperatorRisks = "show" | "leave";

/** The checks that an update's release or the cluster brings, selected as the others are. */
export type FindChecks = (update: PreparedUpdate) => Promise<FoundChecks>;
export type FoundChecks = {
  readonly checks: readonly Check[];
  readonly leftOut: readonly LeftOutCheck[];
  /** Whether installed operators could bring some. */
  readonly includesOperators?: boolean;
};

/** An update whose release is selected for the cluster, and the cluster. */
export type PreparedUpdate = {
  readonly context: Context;
  readonly facts: ClusterFacts;
  /** The checks that run in any case. */
  readonly given: readonly Check[];
  readonly reader: Reader;
  readonly signal: AbortSignal;
};

export type FailedCycle = Extract<CycleResult, { readonly kind: "failed" }>;

/** An update that can be judged. */
export type ReadyUpdate = ApplicableChecks & {
  readonly kind: "ready";
  readonly leftOut: readonly LeftOutCheck[];
  /** For the report: a check judges the update as one, whichever minors it passes. */
  readonly minorsBetween?: MinorsBetween;
};

type UpdateInput = Pick<PreparedUpdate, "reader" | "signal"> & {
  readonly selection: CycleSelection;
  readonly now: Date;
};

/** Selects the release for the cluster and the checks for the update, or says why nothing can be checked against it. */
export async function prepareUpdate(
  target: CycleTarget,
  read: FactsResult,
  input: UpdateInput,
): Promise<ReadyUpdate | FailedCycle> {
  const { now } = input;
  const facts = assumeFacts(read, target);
  const fail = (failure: CycleFailure): FailedCycle => ({
    kind: "failed",
    failure: { ...failure, message: redactText(failure.message) },
    observedAt: now,
    source: facts.kind === "known" ? facts.facts.version : undefined,
    target: target.version,
  });
  if (target.kind === "failed") return fail(target.failure);
  if (facts.kind === "failed") return fail(facts.failure);
  const source = facts.facts.version;
  const skew = findUnsupportedSkew(source, target.version ?? source, facts.platform);
  if (skew) return fail(skew);
  const release = addFactProblems(target.select(facts.facts), facts);
  const isHosted = facts.facts.profile === HOSTED_PROFILE;
  const { unknownTopology } = facts;
  const base = { ...buildContext(source, release, now, facts.platform), isHosted, unknownTopology };
  const { recommendation, isOneUpdate = false } = target;
  const offer = { running: findRunningVersion(read, source), recommendation };
  const minorsBetween = isOneUpdate ? undefined : findMinorsPassed({ ...base, ...offer }, facts.listedUpdates);
  const selected = await selectChecks(withSpecial(base, { ...offer, ...findHalves(input) }), facts.facts, input);
  return { kind: "ready", ...selected, minorsBetween };
}

function findHalves({ reader }: Pick<UpdateInput, "reader">): Pick<SpecialContext, "hasBothHalves"> {
  return reader.management === undefined ? {} : { hasBothHalves: true };
}

/** Of the given checks and those that the update brings, those that apply. */
async function selectChecks(
  context: Context,
  facts: ClusterFacts,
  { selection, reader, signal }: UpdateInput,
): Promise<ApplicableChecks & Pick<ReadyUpdate, "leftOut">> {
  const { checks, leftOut = [], findChecks } = selection;
  const found = await findChecks?.({ context, facts, given: checks, reader, signal });
  const told = withSpecial(context, { runsOperatorChecks: found?.includesOperators });
  const applicable = selectApplicable(told, [...checks, ...(found?.checks ?? [])]);
  return { ...applicable, leftOut: [...leftOut, ...(found?.leftOut ?? [])] };
}

function assumeFacts(read: FactsResult, target: CycleTarget): FactsResult {
  if (read.kind === "failed" || target.kind === "failed" || target.assumeFacts === undefined) return read;
  return { ...read, facts: target.assumeFacts(read.facts) };
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

const MAX_MAJOR_SKEW = 2;

/** Refuses a target of the other platform, and one too far from the source for any check to hold. */
export function findUnsupportedSkew(source: Version, target: Version, platform: Platform): CycleFailure | undefined {
  if (getPlatform(target) !== platform)
    return { reason: "UnsupportedVersionSkew", message: formatPlatformMismatch(source, target, platform) };
  const distance = target.major - source.major;
  if (Math.abs(distance) <= MAX_MAJOR_SKEW) return undefined;
  const message =
    `The cluster runs ${source.text} and the target is ${target.text}. ` +
    `Targets from major ${Math.max(source.major - MAX_MAJOR_SKEW, 0)} to ${source.major + MAX_MAJOR_SKEW} are supported: choose a nearer target.`;
  return { reason: "UnsupportedVersionSkew", message };
}

function formatPlatformMismatch(source: Version, target: Version, platform: Platform): string {
  return platform === "kubernetes"
    ? `The cluster runs Kubernetes ${source.text} without OpenShift (its API server serves no ClusterVersion), and the target ${target.text} is an OpenShift release: give a version of Kubernetes with --target-version, such as v1.36.`
    : `The cluster runs OpenShift ${source.text}, and the target ${target.text} is a version of Kubernetes: give an OpenShift release.`;
}

type Offer = Pick<SpecialContext, "running" | "recommendation">;

/**
 * The minors that the update passes, unless it is offered as one: by the update service, if the target was looked up there, and else by
 * ClusterVersion, which lists the updates of the running version only.
 */
export function findMinorsPassed(
  { source, target, running, recommendation }: Pick<Context, "source" | "target"> & Offer,
  listedUpdates: ListedUpdates | undefined,
): MinorsBetween | undefined {
  const names = findMinorsBetween(source, target).map(({ text }) => text);
  if (names.length === 0) return undefined;
  switch (recommendation?.kind) {
    case "recommended":
    case "conditional":
      return undefined;
    case "notOffered":
      return { names };
    case "unknown":
    case undefined:
      break;
  }
  if (listedUpdates === undefined) return { names };
  if (running !== undefined) return { names, unknown: `ClusterVersion lists only the updates from ${running.text}` };
  if (isListed(listedUpdates, target.text)) return undefined;
  const { channel, retrieval } = listedUpdates;
  return retrieval.kind === "retrieved" ? { names, channel } : { names, unknown: retrieval.why };
}
