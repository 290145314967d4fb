import type { Setting, Settings, ValuesOf } from "./command.ts";

export const connectionSettings = {
  kubeconfig: {
    env: "KUBECONFIG",
    isEnvParsedElsewhere: true,
    group: "cluster",
    isRepeated: false,
    placeholder: "FILE",
    describe: "Kubeconfig file of the cluster",
    defaultText: "~/.kube/config, or the pod's service account",
  },
  context: {
    env: "PREFLIGHT_CONTEXT",
    group: "cluster",
    isRepeated: false,
    placeholder: "CONTEXT",
    describe: "Context within the kubeconfig",
    defaultText: "the current context",
  },
} as const satisfies Settings;

export type ConnectionValues = ValuesOf<typeof connectionSettings>;

const recordedSettings = {
  recorded: {
    env: "PREFLIGHT_RECORDED",
    group: "cluster",
    isRepeated: false,
    placeholder: "DIR",
    describe: "Folder with a recorded cluster, checked instead of a live one (see 'preflight record')",
  },
  "must-gather": {
    env: "PREFLIGHT_MUST_GATHER",
    group: "cluster",
    isRepeated: false,
    placeholder: "DIR|TAR",
    describe:
      "Archive of 'oc adm must-gather' or 'oc adm inspect', checked instead of a live cluster: its folder, or a tar of it (.tar, .tar.gz)",
  },
} as const satisfies Settings;

/** A live cluster, a recorded one or an archive. */
export const clusterSettings = { ...connectionSettings, ...recordedSettings } as const satisfies Settings;

export type ClusterValues = ValuesOf<typeof clusterSettings>;

export const targetSettings = {
  target: {
    env: "PREFLIGHT_TARGET",
    group: "target",
    isRepeated: true,
    placeholder: "DIR",
    describe:
      "Folder with the target release: the root of a release image, an extracted release (oc adm release extract), or plain manifests",
  },
  "target-version": {
    env: "PREFLIGHT_TARGET_VERSION",
    group: "target",
    isRepeated: true,
    placeholder: "VERSION",
    describe:
      "Version of the target release if its folder has no release-metadata; v1.36 for Kubernetes without OpenShift",
  },
} as const satisfies Settings;

export const toSetting = {
  env: "PREFLIGHT_TO",
  group: "target",
  isRepeated: true,
  placeholder: "VERSION",
  describe:
    "Version to update to: 4.20.8, 4.20 for the newest recommended release of that minor, latest, or v1.36 for Kubernetes without OpenShift",
} as const satisfies Setting;

export const updateGraphSettings = {
  graph: {
    env: "PREFLIGHT_GRAPH",
    group: "target",
    isRepeated: true,
    placeholder: "FILE|URL",
    describe:
      "Update graph: a file, or the address of an update service; what it says of an update counts before what ClusterVersion says",
    defaultText: "the service that ClusterVersion names, or the public one",
  },
} as const satisfies Settings;

export const releaseImageSettings = {
  "release-image": {
    env: "RELEASE_IMAGE",
    group: "target",
    isRepeated: true,
    placeholder: "REFERENCE",
    describe: "Pull spec of the target release, recorded in the document; not pulled",
  },
} as const satisfies Settings;

export const crdSettings = {
  crds: {
    env: "PREFLIGHT_CRDS",
    group: "target",
    isRepeated: true,
    placeholder: "FILE|DIR|-",
    describe:
      "CRDs to check instead of a target release, such as those of an operator's next version: a file, a folder, or - for stdin; only crd-skew runs",
  },
} as const satisfies Settings;

/** The formats of a result: one for stdout and others for files. */
export function outputSettings<F extends Readonly<Record<string, unknown>>>(
  formats: F,
  describe: string,
  first: Extract<keyof F, string> | "table" = "table",
) {
  const choices = Object.keys(formats).filter((name): name is Extract<keyof F, string> => Object.hasOwn(formats, name));
  const output = {
    alias: "o",
    group: "output",
    isRepeated: false,
    placeholder: "FORMAT[=FILE]",
    type: "outputs",
  } as const;
  return { output: { ...output, default: first, choices, describe } } as const;
}

