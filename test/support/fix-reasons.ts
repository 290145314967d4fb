const OPERATOR = "the status is its operator's to clear, once its cause is repaired";
const TARGET = "only another target helps";
const REPLACE = "nodes are replaced or updated by the means that created them";
const CLIENTS = "clients outside the cluster's objects have to change";

/** Why a risk has no command that removes its fault. */
export const NO_COMMAND: Readonly<Record<string, string>> = {
  AdminGateInvalid: "whoever wrote the gate has to correct it",
  CapabilityRejected: "an enabled capability can't be disabled",
  PlatformCertificatesExpired: "the operator of the certificates renews them",
  PlatformCertificatesEnding: "the operator of the certificates renews them",
  ClusterOperatorNotUpgradeable: OPERATOR,
  ClusterOperatorUnhealthy: OPERATOR,
  ClusterVersionFailing: OPERATOR,
  ClusterVersionNotUpgradeable: OPERATOR,
  TargetBelowDesired: TARGET,
  EarlierUpdateIncomplete: "the update has to complete",
  TargetNotAccepted: "the release image and its signature have to become available",
  ConditionalUpdateRiskApplies: "the remedy is in the risk's own text, which the update service publishes",
  HighlyAvailableControlPlaneIncomplete: REPLACE,
  CrdRefused: TARGET,
  CustomResourceFieldsDropped: "what replaces the fields differs for each",
  CrdServedVersionRemoved: CLIENTS,
  CrdScopeOrKindChanged: TARGET,
  CrdNamesChanged: CLIENTS,
  CrdSubresourceRemoved: CLIENTS,
  CrdConversionUnavailable: "the Service and its pods have to be restored",
  CrdDeletedWithObjects: "what replaces the objects differs for each",
  DisruptionBudgetExhausted: "the pods have to be repaired",
  OVNSeveralClusterNetworksBreakPods: TARGET,
  DualStackAdditionalNetworksStall: TARGET,
  DualStackPluginUnsupported: "a migration of the network takes several steps",
  NetworkPluginRemoved: "a migration of the network takes several steps",
  WhereaboutsNetworksStall: TARGET,
  EtcdNotHealthy: "a member of etcd has to be repaired or replaced",
  FeatureSetForbidsUpdates: "a feature set can't be taken back",
  VolumePluginGone: "the data have to move to other volumes",
  CSIDriverOfInTreeVolumesMissing: "the driver's own installation",
  IngressControllerBlocksUpdate: "depends on what the condition names",
  KubeletNewerThanTarget: REPLACE,
  KubernetesMinorSkipped: "the update has to be another one",
  DegradedMachineConfigPool: OPERATOR,
  MachineConfigPoolImageBuildInterrupted: OPERATOR,
  ContainerdTooOldForTarget: REPLACE,
  ControlPlaneNodeNotReady: "the node has to be repaired",
  OperatorRefusesUpdates: OPERATOR,
  OperatorUpdatesNotResolved: "a catalog or a Subscription has to be repaired",
  ReleaseSignatureUntrusted: "only another image helps, or a signature by a trusted key",
  ConversionWebhookWithoutBackend: "the Service and its pods have to be restored",
};

/** Why commands that need no choice are not tried. */
export const NOT_TRIED: Readonly<Record<string, string>> = {
  IPsecBreaksPausedPools: "the API of the affected sources doesn't know the field by which the entry recognizes IPsec",
  VirtualMachineBlocksDrain: "only KubeVirt and its virtctl can restart a virtual machine",
};
