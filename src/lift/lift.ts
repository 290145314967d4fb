import { type JsonObject, objectsAt, isObject, listAt, objectAt, compareText } from "../model/json.ts";
import { type Condition, RECOMMENDED, keepTransitionTime } from "./objects/conditions.ts";
import type { ClusterUpdates, PrefixForm } from "./objects/cluster-version.ts";
import {
  hasOrigin,
  getAcceptedRisks,
  getClusterUpdates,
  nameOf,
  risksOf,
  versionOf,
} from "./objects/cluster-version.ts";
import { findRunningVersion, isUpdating } from "../model/cluster-version.ts";
import { findConditionIn } from "../model/object.ts";
import {
  type LiftProblem,
  buildPreflightConditions,
  describeAbsentFields,
  describeMergeProblems,
  describeOmittedRisks,
  replacePreflightConditions,
} from "./progress/preflight-conditions.ts";
import type { GatedFields } from "./objects/gated-fields.ts";
import { type RetainedResult, selectRetainedResult, buildRetainedResult } from "./progress/retained-result.ts";
import type { UpdateVersions } from "../model/cluster-version-risks.ts";
import { type AppliedRisks, applyRisks, withdrawRisks } from "./risk-merge.ts";
import { type DocumentVerdict, findResultTime, rejectOlder, judgeDocument } from "./progress/document-verdict.ts";
import { type DocumentState, type RunnerState, settleRestart } from "./progress/runner-state.ts";
import { recomputeConditions } from "./update-conditions.ts";
import { type PinnedTarget, type RequestedPayload, type TargetReference, resolvePayload } from "./objects/payload.ts";

/** A requested preflight and its state. */
export type PreflightInput = {
  readonly target: TargetReference;
  /** The image that the target's version was resolved to before. */
  readonly pinned?: PinnedTarget;
  readonly runner: RunnerState;
  /** Whether the image may run without a verified signature. */
  readonly allowsUnverified?: boolean;
  readonly document: DocumentState;
  /** When the preflight was requested, if known. */
  readonly requestedAt?: Date;
};

export type LiftInput = {
  readonly clusterVersion: JsonObject;
  readonly fields: GatedFields;
  /** Absent without a request: every trace of a preflight is then removed. */
  readonly preflight?: PreflightInput;
  /** The last lift's retained result. */
  readonly retained?: RetainedResult;
  readonly now: Date;
  readonly form?: PrefixForm;
  /** How long a runner may run without a usable document before that is a failure, in seconds. */
  readonly patienceSeconds?: number;
};

export type LiftResult = {
  /** ClusterVersion's whole status; only the lists of updates and risks, and our three conditions, may differ from the present one. */
  readonly status: JsonObject;
  /** PreflightRunning, PreflightCompleted and PreflightFailed, or none without a request. */
  readonly conditions: readonly Condition[];
  readonly problems: readonly LiftProblem[];
  /** Input of the next lift. */
  readonly retained?: RetainedResult;
  /** When the last completed result was observed. */
  readonly resultTime?: Date;
};

const PATIENCE_SECONDS = 600;

/**
 * Builds ClusterVersion's status as an operator would that shows a preflight's risks. The present status may contain an earlier lift's
 * risks, or none if an operator has rewritten it. A pure function of the input.
 */
