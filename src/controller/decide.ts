import { conditionOf } from "../model/conditions.ts";
import { type Condition, since, withCondition } from "../lift/condition.ts";
import { CONDITION_TYPES } from "../lift/conditions.ts";
import { isUpdating, lockOf } from "../lift/cluster-version.ts";
import { heldIn } from "../lift/result.ts";
import { type Lifted, lift } from "../lift/lift.ts";
import type { TextForm } from "../lift/origin.ts";
import type { RunnerState } from "../lift/runner-state.ts";
import { windowAt } from "../lift/request.ts";
import { type Json, type JsonObject, listAt, objectAt } from "../model/json.ts";
import { type Action, deleting, uidOf } from "./action.ts";
import { type Asked, askedOf } from "./asked.ts";
import { asGivenUp, type GivenUp, givenUpIn, givingUp } from "./given-up.ts";
import { isLeft, passedOn, withdrawnMode } from "./by-mode.ts";
import { isOurMode } from "./mode-record.ts";
import type { Observed } from "./observed.ts";
import { REQUEST, RESULT } from "./places.ts";
import { conditionActions, historyActions, isApplied, resultActions, statusActions } from "./publish.ts";
import { foreignRunner, runnerActions } from "./runner-actions.ts";
import { isForImage, type RunnerSettings } from "./runner-deployment.ts";
import { runnerStateOf } from "./runner-pod.ts";

export type Settings = {
  readonly runner: RunnerSettings;
  /** Write risks into ClusterVersion's status where no operator runs. */
  readonly writeStatus: boolean;
  /** Pass requests on by spec.desiredUpdate.mode to an operator that says that it serves it. */
  readonly useMode: boolean;
  readonly form: TextForm;
  /** How long a runner may be without a usable document before that is a failure. */
  readonly patienceSeconds: number;
  /** How long a preflight may fail before its runner is taken away. */
  readonly failedTimeoutSeconds: number;
};

type Preflight = Extract<Asked, { kind: "preflight" }>;

/**
 * What is to be done, from what is seen and nothing else, in an order in which it may end after any step. Where all is as it should
 * be, nothing is.
 */
export function decide(seen: Observed, settings: Settings, now: Date): readonly Action[] {
  const asked = askedOf(seen);
  if (asked.kind === "nothing") return ending(seen, settings, now);
  if (isUpdating(seen.clusterVersion))
    return [...ending(seen, settings, now), ...withdrawn("request", REQUEST, seen.request)];
  if (asked.kind === "invalid") return refusing(seen, asked.problems, settings, now);
  if (isLeft(seen, asked, settings.useMode)) return leaving(seen, asked, settings, now);
  return serving(seen, asked, settings, now);
}

function serving(seen: Observed, asked: Preflight, settings: Settings, now: Date): readonly Action[] {
  const before = givenUpIn(seen.result, asked.key);
  const runner = stateOf(seen, asked, before, now);
  const plain = lifted(seen, asked, runner, settings, now);
  const givenUp = before ?? givingUp(asked, plain, settings.failedTimeoutSeconds, now);
  const shown = givenUp ? asGivenUp(plain, givenUp, seen.clusterVersion, now) : plain;
  const isWanted = givenUp === undefined && windowAt(asked.request, now) === "within";
  return [
    ...withdrawnMode(seen),
    ...resultActions(seen, shown, givenUp),
    ...historyActions(seen, shown),
    ...runnerActions(seen, isWanted ? asked.payload : undefined, settings.runner, now),
    ...shownActions(seen, shown, settings),
  ];
}

function lifted(seen: Observed, asked: Preflight, runner: RunnerState, settings: Settings, now: Date): Lifted {
  const { clusterVersion, fields, document, result } = seen;
  const held = heldIn(result);
  return lift({
    clusterVersion,
    fields,
    preflight: { target: asked.request.target, runner, document },
    ...(held ? { held } : {}),
    now,
    form: settings.form,
    patienceSeconds: settings.patienceSeconds,
  });
}

