import { type LiftProblem, selectPreflightConditions } from "../lift/progress/preflight-conditions.ts";
import type { LiftResult } from "../lift/lift.ts";
import { compareText, formatCanonicalJson, type Json, type JsonObject, objectAt, textAt } from "../model/json.ts";
import type { Action } from "./action.ts";
import type { Observation } from "./observation.ts";

type Publication = Pick<LiftResult, "status"> & { readonly conditions: readonly JsonObject[] };

export function sortByType(conditions: readonly JsonObject[]): readonly JsonObject[] {
  return conditions.toSorted((a, b) => compareText(textAt(a, "type") ?? "", textAt(b, "type") ?? ""));
}

/**
 * The conditions that a write contained and its answer lacks, as text, or "" if all were stored; undefined for any other write. A schema
 * without status.conditions makes the API server drop them silently.
 */
export function findDroppedConditions({ kind, write }: Action, answer: JsonObject): string | undefined {
  if (kind !== "conditions" && kind !== "status") return undefined;
  const written = formatConditions(selectPreflightConditions(write.body ?? {}));
  return written === formatConditions(selectPreflightConditions(answer)) ? "" : written;
}

/** With ClusterVersion's present conditions if the API server has just dropped the desired ones: another attempt would end the same way. */
export function withoutDroppedConditions(observation: Observation, publication: Publication): Publication {
  if (!isDropped(observation, publication)) return publication;
  const { conditions: _, ...status } = publication.status;
  const { conditions } = objectAt(observation.clusterVersion, "status");
  return {
    conditions: selectPreflightConditions(observation.clusterVersion),
    status: { ...status, ...(conditions === undefined ? {} : { conditions }) },
  };
}

export function describeDroppedConditions(
  observation: Observation,
  publication: Pick<Publication, "conditions">,
): readonly LiftProblem[] {
  return isDropped(observation, publication) ? [{ reason: "ConditionsNotStored", message: DROPPED }] : [];
}

/** For the log, and for the result. */
export const DROPPED =
  "The API server accepted the Preflight conditions of ClusterVersion but did not store them, so only the ConfigMap preflight-result shows them. The CustomResourceDefinition clusterversions.config.openshift.io may lack status.conditions.";

function isDropped({ droppedConditions }: Observation, { conditions }: Pick<Publication, "conditions">): boolean {
  return conditions.length > 0 && droppedConditions === formatConditions(conditions);
}

/** Without the times, which every attempt sets anew. */
function formatConditions(conditions: readonly JsonObject[]): string {
  return formatCanonicalJson(sortByType(conditions).map((one): Json => ({ ...one, lastTransitionTime: null })));
}

/** The CRD's generation to which outcomes belong, and when, by a monotonic clock, they are tried again nevertheless. */
export type SchemaAttempts = { readonly generation: number | undefined; readonly retryTimes: readonly number[] };

export const NO_ATTEMPTS: SchemaAttempts = { generation: undefined, retryTimes: [] };

/** After a change of the CRD, the API server may go on with the old schema for some seconds. */
const RETRIES_MS = [2_000, 10_000, 60_000];

/** Whether the last outcomes count no longer, since the API server may answer otherwise now. */
export function followSchema(
  { generation: last, retryTimes }: SchemaAttempts,
  generation: number | undefined,
  time: number,
): { readonly attempts: SchemaAttempts; readonly forgets: boolean } {
  if (generation === last) {
    const left = retryTimes.filter((retryTime) => retryTime > time);
    return { attempts: { generation, retryTimes: left }, forgets: left.length < retryTimes.length };
  }
  const isFirst = last === undefined;
  return { attempts: { generation, retryTimes: isFirst ? [] : RETRIES_MS.map((ms) => time + ms) }, forgets: true };
}
