import { HISTORY_NAME } from "../../lift/objects/preflight-history.ts";
import { NAMESPACE, REQUEST_NAME } from "../../lift/objects/preflight-request.ts";
import { RESULT_NAME } from "../../lift/preflight-result.ts";
import type { WatchedObject } from "./informer.ts";

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
export const PODS = `${CORE}/pods?labelSelector=app%3D${RUNNER_NAME}`;
export const NODES = "/api/v1/nodes";
export const EVENTS = `${CORE}/events`;
export const REQUEST = `${CONFIG_MAPS}/${REQUEST_NAME}`;
export const RESULT = `${CONFIG_MAPS}/${RESULT_NAME}`;
export const HISTORY = `${CONFIG_MAPS}/${HISTORY_NAME}`;
export const RUNNER = `${DEPLOYMENTS}/${RUNNER_NAME}`;
export const OPERATOR = `${DEPLOYMENTS}/${OPERATOR_NAME}`;
export const OPERATOR_LEASE_PATH = `${LEASES}/${OPERATOR_LEASE}`;
export const CLUSTER_VERSION = "/apis/config.openshift.io/v1/clusterversions/version";
/** Defines which fields ClusterVersion has in this cluster. */
export const CLUSTER_VERSION_CRD: WatchedObject = {
  collection: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
  name: "clusterversions.config.openshift.io",
};

/** A change to any of these triggers a reconciliation. */
export const WATCHED_OBJECTS: readonly WatchedObject[] = [
  { collection: "/apis/config.openshift.io/v1/clusterversions", name: "version" },
  { collection: CONFIG_MAPS, name: REQUEST_NAME },
  { collection: CONFIG_MAPS, name: RESULT_NAME },
  { collection: DEPLOYMENTS, name: RUNNER_NAME },
];
