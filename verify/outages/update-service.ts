import type { JsonObject } from "../../src/model/json.ts";
import { type OperatorView, retain, type Retrieval } from "./operator-view.ts";

export const CHANNELS = ["stable-5.1", "fast-5.1"] as const;
export type Channel = (typeof CHANNELS)[number];

/** What the update service does instead of answering, with the operator's reason for it. */
export const FAULTS = {
  "closes the connection": "RemoteFailed",
  "cuts its answer": "RemoteFailed",
  "answers 500": "ResponseFailed",
  "answers 404": "ResponseFailed",
  "answers with a page": "ResponseInvalid",
  "lacks the running version": "VersionNotFound",
} as const;
export type Fault = keyof typeof FAULTS;

/** The update that is played with: two images are published for its version, and another update beside it. */
export type Target = {
  readonly source: string;
  readonly version: string;
  readonly images: readonly [string, string];
  readonly other: JsonObject;
};

/** What is so, whatever the controller says: an update service, and what its operator has seen of it. */
export type UpdateService = {
  readonly target: Target;
  fault: Fault | undefined;
  isOperatorUp: boolean;
  /** Whether the operator reports RetrievedUpdates, as one that is too old does not. */
  isReporting: boolean;
  channel: Channel;
  /** The image of the target in each channel that offers it. */
  readonly images: Map<Channel, string>;
  /** What the operator keeps until it ends. */
  memory: OperatorView | undefined;
  /** What it wrote last. */
  view: OperatorView;
  /** Whether it has seen the present spec. */
  isObserved: boolean;
  attempts: number;
};

export function createUpdateService(target: Target): UpdateService {
  const [channel] = CHANNELS;
  return {
    target,
    fault: undefined,
    isOperatorUp: true,
    isReporting: true,
    channel,
    images: new Map([[channel, target.images[0]]]),
    memory: undefined,
    view: { channel, releases: [], state: "retrieved", isPending: true },
    isObserved: false,
    attempts: 0,
  };
}

/** The updates that a channel offers. */
export function listOffers({ images, target }: UpdateService, channel: string): readonly JsonObject[] {
  const image = new Map<string, string>(images).get(channel);
  return image === undefined ? [target.other] : [{ version: target.version, image }, target.other];
}

/** What a retrieval has to bring, from another port each time. */
export function retrieve(service: UpdateService): Retrieval {
  const { fault } = service;
  service.attempts += 1;
  return fault === undefined
    ? { kind: "retrieved", releases: listOffers(service, service.channel) }
    : { kind: "failed", reason: FAULTS[fault], message: `${fault}, asked from 10.0.0.1:${40_000 + service.attempts}` };
}

export type SyncKind = "retrieves" | "sees the channel" | "sees the channel and empties its lists";

/** What the operator has seen and written after a sync. */
export function advance(service: UpdateService, kind: SyncKind): void {
  if (!service.isOperatorUp) return;
  const { channel, isReporting, memory, view } = service;
  service.isObserved = true;
  if (kind === "sees the channel") return;
  service.memory = retain(memory, channel, kind === "retrieves" ? retrieve(service) : undefined, isReporting);
  // What it reports is of the question before, also if it has started since.
  service.view = service.memory.isPending ? { ...service.memory, state: view.state } : service.memory;
}

/** Whether the lists are what the service offers in the present channel, and ClusterVersion says so. */
export function isCurrent({ view, channel, isObserved }: UpdateService): boolean {
  return isObserved && view.state === "retrieved" && !view.isPending && view.channel === channel;
}

/** Whether the operator has seen that the target is not offered. */
export function isSeenAbsent(service: UpdateService): boolean {
  return isCurrent(service) && !service.view.releases.some((one) => one["version"] === service.target.version);
}
