import { parseTexts } from "../../encoding/yaml.ts";
import { type Json, type JsonObject, isList, isObject, listAt, textAt } from "../../model/json.ts";

/** The keys that the monitoring operator knows at one place of its configuration. */
type KnownKeys =
  | { readonly kind: "any" }
  | { readonly kind: "map"; readonly keys: ReadonlyMap<string, KnownKeys> }
  | { readonly kind: "list"; readonly items: KnownKeys };

const ANY: KnownKeys = { kind: "any" };

function buildMap(names: string, more: Readonly<Record<string, KnownKeys>> = {}): KnownKeys {
  const plain = names.split(" ").map((name) => [name, ANY] as const);
  return { kind: "map", keys: new Map<string, KnownKeys>([...plain, ...Object.entries(more)]) };
}

/** The check doesn't look into settings whose types belong to Kubernetes or Prometheus. */
const PODS = "nodeSelector resources tolerations topologySpreadConstraints";

const ALERTMANAGERS: KnownKeys = {
  kind: "list",
  items: buildMap("apiVersion bearerToken pathPrefix scheme staticConfigs timeout tlsConfig"),
};

const OPERATOR = buildMap(`logLevel ${PODS}`);
const PROMETHEUS = `externalLabels logLevel queryLogFile remoteWrite retention retentionSize volumeClaimTemplate ${PODS}`;

/** The keys in config.yaml of cluster-monitoring-config that any release from 4.18 on knows (pkg/manifests/types.go of the operator). */
const CLUSTER = buildMap("enableUserWorkload http k8sPrometheusAdapter userWorkload", {
  alertmanagerMain: buildMap(`enabled enableUserAlertmanagerConfig logLevel secrets volumeClaimTemplate ${PODS}`),
  kubeStateMetrics: buildMap(`additionalResourceLabels ${PODS}`),
  metricsServer: buildMap(`audit verbosity ${PODS}`),
  monitoringPlugin: buildMap(PODS),
  nodeExporter: buildMap(`collectors maxProcs ignoredNetworkDevices ${PODS}`),
  openshiftStateMetrics: buildMap(PODS),
  prometheusK8s: buildMap(`collectionProfile enforcedBodySizeLimit scrapeInterval evaluationInterval ${PROMETHEUS}`, {
    additionalAlertmanagerConfigs: ALERTMANAGERS,
  }),
  prometheusOperator: OPERATOR,
  prometheusOperatorAdmissionWebhook: buildMap(`logLevel ${PODS}`),
  telemeterClient: buildMap(`clusterID enabled telemeterServerURL token ${PODS}`),
  thanosQuerier: buildMap(`enableRequestLogging logLevel enableCORS ${PODS}`),
});

/** The keys in config.yaml of user-workload-monitoring-config. */
const USER_WORKLOAD = buildMap("namespacesWithoutLabelEnforcement", {
  alertmanager: buildMap(`enabled enableAlertmanagerConfig logLevel secrets volumeClaimTemplate ${PODS}`),
  prometheus: buildMap(
    `scrapeInterval evaluationInterval enforcedLabelLimit enforcedLabelNameLengthLimit enforcedLabelValueLengthLimit enforcedSampleLimit enforcedTargetLimit ${PROMETHEUS}`,
    { additionalAlertmanagerConfigs: ALERTMANAGERS },
  ),
  prometheusOperator: OPERATOR,
  thanosRuler: buildMap(`evaluationInterval logLevel retention volumeClaimTemplate ${PODS}`, {
    additionalAlertmanagerConfigs: ALERTMANAGERS,
  }),
});

const YES = /^(?:y|yes|true|on)$/i;

/** A key that the operator doesn't know, or knows only with other capitalization. */
type OddKey = { readonly path: string; readonly kind: "unknown" | "case" };

/** The parts of a config.yaml that matter here. */
export type MonitoringSettings = {
  readonly kind: "settings";
  /** The line of the first key that repeats another key of its map. */
  readonly repeatedAt: number | undefined;
  readonly oddKeys: readonly OddKey[];
  readonly alertmanagersV1: readonly string[];
  readonly hasAdapter: boolean;
  readonly isUserWorkloadEnabled: boolean;
};

export type MonitoringConfig = MonitoringSettings | { readonly kind: "none" } | { readonly kind: "unparsable" };

export function keepClusterConfig(object: JsonObject): MonitoringConfig {
  return parseConfig(object, CLUSTER);
}

export function keepUserWorkloadConfig(object: JsonObject): MonitoringConfig {
  return parseConfig(object, USER_WORKLOAD);
}

/** Without config.yaml, or with an empty one, the operator uses its defaults. */
function parseConfig(object: JsonObject, knownKeys: KnownKeys): MonitoringConfig {
  const text = textAt(object, "data", "config.yaml") ?? "";
  if (text.trim() === "") return { kind: "none" };
  const parsed = parseTexts(text);
  if (parsed.kind === "invalid") return { kind: "unparsable" };
  const { value, repeatedAt } = parsed;
  return {
    kind: "settings",
    repeatedAt,
    oddKeys: findOddKeys(value, knownKeys, ""),
    alertmanagersV1: ["prometheusK8s", "prometheus", "thanosRuler"].flatMap((component) =>
      findV1Paths(value, component),
    ),
    hasAdapter: isObject(value) && Object.hasOwn(value, "k8sPrometheusAdapter"),
    isUserWorkloadEnabled: YES.test(textAt(value, "enableUserWorkload") ?? ""),
  };
}

function findOddKeys(value: Json | undefined, knownKeys: KnownKeys, path: string): readonly OddKey[] {
  if (knownKeys.kind === "any") return [];
  if (knownKeys.kind === "list") {
    return isList(value) ? value.flatMap((item, i) => findOddKeys(item, knownKeys.items, `${path}[${i}]`)) : [];
  }
  if (!isObject(value)) return [];
  return Object.keys(value).flatMap((key) => {
    const here = path === "" ? key : `${path}.${key}`;
    const exact = knownKeys.keys.get(key);
    if (exact) return findOddKeys(value[key], exact, here);
    const alike = [...knownKeys.keys].find(([name]) => name.toLowerCase() === key.toLowerCase());
    if (!alike) return [{ path: here, kind: "unknown" as const }];
    return [{ path: here, kind: "case" as const }, ...findOddKeys(value[key], alike[1], here)];
  });
}

function findV1Paths(value: Json, component: string): readonly string[] {
  const list = "additionalAlertmanagerConfigs";
  return listAt(value, component, list).flatMap((item, i) =>
    textAt(item, "apiVersion") === "v1" ? [`${component}.${list}[${i}].apiVersion`] : [],
  );
}
