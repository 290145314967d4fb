import type { RiskText } from "../../model/check.ts";
import { formatMinor } from "../../model/version.ts";

const URL =
  "https://github.com/openshift/enhancements/blob/master/enhancements/olm/max-openshift-versions-for-operators.md";
/** OLM's own ClusterOperator says the same for the release after the running one. */
const LIFTED_AS = "ClusterOperatorUpgradeable-operator-lifecycle-manager";

export const operatorIncompatibleWithNextMinor: RiskText = {
  name: "OperatorIncompatibleWithNextMinor",
  title: "Installed operators don't work on any release after the running one",
  url: URL,
  describe: (objects, { source, target }) =>
    `The operators of ${objects} declare that they work on no OpenShift release after ${formatMinor(source)}: the update to ${target.text} would break them or leave them unsupported.`,
  remediation:
    "Update these operators to versions that work on the target, or uninstall them, before updating the cluster.",
  liftedAs: LIFTED_AS,
};

export const operatorIncompatibleWithTarget: RiskText = {
  name: "OperatorIncompatibleWithTarget",
  title: "Installed operators don't work on the target",
  url: URL,
  describe: (objects, { target }) =>
    `The operators of ${objects} declare that they don't work on OpenShift ${formatMinor(target)}: the update to ${target.text} would break them or leave them unsupported.`,
  remediation: "Update these operators or uninstall them before the cluster leaves the last release that they declare.",
};

export const operatorMaxOpenShiftVersionInvalid: RiskText = {
  name: "OperatorMaxOpenShiftVersionInvalid",
  title: "An installed operator's last OpenShift release can't be understood",
  url: URL,
  describe: (objects, { source }) =>
    `Which OpenShift release is the last for the operators of ${objects} can't be understood, so OLM keeps the cluster from every update beyond ${formatMinor(source)}.`,
  remediation:
    "Update these operators to versions whose olm.maxOpenShiftVersion is one release such as 4.21, or uninstall them.",
  liftedAs: LIFTED_AS,
};
