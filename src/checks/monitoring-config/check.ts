import { type ObjectRef, buildConfigMapRef, formatRef } from "../../model/resource.ts";
import { readRisks } from "../shared/risks.ts";
import { type Context, type Judgement, type Unknown, type Finding, defineCheck } from "../../model/check.ts";
import { type Get, type ReadResults, type GetResult, get } from "../../model/read.ts";
import type { MonitoringConfig, MonitoringSettings } from "./monitoring-config.ts";
import { keepClusterConfig, keepUserWorkloadConfig } from "./monitoring-config.ts";
import { crosses } from "../../model/version.ts";

/** The ConfigMap of the platform's own monitoring. */
const CLUSTER_CONFIG = buildConfigMapRef("openshift-monitoring", "cluster-monitoring-config");

const risks = readRisks("monitoring-config", {
  MonitoringConfigAlertmanagerV1: {},
  MonitoringConfigRefused: {},
});

type FollowUpReads = { readonly cluster?: Get<MonitoringConfig>; readonly userWorkload?: Get<MonitoringConfig> };

export default defineCheck({
  id: "monitoring-config",
  title: "The target's monitoring operator accepts the monitoring configuration",
  risks: Object.values(risks),
  applies: { kind: "updates", kinds: ["minor"] },
  reads: () => ({}),
  mayRead: buildConfigReads,
  follow: (_, context) => (isStricter(context) ? buildConfigReads() : {}),
  evaluate: (_, context, followed) => judge(followed, context),
});

function buildConfigReads(): Required<FollowUpReads> {
  return {
    cluster: get("v1/configmaps", "openshift-monitoring/cluster-monitoring-config", keepClusterConfig),
    userWorkload: get(
      "v1/configmaps",
      "openshift-user-workload-monitoring/user-workload-monitoring-config",
      keepUserWorkloadConfig,
    ),
  };
}

function judge({ cluster, userWorkload }: Partial<ReadResults<FollowUpReads>>, context: Context): Judgement {
  if (isStricter(context)) return judgeConfigs(cluster, userWorkload, context);
  const { source, target } = context;
  return {
    notApplicable: `No release after ${source.text} up to ${target.text} is stricter about the monitoring configuration.`,
  };
}

const STRICT_FROM = "4.18";
/** From here on keys are case-sensitive, and Prometheus 3 no longer has Alertmanager's v1 API. */
const CASE_FROM = "4.19";
/** Updates into these releases get a notice about k8sPrometheusAdapter, which later operators refuse. */
const ADAPTER_UNTIL = ["4.20", "4.21", "4.22"];

const USER_WORKLOAD = buildConfigMapRef("openshift-user-workload-monitoring", "user-workload-monitoring-config");

type Versions = Pick<Context, "source" | "target">;

/** Does any release between source and target become stricter about the configuration? */
export function isStricter({ source, target }: Versions): boolean {
  return [STRICT_FROM, CASE_FROM, ...ADAPTER_UNTIL].some((minor) => crosses(source, minor, target));
}

/** The operator reads the second ConfigMap only if the first enables it. */
export function judgeConfigs(
  cluster: GetResult<MonitoringConfig> | undefined,
  userWorkload: GetResult<MonitoringConfig> | undefined,
  versions: Versions,
): Judgement {
  const first = findSettings(cluster);
  const second = first?.isUserWorkloadEnabled === true ? userWorkload : undefined;
  return {
    findings: [
      ...buildFindings(first, CLUSTER_CONFIG, versions),
      ...buildFindings(findSettings(second), USER_WORKLOAD, versions),
    ],
    notices: first?.hasAdapter === true ? [ADAPTER_NOTICE] : [],
    unknowns: [...buildUnknowns(cluster, CLUSTER_CONFIG), ...buildUnknowns(second, USER_WORKLOAD)],
  };
}

function findSettings(config: GetResult<MonitoringConfig> | undefined): MonitoringSettings | undefined {
  return config?.kind === "found" && config.value.kind === "settings" ? config.value : undefined;
}

const ADAPTER_NOTICE = `${formatRef(CLUSTER_CONFIG)} sets k8sPrometheusAdapter, which no longer has any effect. Remove it: later releases refuse it.`;

function buildFindings(
  settings: MonitoringSettings | undefined,
  object: ObjectRef,
  versions: Versions,
): readonly Finding[] {
  if (settings === undefined) return [];
  return [
    ...buildRefusedKeyFindings(settings, object, versions),
    ...buildAlertmanagerFindings(settings, object, versions),
  ];
}

function buildRefusedKeyFindings(
  { repeatedAt, oddKeys }: MonitoringSettings,
  object: ObjectRef,
  { source, target }: Versions,
): readonly Finding[] {
  const strict = crosses(source, STRICT_FROM, target);
  const cased = crosses(source, CASE_FROM, target);
  const risk = risks.MonitoringConfigRefused.name;
  const repeated =
    strict && repeatedAt !== undefined
      ? [{ at: `line ${repeatedAt}`, why: "The key on this line repeats another key of the same map." }]
      : [];
  const unknown = oddKeys.filter(({ kind }) => strict && kind === "unknown");
  const otherCase = oddKeys.filter(({ kind }) => cased && kind === "case");
  const faults = [
    ...repeated,
    ...unknown.map(({ path }) => ({ at: path, why: "The monitoring operator doesn't know this key." })),
    ...otherCase.map(({ path }) => ({
      at: path,
      why: "From 4.19 on keys are case-sensitive, and the operator knows this one only with other capitalization.",
    })),
  ];
  return faults.map(({ at, why }) => ({ risk, object, path: `config.yaml ${at}`, message: why }));
}

function buildAlertmanagerFindings(
  { alertmanagersV1 }: MonitoringSettings,
  object: ObjectRef,
  { source, target }: Versions,
): readonly Finding[] {
  if (!crosses(source, CASE_FROM, target)) return [];
  return alertmanagersV1.map((path) => ({
    risk: risks.MonitoringConfigAlertmanagerV1.name,
    object,
    path: `config.yaml ${path}`,
    message: "It requests the v1 API, which Prometheus doesn't support from 4.19 on.",
  }));
}

function buildUnknowns(
  config: GetResult<MonitoringConfig> | undefined,
  { namespace, name }: ObjectRef,
): readonly Unknown[] {
  if (config?.kind !== "found" || config.value.kind !== "unparsable") return [];
  const where = `configmaps ${namespace}/${name}`;
  return [{ reason: "NotUnderstood", where, message: "its config.yaml is not valid YAML" }];
}
