import type { CommandDefinition, CommandValues } from "../../settings/command.ts";
import { outputSettings, clusterSettings, targetSettings } from "../../settings/shared-settings.ts";
import { registrySettings } from "../../settings/release-settings.ts";
import { namedConfigSettings } from "../../settings/judging-settings.ts";
import { faultFormats, testFormats } from "./fault-formats.ts";

export const newCheck = {
  name: "checks new",
  describe: "Write a check that works, with its cases, to change into your own",
  settings: {},
  operand: [
    { name: "id", placeholder: "NAME", describe: "Name of the check: small letters, digits and dashes" },
    { name: "folder", placeholder: "DIR", describe: "Folder to write to (default: NAME)", isOptional: true },
  ],
  examples: [
    { command: "preflight checks new widget-drivers", describe: "Write a check to the folder widget-drivers" },
  ],
  process: "long",
} as const satisfies CommandDefinition;

export type NewCheckValues = CommandValues<typeof newCheck>;

export const lintChecks = {
  name: "checks lint",
  describe: "Find mistakes in files with checks, without a cluster",
  settings: {
    ...outputSettings(faultFormats, "Output format, and others for files: -o text -o sarif=checks.sarif", "text"),
    as: {
      group: "checks",
      default: "site",
      choices: ["site", "payload", "operator", "artefact", "configmap"],
      describe:
        "Whose checks they are: in a file that an administrator names, or of others, whose commands have no words of their own: of a release's payload (whose risks have no prefix and may be refused), an operator's bundle, an artefact or a ConfigMap",
    },
    crds: {
      group: "checks",
      placeholder: "FILE|DIR|-",
      describe:
        "CRDs of the objects that the checks read: a field that no object has is then an error, as it is in any case for Kubernetes' own kinds",
    },
    target: {
      group: "checks",
      placeholder: "DIR|REFERENCE",
      describe:
        "The same with the CRDs of a release: its folder, as for check --target, or its image, as for --to-image",
    },
    ...clusterSettings,
    ...registrySettings,
    ...namedConfigSettings,
    strict: {
      group: "output",
      type: "boolean",
      default: false,
      describe: "Exit with 4 if there are only warnings",
    },
  },
  operand: {
    name: "files",
    placeholder: "FILE|DIR",
    describe:
      "Files with checks or a list of known bugs, folders with such files (*.yaml) except in folders called cases, or manifests of a release with ConfigMaps of checks",
    isList: true,
  },
  examples: [
    { command: "preflight checks lint my-check", describe: "List the mistakes with their lines and columns" },
    {
      command: "preflight checks lint checks/ --strict -o text -o sarif=checks.sarif",
      describe: "The same in a pipeline, with a file for GitHub's code scanning",
    },
    {
      command: "preflight checks lint checks/ --context prod",
      describe: "With the CRDs of a cluster, whose fields are then known",
    },
    {
      command: "preflight checks lint manifests/0000_50_preflight-checks.yaml",
      describe: "Check what a release ships",
    },
  ],
  exitCodes: {
    0: "no mistakes",
    1: "a file, the image or the cluster can't be read",
    2: "wrong usage",
    3: "a check with an error, which would not run",
    4: "only warnings, with --strict",
  },
  process: "long",
} as const satisfies CommandDefinition;

export type LintChecksValues = CommandValues<typeof lintChecks>;

export const testChecks = {
  name: "checks test",
  describe: "Run the cases of checks, and name what no case decides",
  settings: {
    update: {
      group: "checks",
      type: "boolean",
      default: false,
      describe: "Write into each case what the check reports, instead of comparing the two",
    },
    only: {
      group: "checks",
      placeholder: "CASE",
      type: "list",
      describe: "Run only these cases (names without .yaml, separated by commas), and require no others",
    },
    ...outputSettings(testFormats, "Output format, and others for files", "text"),
  },
  operand: {
    name: "folder",
    placeholder: "DIR",
    describe: "Folder with a check and its cases (cases/OUTCOME-WHY.yaml), or with such folders",
  },
  examples: [
    { command: "preflight checks test my-check", describe: "Run all cases of a check" },
    {
      command: "preflight checks test my-check --update",
      describe: "Write what the cases expect, to be read in a diff",
    },
  ],
  exitCodes: {
    0: "every case reports what it expects, and none is missing",
    1: "a file can't be read",
    2: "wrong usage",
    3: "a case reports something else, a case is missing, or a check has an error",
  },
  process: "long",
} as const satisfies CommandDefinition;

export type TestChecksValues = CommandValues<typeof testChecks>;

export const explainChecks = {
  name: "checks explain",
  describe: "Show what checks read and need, and on a cluster the value of each part of their rules",
  settings: {
    ...clusterSettings,
    case: {
      group: "cluster",
      placeholder: "FILE",
      describe: "Case of a check, instead of a cluster",
    },
    object: {
      group: "cluster",
      placeholder: "NAME",
      describe: "Show only this object of the cluster: NAME, NAMESPACE/NAME or KIND NAMESPACE/NAME",
    },
    ...targetSettings,
  },
  operand: { name: "path", placeholder: "FILE|DIR", describe: "File with checks, or folder with such files" },
  examples: [
    { command: "preflight checks explain my-check", describe: "Show what a check reads, keeps and needs" },
    {
      command: "preflight checks explain my-check --context prod --object shop/orders",
      describe: "Show why a check says what it says of an object",
    },
    {
      command: "preflight checks explain my-check --case my-check/cases/risk-legacy-driver.yaml",
      describe: "The same for the objects of a case",
    },
  ],
  exitCodes: {
    0: "success",
    1: "the cluster or a file can't be read",
    2: "wrong usage",
    3: "a check has an error",
  },
  process: "long",
} as const satisfies CommandDefinition;

export type ExplainChecksValues = CommandValues<typeof explainChecks>;

export const migrateChecks = {
  name: "checks migrate",
  describe: "Rewrite checks of before as the newest format has them",
  settings: {},
  operand: {
    name: "files",
    placeholder: "FILE|DIR",
    describe: "Files with checks, or folders with such files (*.yaml) except in folders called cases",
    isList: true,
  },
  examples: [
    { command: "preflight checks migrate checks", describe: "Rewrite what changed since the checks were written" },
  ],
  exitCodes: {
    0: "the checks are as the newest format has them; stdout has the files that changed",
    1: "a file can't be read or written",
    2: "wrong usage",
    3: "a check has an error, and nothing was written",
  },
  process: "long",
} as const satisfies CommandDefinition;

export type MigrateChecksValues = CommandValues<typeof migrateChecks>;

export const annotateChecks = {
  name: "checks annotate",
  describe: "Print the annotation by which an operator's ClusterServiceVersion names its ConfigMaps with checks",
  settings: {},
  operand: {
    name: "files",
    placeholder: "FILE",
    describe:
      "Manifests of the operator's bundle: these ConfigMaps, and the ClusterServiceVersion to be warned of what their checks may not read",
    isList: true,
  },
  examples: [
    {
      command: "preflight checks annotate bundle/manifests/*.yaml",
      describe: "Print the annotation for the ConfigMaps in the operator's bundle",
    },
  ],
  exitCodes: {
    0: "the annotation was printed",
    1: "a file can't be read, or has no ConfigMap, or a check with an error",
    2: "wrong usage",
  },
  process: "long",
} as const satisfies CommandDefinition;

export type AnnotateChecksValues = CommandValues<typeof annotateChecks>;
