import { REQUEST, RESULT, RUNNER } from "../../src/controller/api/api-paths.ts";
import type { ClusterUpdates } from "../../src/lift/objects/cluster-version.ts";
import {
  hasOrigin,
  getAcceptedRisks,
  getClusterUpdates,
  nameOf,
  risksOf,
  versionOf,
} from "../../src/lift/objects/cluster-version.ts";
import { isObject, type Json, type JsonObject, listAt, objectAt, parseObject, textAt } from "../../src/model/json.ts";
import { findRiskAlert } from "../operator/operator-model.ts";
import { formatConditions, imageOf, readClusterVersion, readHistory, readObject } from "../operator/stage.ts";
import type { Inputs } from "./inputs.ts";
import { isTargetOffered } from "./inputs.ts";
import { buildViewLists } from "./operator-status.ts";
import { SOURCE } from "./schedule.ts";
import type { ChurnWorld } from "./world.ts";

/** What is compared once everything has settled. What the inputs don't determine is absent from the expected state. */
export type ChurnState = {
  readonly request: string;
  readonly accepted: readonly string[];
  readonly conditions: readonly string[];
  readonly deployment: string;
  readonly alerts: readonly string[];
  readonly hasResult: boolean;
  /** The runner's document in preflight-result: its risks. */
  readonly document?: readonly string[];
  readonly retained?: readonly string[];
  readonly lastInHistory?: string;
  /** The risks that our controller brought to ClusterVersion, and that nothing causes any more. */
  readonly causeless?: readonly string[];
  /** The document's risks that ClusterVersion shows in no way, although no operator overwrites it. */
  readonly unshown?: readonly string[];
  readonly lists?: Json;
};

/** The risk that not all checks run, since requests name some of them. */
const ALWAYS_FOUND = ["PreflightChecksLeftOut"];

const LISTS = ["availableUpdates", "conditionalUpdates", "conditionalUpdateRisks"];
const DOWN_REASONS = {
  crashLoop: "RunnerCrashed",
  imagePull: "ImagePullFailed",
  outOfMemory: "OutOfMemory",
  unschedulable: "Unschedulable",
};

/** The state that follows from the inputs. */
export function buildExpectedState(inputs: Inputs, offers: ClusterUpdates): ChurnState {
  const { request, accepted, view, isOperatorUp, runner } = inputs;
  const isDeployed = request !== undefined && isTargetOffered(view, request.to);
  const isRunning = isDeployed && runner === "runs";
  const found = isRunning ? findRisks(inputs, request.to, request.lifted) : [];
  const alerts = found.map((name) => findRiskAlert(name, { source: SOURCE, target: request?.to ?? "" }));
  const lists = buildViewLists(view, offers, alerts, { available: [], conditional: [] }, new Date());
  return {
    request: request ? `${request.to} ${request.lifted}` : "",
    accepted: accepted.toSorted(),
    conditions: listExpectedConditions(inputs, isDeployed, isRunning),
    deployment: isDeployed ? getImage(offers, request.to) : "",
    alerts: found,
    hasResult: request !== undefined,
    ...(isRunning ? { document: found, retained: found, lastInHistory: `${SOURCE} -> ${request.to}` } : {}),
    ...(isOperatorUp ? { lists: withoutTimes(lists) } : {}),
    ...(isOperatorUp || isRunning || !request ? { causeless: [] } : {}),
    ...(isRunning && !isOperatorUp ? { unshown: [] } : {}),
  };
}

/** What the checks find: not what the operator shows itself, unless the request says so, and an operator's fault only for another minor. */
function findRisks({ causes, view }: Inputs, to: string, lifted: "show" | "leave"): readonly string[] {
  const isLater = !to.startsWith("5.0.");
  const isOmitted = (isShown: boolean): boolean => lifted === "leave" && isShown;
  // An operator that is gone goes on showing what it saw last.
  const isVersionStale = isLater && view.causes.operator && !causes.operator;
  const isStale = isVersionStale || (view.causes.budget && !causes.budget);
  const isListed = (view.causes.published && isLater) || view.causes.alert || isStale;
  return [
    ...(causes.operator && isLater && !isOmitted(view.causes.operator) ? ["ClusterOperatorNotUpgradeable"] : []),
    ...(isVersionStale ? ["ClusterVersionNotUpgradeable"] : []),
    ...(isListed && lifted === "show" ? ["ConditionalUpdateRiskApplies"] : []),
    ...(causes.budget && !isOmitted(view.causes.budget) ? ["DrainBlockedByDisruptionBudget"] : []),
    ...ALWAYS_FOUND,
  ];
}

