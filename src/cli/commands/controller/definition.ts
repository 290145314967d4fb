import type { CommandDefinition, CommandValues, Settings } from "../../settings/command.ts";
import * as shared from "../../settings/shared-settings.ts";
import { foundChecksSettings } from "../../settings/judging-settings.ts";

const runnerDeploymentSettings = {
  image: {
    env: "PREFLIGHT_IMAGE",
    group: "runner",
    placeholder: "REFERENCE",
    isRequired: true,
    describe: "Pull spec of the runner's image, which is this image",
  },
  "runner-interval": {
    env: "PREFLIGHT_RUNNER_INTERVAL",
    group: "runner",
    placeholder: "DURATION",
    default: "5m",
    describe: "The runner's interval between cycles",
  },
  "service-account": {
    env: "PREFLIGHT_SERVICE_ACCOUNT",
    group: "runner",
    placeholder: "NAME",
    default: "cluster-version-operator-preflight",
    describe: "Service account of the runner",
  },
  "priority-class": {
    env: "PREFLIGHT_PRIORITY_CLASS",
    group: "runner",
    placeholder: "NAME",
    default: "openshift-user-critical",
    describe: "Priority class of the runner",
  },
  "host-path": {
    env: "PREFLIGHT_HOST_PATH",
    group: "runner",
    placeholder: "DIR",
    default: "/etc/cvo/updatepayloads",
    describe: "Folder on the node that the runner writes to",
  },
  "node-name": {
    env: "NODE_NAME",
    group: "runner",
    placeholder: "NAME",
    describe: "Node of the runner; must be the controller's node, since the document is a file on the node",
    defaultText: "the operator's node",
  },
  "runner-listen": {
    env: "PREFLIGHT_RUNNER_LISTEN",
    group: "runner",
    placeholder: "ADDRESS",
    default: "127.0.0.1:19099",
    describe: "Address of the runner's /healthz, /readyz and /metrics; the Service of the alerts expects :9098",
  },
  "runner-listen-cert": {
    env: "PREFLIGHT_RUNNER_LISTEN_CERT",
    group: "runner",
    placeholder: "SECRET",
    describe: "Secret with the runner's serving certificate: its metrics are then served as with --listen-cert",
  },
  "runner-risk-messages": {
    env: "PREFLIGHT_RUNNER_RISK_MESSAGES",
    group: "runner",
    type: "boolean",
    default: false,
    describe: `The runner's --risk-messages. ${shared.DESCRIBE_RISK_MESSAGES}`,
  },
  "runner-checks-from": {
    ...foundChecksSettings["checks-from"],
    env: "PREFLIGHT_RUNNER_CHECKS_FROM",
    group: "runner",
    describe:
      "The runner's --checks-from; for operators and ConfigMaps, grant it the rights of 'preflight rbac --checks-from ...'",
  },
  "runner-promql": {
    env: "PREFLIGHT_RUNNER_PROMQL",
    group: "runner",
    choices: shared.promqlSettings.promql.choices,
    describe:
      "The runner's --promql: lets it ask the cluster's monitoring, with the rights of 'preflight rbac --promql'",
    defaultText: "off",
  },
  "cpu-request": {
    env: "PREFLIGHT_CPU_REQUEST",
    group: "runner",
    placeholder: "QUANTITY",
    default: "10m",
    describe: "CPU request of the runner",
  },
  "memory-request": {
    env: "PREFLIGHT_MEMORY_REQUEST",
    group: "runner",
    placeholder: "QUANTITY",
    default: "160Mi",
    describe: "Memory request of the runner",
  },
  "memory-limit": {
    env: "PREFLIGHT_MEMORY_LIMIT",
    group: "runner",
    placeholder: "QUANTITY",
    default: "512Mi",
    describe: "Memory limit of the runner",
  },
} as const satisfies Settings;

const publicationSettings = {
  "write-status": {
    env: "PREFLIGHT_WRITE_STATUS",
    group: "controller",
    type: "boolean",
    default: false,
    describe:
      "Write the risks into ClusterVersion's status; refused while a cluster-version operator runs, and gone once one comes back, which replaces the status",
  },
  "use-mode": {
    env: "PREFLIGHT_USE_MODE",
    group: "controller",
    type: "boolean",
    default: false,
    describe: "Delegate requests to operators that advertise the mode, through spec.desiredUpdate.mode",
  },
  "use-annotation": {
    env: "PREFLIGHT_USE_ANNOTATION",
    group: "controller",
    type: "boolean",
    default: false,
    describe:
      "Take the annotation agentic.openshift.io/propose-update of ClusterVersion, which the console's update page sets to a version, for a request where there is no other",
  },
  "risk-text": {
    env: "PREFLIGHT_RISK_TEXT",
    group: "controller",
    default: "versions",
    choices: ["versions", "proposal"],
    describe:
      'Prefix of the risks\' messages: "5.0.3 -> 5.2.0: ", or "Preflight=5.2.0: " as in the enhancement\'s latest proposal',
  },
} as const satisfies Settings;

export const controller = {
  name: "controller",
  describe: "Serve requests for a preflight until stopped",
  settings: {
    ...runnerDeploymentSettings,
    document: {
      env: "PREFLIGHT_DOCUMENT",
      group: "controller",
      placeholder: "FILE",
      default: shared.DEFAULT_DOCUMENT,
      describe: "Path at which the controller reads the runner's document",
    },
    poll: {
      env: "PREFLIGHT_POLL",
      group: "controller",
      type: "duration",
      default: "10s",
      describe: "Interval between reads of the document while a preflight is requested",
    },
    patience: {
      env: "PREFLIGHT_PATIENCE",
      group: "controller",
      type: "duration",
      default: "10m",
      canBeZero: true,
      describe: "How long a runner may take to produce a result before the preflight has failed",
    },
    "failed-timeout": {
      env: "PREFLIGHT_FAILED_TIMEOUT",
      group: "controller",
      type: "duration",
      default: "1h",
      canBeZero: true,
      describe: "How long a preflight may fail before its runner is removed",
    },
    ...publicationSettings,
    identity: {
      env: "POD_NAME",
      group: "controller",
      placeholder: "NAME",
      describe: "Name of this controller in the lease",
      defaultText: "the host's name and a random suffix",
    },
    "lease-duration": {
      env: "PREFLIGHT_LEASE_DURATION",
      group: "controller",
      type: "duration",
      default: "60s",
      describe: "Lease duration: how long before a standby may replace an unresponsive leader",
    },
    ...shared.listenSettings,
    ...shared.connectionSettings,
  },
  examples: [
    {
      command: "preflight controller --image IMAGE --kubeconfig FILE",
      describe: "Serve requests from outside the cluster",
    },
  ],
  process: "service",
} as const satisfies CommandDefinition;

export type ControllerValues = CommandValues<typeof controller>;

export const updateStatusController = {
  name: "update-status-controller",
  describe: "Publish insights about the status of an update until stopped",
  settings: { ...shared.listenSettings, ...shared.connectionSettings },
  examples: [
    {
      command: "preflight update-status-controller --kubeconfig FILE",
      describe: "Publish the insights from outside the cluster",
    },
  ],
  process: "service",
} as const satisfies CommandDefinition;

export type StatusControllerValues = CommandValues<typeof updateStatusController>;
