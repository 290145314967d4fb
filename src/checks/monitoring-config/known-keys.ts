/** Which keys the monitoring operator knows: of a map, of a list's items, or whatever is there. */
export type Known =
  | { readonly kind: "any" }
  | { readonly kind: "map"; readonly keys: ReadonlyMap<string, Known> }
  | { readonly kind: "list"; readonly items: Known };

const ANY: Known = { kind: "any" };

function map(names: string, more: Readonly<Record<string, Known>> = {}): Known {
  const plain = names.split(" ").map((name) => [name, ANY] as const);
  return { kind: "map", keys: new Map<string, Known>([...plain, ...Object.entries(more)]) };
}

/** Settings of Kubernetes' and of Prometheus' own types are not looked into. */
const PODS = "nodeSelector resources tolerations topologySpreadConstraints";

const ALERTMANAGERS: Known = {
  kind: "list",
  items: map("apiVersion bearerToken pathPrefix scheme staticConfigs timeout tlsConfig"),
};

const OPERATOR = map(`logLevel ${PODS}`);
const PROMETHEUS = `externalLabels logLevel queryLogFile remoteWrite retention retentionSize volumeClaimTemplate ${PODS}`;

/** What any release from 4.18 on knows in config.yaml of cluster-monitoring-config (pkg/manifests/types.go of the operator). */
export const CLUSTER = map("enableUserWorkload http k8sPrometheusAdapter userWorkload", {
  alertmanagerMain: map(`enabled enableUserAlertmanagerConfig logLevel secrets volumeClaimTemplate ${PODS}`),
  kubeStateMetrics: map(`additionalResourceLabels ${PODS}`),
  metricsServer: map(`audit verbosity ${PODS}`),
  monitoringPlugin: map(PODS),
  nodeExporter: map(`collectors maxProcs ignoredNetworkDevices ${PODS}`),
  openshiftStateMetrics: map(PODS),
  prometheusK8s: map(`collectionProfile enforcedBodySizeLimit scrapeInterval evaluationInterval ${PROMETHEUS}`, {
    additionalAlertmanagerConfigs: ALERTMANAGERS,
  }),
  prometheusOperator: OPERATOR,
  prometheusOperatorAdmissionWebhook: map(`logLevel ${PODS}`),
  telemeterClient: map(`clusterID enabled telemeterServerURL token ${PODS}`),
  thanosQuerier: map(`enableRequestLogging logLevel enableCORS ${PODS}`),
});

/** The same of user-workload-monitoring-config. */
export const USER_WORKLOAD = map("namespacesWithoutLabelEnforcement", {
  alertmanager: map(`enabled enableAlertmanagerConfig logLevel secrets volumeClaimTemplate ${PODS}`),
  prometheus: map(
    `scrapeInterval evaluationInterval enforcedLabelLimit enforcedLabelNameLengthLimit enforcedLabelValueLengthLimit enforcedSampleLimit enforcedTargetLimit ${PROMETHEUS}`,
    { additionalAlertmanagerConfigs: ALERTMANAGERS },
  ),
  prometheusOperator: OPERATOR,
  thanosRuler: map(`evaluationInterval logLevel retention volumeClaimTemplate ${PODS}`, {
    additionalAlertmanagerConfigs: ALERTMANAGERS,
  }),
});
