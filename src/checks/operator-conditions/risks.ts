import type { RiskText } from "../../model/check.ts";

export const operatorRefusesUpdates: RiskText = {
  name: "OperatorRefusesUpdates",
  title: "Installed operators say that they must not be updated now",
  url: "https://docs.redhat.com/en/documentation/openshift_container_platform/latest/html/operators/understanding-operators",
  describe: (objects, { target }) =>
    `These say that their operators must not be updated now: ${objects}. OLM doesn't stop the cluster's update for that, but leaves the operators at their present versions on ${target.text}, whether they work there or not.`,
  remediation:
    "Let each operator finish or repair what its condition names, and update the cluster when Upgradeable is True again.",
};
