import { type Finding, type Context, type Judgement, defineCheck } from "../../model/check.ts";
import { type Json, type JsonObject, compareText, at, isList, isObject, textAt } from "../../model/json.ts";
import { summarizeNames } from "../../model/text.ts";
import { readRisks } from "../shared/risks.ts";
import { type Get, type GetResult, type ReadResults, get } from "../../model/read.ts";
import type { ObjectRef } from "../../model/resource.ts";
import { leavesMinor, formatMinor } from "../../model/version.ts";
import { findCondition } from "../../model/object.ts";

const risks = readRisks("unsupported-overrides", {
  OperatorConfigOverridesUnsupported: { message: { keys: formatAllKeys } },
});

function formatAllKeys(findings: readonly Finding[]): string {
  const keys = new Set(findings.flatMap(({ detail }) => (detail?.["keys"] ? detail["keys"].split(" ") : [])));
  return formatKeys([...keys].toSorted(compareText));
}

/** "a.b, c and 2 more", or that nothing is set below the field. */
function formatKeys(keys: readonly string[]): string {
  return keys.length === 0 ? "an empty object" : summarizeNames(keys);
}

/** By kind. */
type ConfigReads = Readonly<Record<string, Get<OperatorConfig>>>;

export default defineCheck({
  id: "unsupported-overrides",
  name: "ConfigOverridesUnsupported",
  title: "No operator runs with unsupported configuration overrides",
  risks: Object.values(risks),
  applies: { kind: "updates", kinds: ["patch", "minor"] },
  reads: () => ({}),
  mayRead: buildConfigReads,
  // Follow-up reads, so that one that fails doesn't hide the others.
  follow: (_, context) => (leavesMinor(context) ? buildConfigReads() : {}),
  evaluate: (_, context, configs) =>
    leavesMinor(context)
      ? judge(configs, context)
      : { notApplicable: `Overrides don't block updates within ${formatMinor(context.source)}.` },
});

function buildConfigReads(): ConfigReads {
  return Object.fromEntries(OPERATORS.map((operator) => [operator.kind, buildRead(operator)]));
}

function judge(configs: Partial<ReadResults<ConfigReads>>, context: Context): Judgement {
  const results = OPERATORS.flatMap(({ kind }) => configs[kind] ?? []);
  if (results.length === OPERATORS.length && results.every(({ kind }) => kind === "absent"))
    return { notApplicable: "The cluster has none of the operators' configurations (operator.openshift.io/v1)." };
  const operators = OPERATORS.filter(({ isInGuest }) => !context.isHosted || isInGuest);
  const overridden = operators.flatMap((operator) => selectOverridden(operator, configs[operator.kind]));
  return {
    findings: overridden.filter(isBlocking).map(buildFinding),
    notices: overridden.filter((one) => !isBlocking(one)).map((one) => buildNotice(one, context)),
  };
}

type OverriddenConfig = {
  readonly operator: OperatorKind;
  readonly keys: readonly string[];
  readonly config: OperatorConfig;
};

function selectOverridden(
  operator: OperatorKind,
  result: GetResult<OperatorConfig> | undefined,
): readonly OverriddenConfig[] {
  if (result?.kind !== "found" || result.value.keys === undefined) return [];
  return [{ operator, keys: result.value.keys, config: result.value }];
}

function isBlocking({ operator, config }: OverriddenConfig): boolean {
  if (operator.isIgnoring) return false;
  return !config.isIdle || config.upgradeableStatus === "False";
}

function buildFinding({ operator, keys }: OverriddenConfig): Finding {
  return {
    risk: risks.OperatorConfigOverridesUnsupported.name,
    object: buildRef(operator),
    message: `Its spec.unsupportedConfigOverrides is set (${formatKeys(keys)}).`,
    detail: { clusterOperator: operator.clusterOperator, keys: keys.join(" ") },
  };
}

function buildNotice({ operator, keys }: OverriddenConfig, { target }: Context): string {
  return `${operator.kind} cluster has spec.unsupportedConfigOverrides (${formatKeys(keys)}). Its operator doesn't block the update, but nobody has tested these settings with ${target.text}.`;
}

function buildRef({ kind }: OperatorKind): ObjectRef {
  return { apiVersion: "operator.openshift.io/v1", kind, name: "cluster" };
}

/** A kind of operator.openshift.io/v1 with spec.unsupportedConfigOverrides, and the ClusterOperator that reports on it. */
type OperatorKind = {
  readonly kind: string;
  readonly clusterOperator: string;
  /** The operator doesn't evaluate overrides; any other reports Upgradeable=False while there are some. */
  readonly isIgnoring?: true;
  /** It runs in a hosted cluster too: the others belong to its control plane, which has no such operators. */
  readonly isInGuest?: true;
};

/** The kinds whose operators run library-go's unsupportedconfigoverridescontroller, and one of the same shape whose operator doesn't. */
const OPERATORS: readonly OperatorKind[] = [
  { kind: "Authentication", clusterOperator: "authentication" },
  { kind: "Console", clusterOperator: "console", isInGuest: true },
  { kind: "Etcd", clusterOperator: "etcd" },
  { kind: "KubeAPIServer", clusterOperator: "kube-apiserver" },
  { kind: "KubeControllerManager", clusterOperator: "kube-controller-manager" },
  { kind: "KubeScheduler", clusterOperator: "kube-scheduler" },
  { kind: "OpenShiftAPIServer", clusterOperator: "openshift-apiserver" },
  { kind: "OpenShiftControllerManager", clusterOperator: "openshift-controller-manager", isIgnoring: true },
];

/** The overrides in an operator's configuration: the paths that are set, never their values. */
type OperatorConfig = {
  readonly keys: readonly string[] | undefined;
  /** Unmanaged or removed: the operator doesn't evaluate the overrides, and its last report stands. */
  readonly isIdle: boolean;
  /** The status of the condition UnsupportedConfigOverridesUpgradeable, if it exists. */
  readonly upgradeableStatus: string | undefined;
};

function buildRead({ kind }: OperatorKind): Get<OperatorConfig> {
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
