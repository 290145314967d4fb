import { comparisonFormats } from "../../format/comparison/index.ts";
import type { CommandDefinition, CommandValues } from "../settings/command.ts";
import * as shared from "../settings/shared-settings.ts";
import * as judging from "../settings/judging-settings.ts";
import { hostedClusterSettings, hostedClustersSettings } from "../settings/hosted-settings.ts";
import { releaseSettings } from "../settings/release-settings.ts";

export const compare = {
  name: "compare",
  describe: "Compare two results: what is new, gone or no longer known",
  settings: {
    ...shared.outputSettings(
      comparisonFormats,
      "Output format, and others for files: -o table -o json=comparison.json",
    ),
    accept: {
      ...shared.acceptSettings.accept,
      describe: "Risks to accept besides those that the results say are accepted (names, separated by commas)",
    },
    ...shared.failOnSettings(
      "for a risk that is new or worse (3), or also if less is known than before, or less than everything (4)",
    ),
  },
  operand: [
    {
      name: "old",
      placeholder: "OLD",
      describe: "File with the earlier result: what 'preflight check -o json' printed, or a document; - for stdin",
    },
    { name: "new", placeholder: "NEW", describe: "File with the later result, or - for stdin" },
  ],
  examples: [
    { command: "preflight compare old.json new.json", describe: "Compare two results of 'preflight check -o json'" },
    {
      command: "preflight check --to 4.20 -o json | preflight compare old.json -",
      describe: "Compare the cluster as it is with an earlier result",
    },
  ],
  exitCodes: {
    0: "nothing is worse",
    1: "a result can't be read",
    2: "wrong usage",
    3: "an unaccepted risk is new, or worse than before",
    4: "no such risk, but less is known than before, or the new result is not complete",
  },
  process: "long",
} as const satisfies CommandDefinition;

export type CompareValues = CommandValues<typeof compare>;

export const completion = {
  name: "completion",
  describe: "Print a completion script for bash, zsh or fish",
  settings: {},
  operand: {
    name: "shell",
    placeholder: "bash|zsh|fish",
    describe: "Shell of the script (default: bash)",
    isOptional: true,
  },
  examples: [
    { command: "source <(preflight completion bash)", describe: "Complete words in this bash" },
    { command: "source <(preflight completion zsh)", describe: "Complete words in this zsh" },
    { command: "preflight completion fish | source", describe: "Complete words in this fish" },
  ],
  process: "short",
} as const satisfies CommandDefinition;

export type CompletionValues = CommandValues<typeof completion>;

export const explain = {
  name: "explain",
  describe: "Explain a check or a risk, or find those that have some words",
  settings: {
    ...shared.targetSettings,
    ...judging.checksSettings,
    ...judging.foundChecksSettings,
    ...shared.clusterSettings,
  },
  operand: {
    name: "words",
    placeholder: "CHECK|RISK",
    describe: "Name of a check or a risk, or words that their names and titles have",
    isList: true,
  },
  examples: [
    { command: "preflight explain CgroupV1Removed", describe: "Explain a risk: whom it concerns, and what to do" },
    { command: "preflight explain crd-skew", describe: "Explain a check, and list its risks" },
    { command: "preflight explain disruption budget", describe: "List the checks and risks that have both words" },
  ],
  process: "short",
} as const satisfies CommandDefinition;

export type ExplainValues = CommandValues<typeof explain>;

export const list = {
  name: "list",
  describe: "List the checks",
  settings: {
    ...shared.targetSettings,
    ...judging.checksSettings,
    ...judging.foundChecksSettings,
    ...shared.clusterSettings,
    output: {
      alias: "o",
      group: "output",
      placeholder: "FORMAT",
      default: "table",
      choices: ["table", "json"],
      describe: "Output format",
    },
  },
  examples: [
    { command: "preflight list", describe: "List the checks" },
    { command: "preflight list -o json", describe: "List the checks with all their metadata, for scripts" },
    { command: "preflight list --target DIR", describe: "With the checks that the target's components bring" },
    {
      command: "preflight list --checks-from payload,operators",
      describe: "With the checks that the operators of the current cluster bring",
    },
  ],
  process: "short",
} as const satisfies CommandDefinition;

