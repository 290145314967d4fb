import type { Check } from "../model/check.ts";
import adminAcks from "./admin-acks/check.ts";
import apiservices from "./apiservices/check.ts";
import bootImageSkew from "./boot-image-skew/check.ts";
import capabilityEnums from "./capability-enums/check.ts";
import certificatesExpiring from "./certificates-expiring/check.ts";
import cgroupV1 from "./cgroup-v1/check.ts";
import cloudCredentials from "./cloud-credentials/check.ts";
import clusterOperators from "./cluster-operators/check.ts";
import clusterVersion from "./cluster-version/check.ts";
import conditionalUpdates from "./conditional-updates/check.ts";
import controlPlaneNodes from "./control-plane-nodes/check.ts";
import crdSkew from "./crd-skew/check.ts";
import drainBlocked from "./drain-blocked/check.ts";
import dualStack from "./dual-stack/check.ts";
import etcdHealth from "./etcd-health/check.ts";
import featureSet from "./feature-set/check.ts";
import gatewayApiCrds from "./gateway-api-crds/check.ts";
import inTreeVolumes from "./in-tree-volumes/check.ts";
import ingressControllers from "./ingress-controllers/check.ts";
import knownBugs from "./known-bugs/check.ts";
import kubeletSkew from "./kubelet-skew/check.ts";
import machineConfigPools from "./machine-config-pools/check.ts";
import monitoringConfig from "./monitoring-config/check.ts";
import nodeRequirements from "./node-requirements/check.ts";
import nodes from "./nodes/check.ts";
import operatorConditions from "./operator-conditions/check.ts";
import operatorMaxVersion from "./operator-max-version/check.ts";
import overrides from "./overrides/check.ts";
import pendingCsrs from "./pending-csrs/check.ts";
import platform from "./platform/check.ts";
import releaseSignature from "./release-signature/check.ts";
import removedApis from "./removed-apis/check.ts";
import rhelWorkers from "./rhel-workers/check.ts";
import runcDefault from "./runc-default/check.ts";
import securityContextConstraints from "./security-context-constraints/check.ts";
import selinuxMount from "./selinux-mount/check.ts";
import sigstoreMirrors from "./sigstore-mirrors/check.ts";
import statefulsetBudgets from "./statefulset-budgets/check.ts";
import unsupportedOverrides from "./unsupported-overrides/check.ts";
import virtualMachines from "./virtual-machines/check.ts";
import webhooks from "./webhooks/check.ts";

/** Every check there is, sorted by id. */
export const checks: readonly Check[] = [
  adminAcks,
  apiservices,
  bootImageSkew,
  capabilityEnums,
  certificatesExpiring,
  cgroupV1,
  cloudCredentials,
  clusterOperators,
  clusterVersion,
  conditionalUpdates,
  controlPlaneNodes,
  crdSkew,
  drainBlocked,
  dualStack,
  etcdHealth,
  featureSet,
  gatewayApiCrds,
  inTreeVolumes,
  ingressControllers,
  knownBugs,
  kubeletSkew,
  machineConfigPools,
  monitoringConfig,
  nodeRequirements,
  nodes,
  operatorConditions,
  operatorMaxVersion,
  overrides,
  pendingCsrs,
  platform,
  releaseSignature,
  removedApis,
  rhelWorkers,
  runcDefault,
  securityContextConstraints,
  selinuxMount,
  sigstoreMirrors,
  statefulsetBudgets,
  unsupportedOverrides,
  virtualMachines,
  webhooks,
];