export const acceptSettings = {
  accept: {
    group: "output",
    isRepeated: true,
    placeholder: "RISK",
    type: "list",
    describe:
      "Risks to accept (names, separated by commas): they are shown as accepted and do not change the exit code of this run; the cluster stays as it is",
  },
} as const satisfies Settings;

/** `when`: for what the command exits with 3, and for what with 4 as well. */
export function failOnSettings(when = "for a risk (3), or also if something was not seen (4)") {
  const describe = `When to exit with a code other than 0: never, ${when}`;
  const choices = ["never", "risk", "incomplete"] as const;
  return {
    "fail-on": { group: "output", isRepeated: false, placeholder: "WHEN", default: "incomplete", choices, describe },
  } as const;
}

export const verboseSettings = {
  verbose: {
    group: "output",
    isRepeated: false,
    type: "boolean",
    default: false,
    describe: "Write to stderr what is read from the cluster, and how long each read takes",
  },
} as const satisfies Settings;

export type VerboseValues = Partial<ValuesOf<typeof verboseSettings>>;

export const unknownRiskSettings = {
  "unknown-risks": {
    env: "PREFLIGHT_UNKNOWN_RISKS",
    group: "checks",
    isRepeated: true,
    type: "boolean",
    default: true,
    describe: "Report a risk for each check that could not complete (turn off with --no-unknown-risks)",
  },
} as const satisfies Settings;

/** The folder that the cluster-version operator shares with payloads. It empties it with `rm -fR ./*`, which keeps names that begin with a dot. */
export const SHARED_FOLDER = "/etc/cvo/updatepayloads";
/** The runner writes this file and the controller reads it. */
export const DEFAULT_DOCUMENT = `${SHARED_FOLDER}/.preflight/preflight-v1.json`;

export const listenSettings = {
  listen: {
    env: "PREFLIGHT_LISTEN",
    group: "monitoring",
    placeholder: "ADDRESS",
    describe: "Address for /healthz, /readyz and /metrics, such as 127.0.0.1:19098",
    defaultText: "off",
  },
  "listen-cert": {
    env: "PREFLIGHT_LISTEN_CERT",
    group: "monitoring",
    placeholder: "DIR",
    describe: "Folder with tls.crt and tls.key: serves TLS, and /metrics to the cluster's own Prometheus only",
    defaultText: "plain HTTP",
  },
} as const satisfies Settings;

/** What the option discloses, and to whom. */
const MESSAGE_READERS =
  "messages name objects of the cluster and can be read by everyone who can reach the port, query Prometheus or receive its alerts";

export const DESCRIBE_RISK_MESSAGES = `Put each risk's message on the metric preflight_risk_message: ${MESSAGE_READERS}`;

const liftedSetting = {
  group: "checks",
  isRepeated: true,
  env: "PREFLIGHT_LIFTED",
  choices: ["show", "leave"],
  describe:
    "Show the risks that the cluster-version operator already lists in ClusterVersion for this update, or leave them to it",
} as const;

/** A person at a terminal wants to see everything. */
export const liftedShownSettings = { lifted: { ...liftedSetting, default: "show" } } as const satisfies Settings;

/** ClusterVersion shows these risks already, so the document would repeat them. */
export const liftedLeftSettings = { lifted: { ...liftedSetting, default: "leave" } } as const satisfies Settings;

export const promqlSettings = {
  promql: {
    env: "PREFLIGHT_PROMQL",
    group: "cluster",
    isRepeated: true,
    choices: ["route", "service"],
    describe:
      "How to ask the cluster's monitoring about published risks that the cluster-version operator has not evaluated: over the Route of thanos-querier or, in the cluster, over its Service. The kubeconfig's or the pod's token is sent there",
    defaultText: "off",
  },
} as const satisfies Settings;

export type PromqlValues = ValuesOf<typeof promqlSettings>;
