import { findCondition } from "../../model/conditions.ts";
import { type Json, type JsonObject, at, compareText, isList, isObject, textAt } from "../../model/json.ts";
import { type Get, get } from "../../model/read.ts";

/** A kind of operator.openshift.io/v1 with spec.unsupportedConfigOverrides, and the ClusterOperator that reports on it. */
export type OperatorKind = {
  readonly kind: string;
  readonly clusterOperator: string;
  /** The operator doesn't evaluate overrides; any other reports Upgradeable=False while there are some. */
  readonly isIgnoring?: true;
};

/** The kinds whose operators run library-go's unsupportedconfigoverridescontroller, and one of the same shape whose operator doesn't. */
export const OPERATORS: readonly OperatorKind[] = [
  { kind: "Authentication", clusterOperator: "authentication" },
  { kind: "Console", clusterOperator: "console" },
  { kind: "Etcd", clusterOperator: "etcd" },
  { kind: "KubeAPIServer", clusterOperator: "kube-apiserver" },
  { kind: "KubeControllerManager", clusterOperator: "kube-controller-manager" },
  { kind: "KubeScheduler", clusterOperator: "kube-scheduler" },
  { kind: "OpenShiftAPIServer", clusterOperator: "openshift-apiserver" },
  { kind: "OpenShiftControllerManager", clusterOperator: "openshift-controller-manager", isIgnoring: true },
];

/** The overrides in an operator's configuration: the paths that are set, never their values. */
export type OperatorConfig = {
  readonly keys: readonly string[] | undefined;
  /** Unmanaged or removed: the operator doesn't evaluate the overrides, and its last report stands. */
  readonly isIdle: boolean;
  /** The status of the condition UnsupportedConfigOverridesUpgradeable, if it exists. */
  readonly upgradeableStatus: string | undefined;
};

export function buildRead({ kind }: OperatorKind): Get<OperatorConfig> {
  return get(`operator.openshift.io/v1/${kind.toLowerCase()}s`, "cluster", keepOperatorConfig);
}

export function keepOperatorConfig(object: JsonObject): OperatorConfig {
  const state = textAt(object, "spec", "managementState");
  return {
    keys: parseKeys(at(object, "spec", "unsupportedConfigOverrides")),
    isIdle: state === "Unmanaged" || state === "Removed",
    upgradeableStatus: textAt(findCondition(object, "UnsupportedConfigOverridesUpgradeable"), "status"),
  };
}

/** Undefined if nothing is set. An empty object counts as set, as it does for the operators. */
function parseKeys(overrides: Json | undefined): readonly string[] | undefined {
  if (overrides === undefined || overrides === null) return undefined;
  return [...new Set(listPaths(overrides, []))].toSorted(compareText);
}

function listPaths(value: Json, path: readonly string[]): readonly string[] {
  if (isObject(value)) return Object.entries(value).flatMap(([key, item]) => listPaths(item, [...path, key]));
  if (isList(value)) return value.flatMap((item, i) => listPaths(item, [...path, String(i)]));
  return path.length === 0 ? [] : [path.join(".")];
}
