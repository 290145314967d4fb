import type { RiskText } from "../../model/check.ts";

export const featureSetForbidsUpdates: RiskText = {
  name: "FeatureSetForbidsUpdates",
  effect: "refused",
  leadTime: "days",
  title: "The cluster's feature set forbids updates to a later minor",
  url: "https://docs.redhat.com/en/documentation/openshift_container_platform/latest/html/nodes/working-with-clusters#nodes-cluster-enabling-features-about_nodes-cluster-enabling",
  knownAs: { liftedAs: "ClusterOperatorUpgradeable-config-operator" },
  describe: (objects, _, findings) => `${objects} ${findings[0]?.detail?.["fault"] ?? ""}.`,
  remediation:
    "Install only patch updates, or move the workloads to a new cluster with the default feature set, on which \"oc get featuregate cluster -o jsonpath='{.spec.featureSet}'\" prints nothing.",
};
