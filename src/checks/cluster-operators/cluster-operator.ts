import { findCondition } from "../../model/object.ts";
import { type JsonObject, listAt, objectAt, textAt } from "../../model/json.ts";
import type { ObjectRef } from "../../model/resource.ts";
import { parseTimestamp } from "../../model/time.ts";

/** The condition types that matter to an update. */
const CONDITION_TYPES = ["Available", "Degraded", "Upgradeable", "EvaluationConditionsDetected"] as const;
type ConditionType = (typeof CONDITION_TYPES)[number];

export type ClusterOperatorCondition = {
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  /** The last transition in milliseconds since 1970; absent if its time can't be parsed. */
  readonly since?: number;
};

export type ClusterOperator = {
  readonly name: string;
  /** Whether it is part of the release and so has its version. Others, such as that of a managed service, have versions of their own. */
  readonly isShipped: boolean;
  /** The release that it reports to run. */
  readonly version?: string;
  readonly conditions: Readonly<Partial<Record<ConditionType, ClusterOperatorCondition>>>;
};

const MAX_MESSAGE_LENGTH = 1000;
/** The cluster-version operator copies the annotations of the release's manifest. */
const INCLUDE_PREFIX = "include.release.openshift.io/";

export function keepClusterOperator(object: JsonObject): ClusterOperator {
  const versions = listAt(object, "status", "versions");
  const version = textAt(
    versions.find((entry) => textAt(entry, "name") === "operator"),
    "version",
  );
  return {
    name: textAt(object, "metadata", "name") ?? "",
    isShipped: Object.keys(objectAt(object, "metadata", "annotations")).some((key) => key.startsWith(INCLUDE_PREFIX)),
    version: version || undefined,
    conditions: Object.fromEntries(CONDITION_TYPES.flatMap((type) => parseCondition(object, type))),
  };
}

function parseCondition(object: JsonObject, type: ConditionType): readonly [ConditionType, ClusterOperatorCondition][] {
  const raw = findCondition(object, type);
  if (raw === undefined) return [];
  const since = parseTimestamp(textAt(raw, "lastTransitionTime"));
  const condition = {
    status: textAt(raw, "status") ?? "",
    reason: textAt(raw, "reason") ?? "",
    message: (textAt(raw, "message") ?? "").slice(0, MAX_MESSAGE_LENGTH),
    since,
  };
  return [[type, condition]];
}

export function buildRef({ name }: ClusterOperator): ObjectRef {
  return { apiVersion: "config.openshift.io/v1", kind: "ClusterOperator", name };
}

/** The state of the cluster's last update. `unknown`: ClusterVersion doesn't report it. */
export type Rollout =
  | { readonly kind: "completed"; readonly version: string }
  | { readonly kind: "underWay"; readonly version: string }
  | { readonly kind: "unknown" };

/** The newest entry of ClusterVersion's history comes first. */
export function keepRollout(clusterVersion: JsonObject): Rollout {
  const [last] = listAt(clusterVersion, "status", "history");
  const version = textAt(last, "version");
  if (!version) return { kind: "unknown" };
  return { kind: textAt(last, "state") === "Completed" ? "completed" : "underWay", version };
}

/** The longest quotation of a message; a text about several operators divides it among them. */
export const MAX_LENGTH = 240;

/** An operator's own reason and message on one line: only the first sentence of the message, and no more than `maxLength` of it. */
export function formatReason(
  { reason, message }: Pick<ClusterOperatorCondition, "reason" | "message">,
  maxLength = MAX_LENGTH,
): string {
  const short = shorten(message, maxLength);
  if (reason === "") return short === "" ? "no reason reported" : `"${short}"`;
  return short === "" ? reason : `${reason}, "${short}"`;
}

function shorten(message: string, maxLength: number): string {
  const line = message.replaceAll(/\s+/g, " ").replaceAll('"', "'").trim();
  const [first = ""] = line.split(/(?<=[.!?]) /);
  const sentence = first.replace(/[.!?]+$/, "");
  if (sentence.length > maxLength) return `${sentence.slice(0, maxLength).trimEnd()}…`;
  return first.length < line.length ? `${sentence}…` : sentence;
}
