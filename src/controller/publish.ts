import { type Condition, withCondition } from "../lift/condition.ts";
import { isOurCondition } from "../lift/conditions.ts";
import { acceptedOf, lockOf } from "../lift/cluster-version.ts";
import { entryOf, historyConfigMap, historyOf, remember } from "../lift/history.ts";
import type { Lifted } from "../lift/lift.ts";
import { resultConfigMap } from "../lift/result.ts";
import type { PreflightDocument } from "../model/document.ts";
import { byText, isObject, type Json, type JsonObject, listAt, objectAt, textAt } from "../model/json.ts";
import { type Action, applying, isSame, patching, replacing, savingConfigMap } from "./action.ts";
import { GIVEN_UP_KEY, type GivenUp } from "./given-up.ts";
import { MODE_KEY, modeRecord } from "./mode-record.ts";
import type { Observed } from "./observed.ts";
import { CLUSTER_VERSION, FIELD_MANAGER } from "./places.ts";

const STATUS = `${CLUSTER_VERSION}/status`;
/** Of the result, our keys. */
export const RESULT_KEYS = ["proposal.json", "held.json", "document.json", GIVEN_UP_KEY, MODE_KEY];
const HISTORY_KEYS = ["history.json"];

/** The ConfigMap preflight-result. */
export function resultActions(seen: Observed, lifted: Lifted, givenUp: GivenUp | undefined): readonly Action[] {
  const result = resultConfigMap(lifted, standingDocument(seen, lifted));
  const kept = {
    ...(givenUp ? { [GIVEN_UP_KEY]: `${JSON.stringify(givenUp, undefined, 2)}\n` } : {}),
    ...modeRecord(seen.clusterVersion, seen.result),
  };
  const wanted = { ...result, data: { ...objectAt(result, "data"), ...kept } };
  return savingConfigMap("result", "publish the result", seen.result, wanted, RESULT_KEYS);
}

/** In UTF-16 units: a ConfigMap holds a mebibyte. No runner of ours writes as much. */
const MOST_PUBLISHED = 250_000;

/** Of a document that is about something else, which an earlier request has left behind. */
const FOREIGN = ["OtherPayload", "OtherSource", "OtherTarget"];

/** A document is published as long as it is about what is asked for, whatever it says. */
function standingDocument({ document: state }: Observed, { conditions }: Lifted): PreflightDocument | undefined {
  if (state.kind !== "read") return undefined;
  const completed = conditions.find(({ type }) => type === "PreflightCompleted");
  const isForeign = completed !== undefined && FOREIGN.includes(completed.reason);
  return !isForeign && JSON.stringify(state.document).length <= MOST_PUBLISHED ? state.document : undefined;
}

/** A completed result that stands is remembered. */
export function historyActions(seen: Observed, { held }: Lifted): readonly Action[] {
  if (seen.document.kind !== "read" || held === undefined) return [];
  const { document } = seen.document;
  const isStanding = held.observedAt === document.observedAt && held.target === document.targetVersion;
  const entry = isStanding ? entryOf(document, acceptedOf(seen.clusterVersion)) : undefined;
  if (!entry || entry.source !== held.source) return [];
  const wanted = historyConfigMap(remember(historyOf(seen.history), entry));
  return savingConfigMap("history", "remember the result", seen.history, wanted, HISTORY_KEYS);
}

/** ClusterVersion's status as a whole: only where no operator manages it. Our entries alone differ from what stands there. */
export function statusActions({ clusterVersion }: Observed, status: JsonObject): readonly Action[] {
  if (isSame(objectAt(clusterVersion, "status"), status)) return [];
  return [replacing("status", "write ClusterVersion's status", STATUS, { ...clusterVersion, status })];
}

/** Our three conditions, or none; every other condition stays as it is, with its owner. */
export function conditionActions(seen: Observed, wanted: readonly Condition[]): readonly Action[] {
  const present = listAt(seen.clusterVersion, "status", "conditions").filter(isOurs);
  if (isSame(byType(present), byType(wanted))) return [];
  const what = wanted.length > 0 ? "say how the preflight stands" : "take the conditions back";
  const isOwn = wanted.length > 0 || isApplied(seen.clusterVersion);
  return [seen.conditionsAreShared && isOwn ? applied(seen, what, wanted) : patched(seen, what, wanted)];
}

function applied({ clusterVersion }: Observed, what: string, conditions: readonly Condition[]): Action {
  const lock = objectAt(lockOf(clusterVersion), "metadata");
  const metadata = { name: "version", ...lock };
  const body = { apiVersion: "config.openshift.io/v1", kind: "ClusterVersion", metadata, status: { conditions } };
  return applying("conditions", what, STATUS, body);
}

/** Where the list has one owner, or ours were written with a whole status: the list as it was read, ours changed. */
function patched({ clusterVersion }: Observed, what: string, wanted: readonly Condition[]): Action {
  const all = listAt(clusterVersion, "status", "conditions");
  const kept = wanted.length > 0 ? all : all.filter((one) => !isOurs(one));
  const conditions = wanted.reduce<readonly Json[]>(withCondition, kept);
  return patching("conditions", what, STATUS, { ...lockOf(clusterVersion), status: { conditions } });
}

/** Did we apply conditions, so that applying none takes them back? */
export function isApplied(clusterVersion: JsonObject): boolean {
  return listAt(clusterVersion, "metadata", "managedFields").some(
    (one) => textAt(one, "manager") === FIELD_MANAGER && textAt(one, "operation") === "Apply",
  );
}

function isOurs(condition: Json): boolean {
  return isObject(condition) && isOurCondition(condition);
}

function byType(conditions: readonly Json[]): readonly Json[] {
  return conditions.toSorted((a, b) => byText(textAt(a, "type") ?? "", textAt(b, "type") ?? ""));
}
