import type { OperatorRisks } from "../../runner/operator-risks.ts";

/** One setting: a flag and an environment variable. What is printed about settings is made from these. */
export type Setting = {
  readonly flag: string;
  readonly env?: string;
  /** Read where it is used, since it holds more than one value. */
  readonly isEnvParsedElsewhere?: true;
  readonly describe: string;
  readonly type: "string" | "boolean" | "number" | "list";
  readonly default?: string | boolean | number;
  /** Said in help instead of a value, where the default depends on the surroundings. */
  readonly defaultText?: string;
  readonly choices?: readonly string[];
  readonly alias?: string;
};

const kubeconfig: Setting = {
  flag: "kubeconfig",
  env: "KUBECONFIG",
  isEnvParsedElsewhere: true,
  type: "string",
  describe: "Kubeconfig file of the cluster to read",
  defaultText: "~/.kube/config, else the pod's own service account",
};
const context: Setting = {
  flag: "context",
  env: "PREFLIGHT_CONTEXT",
  type: "string",
  describe: "Context of the kubeconfig",
  defaultText: "its current context",
};
const recorded: Setting = {
  flag: "recorded",
  env: "PREFLIGHT_RECORDED",
  type: "string",
  describe: "Folder with a recorded cluster (see record), read instead of a live one",
};
const target: Setting = {
  flag: "target",
  env: "PREFLIGHT_TARGET",
  type: "string",
  describe:
    "Folder with the target release: a release image's root, what 'oc adm release extract --to=DIR' gives, or plain manifests",
};
const targetVersion: Setting = {
  flag: "target-version",
  env: "PREFLIGHT_TARGET_VERSION",
  type: "string",
  describe:
    "Version of the target release, where its folder has no release-metadata; v1.36 for Kubernetes without OpenShift",
};
const releaseImage: Setting = {
  flag: "release-image",
  env: "RELEASE_IMAGE",
  type: "string",
  describe: "Pull spec of the target release, to be repeated in the document",
};
const crds: Setting = {
  flag: "crds",
  env: "PREFLIGHT_CRDS",
  type: "string",
  describe: "Folder of CRDs (an operator's next version) to judge instead of a target release; then only crd-skew runs",
};
const only: Setting = {
  flag: "only",
  env: "PREFLIGHT_ONLY",
  type: "list",
  describe: "Run only these checks, by id, separated by commas",
};
const skip: Setting = {
  flag: "skip",
  env: "PREFLIGHT_SKIP",
  type: "list",
  describe: "Leave these checks out, by id, separated by commas",
};
const checkTimeout: Setting = {
  flag: "check-timeout",
  env: "PREFLIGHT_CHECK_TIMEOUT",
  type: "string",
  default: "1m",
  describe: "Longest time for one of a check's reads; a check whose reads take longer is unknown",
};
const cycleTimeout: Setting = {
  flag: "cycle-timeout",
  env: "PREFLIGHT_CYCLE_TIMEOUT",
  type: "string",
  default: "5m",
  describe: "Longest time for all reads of a cycle together",
};
const concurrency: Setting = {
  flag: "concurrency",
  env: "PREFLIGHT_CONCURRENCY",
  type: "number",
  default: 4,
  describe: "Reads at one time, from 1 to 32",
};
const unknownRisks: Setting = {
  flag: "unknown-risks",
  env: "PREFLIGHT_UNKNOWN_RISKS",
  type: "boolean",
  default: true,
  describe: "Give every check that could not look a risk of its own (--no-unknown-risks: not)",
};

/** In the cluster the operator shows these by itself; a person at a terminal wants to see all. */
const operatorRisksSetting = (byDefault: OperatorRisks): Setting => ({
  flag: "lifted",
  env: "PREFLIGHT_LIFTED",
  type: "string",
  default: byDefault,
  choices: ["show", "leave"],
  describe: "Show risks that the running cluster-version operator lifts by itself, or leave them to it",
});

const readLimitSettings = [checkTimeout, cycleTimeout, concurrency];
const cluster = [kubeconfig, context];
const targetSettings = [target, targetVersion, releaseImage];

export const runSettings: readonly Setting[] = [
  { flag: "format", env: "PREFLIGHT_FORMAT", type: "string", describe: "Format of the document; starts the runner" },
  {
    flag: "interval",
    env: "PREFLIGHT_INTERVAL",
    type: "string",
    default: "5m",
    describe: "Time between the starts of cycles, a tenth more or less; 0 runs one cycle",
  },
  {
    flag: "output",
    env: "PREFLIGHT_OUTPUT",
    type: "string",
    describe: "File to write the document to",
    defaultText:
      "/etc/cvo/updatepayloads/.preflight/preflight-v1.json where /etc/cvo/updatepayloads exists; stdout with --interval 0",
  },
  ...targetSettings,
  ...cluster,
  recorded,
  ...readLimitSettings,
  only,
  skip,
  unknownRisks,
  operatorRisksSetting("leave"),
  {
    flag: "listen",
    env: "PREFLIGHT_LISTEN",
    type: "string",
    describe: "Address for /healthz, /readyz and /metrics, such as 127.0.0.1:9099 or :9099",
    defaultText: "off",
  },
];

export const checkSettings: readonly Setting[] = [
  ...targetSettings,
  crds,
  ...cluster,
  recorded,
  {
    flag: "output",
    alias: "o",
    type: "string",
    default: "table",
    choices: ["table", "json", "preflight-v1-json"],
    describe: "How to print the result",
  },
  { flag: "accept", type: "list", describe: "Names of risks that are accepted, separated by commas" },
  {
    flag: "quiet",
    type: "boolean",
    default: false,
    describe: "Print the names of risks that are not accepted, and nothing else",
  },
  {
    flag: "fail-on",
    type: "string",
    default: "incomplete",
    choices: ["never", "risk", "incomplete"],
    describe: "What makes the exit code other than 0: nothing, a risk (3), or also a check that could not look (4)",
  },
  only,
  skip,
  unknownRisks,
  operatorRisksSetting("show"),
  ...readLimitSettings,
];

export const recordSettings: readonly Setting[] = [
  { flag: "output", alias: "o", type: "string", describe: "Folder to write cluster.json to; made if it is not there" },
  ...targetSettings,
  crds,
  ...cluster,
  only,
  skip,
  ...readLimitSettings,
];

export const rbacSettings: readonly Setting[] = [
  target,
  targetVersion,
  {
    flag: "feature-set",
    type: "string",
    default: "Default",
    describe: "The cluster's feature set, which decides on the target's kinds",
  },
  only,
  skip,
];

/** Of commands that need a cluster and nothing more. */
export const clusterSettings: readonly Setting[] = cluster;

export const listSettings: readonly Setting[] = [
  {
    flag: "output",
    alias: "o",
    type: "string",
    default: "table",
    choices: ["table", "json"],
    describe: "How to print the list",
  },
];
