import type { RiskText } from "../../model/check.ts";
import { buildPatchCommand, getCommandName } from "../../model/commands.ts";
import { sortNames, summarizeNames } from "../../model/names.ts";

export const platformPodsAdmittedByCustomConstraints: RiskText = {
  name: "PlatformPodsAdmittedByCustomConstraints",
  effect: "stuck",
  leadTime: "hours",
  title: "Custom SecurityContextConstraints admit pods of the platform",
  url: "https://docs.redhat.com/en/documentation/openshift_container_platform/latest/html/authentication_and_authorization/managing-pod-security-policies",
  describe: (objects, { target }, findings) =>
    `Pods of the platform (in ${summarizeNames(sortNames(findings.map(({ detail }) => detail?.["namespaces"] ?? "")))}) run under ${objects} instead of the platform's own constraints. They may fail when the update to ${target.text} creates them anew, and the update then stops.`,
  remediation:
    'Set their priority to 0 and remove their groups, whose members then lose them ("oc edit securitycontextconstraints NAME"), or delete them. Then delete these pods. Update once the annotation openshift.io/scc of the new pods names one of the platform\'s.',
  example: {
    object: { apiVersion: "security.openshift.io/v1", kind: "SecurityContextConstraints", name: "<name>" },
  },
  fix: ({ object }, { platform }) => [
    buildPatchCommand(platform, object, { priority: 0, groups: [] }),
    `${getCommandName(platform)} -n <namespace> delete pod/<pod>`,
  ],
};
