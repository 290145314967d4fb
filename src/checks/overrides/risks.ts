import type { RiskText } from "../../model/check.ts";
import { buildObjectCommand, buildPatchCommand } from "../../model/commands.ts";
import { CLUSTER_VERSION } from "../../model/resource.ts";
import { formatMinor } from "../../model/version.ts";

export const componentsSetUnmanaged: RiskText = {
  name: "ComponentsSetUnmanaged",
  effect: "refused",
  title: "ClusterVersion's overrides mark parts of the release as unmanaged",
  url: "https://docs.redhat.com/en/documentation/openshift_container_platform/latest/html/config_apis/clusterversion-config-openshift-io-v1",
  knownAs: { liftedAs: "ClusterVersionOverrides" },
  describe: (objects, context) =>
    `The overrides of ClusterVersion version mark ${objects} as unmanaged, so the cluster-version operator of ${formatMinor(context.source)} refuses the update to ${context.target.text}. A forced update would leave these objects as in ${context.source.text}.`,
  remediation:
    'Remove the entries from spec.overrides ("oc edit clusterversion version"), and update once "oc adm upgrade" no longer reports ClusterVersionOverridesSet.',
  see: (_, { platform }) => [buildObjectCommand(platform, "get", CLUSTER_VERSION)],
  example: { object: CLUSTER_VERSION },
  fix: (_, { platform }) => [buildPatchCommand(platform, CLUSTER_VERSION, { spec: { overrides: null } })],
};
