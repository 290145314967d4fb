import type { RiskText } from "../../model/check.ts";
import { compareText } from "../../model/json.ts";
import { formatMinor } from "../../model/version.ts";
import { formatKeys } from "./keys.ts";

export const operatorConfigOverridesUnsupported: RiskText = {
  name: "OperatorConfigOverridesUnsupported",
  title: "Operators run with configuration overrides that forbid updates to a later minor",
  url: "https://access.redhat.com/support/policy/updates/openshift",
  liftedAs: "ClusterOperatorUpgradeable-*",
  describe: (objects, { source, target }, findings) => {
    const keys = new Set(findings.flatMap(({ detail }) => (detail?.["keys"] ? detail["keys"].split(" ") : [])));
    return `spec.unsupportedConfigOverrides is set in ${objects} (${formatKeys([...keys].toSorted(compareText))}), with which the update from ${formatMinor(source)} to ${formatMinor(target)} is refused unless it is forced.`;
  },
  remediation:
    "Remove the field, having made sure that the cluster can do without it, and update when the operator has rolled that out.",
};
