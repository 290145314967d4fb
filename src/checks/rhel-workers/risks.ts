import type { RiskText } from "../../model/check.ts";

export const rhelWorkersRemoved: RiskText = {
  name: "RHELWorkersRemoved",
  title: "Nodes run Red Hat Enterprise Linux with packages, which ended with 4.18",
  url: "https://docs.redhat.com/en/documentation/openshift_container_platform/4.19/html/release_notes/ocp-4-19-release-notes",
  describe: (objects, { target }) =>
    `Compute nodes with Red Hat Enterprise Linux instead of CoreOS ended with 4.18, which refuses to be updated further while there are any, and ${target.text} has nothing for them: ${objects}.`,
  remediation: "Replace each of these nodes with one that runs Red Hat Enterprise Linux CoreOS, and delete it.",
};
