import { type CommandDefinition, type CommandValues, VERDICT_EXIT_CODES } from "../../settings/command.ts";
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

export const status = {
  name: "status",
  describe: "Show the state of the preflight and its result",
  settings: {
    output: {
      alias: "o",
      group: "output",
      placeholder: "FORMAT",
      default: "text",
      choices: ["text", "json"],
      describe: "Output format",
    },
    wait: {
      group: "output",
      type: "duration",
      bareValue: "30m",
      describe: "Wait until the requested preflight has a result or has failed; --wait alone waits for up to 30m",
    },
    ...connectionSettings,
  },
  examples: [
    {
      command: "preflight request --to 5.2.0 && preflight status --wait=15m",
      describe: "Wait for the result; exit with 3 if it has a risk that is not accepted",
    },
  ],
  exitCodes: { ...VERDICT_EXIT_CODES, 4: "no unaccepted risk, but no current and complete result" },
  process: "long",
} as const satisfies CommandDefinition;

export type StatusValues = CommandValues<typeof status>;

export const cancel = {
  name: "cancel",
  describe: "Withdraw the request for a preflight",
  settings: connectionSettings,
  examples: [{ command: "preflight cancel", describe: "Withdraw the request of the current cluster" }],
  process: "short",
} as const satisfies CommandDefinition;

export type CancelValues = CommandValues<typeof cancel>;

export const accept = {
  name: "accept",
  describe: "Accept risks in ClusterVersion, or stop accepting them",
  settings: {
    replace: { group: "output", type: "boolean", default: false, describe: "Accept these risks and no others" },
    clear: { group: "output", type: "boolean", default: false, describe: "Stop accepting all risks" },
    ...connectionSettings,
  },
  operand: {
    name: "risks",
    placeholder: "RISK",
    describe: "Names of risks, separated by commas; NAME- stops accepting a risk",
    isOptional: true,
  },
  examples: [
    { command: "preflight accept A,B-", describe: "Accept the risk A and stop accepting B" },
    { command: "preflight accept --clear", describe: "Stop accepting all risks" },
  ],
  process: "short",
} as const satisfies CommandDefinition;

export type AcceptValues = CommandValues<typeof accept>;
