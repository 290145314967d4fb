import type { RiskText } from "../../model/check.ts";
import { buildObjectCommand, buildPatchCommand } from "../../model/commands.ts";
import { formatDegradations } from "./degradation.ts";
import { buildPoolRef } from "../shared/machine-config-pools.ts";

const POOLS =
  "https://docs.redhat.com/en/documentation/openshift_container_platform/latest/html/machine_configuration/machine-config-index";
const PAUSING =
  "https://docs.redhat.com/en/documentation/openshift_container_platform/latest/html/updating_clusters/performing-a-cluster-update";

/** The operator itself reports Upgradeable=False for a degraded pool or an interrupted build. */
const NOT_UPGRADEABLE = "ClusterOperatorUpgradeable-machine-config";

export const degradedMachineConfigPool: RiskText = {
  name: "DegradedMachineConfigPool",
  effect: "refused",
  leadTime: "hours",
  title: "A machine config pool is degraded",
  url: POOLS,
  describe: (objects, { target }, findings) => {
    const reported = formatDegradations(findings);
    const reasons = reported === "" ? "" : ` ${reported}.`;
    return `The machine-config operator can't update the nodes of ${objects} to ${target.text} until they are repaired.${reasons}`;
  },
  remediation:
    'Repair the node or the configuration that the condition names ("oc describe machineconfigpool NAME" has its whole message). Update once "oc get machineconfigpools" shows no degraded pool.',
  knownAs: { liftedAs: NOT_UPGRADEABLE },
  see: ({ object }, { platform }) => [buildObjectCommand(platform, "describe", object)],
};

export const machineConfigPoolImageBuildInterrupted: RiskText = {
  name: "MachineConfigPoolImageBuildInterrupted",
  effect: "refused",
  title: "The build of a pool's operating system image was interrupted",
  url: POOLS,
  describe: (objects, { target }) =>
    `The build of an operating system image was interrupted, so these machine config pools can't get an image of ${target.text}: ${objects}.`,
  remediation:
    'Start the build again with "oc annotate machineosconfig NAME machineconfiguration.openshift.io/rebuild=true".',
  knownAs: { liftedAs: NOT_UPGRADEABLE },
};

export const requiredMachineConfigPoolPaused: RiskText = {
  name: "RequiredMachineConfigPoolPaused",
  effect: "stuck",
  leadTime: "hours",
  title: "A pool that the update waits for is paused",
  url: PAUSING,
  describe: (objects, { target }) =>
    `The update to ${target.text} waits for these machine config pools and can't complete while they are paused: ${objects}.`,
  remediation: 'Set spec.paused to false before updating ("oc edit machineconfigpool NAME").',
  example: { object: buildPoolRef("<pool>") },
  fixKind: "disruptive",
  fix: ({ object }, { platform }) => [buildPatchCommand(platform, object, { spec: { paused: false } })],
};

export const pausedMachineConfigPoolLeftBehind: RiskText = {
  name: "PausedMachineConfigPoolLeftBehind",
  effect: "broken",
  leadTime: "hours",
  title: "A paused pool's nodes are already behind",
  url: PAUSING,
  describe: (objects, { target }) =>
    `The nodes of these paused machine config pools already lack an earlier change, and would fall further behind the control plane with ${target.text}: ${objects}.`,
  remediation: "Set spec.paused to false, and update once all nodes of the pool are updated (condition Updated).",
  example: { object: buildPoolRef("<pool>") },
  fixKind: "disruptive",
  fix: ({ object }, { platform }) => [buildPatchCommand(platform, object, { spec: { paused: false } })],
};

export const machineConfigPoolMaxUnavailableUnusable: RiskText = {
  name: "MachineConfigPoolMaxUnavailableUnusable",
  effect: "stuck",
  title: "A pool's maxUnavailable blocks the update of its nodes",
  url: POOLS,
  describe: (objects, { target }) =>
    `The machine-config operator can't use spec.maxUnavailable of these pools, so it updates none of their nodes to ${target.text}: ${objects}.`,
  remediation: "Set spec.maxUnavailable to a number such as 1 or a percentage such as 10%, or remove it.",
  example: { object: buildPoolRef("<pool>") },
  fixKind: "disruptive",
  fix: ({ object }, { platform }) => [buildPatchCommand(platform, object, { spec: { maxUnavailable: 1 } })],
};
