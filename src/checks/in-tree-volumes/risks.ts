import type { Finding, RiskText } from "../../model/check.ts";
import { formatTarget } from "../../model/check.ts";
import { joinNames, sortNames } from "../../model/names.ts";

export const volumePluginGone: RiskText = {
  name: "VolumePluginGone",
  effect: "broken",
  leadTime: "days",
  title: "Volumes of plugins that the target doesn't have",
  url: "https://kubernetes.io/docs/concepts/storage/persistent-volumes/",
  describe: (objects, context) =>
    `${formatTarget(context)} has no plugin for ${objects}: once a node is updated, pods with these volumes don't start there, and nothing replaces the volumes automatically.`,
  remediation:
    'Before updating, copy the data to volumes of a CSI driver, switch the workloads to these, and delete the old volumes. "kubectl get persistentvolumes" must no longer list them.',
};

export const csiDriverOfInTreeVolumesMissing: RiskText = {
  name: "CSIDriverOfInTreeVolumesMissing",
  effect: "broken",
  leadTime: "hours",
  title: "The CSI driver for volumes of an in-tree plugin is missing",
  url: "https://kubernetes.io/docs/concepts/storage/volumes/#csi-migration",
  describe: (objects, context, findings) =>
    `In ${formatTarget(context)}, only CSI drivers that aren't installed (${formatDrivers(findings)}) can serve ${objects}: once a node is updated, pods with these volumes don't start there.`,
  remediation:
    'Install the drivers, and update once "kubectl get csidrivers" lists them; the volumes stay as they are.',
};

function formatDrivers(findings: readonly Finding[]): string {
  return joinNames(sortNames(findings.flatMap(({ detail }) => detail?.["driver"] ?? [])));
}
