/** The keys that the monitoring operator knows at one place of its configuration. */
export type KnownKeys =
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
export const CLUSTER = buildMap("enableUserWorkload http k8sPrometheusAdapter userWorkload", {
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
export const USER_WORKLOAD = buildMap("namespacesWithoutLabelEnforcement", {
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
