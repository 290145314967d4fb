import type { RiskText } from "../../model/check.ts";
import { buildPatchCommand } from "../../model/commands.ts";
import { compareText } from "../../model/json.ts";
import { summarizeNames } from "../../model/names.ts";
import { formatMinor } from "../../model/version.ts";

/** "a.b, c and 2 more", or that nothing is set below the field. */
export function formatKeys(keys: readonly string[]): string {
  return keys.length === 0 ? "an empty object" : summarizeNames(keys);
}

export const operatorConfigOverridesUnsupported: RiskText = {
  name: "OperatorConfigOverridesUnsupported",
  effect: "refused",
  title: "Operators run with configuration overrides that block updates to a later minor",
  url: "https://access.redhat.com/support/policy/updates/openshift",
  knownAs: { liftedAs: "ClusterOperatorUpgradeable-*" },
  describe: (objects, { source, target }, findings) => {
    const keys = new Set(findings.flatMap(({ detail }) => (detail?.["keys"] ? detail["keys"].split(" ") : [])));
    return `spec.unsupportedConfigOverrides is set in ${objects} (${formatKeys([...keys].toSorted(compareText))}), so the update from ${formatMinor(source)} to ${formatMinor(target)} is refused unless it is forced.`;
  },
  remediation:
    'Make sure that the cluster works without these settings, remove the field ("oc edit KIND NAME"), and update once "oc get clusteroperators" shows the operator as no longer progressing.',
  example: { object: { apiVersion: "operator.openshift.io/v1", kind: "<kind>", name: "cluster" } },
  fixKind: "disruptive",
  fix: ({ object }, { platform }) => [
    buildPatchCommand(platform, object, { spec: { unsupportedConfigOverrides: null } }),
  ],
};
