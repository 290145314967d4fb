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
    'Read each condition\'s message ("oc get operatorconditions -A -o yaml"), let the operator finish or repair what it names, and update the cluster once Upgradeable is True there.',
};

export const operatorUpdatesNotResolved: RiskText = {
  name: "OperatorUpdatesNotResolved",
  effect: "broken",
  leadTime: "hours",
  title: "OLM can't determine the updates of installed operators",
  url: "https://docs.redhat.com/en/documentation/openshift_container_platform/latest/html/operators/understanding-operators",
  describe: (objects, { target }) =>
    `OLM can't determine or install updates of these operators, so they keep their present versions on ${target.text}, whether they work there or not: ${objects}.`,
  remediation:
    'Repair or remove the catalogs that the conditions name ("oc get catalogsources -A", "oc -n openshift-marketplace get pods"; for ClusterExtensions "oc get clustercatalogs"), and update once "oc describe" shows that the conditions have ended.',
};
