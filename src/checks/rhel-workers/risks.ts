import type { RiskText } from "../../model/check.ts";
import { buildObjectCommand, getCommandName, quoteArgument } from "../../model/commands.ts";

export const rhelWorkersRemoved: RiskText = {
  name: "RHELWorkersRemoved",
  effect: "refused",
  leadTime: "days",
  title: "Nodes run package-based Red Hat Enterprise Linux, which 4.19 no longer supports",
  url: "https://docs.redhat.com/en/documentation/openshift_container_platform/4.19/html/release_notes/ocp-4-19-release-notes",
  describe: (objects, { target }) =>
    `These nodes run package-based Red Hat Enterprise Linux, which 4.18 is the last release to support: it refuses later updates while they exist, and ${target.text} has no packages for them: ${objects}.`,
  remediation:
    "Replace each of these nodes with one that runs Red Hat Enterprise Linux CoreOS: add one, drain the old one, which moves its pods, and delete it.",
  example: { object: { apiVersion: "v1", kind: "Node", name: "<node>" } },
  fix: ({ object }, { platform }) => [
    `${getCommandName(platform)} -n openshift-machine-api scale machineset.machine.openshift.io/<machineset> --replicas=<number>`,
    `${getCommandName(platform)} adm drain ${quoteArgument(object.name)} --ignore-daemonsets`,
    buildObjectCommand(platform, "delete", object),
  ],
};