export function lift(input: LiftInput): LiftResult {
  const { clusterVersion, preflight } = input;
  if (!preflight) return clearPreflight(input, []);
  if (isUpdating(clusterVersion))
    return clearPreflight(input, [
      { reason: "UpdateStarted", message: "An update is in progress, which ends the preflight." },
    ]);
  const payload = resolvePayload(clusterVersion, preflight.target, preflight.pinned, input.now);
  const selection = selectResult(input, preflight, payload);
  const shown = showRisks(input, selection, payload);
  const problems = shown.problems;
  const { now, patienceSeconds = PATIENCE_SECONDS } = input;
  const resultTime = findResultTime(selection.verdict, selection.retained, now);
  const conditions = buildPreflightConditions(
    {
      payload,
      runner: settleRestart(preflight.runner, resultTime, patienceSeconds, now),
      allowsUnverified: preflight.allowsUnverified ?? false,
      verdict: selection.verdict,
      risks: selection.retained?.risks.map(nameOf),
      problems,
      patienceSeconds,
      now,
    },
    formatMessagePrefix(selection.versions, preflight.target, findRunningVersion(clusterVersion)),
    clusterVersion,
  );
  const status = buildStatus(clusterVersion, shown.updates, conditions, input.fields);
  return {
    status,
    conditions,
    problems,
    resultTime,
    ...(selection.retained ? { retained: withRecommended(selection.retained, shown.updates) } : {}),
  };
}

/** Removes every preflight's risks, and the conditions. */
function clearPreflight(input: LiftInput, problems: readonly LiftProblem[]): LiftResult {
  const { updates } = showRisks(input, {}, undefined);
  return { status: buildStatus(input.clusterVersion, updates, [], input.fields), conditions: [], problems };
}

type ResultSelection = {
  readonly verdict: DocumentVerdict;
  readonly versions?: UpdateVersions;
  readonly retained?: RetainedResult;
};

/** Selects the current result: the document's or the retained one. */
function selectResult(input: LiftInput, preflight: PreflightInput, payload: RequestedPayload): ResultSelection {
  const { target, document, requestedAt } = preflight;
  const { clusterVersion, now, form = "versions" } = input;
  const source = findRunningVersion(clusterVersion);
  const version = payload.kind === "offered" ? payload.version : target.kind === "version" ? target.version : undefined;
  const image = payload.kind === "refused" ? undefined : payload.image;
  const judged = judgeDocument(document, { source, version, image, now, requestedAt });
  const targetVersion =
    version ?? (image !== undefined && input.retained?.image === image ? input.retained.target : undefined);
  const versions = judged.kind === "accepted" ? judged.versions : buildVersions(source, targetVersion);
  if (!versions) return { verdict: judged };
  const previous = selectRetainedResult(versions, image, input.retained, getClusterUpdates(clusterVersion));
  const verdict = rejectOlder(judged, previous, now);
  const retained =
    verdict.kind === "accepted"
      ? buildRetainedResult(verdict.document, { versions, image, form, previous, now })
      : previous;
  return { verdict, versions, ...(retained ? { retained } : {}) };
}

function buildVersions(source: string | undefined, target: string | undefined): UpdateVersions | undefined {
  return source === undefined || target === undefined ? undefined : { source, target };
}

type ShownRisks = { readonly updates: ClusterUpdates; readonly problems: readonly LiftProblem[] };

/** Shows one preflight at a time: risks of any other source or target are removed, since each name can have one definition only. */
function showRisks(
  input: LiftInput,
  { retained }: Partial<ResultSelection>,
  payload: RequestedPayload | undefined,
): ShownRisks {
  const { clusterVersion, fields, now, form = "versions" } = input;
  const present = getClusterUpdates(clusterVersion);
  const listedRisks = objectsAt(clusterVersion, "status", "conditionalUpdateRisks");
  const withdrawn = withdrawRisks(present, hasOrigin);
  const otherRisks = listedRisks.filter((risk) => !hasOrigin(risk));
  const isOffered = payload?.kind === "offered" && payload.version === retained?.target;
  const appliedRisks = applyRisks(withdrawn.updates, isOffered ? retained : undefined, otherRisks, form);
  const changedVersions = new Set(withdrawn.changedVersions);
  if (retained && appliedRisks.isMerged) changedVersions.add(retained.target);
  const updates = recomputeConditions(appliedRisks.updates, {
    present,
    presentRisks: [...(retained?.risks ?? []), ...listedRisks, ...present.conditional.flatMap(risksOf)],
    proposedRecommended: new Map(retained?.recommended ? [[retained.target, retained.recommended]] : []),
    changedVersions,
    accepted: new Set(getAcceptedRisks(clusterVersion)),
    fields,
    now,
  });
  return { updates, problems: retained ? collectProblems(retained, appliedRisks, payload, fields) : [] };
}