function stateOf(
  seen: Observed,
  { request, payload }: Preflight,
  givenUp: GivenUp | undefined,
  now: Date,
): RunnerState {
  const window = windowAt(request, now);
  if (payload.kind === "refused" || givenUp) return { kind: "stopped" };
  if (window === "before" && request.notBefore) return { kind: "waiting", notBefore: request.notBefore };
  if (window === "over" && request.until) return { kind: "over", until: request.until };
  const refusal = foreignRunner(seen.deployment) ?? seen.refusal;
  if (refusal !== undefined) return { kind: "down", reason: "DeploymentRefused", message: refusal };
  if (!seen.deployment || !isForImage(seen.deployment, payload.image)) return { kind: "stopped" };
  return runnerStateOf(seen.deployment, seen.pods, seen.mountTroubles, now);
}

/** An operator that runs rewrites its status at every sync, so there only the conditions are ours to write. */
function shownActions(
  seen: Observed,
  { status, conditions }: Pick<Lifted, "status" | "conditions">,
  { writeStatus }: Settings,
): readonly Action[] {
  if (writeStatus && seen.operator.kind === "absent") return statusActions(seen, status);
  return conditionActions(seen, conditions);
}

/** Nothing is asked for: nothing is left but the history. */
function ending(seen: Observed, settings: Settings, now: Date): readonly Action[] {
  const { clusterVersion, fields } = seen;
  const plain = lift({ clusterVersion, fields, now });
  return [
    ...withdrawnMode(seen),
    ...runnerActions(seen, undefined, settings.runner, now),
    ...endedActions(seen, plain.status, settings),
    ...withdrawnResult(seen),
  ];
}

/** An operator that serves the mode says how the preflight stands. */
function leaving(seen: Observed, asked: Preflight, settings: Settings, now: Date): readonly Action[] {
  return [
    ...runnerActions(seen, undefined, settings.runner, now),
    ...endedActions(seen, {}, settings),
    ...(asked.by === "mode" ? withdrawnResult(seen) : passedOn(seen, asked)),
  ];
}

/** An operator that serves the mode has conditions of the same names: of those only what we said is taken back. */
function endedActions(seen: Observed, status: JsonObject, settings: Settings): readonly Action[] {
  const isTheirs = seen.operator.kind === "running" && seen.operator.servesMode;
  if (isTheirs && !isApplied(seen.clusterVersion)) return [];
  return shownActions(seen, { status, conditions: [] }, settings);
}

/** The result goes, unless it still says that a mode that stands is ours. */
function withdrawnResult({ clusterVersion, result }: Observed): readonly Action[] {
  return isOurMode(clusterVersion, result) ? [] : withdrawn("result", RESULT, result);
}

/** What an earlier request found is taken back, and why this one isn't served is said. */
function refusing(seen: Observed, problems: readonly string[], settings: Settings, now: Date): readonly Action[] {
  const { clusterVersion, fields } = seen;
  const { status } = lift({ clusterVersion, fields, now });
  const conditions = invalid(seen, problems, now);
  const said = conditions.reduce<readonly Json[]>(withCondition, listAt(status, "conditions"));
  return [
    ...withdrawnMode(seen),
    ...runnerActions(seen, undefined, settings.runner, now),
    ...shownActions(seen, { status: { ...status, conditions: said }, conditions }, settings),
    ...withdrawnResult(seen),
  ];
}

/** What a request that can't be understood is answered. */
function invalid({ clusterVersion }: Observed, problems: readonly string[], now: Date): readonly Condition[] {
  const message = `The ConfigMap preflight-request can't be served: ${problems.join("; ")}.`;
  return CONDITION_TYPES.map((type) => {
    const status = type === "PreflightFailed" ? "True" : "False";
    const wanted = { type, status, reason: "RequestInvalid", message } as const;
    return since(conditionOf(clusterVersion, type), wanted, now);
  });
}

/** The request is done with, unless it was changed since it was seen. */
function withdrawn(kind: "request" | "result", path: string, present: JsonObject | undefined): readonly Action[] {
  if (!present) return [];
  const version = kind === "request" ? objectAt(lockOf(present), "metadata") : {};
  return [deleting(kind, `delete the ${kind}`, path, { ...uidOf(present), ...version })];
}