export type ListValues = CommandValues<typeof list>;

export const rbac = {
  name: "rbac",
  describe: "Print the rights that the checks need, as a ClusterRole",
  settings: {
    ...shared.targetSettings,
    "feature-set": {
      group: "target",
      default: "Default",
      choices: ["Default", "TechPreviewNoUpgrade", "DevPreviewNoUpgrade", "CustomNoUpgrade", "OKD"],
      describe: "Feature set of the cluster, which decides which kinds the target has",
    },
    ...judging.selectionSettings,
    ...shared.clusterSettings,
    "hosted-clusters": {
      ...hostedClustersSettings["hosted-clusters"],
      describe: "Print the rights to check hosted clusters on their management cluster (--hosted-cluster)",
    },
    "guest-secret": {
      group: "cluster",
      placeholder: "NAMESPACE/NAME",
      describe:
        "With --hosted-clusters: print the right to read this Secret too, for --guest-secret NAME, and no other",
    },
    config: { ...judging.namedConfigSettings.config, describe: "File that lets the checks of operators read more" },
    promql: {
      ...shared.promqlSettings.promql,
      describe: "Print the rights to ask the cluster's monitoring over its Route or its Service, as --promql does",
    },
    "bind-to": {
      group: "output",
      placeholder: "USER",
      describe:
        "User, such as system:serviceaccount:NAMESPACE:NAME, to bind the role to: prints a ClusterRole and a ClusterRoleBinding of their own, called preflight-reader. It includes the mirrors, certificate authorities and proxy that --to and --to-image read",
    },
  },
  examples: [
    { command: "preflight rbac --target DIR | oc apply -f -", describe: "Grant the exact rights for a target" },
    {
      command: "preflight rbac --bind-to system:serviceaccount:ci:updater | oc apply -f -",
      describe: "Let a service account run every check, also with --to",
    },
    {
      command: "preflight rbac --checks-from payload,operators | oc apply -f -",
      describe: "Let the runner read the checks of the current cluster's operators, and what they need",
    },
  ],
  process: "short",
} as const satisfies CommandDefinition;

export type RbacValues = CommandValues<typeof rbac>;

export const record = {
  name: "record",
  describe: "Record what the checks read from a cluster, with secrets redacted",
  settings: {
    "dest-dir": {
      former: { flag: "output" },
      alias: "o",
      placeholder: "DIR",
      group: "output",
      isRequired: true,
      describe: "Folder to write cluster.json to; created if it does not exist",
    },
    ...shared.verboseSettings,
    ...releaseSettings,
    ...shared.connectionSettings,
    "hosted-cluster": {
      ...hostedClusterSettings["hosted-cluster"],
      describe: "HostedCluster of this management cluster to record, with its NodePools, instead of the cluster itself",
    },
    ...judging.selectionSettings,
    ...judging.readLimitSettings,
  },
  examples: [
    {
      command: "preflight record --to 4.20.8 --dest-dir recording",
      describe: "Record what decides on an update of the current cluster",
    },
    {
      command: "preflight check --recorded recording --to 4.20.8",
      describe: "Check the recording, on any machine",
    },
  ],
  process: "supervised",
} as const satisfies CommandDefinition;

export type RecordValues = CommandValues<typeof record>;

export const validate = {
  name: "validate",
  describe: "Validate a document against the schema of preflight-v1-json",
  settings: {},
  operand: { name: "file", describe: "File with the document" },
  examples: [
    { command: "preflight validate preflight-v1.json", describe: "Validate a document that the runner wrote" },
  ],
  exitCodes: {
    0: "the document is valid",
    1: "it is not, or can't be read",
    2: "wrong usage",
    4: "it is valid, but from a time that has not come yet",
  },
  process: "short",
} as const satisfies CommandDefinition;

export type ValidateValues = CommandValues<typeof validate>;