function collectProblems(
  retained: RetainedResult,
  appliedRisks: AppliedRisks,
  payload: RequestedPayload | undefined,
  fields: GatedFields,
): readonly LiftProblem[] {
  return [
    ...describeOffer(payload),
    ...describeOmittedRisks(appliedRisks.omitted),
    ...describeMergeProblems(appliedRisks.problems),
    ...(retained.risks.length > 0 ? describeAbsentFields(fields) : []),
  ];
}

function describeOffer(payload: RequestedPayload | undefined): readonly LiftProblem[] {
  if (payload === undefined || payload.kind === "offered") return [];
  const { reason, message } = payload;
  return [{ reason, message: `${message} So ClusterVersion has no update that can show the risks.` }];
}

/** Keeps Recommended as it was when it first had its status, so that the next lift has that time even if ClusterVersion lost it. */
function withRecommended(retained: RetainedResult, { conditional }: ClusterUpdates): RetainedResult {
  const update = conditional.find((one) => versionOf(one) === retained.target);
  const shown = findConditionIn(update, RECOMMENDED);
  const { recommended: earlier, ...rest } = retained;
  if (!shown || retained.risks.length === 0) return rest;
  return { ...rest, recommended: keepTransitionTime(shown, earlier) };
}

/** The prefix of the conditions' messages: as much of source and target as is known. */
function formatMessagePrefix(
  versions: UpdateVersions | undefined,
  target: TargetReference,
  source: string | undefined,
): string {
  if (versions) return `${versions.source} -> ${versions.target}: `;
  const to = target.kind === "version" ? target.version : target.image;
  return source === undefined ? `${to}: ` : `${source} -> ${to}: `;
}

const REPLACED_KEYS = ["availableUpdates", "conditionalUpdates", "conditionalUpdateRisks", "conditions"];

/** The present status with the given updates and our conditions. Empty lists are omitted, as the API requires. */
function buildStatus(
  clusterVersion: JsonObject,
  updates: ClusterUpdates,
  conditions: readonly Condition[],
  fields: GatedFields,
): JsonObject {
  const before = objectAt(clusterVersion, "status");
  const rest = Object.fromEntries(Object.entries(before).filter(([key]) => !REPLACED_KEYS.includes(key)));
  const present = listAt(before, "conditionalUpdateRisks");
  const risks = buildConditionalUpdateRisks(updates.conditional, present.filter(isObject), hasOrigin);
  const allConditions = replacePreflightConditions(listAt(before, "conditions"), conditions);
  return {
    ...rest,
    // The API requires this field, and null for an empty list.
    availableUpdates: updates.available.length > 0 ? updates.available : null,
    ...(updates.conditional.length > 0 ? { conditionalUpdates: updates.conditional } : {}),
    ...(fields.conditionalUpdateRisks && risks.length > 0 ? { conditionalUpdateRisks: risks } : {}),
    ...(allConditions.length > 0 ? { conditions: allConditions } : {}),
  };
}

/**
 * Builds status.conditionalUpdateRisks: each risk of an update once, sorted by name. Another source's risk takes precedence over a
 * preflight's of the same name, and entries without an update stay, since they belong to another source.
 */
export function buildConditionalUpdateRisks(
  conditional: readonly JsonObject[],
  present: readonly JsonObject[],
  isOurs: (risk: JsonObject) => boolean,
): readonly JsonObject[] {
  const attached = conditional.flatMap(risksOf);
  if (![...present, ...attached].some(isOurs)) return present;
  const foreign = [...present, ...attached].filter((risk) => !isOurs(risk));
  const firstLast = [...foreign, ...attached.filter(isOurs)].toReversed();
  const byName = new Map(firstLast.map((risk) => [nameOf(risk), risk]));
  return [...byName].toSorted(([a], [b]) => compareText(a, b)).map(([, risk]) => risk);
}
