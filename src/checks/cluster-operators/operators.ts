import { type Json, type JsonObject, isObject, listAt, objectAt, textAt } from "../../model/json.ts";
import type { ObjectRef } from "../../model/resource.ts";

/** The condition types that say something of an update. */
const TYPES = ["Available", "Degraded", "Upgradeable", "EvaluationConditionsDetected"] as const;
export type ConditionType = (typeof TYPES)[number];

export type Condition = {
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  /** Milliseconds since 1970, where the time of the last transition can be read. */
  readonly since?: number;
};

/** What matters of a ClusterOperator. */
export type Operator = {
  readonly name: string;
  /** Does the release bring it, so that its version is the release's? Others, such as that of a managed service, count in their own way. */
  readonly shipped: boolean;
  /** The release that it says it runs, where it says so. */
  readonly version?: string;
  readonly conditions: Readonly<Partial<Record<ConditionType, Condition>>>;
};

const KEPT_MESSAGE = 1000;
/** The cluster-version operator copies the annotations of the release's manifest. */
const SHIPPED = "include.release.openshift.io/";

export function keepOperator(object: JsonObject): Operator {
  const versions = listAt(object, "status", "versions");
  const version = textAt(
    versions.find((entry) => textAt(entry, "name") === "operator"),
    "version",
  );
  const conditions = listAt(object, "status", "conditions");
  return {
    name: textAt(object, "metadata", "name") ?? "",
    shipped: Object.keys(objectAt(object, "metadata", "annotations")).some((key) => key.startsWith(SHIPPED)),
    ...(version ? { version } : {}),
    conditions: Object.fromEntries(TYPES.flatMap((type) => conditionOf(conditions, type))),
  };
}

function conditionOf(conditions: readonly Json[], type: ConditionType): readonly [ConditionType, Condition][] {
  const found = conditions.find((condition) => textAt(condition, "type") === type);
  if (!isObject(found)) return [];
  // oxlint-disable-next-line no-restricted-globals -- reading a written time is pure
  const since = Date.parse(textAt(found, "lastTransitionTime") ?? "");
  const condition = {
    status: textAt(found, "status") ?? "",
    reason: textAt(found, "reason") ?? "",
    message: (textAt(found, "message") ?? "").slice(0, KEPT_MESSAGE),
    ...(Number.isNaN(since) ? {} : { since }),
  };
  return [[type, condition]];
}

export function refTo({ name }: Operator): ObjectRef {
  return { apiVersion: "config.openshift.io/v1", kind: "ClusterOperator", name };
}
