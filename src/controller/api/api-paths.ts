import { HISTORY_NAME, RESULT_NAME } from "../../lift/preflight-result.ts";
import { NAMESPACE, REQUEST_NAME } from "../../lift/objects/preflight-request.ts";
import type { WatchedList, WatchedObject } from "./cached-client.ts";

/** The field manager in managedFields. */
export const FIELD_MANAGER = "target-release-preflight";
/** The Deployment of the runner, and its pods' label `app`. */
export const RUNNER_NAME = "cluster-version-operator-preflight";
/** The lease of the leading controller. */
export const CONTROLLER_LEASE = "preflight-controller";
/** The cluster-version operator's Deployment, and the lease that it holds while it runs. */
const OPERATOR_NAME = "cluster-version-operator";
const OPERATOR_LEASE = "version";

const CORE = `/api/v1/namespaces/${NAMESPACE}`;
const DEPLOYMENTS = `/apis/apps/v1/namespaces/${NAMESPACE}/deployments`;

export const CONFIG_MAPS = `${CORE}/configmaps`;
export const LEASES = `/apis/coordination.k8s.io/v1/namespaces/${NAMESPACE}/leases`;
export const NAMESPACE_PODS = `${CORE}/pods`;
const RUNNER_PODS: WatchedList = { collection: NAMESPACE_PODS, query: `labelSelector=app%3D${RUNNER_NAME}` };
export const PODS = `${RUNNER_PODS.collection}?${RUNNER_PODS.query}`;
export const NODES = "/api/v1/nodes";
export const EVENTS = `${CORE}/events`;
export const REQUEST = `${CONFIG_MAPS}/${REQUEST_NAME}`;
export const RESULT = `${CONFIG_MAPS}/${RESULT_NAME}`;
export const HISTORY = `${CONFIG_MAPS}/${HISTORY_NAME}`;
export const RUNNER = `${DEPLOYMENTS}/${RUNNER_NAME}`;
export const OPERATOR = `${DEPLOYMENTS}/${OPERATOR_NAME}`;
export const OPERATOR_LEASE_PATH = `${LEASES}/${OPERATOR_LEASE}`;
export const CLUSTER_VERSION = "/apis/config.openshift.io/v1/clusterversions/version";
export const INFRASTRUCTURE = "/apis/config.openshift.io/v1/infrastructures/cluster";
/** Defines which fields ClusterVersion has in this cluster. */
export const CLUSTER_VERSION_CRD: WatchedObject = {
  collection: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
  name: "clusterversions.config.openshift.io",
};
export const CLUSTER_VERSION_CRD_PATH = `${CLUSTER_VERSION_CRD.collection}/${CLUSTER_VERSION_CRD.name}`;

/** A change to any of these triggers a reconciliation, which reads them from the informers. */
export const WATCHED: readonly (WatchedObject | WatchedList)[] = [
  CLUSTER_VERSION_CRD,
  { collection: "/apis/config.openshift.io/v1/clusterversions", name: "version" },
  ...[REQUEST_NAME, RESULT_NAME, HISTORY_NAME].map((name) => ({ collection: CONFIG_MAPS, name })),
  ...[RUNNER_NAME, OPERATOR_NAME].map((name) => ({ collection: DEPLOYMENTS, name })),
  { collection: LEASES, name: OPERATOR_LEASE },
  RUNNER_PODS,
];
