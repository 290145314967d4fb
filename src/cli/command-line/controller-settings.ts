import { clusterSettings, type Setting } from "./settings.ts";
import { DEFAULT_DOCUMENT } from "../run/output.ts";

export const requestSettings: readonly Setting[] = [
  { flag: "to", type: "string", describe: "Version that ClusterVersion offers as an update, recommended or not" },
  {
    flag: "to-image",
    type: "string",
    describe: "Release by its pull spec with a digest; unverified where ClusterVersion doesn't offer it",
  },
  {
    flag: "not-before",
    type: "string",
    describe: "Begin of the maintenance window, such as 2026-02-06T22:00:00Z",
    defaultText: "now",
  },
  { flag: "until", type: "string", describe: "End of the maintenance window", defaultText: "none" },
  { flag: "only", type: "string", describe: "The runner's --only: IDs of the checks to run" },
  { flag: "skip", type: "string", describe: "The runner's --skip: IDs of the checks to leave out" },
  { flag: "lifted", type: "string", describe: "The runner's --lifted: show or leave" },
  { flag: "check-timeout", type: "string", describe: "The runner's --check-timeout" },
  { flag: "cycle-timeout", type: "string", describe: "The runner's --cycle-timeout" },
  {
    flag: "node-selector",
    type: "string",
    describe: "Labels of the runner's node: KEY=VALUE pairs separated by commas",
    defaultText: "control-plane nodes",
  },
  {
    flag: "tolerations",
    type: "string",
    describe: "Further taints that the runner tolerates: KEY[=VALUE][:EFFECT] separated by commas",
  },
  ...clusterSettings,
];

export const acceptSettings: readonly Setting[] = [
  { flag: "replace", type: "boolean", default: false, describe: "Accept these risks and no others" },
  { flag: "clear", type: "boolean", default: false, describe: "Accept no risk any more" },
  ...clusterSettings,
];

const runnerDeploymentSettings: readonly Setting[] = [
  {
    flag: "image",
    env: "PREFLIGHT_IMAGE",
    type: "string",
    describe: "Pull spec of the image with the runner, which is this one",
  },
  {
    flag: "runner-interval",
    env: "PREFLIGHT_RUNNER_INTERVAL",
    type: "string",
    default: "5m",
    describe: "Time between the starts of the runner's cycles",
  },
  {
    flag: "service-account",
    env: "PREFLIGHT_SERVICE_ACCOUNT",
    type: "string",
    default: "cluster-version-operator-preflight",
    describe: "Service account of the runner",
  },
  {
    flag: "priority-class",
    env: "PREFLIGHT_PRIORITY_CLASS",
    type: "string",
    default: "openshift-user-critical",
    describe: "Priority class of the runner",
  },
  {
    flag: "host-path",
    env: "PREFLIGHT_HOST_PATH",
    type: "string",
    default: "/etc/cvo/updatepayloads",
    describe: "Folder of the node that the runner writes to",
  },
  {
    flag: "node-name",
    env: "NODE_NAME",
    type: "string",
    describe: "Node for the runner: the controller's own, since the document is a file of the node",
    defaultText: "the operator's node",
  },
  {
    flag: "runner-listen",
    env: "PREFLIGHT_RUNNER_LISTEN",
    type: "string",
    default: "127.0.0.1:19099",
    describe: "Address of the runner's /healthz, /readyz and /metrics; :9098 is where the alerts' Service looks for it",
  },
  {
    flag: "cpu-request",
    env: "PREFLIGHT_CPU_REQUEST",
    type: "string",
    default: "10m",
    describe: "The runner's request",
  },
  {
    flag: "memory-request",
    env: "PREFLIGHT_MEMORY_REQUEST",
    type: "string",
    default: "160Mi",
    describe: "The runner's request",
  },
  {
    flag: "memory-limit",
    env: "PREFLIGHT_MEMORY_LIMIT",
    type: "string",
    default: "512Mi",
    describe: "The runner's limit",
  },
];

const listenSetting: Setting = {
  flag: "listen",
  env: "PREFLIGHT_LISTEN",
  type: "string",
  describe: "Address for /healthz, /readyz and /metrics, such as 127.0.0.1:19098",
  defaultText: "off",
};

export const controllerSettings: readonly Setting[] = [
  ...runnerDeploymentSettings,
  {
    flag: "document",
    env: "PREFLIGHT_DOCUMENT",
    type: "string",
    default: DEFAULT_DOCUMENT,
    describe: "File that the runner writes, as it is seen from here",
  },
  {
    flag: "poll",
    env: "PREFLIGHT_POLL",
    type: "string",
    default: "10s",
    describe: "Time between two looks at the document while a preflight is asked for",
  },
  {
    flag: "patience",
    env: "PREFLIGHT_PATIENCE",
    type: "string",
    default: "10m",
    describe: "How long a runner may be without a result before that is a failure",
  },
  {
    flag: "failed-timeout",
    env: "PREFLIGHT_FAILED_TIMEOUT",
    type: "string",
    default: "1h",
    describe: "How long a preflight may fail before its runner is taken away",
  },
  {
    flag: "write-status",
    env: "PREFLIGHT_WRITE_STATUS",
    type: "boolean",
    default: false,
    describe: "Write the risks into ClusterVersion's status; refused for as long as a cluster-version operator runs",
  },
  {
    flag: "use-mode",
    env: "PREFLIGHT_USE_MODE",
    type: "boolean",
    default: false,
    describe:
      "Pass requests on by spec.desiredUpdate.mode to an operator that says that it serves it; any other gets none",
  },
  {
    flag: "risk-text",
    env: "PREFLIGHT_RISK_TEXT",
    type: "string",
    default: "versions",
    choices: ["versions", "proposal"],
    describe:
      'What risks begin with: "5.0.3 -> 5.2.0: ", or "Preflight=5.2.0: " as the enhancement\'s newest proposal has it',
  },
  {
    flag: "identity",
    env: "POD_NAME",
    type: "string",
    describe: "Name of this controller among several",
    defaultText: "the host's name and a random word",
  },
  {
    flag: "lease-duration",
    env: "PREFLIGHT_LEASE_DURATION",
    type: "string",
    default: "60s",
    describe: "How long another controller waits for one that is heard of no more",
  },
  listenSetting,
  ...clusterSettings,
];

export const statusControllerSettings: readonly Setting[] = [listenSetting, ...clusterSettings];
