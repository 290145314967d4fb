import type { RiskText } from "../../model/check.ts";
import { minorText } from "../../model/version.ts";

export const unmanagedComponents: RiskText = {
  name: "ComponentsSetUnmanaged",
  title: "ClusterVersion's overrides set parts of the release unmanaged",
  url: "https://docs.redhat.com/en/documentation/openshift_container_platform/latest/html/config_apis/clusterversion-config-openshift-io-v1",
  liftedAs: "ClusterVersionOverrides",
  describe: (objects, { source, target }) =>
    `The overrides of ClusterVersion version set ${objects} unmanaged, with which the cluster-version operator refuses the update from ${minorText(source)} to ${minorText(target)}; a forced one would leave that as it is in ${source.text}.`,
  remediation:
    'Take the entries out of spec.overrides ("oc edit clusterversion version"), and update when the cluster has settled.',
};
