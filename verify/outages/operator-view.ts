import { setCondition, setTransitionTime } from "../../src/lift/objects/conditions.ts";
import { findCondition } from "../../src/model/object.ts";
import { at, type JsonObject, listAt, objectAt, textAt } from "../../src/model/json.ts";
import { replaceLists } from "../operator/fake-operator.ts";

/** What a question to the update service brought; the reasons are the operator's. */
export type Retrieval =
  | { readonly kind: "retrieved"; readonly releases: readonly JsonObject[] }
  | { readonly kind: "failed"; readonly reason: string; readonly message: string };

/** What the operator knows of the updates, and reports. `silent`: it does not report what came of its last question. */
export type OperatorView = {
  readonly channel: string;
  readonly releases: readonly JsonObject[];
  readonly state: "retrieved" | "silent" | Extract<Retrieval, { kind: "failed" }>;
  /** It has not asked for the channel yet, and reports what came of the question before. */
  readonly isPending?: true;
};

/** Source: pkg/cvo/availableupdates.go of the cluster-version operator. After other failures, it has no updates. */
const KEEPING = ["RemoteFailed", "ResponseFailed"];

/**
 * What the operator knows after it has asked. A service that could not be asked leaves what it has, which it loses when it ends. Without a
 * `retrieval`, its lists are empty until it asks.
 */
export function retain(
  before: OperatorView | undefined,
  channel: string,
  retrieval: Retrieval | undefined,
  isReporting: boolean,
): OperatorView {
  if (retrieval === undefined) return { channel, releases: [], state: before?.state ?? "retrieved", isPending: true };
  if (retrieval.kind === "retrieved")
    return { channel, releases: retrieval.releases, state: isReporting ? "retrieved" : "silent" };
  const isKept = KEEPING.includes(retrieval.reason) && before?.channel === channel;
  return { channel, releases: isKept ? before.releases : [], state: isReporting ? retrieval : "silent" };
}

/** ClusterVersion's status as the operator writes it in a sync. Without a view, it has only seen the spec. */
export function buildSyncedStatus(clusterVersion: JsonObject, view: OperatorView | undefined, now: Date): JsonObject {
  const observedGeneration = at(clusterVersion, "metadata", "generation") ?? 0;
  const status = { ...objectAt(clusterVersion, "status"), observedGeneration };
  if (view === undefined) return status;
  const { releases, state, isPending } = view;
  const lists = replaceLists(status, { availableUpdates: releases.length > 0 ? releases : null });
  return isPending ? lists : { ...lists, conditions: setRetrieved(clusterVersion, state, now) };
}

function setRetrieved(clusterVersion: JsonObject, state: OperatorView["state"], now: Date) {
  const conditions = listAt(clusterVersion, "status", "conditions");
  if (state === "silent") return conditions.filter((one) => textAt(one, "type") !== "RetrievedUpdates");
  const content =
    state === "retrieved"
      ? ({ status: "True", reason: "AsExpected", message: "" } as const)
      : ({
          status: "False",
          reason: state.reason,
          message: `Unable to retrieve available updates: ${state.message}`,
        } as const);
  const present = findCondition(clusterVersion, "RetrievedUpdates");
  return setCondition(conditions, setTransitionTime(present, { type: "RetrievedUpdates", ...content }, now));
}
