import { findCondition } from "../../model/conditions.ts";
import { type Json, type JsonObject, at, compareText, isList, isObject, textAt } from "../../model/json.ts";
import { type Get, get } from "../../model/read.ts";

/** A kind of operator.openshift.io/v1 with spec.unsupportedConfigOverrides, and the ClusterOperator that speaks for it. */
export type OperatorKind = {
  readonly plural: string;
  readonly kind: string;
  readonly clusterOperator: string;
  /** `block`: the operator says Upgradeable=False while there are overrides. `ignore`: it doesn't look at them. */
  readonly overrides: "block" | "ignore";
};

/** Those whose operators run library-go's unsupportedconfigoverridescontroller, and one that doesn't, though it has the same shape. */
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

/** What an operator's configuration has of overrides: the paths that are set, never their values. */
export type OperatorConfig = {
  readonly keys: readonly string[] | undefined;
  /** An operator that is told not to manage doesn't look at the overrides: its last word stands. */
  readonly isIdle: boolean;
  /** Status of the condition UnsupportedConfigOverridesUpgradeable, where there is one. */
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

/** Undefined where nothing is set. An empty object is something set, for the operators as well. */
function parseKeys(overrides: Json | undefined): readonly string[] | undefined {
  if (overrides === undefined || overrides === null) return undefined;
  return [...new Set(listPaths(overrides, []))].toSorted(compareText);
}

function listPaths(value: Json, path: readonly string[]): readonly string[] {
  if (isObject(value)) return Object.entries(value).flatMap(([key, item]) => listPaths(item, [...path, key]));
  if (isList(value)) return value.flatMap((item, i) => listPaths(item, [...path, String(i)]));
  return path.length === 0 ? [] : [path.join(".")];
}
