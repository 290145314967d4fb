import { findCondition } from "../../model/conditions.ts";
import { type JsonObject, listAt, objectAt, textAt } from "../../model/json.ts";
import type { ObjectRef } from "../../model/resource.ts";
import { parseTimestamp } from "../../model/time.ts";
import { defined } from "../../model/optional.ts";

/** The condition types that matter to an update. */
const CONDITION_TYPES = ["Available", "Degraded", "Upgradeable", "EvaluationConditionsDetected"] as const;
export type ConditionType = (typeof CONDITION_TYPES)[number];

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
    ...defined({ version: version || undefined }),
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
    ...defined({ since }),
  };
  return [[type, condition]];
}

export function buildRef({ name }: ClusterOperator): ObjectRef {
  return { apiVersion: "config.openshift.io/v1", kind: "ClusterOperator", name };
}
