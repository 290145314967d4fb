import type { CommandDefinition, CommandValues } from "../../settings/command.ts";
import { namedConfigSettings, readLimitSettings, selectionSettings } from "../../settings/judging-settings.ts";
import { hostedClusterSettings } from "../../settings/hosted-settings.ts";
import * as shared from "../../settings/shared-settings.ts";

export const run = {
  name: "run",
  describe: "Run the checks at an interval and write a document (needs --format)",
  settings: {
    format: {
      env: "PREFLIGHT_FORMAT",
      group: "output",
      placeholder: "FORMAT",
      describe: "Format of the document; starts the runner",
    },
    interval: {
      env: "PREFLIGHT_INTERVAL",
      group: "output",
      type: "duration",
      default: "5m",
      canBeZero: true,
      describe: "Interval between cycles, with 10% jitter; 0 runs one cycle",
    },
    document: {
      env: "PREFLIGHT_DOCUMENT",
      former: { flag: "output", env: "PREFLIGHT_OUTPUT" },
      group: "output",
      placeholder: "FILE",
      describe: "File to write the document to",
      defaultText: `${shared.DEFAULT_DOCUMENT} if ${shared.SHARED_FOLDER} exists; stdout with --interval 0`,
    },
    also: {
      env: "PREFLIGHT_ALSO",
      group: "output",
      type: "list",
      choices: [],
      prefix: { word: "readiness=", form: "readiness=FILE" },
      placeholder: "FORMAT=FILE",
      describe: "File to write beside the document, after each cycle: what check -o readiness prints",
      defaultText: "none",
    },
    "end-with-request": {
      env: "PREFLIGHT_END_WITH_REQUEST",
      group: "output",
      type: "boolean",
      default: false,
      describe:
        "When told to stop, remove the document if the ConfigMap preflight-request is gone or an update has begun; set by the controller",
    },
    "use-annotation": {
      env: "PREFLIGHT_USE_ANNOTATION",
      group: "output",
      type: "boolean",
      default: false,
      describe:
        "With --end-with-request: the annotation agentic.openshift.io/propose-update of ClusterVersion is a request too; set by the controller",
    },
    ...shared.targetSettings,
    ...shared.releaseImageSettings,
    ...shared.clusterSettings,
    ...hostedClusterSettings,
    ...shared.promqlSettings,
    ...readLimitSettings,
    ...selectionSettings,
    config: {
      ...namedConfigSettings.config,
      describe: "File with the reasons why checks are left out for good, and with defaults of settings",
    },
    ...shared.unknownRiskSettings,
    ...shared.liftedLeftSettings,
    listen: {
      ...shared.listenSettings.listen,
      describe: "Address for /healthz, /readyz and /metrics, such as 127.0.0.1:9099 or :9099",
    },
    "listen-cert": shared.listenSettings["listen-cert"],
    "risk-messages": {
      env: "PREFLIGHT_RISK_MESSAGES",
      group: "monitoring",
      type: "boolean",
      default: false,
      describe: shared.DESCRIBE_RISK_MESSAGES,
    },
  },
  examples: [
    {
      command: "preflight --format=preflight-v1-json --target DIR --interval 0",
      describe: "Run one cycle and print the document",
    },
  ],
  process: "service",
} as const satisfies CommandDefinition;

export type RunValues = CommandValues<typeof run>;
