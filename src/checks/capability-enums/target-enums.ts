import { getBaselineSets, getKnownCapabilities } from "../../model/capabilities.ts";
import type { Unknown } from "../../model/check.ts";
import type { Release } from "../../model/release.ts";
import { formatMinor } from "../../model/version.ts";
import { type CapabilityEnums, parseEnums } from "./enums.ts";

const CLUSTER_VERSIONS = "clusterversions.config.openshift.io";

/** The values that the target's ClusterVersion accepts, by its CRD, or by the table of releases if the payload has no CRD. */
export type TargetEnums =
  | { readonly kind: "crd" | "table"; readonly enums: CapabilityEnums }
  | { readonly kind: "unknown"; readonly unknown: Unknown };

/**
 * Before 4.11, ClusterVersion had no capabilities and so no enums of them. `featureSet` selects from the table; a payload's CRD is
 * already the one for the cluster's feature set.
 */
export function getTargetEnums({ crds, crdFiles, version }: Release, featureSet: string): TargetEnums {
  const crd = crds.find(({ name }) => name === CLUSTER_VERSIONS);
  if (crd) {
    const enums = parseEnums(crd);
    if (enums) return { kind: "crd", enums };
    const where = crdFiles.get(CLUSTER_VERSIONS) ?? CLUSTER_VERSIONS;
    return buildUnknownEnums("NotUnderstood", where, "the ClusterVersion CRD has no schema for v1");
  }
  const [known, baseline] = [getKnownCapabilities(version, featureSet), getBaselineSets(version)];
  if (known?.length === 0) return { kind: "table", enums: {} };
  if (known && baseline) return { kind: "table", enums: { baseline, additional: known, enabled: known, known } };
  const message = `the target folder has no ClusterVersion CRD, and preflight's own table ends before ${formatMinor(version)}`;
  return buildUnknownEnums("TargetUnknown", `the capabilities of ${version.text}`, message);
}

function buildUnknownEnums(reason: Unknown["reason"], where: string, message: string): TargetEnums {
  return { kind: "unknown", unknown: { reason, where, message } };
}
