import { CLUSTER_VERSION } from "../../../src/controller/api/api-paths.ts";
import { setCondition, setTransitionTime } from "../../../src/lift/objects/condition.ts";
import { findCondition } from "../../../src/model/conditions.ts";
import { at, type JsonObject, listAt, objectAt } from "../../../src/model/json.ts";
import { getClusterVersion, type MemoryApi } from "./memory-api.ts";

export const VERSION = "5.2.0";
const OTHER_VERSION = "5.0.9";
export const CHANNELS = ["stable", "fast"] as const;
export type Channel = (typeof CHANNELS)[number];

/** What the operator's last write of the lists was: of one retrieval, or of none. */
type OperatorView = { readonly channel: Channel; readonly isRetrieved: boolean; readonly image?: string };

/** An update service, and a stand-in for the operator that retrieves what it offers. */
export type UpdateService = {
  isUp: boolean;
  isOperatorUp: boolean;
  channel: Channel;
  /** The image of VERSION in each channel that offers it. */
  readonly images: Map<Channel, string>;
  view: OperatorView;
  /** Whether the operator has seen the present spec. */
  isObserved: boolean;
  attempts: number;
};

export function createUpdateService(image: string): UpdateService {
  return {
    isUp: true,
    isOperatorUp: true,
    channel: "stable",
    images: new Map([["stable", image]]),
    view: { channel: "stable", isRetrieved: false },
    isObserved: true,
    attempts: 0,
  };
}

/** Whether the operator has seen, for the present channel, that the version is not offered. */
export function isSeenAbsent({ view, channel, isObserved }: UpdateService): boolean {
  return isObserved && view.isRetrieved && view.channel === channel && view.image === undefined;
}

/** The operator's sync: it retrieves the updates, and writes lists and condition together. Each failure comes from another port. */
export function syncOperator(service: UpdateService, api: MemoryApi, now: Date): void {
  if (!service.isOperatorUp) return;
  const { channel, isUp, images } = service;
  service.attempts += 1;
  service.isObserved = true;
  const image = isUp ? images.get(channel) : undefined;
  service.view = { channel, isRetrieved: isUp, ...(image === undefined ? {} : { image }) };
  const port = 40_000 + service.attempts;
  const message = `Unable to retrieve available updates: read tcp 10.0.0.1:${port}->10.0.0.2:443: connection reset by peer`;
  writeStatus(api, now, isUp ? listOffers(image) : null, isUp ? ["True", ""] : ["False", message]);
}

function listOffers(image: string | undefined): readonly JsonObject[] {
  const other = { version: OTHER_VERSION, image: `registry.example/release@sha256:${"9".repeat(64)}` };
  return image === undefined ? [other] : [{ version: VERSION, image }, other];
}

/** An operator that runs sees the channel at once, and empties its lists or leaves those of before until it has retrieved the new ones. */
export function changeChannel(service: UpdateService, api: MemoryApi, channel: Channel, isEmptied: boolean): void {
  if (service.channel === channel) return;
  service.channel = channel;
  const clusterVersion = getClusterVersion(api);
  const generation = Number(at(clusterVersion, "metadata", "generation")) + 1;
  const metadata = { ...objectAt(clusterVersion, "metadata"), generation };
  const status = objectAt(clusterVersion, "status");
  const isSeen = service.isOperatorUp;
  service.isObserved = isSeen;
  if (isSeen && isEmptied) service.view = { channel, isRetrieved: false };
  api.objects.set(CLUSTER_VERSION, {
    ...clusterVersion,
    metadata,
    spec: { ...objectAt(clusterVersion, "spec"), channel },
    status: {
      ...status,
      ...(isSeen ? { observedGeneration: generation } : {}),
      ...(isSeen && isEmptied ? { availableUpdates: null } : {}),
    },
  });
}

function writeStatus(
  api: MemoryApi,
  now: Date,
  availableUpdates: readonly JsonObject[] | null,
  [state, message]: readonly ["True" | "False", string],
): void {
  const clusterVersion = getClusterVersion(api);
  const status = objectAt(clusterVersion, "status");
  const reason = state === "True" ? "AsExpected" : "RemoteFailed";
  const desired = { type: "RetrievedUpdates", status: state, reason, message };
  const condition = setTransitionTime(findCondition(clusterVersion, "RetrievedUpdates"), desired, now);
  const observedGeneration = at(clusterVersion, "metadata", "generation") ?? 0;
  const conditions = setCondition(listAt(status, "conditions"), condition);
  api.objects.set(CLUSTER_VERSION, {
    ...clusterVersion,
    status: { ...status, observedGeneration, availableUpdates, conditions },
  });
}
