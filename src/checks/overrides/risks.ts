import type { RiskText } from "../../model/check.ts";
import { formatMinor } from "../../model/version.ts";

export const componentsSetUnmanaged: RiskText = {
  name: "ComponentsSetUnmanaged",
  title: "ClusterVersion's overrides set parts of the release unmanaged",
  url: "https://docs.redhat.com/en/documentation/openshift_container_platform/latest/html/config_apis/clusterversion-config-openshift-io-v1",
  liftedAs: "ClusterVersionOverrides",
  describe: (objects, context) =>
    `The overrides of ClusterVersion version set ${objects} unmanaged, with which the cluster-version operator of ${formatMinor(context.source)} refuses the update to ${context.target.text}; a forced one would leave what they name as it is in ${context.source.text}.`,
  remediation:
    'Take the entries out of spec.overrides ("oc edit clusterversion version"), and update when the cluster has settled.',
};
