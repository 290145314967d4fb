import type { Context, Finding, RiskText } from "../../model/check.ts";
import { joinNames } from "../../model/names.ts";
import { sortNames } from "./volumes.ts";

export const volumePluginGone: RiskText = {
  name: "VolumePluginGone",
  title: "Volumes of plugins that the target doesn't have",
  url: "https://kubernetes.io/docs/concepts/storage/persistent-volumes/",
  describe: (objects, context) =>
    `${formatTarget(context)} has no plugin for ${objects}: once a node is updated, pods with these volumes don't start there, and nothing takes their place by itself.`,
  remediation:
    "Copy the data to volumes of a CSI driver before updating, and let the workloads use those; delete the old volumes if they aren't needed.",
};

export const csiDriverOfInTreeVolumesMissing: RiskText = {
  name: "CSIDriverOfInTreeVolumesMissing",
  title: "The CSI driver is missing that has to serve volumes of an in-tree plugin",
  url: "https://kubernetes.io/docs/concepts/storage/volumes/#csi-migration",
  describe: (objects, context, findings) =>
    `In ${formatTarget(context)} ${objects} can only be served by CSI drivers that aren't installed (${formatDrivers(findings)}): once a node is updated, pods with these volumes don't start there.`,
  remediation: "Install the drivers before updating; the volumes stay as they are.",
};

/** "4.18.4 (Kubernetes 1.31)", or "Kubernetes 1.31.2" where that is all. */
export function formatTarget({ platform, target, kubernetes }: Context): string {
  return platform === "openshift" ? `${target.text} (Kubernetes 1.${kubernetes.target})` : `Kubernetes ${target.text}`;
}

function formatDrivers(findings: readonly Finding[]): string {
  return joinNames(sortNames(findings.flatMap(({ detail }) => detail?.["driver"] ?? [])));
}
