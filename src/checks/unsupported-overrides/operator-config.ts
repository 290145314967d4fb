import { findCondition } from "../../model/conditions.ts";
import { type Json, type JsonObject, at, compareText, isList, isObject, textAt } from "../../model/json.ts";
import { type Get, get } from "../../model/read.ts";

/** A kind of operator.openshift.io/v1 with spec.unsupportedConfigOverrides, and the ClusterOperator that reports on it. */
export type OperatorKind = {
  readonly plural: string;
  readonly kind: string;
  readonly clusterOperator: string;
  /** `block`: the operator reports Upgradeable=False while there are overrides. `ignore`: it doesn't evaluate them. */
  readonly overrides: "block" | "ignore";
};

/** The kinds whose operators run library-go's unsupportedconfigoverridescontroller, and one of the same shape whose operator doesn't. */
export const OPERATORS: readonly OperatorKind[] = [
  { plural: "authentications", kind: "Authentication", clusterOperator: "authentication", overrides: "block" },
  { plural: "consoles", kind: "Console", clusterOperator: "console", overrides: "block" },
  { plural: "etcds", kind: "Etcd", clusterOperator: "etcd", overrides: "block" },
  { plural: "kubeapiservers", kind: "KubeAPIServer", clusterOperator: "kube-apiserver", overrides: "block" },
  {
    plural: "kubecontrollermanagers",
    kind: "KubeControllerManager",
    clusterOperator: "kube-controller-manager",
    overrides: "block",
  },
  { plural: "kubeschedulers", kind: "KubeScheduler", clusterOperator: "kube-scheduler", overrides: "block" },
  {
    plural: "openshiftapiservers",
    kind: "OpenShiftAPIServer",
    clusterOperator: "openshift-apiserver",
    overrides: "block",
  },
  {
    plural: "openshiftcontrollermanagers",
    kind: "OpenShiftControllerManager",
    clusterOperator: "openshift-controller-manager",
    overrides: "ignore",
  },
];

/** The overrides in an operator's configuration: the paths that are set, never their values. */
export type OperatorConfig = {
  readonly keys: readonly string[] | undefined;
  /** Unmanaged or removed: the operator doesn't evaluate the overrides, and its last report stands. */
  readonly isIdle: boolean;
  /** The status of the condition UnsupportedConfigOverridesUpgradeable, if it exists. */
  readonly upgradeableStatus: string | undefined;
};

export function buildRead({ plural }: OperatorKind): Get<OperatorConfig> {
  return get(`operator.openshift.io/v1/${plural}`, "cluster", keepOperatorConfig);
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
