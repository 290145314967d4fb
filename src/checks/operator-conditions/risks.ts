import type { RiskText } from "../../model/check.ts";

export const operatorRefusesUpdates: RiskText = {
  name: "OperatorRefusesUpdates",
  effect: "broken",
  leadTime: "hours",
  title: "Installed operators report that they must not be updated now",
  url: "https://docs.redhat.com/en/documentation/openshift_container_platform/latest/html/operators/understanding-operators",
  describe: (objects, { target }) =>
    `Operators report that they must not be updated now: ${objects}. OLM doesn't block the cluster's update for that, but keeps these operators at their present versions on ${target.text}, whether they work there or not.`,
  remediation:
    "Read each condition's message, let the operator finish or repair what it names, and update the cluster once Upgradeable is True.",
};