function listExpectedConditions(
  { request, runner, isSpecObserved }: Inputs,
  isDeployed: boolean,
  isRunning: boolean,
): readonly string[] {
  if (!request) return [];
  if (isRunning) return ["Completed=True Incomplete", "Failed=False AsExpected", "Running=True Checking"];
  if (!isDeployed && !isSpecObserved)
    return ["Completed", "Failed=False AsExpected", "Running=False UpdatesNotRetrieved"];
  const reason = !isDeployed ? "TargetNotOffered" : runner === "runs" ? "" : DOWN_REASONS[runner];
  return ["Completed", `Failed=True ${reason}`, `Running=False ${reason}`];
}

/** The cluster's present state, as far as `expected` compares it. */
export async function readState(world: ChurnWorld, expected: ChurnState): Promise<ChurnState> {
  const { api } = world.stage;
  const [clusterVersion, request, result, runner, history] = await Promise.all([
    readClusterVersion(api),
    readObject(api, REQUEST),
    readObject(api, RESULT),
    readObject(api, RUNNER),
    readHistory(api),
  ]);
  const updates = getClusterUpdates(clusterVersion).conditional;
  const ours = updates.flatMap(risksOf).filter(hasOrigin).map(nameOf);
  const target = updates.find((update) => versionOf(update) === textAt(request, "data", "to"));
  const shown = risksOf(target).map(nameOf);
  const found = expected.document ?? [];
  const data = objectAt(request, "data");
  const isRunning = expected.document !== undefined;
  return {
    request: request ? `${textAt(data, "to")} ${textAt(data, "lifted")}` : "",
    accepted: getAcceptedRisks(clusterVersion).toSorted(),
    conditions: formatConditions(clusterVersion).map((one) =>
      isRunning || !one.startsWith("Completed=") ? one : "Completed",
    ),
    deployment: imageOf(runner),
    alerts: world.alerts
      .firing()
      .map(({ name }) => name)
      .toSorted(),
    hasResult: result !== undefined,
    ...(isRunning
      ? {
          document: listNames(result, "document.json"),
          retained: listNames(result, "held.json"),
          lastInHistory: history[0] ?? "",
        }
      : {}),
    ...(expected.lists === undefined ? {} : { lists: selectLists(clusterVersion) }),
    ...(expected.causeless === undefined
      ? {}
      : { causeless: ours.filter((name) => expected.lists !== undefined || !found.includes(name)) }),
    ...(expected.unshown === undefined ? {} : { unshown: found.filter((name) => !shown.includes(name)) }),
  };
}

function listNames(result: JsonObject | undefined, key: string): readonly string[] {
  return listAt(parseObject(textAt(result, "data", key) ?? ""), "risks").map((risk) => textAt(risk, "name") ?? "");
}

function selectLists(clusterVersion: JsonObject): Json {
  const entries = Object.entries(objectAt(clusterVersion, "status")).filter(([key]) => LISTS.includes(key));
  return withoutTimes(Object.fromEntries(entries));
}

function withoutTimes(value: Json): Json {
  if (isObject(value))
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, one]) =>
        key === "lastTransitionTime" ? [] : [[key, withoutTimes(one)] as const],
      ),
    );
  return typeof value === "object" && value !== null ? value.map(withoutTimes) : value;
}

function getImage({ available, conditional }: ClusterUpdates, version: string): string {
  const releases = [...available, ...conditional.map((update) => objectAt(update, "release"))];
  return (
    textAt(
      releases.find((one) => textAt(one, "version") === version),
      "image",
    ) ?? ""
  );
}
