import type { Context, Finding, RiskText } from "../../model/check.ts";
import { buildObjectCommand, buildPrefix } from "../../model/commands.ts";
import { formatMinor } from "../../model/version.ts";
import type { ObjectRef } from "../../model/resource.ts";

/** As `explain` shows it. */
const OPERATOR: ObjectRef = {
  apiVersion: "operators.coreos.com/v1alpha1",
  kind: "ClusterServiceVersion",
  namespace: "<namespace>",
  name: "<name>",
};

const URL =
  "https://docs.redhat.com/en/documentation/openshift_container_platform/latest/html/operators/administrator-tasks";
/** OLM's own ClusterOperator reports the same for the release after the running one. */
const LIFTED_AS = "ClusterOperatorUpgradeable-operator-lifecycle-manager";

export const operatorIncompatibleWithNextMinor: RiskText = {
  name: "OperatorIncompatibleWithNextMinor",
  effect: "refused",
  leadTime: "days",
  title: "Installed operators support no release after the running one",
  url: URL,
  describe: (objects, { source, target }) =>
    `The operators of ${objects} declare that they support no OpenShift release after ${formatMinor(source)}: the update to ${target.text} would break them or leave them unsupported.`,
  remediation:
    'Update these operators ("oc get subscriptions -A" shows their channels) to versions that support the target, or uninstall them. Update the cluster once "oc get csv -A" shows the new versions as Succeeded.',
  see: buildSubscriptions,
  example: { object: OPERATOR },
  fixKind: "disruptive",
  fix: buildChannelChange,
  knownAs: { liftedAs: LIFTED_AS },
};

export const operatorIncompatibleWithTarget: RiskText = {
  name: "OperatorIncompatibleWithTarget",
  effect: "broken",
  leadTime: "days",
  title: "Installed operators don't support the target",
  url: URL,
  describe: (objects, { target }) =>
    `The operators of ${objects} declare that they don't support OpenShift ${formatMinor(target)}: the update to ${target.text} would break them or leave them unsupported.`,
  remediation:
    'Update these operators ("oc get subscriptions -A" shows their channels) to versions that support the target, or uninstall them. "oc get csv -A" must show the new versions as Succeeded before the cluster leaves the last release that they declare.',
  see: buildSubscriptions,
  example: { object: OPERATOR },
  fixKind: "disruptive",
  fix: buildChannelChange,
};

export const operatorMaxOpenShiftVersionInvalid: RiskText = {
  name: "OperatorMaxOpenShiftVersionInvalid",
  effect: "refused",
  title: "An installed operator's last supported release can't be parsed",
  url: URL,
  describe: (objects, { source }) =>
    `OLM can't parse the last OpenShift release that the operators of ${objects} support, so it blocks every update beyond ${formatMinor(source)}.`,
  remediation:
    'Update these operators ("oc get subscriptions -A" shows their channels) to versions whose olm.maxOpenShiftVersion is one release such as 4.21 ("oc get csv NAME -n NAMESPACE -o yaml" shows it), or uninstall them.',
  see: buildSubscriptions,
  example: { object: OPERATOR },
  fixKind: "disruptive",
  fix: buildChannelChange,
  knownAs: { liftedAs: LIFTED_AS },
};

function buildSubscriptions({ object }: Finding, { platform }: Context): readonly string[] {
  return [
    buildObjectCommand(platform, "get", object),
    `${buildPrefix(platform, object.namespace)} get subscriptions.operators.coreos.com`,
  ];
}

/** The channel of a later version; which one has it is for the catalog to say. */
function buildChannelChange({ object }: Finding, { platform }: Context): readonly string[] {
  const prefix = buildPrefix(platform, object.namespace);
  return [
    `${prefix} patch subscription.operators.coreos.com/<subscription> --type=merge -p '{"spec":{"channel":"<channel>"}}'`,
  ];
}
