import type { CommandDefinition, CommandValues } from "../../settings/command.ts";
import { connectionSettings } from "../../settings/shared-settings.ts";

export const request = {
  name: "request",
  describe: "Request a preflight of a release from the controller",
  settings: {
    to: {
      group: "target",
      placeholder: "VERSION",
      describe: "Version that ClusterVersion offers as an update, recommended or not",
    },
    "to-image": {
      group: "target",
      placeholder: "REFERENCE",
      describe: "Pull spec of the release, with a digest",
    },
    "not-before": {
      group: "window",
      placeholder: "TIME",
      describe: "Start of the maintenance window, such as 2026-02-06T22:00:00Z",
      defaultText: "now",
    },
    until: {
      group: "window",
      placeholder: "TIME",
      describe: "End of the maintenance window",
      defaultText: "none",
    },
    only: {
      group: "checks",
      placeholder: "CHECK",
      describe: "The runner's --only: IDs of the checks to run",
    },
    skip: {
      group: "checks",
      placeholder: "CHECK",
      describe: "The runner's --skip: IDs of the checks to leave out",
    },
    lifted: { group: "checks", describe: "The runner's --lifted: show or leave" },
    "check-timeout": { group: "limits", describe: "The runner's --check-timeout" },
    "cycle-timeout": { group: "limits", describe: "The runner's --cycle-timeout" },
    "node-selector": {
      group: "runner",
      placeholder: "LABELS",
      describe:
        "Labels that the controller's node must have, since the runner is on the same node: KEY=VALUE pairs separated by commas",
      defaultText: "control-plane nodes",
    },
    tolerations: {
      group: "runner",
      placeholder: "TAINTS",
      describe: "Further taints that the runner tolerates: KEY[=VALUE][:EFFECT] separated by commas",
    },
    "allow-unverified": {
      group: "runner",
      type: "boolean",
      default: false,
      describe: "Run the release image even if the cluster can't verify its signature",
    },
    ...connectionSettings,
  },
  examples: [{ command: "preflight request --to 5.2.0", describe: "Request a preflight of an offered update" }],
  process: "short",
} as const satisfies CommandDefinition;

export type RequestValues = CommandValues<typeof request>;
