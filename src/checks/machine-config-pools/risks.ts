import type { RiskText } from "../../model/check.ts";

const POOLS =
  "https://docs.redhat.com/en/documentation/openshift_container_platform/latest/html/machine_configuration/machine-config-index";
const PAUSING =
  "https://docs.redhat.com/en/documentation/openshift_container_platform/latest/html/updating_clusters/performing-a-cluster-update";

/** For a degraded pool and an interrupted build the operator reports that the cluster is not upgradeable. */
const NOT_UPGRADEABLE = "ClusterOperatorUpgradeable-machine-config";

export const degradedMachineConfigPool: RiskText = {
  name: "DegradedMachineConfigPool",
  title: "A machine config pool is degraded",
  url: POOLS,
  describe: (objects, { target }) =>
    `Machine config pools are degraded, and until they are repaired their nodes can't be brought to ${target.text}: ${objects}.`,
  remediation:
    'Look at the condition\'s message with "oc describe machineconfigpool", repair the node or the configuration that it names, and update when no pool is degraded.',
  liftedAs: NOT_UPGRADEABLE,
};

export const machineConfigPoolImageBuildInterrupted: RiskText = {
  name: "MachineConfigPoolImageBuildInterrupted",
  title: "The build of a pool's operating system image was interrupted",
  url: POOLS,
  describe: (objects, { target }) =>
    `The build of their own operating system image was interrupted, so these machine config pools can't get one for ${target.text}: ${objects}.`,
  remediation: "Build it again, with the annotation machineconfiguration.openshift.io/rebuild on the MachineOSConfig.",
  liftedAs: NOT_UPGRADEABLE,
};

export const requiredMachineConfigPoolPaused: RiskText = {
  name: "RequiredMachineConfigPoolPaused",
  title: "A pool that the update waits for is paused",
  url: PAUSING,
  describe: (objects, { target }) =>
    `The update to ${target.text} waits for these machine config pools and can't complete while they are paused: ${objects}.`,
  remediation: "Set spec.paused to false before updating.",
};

export const pausedMachineConfigPoolLeftBehind: RiskText = {
  name: "PausedMachineConfigPoolLeftBehind",
  title: "A paused pool's nodes were left behind already",
  url: PAUSING,
  describe: (objects, { target }) =>
    `Paused machine config pools hold an earlier change back already, and their nodes would fall further behind the control plane with ${target.text}: ${objects}.`,
  remediation: "Set spec.paused to false, and update when all nodes of the pool are updated.",
};

export const machineConfigPoolMaxUnavailableUnusable: RiskText = {
  name: "MachineConfigPoolMaxUnavailableUnusable",
  title: "A pool's maxUnavailable lets no node be updated",
  url: POOLS,
  describe: (objects, { target }) =>
    `The machine-config operator brings no node of these pools to ${target.text}, since it can't use their spec.maxUnavailable: ${objects}.`,
  remediation: "Set it to a number such as 1 or a percentage such as 10%, or remove it.",
};
