import { conditionOf } from "../../model/conditions.ts";
import { type JsonObject, listAt, objectAt, textAt } from "../../model/json.ts";
import type { ObjectRef } from "../../model/resource.ts";
import { instantOf } from "../../model/time.ts";

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
  return {
    name: textAt(object, "metadata", "name") ?? "",
    shipped: Object.keys(objectAt(object, "metadata", "annotations")).some((key) => key.startsWith(SHIPPED)),
    ...(version ? { version } : {}),
    conditions: Object.fromEntries(TYPES.flatMap((type) => saidOf(object, type))),
  };
}

function saidOf(object: JsonObject, type: ConditionType): readonly [ConditionType, Condition][] {
  const found = conditionOf(object, type);
  if (found === undefined) return [];
  const since = instantOf(textAt(found, "lastTransitionTime"));
  const condition = {
    status: textAt(found, "status") ?? "",
    reason: textAt(found, "reason") ?? "",
    message: (textAt(found, "message") ?? "").slice(0, KEPT_MESSAGE),
    ...(since === undefined ? {} : { since }),
  };
  return [[type, condition]];
}

export function refTo({ name }: Operator): ObjectRef {
  return { apiVersion: "config.openshift.io/v1", kind: "ClusterOperator", name };
}
