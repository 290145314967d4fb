import { manifestsFormats } from "../../../format/manifests/index.ts";
import { FEATURE_SETS } from "../../../release/payload/inclusion.ts";
import type { CommandDefinition, CommandValues } from "../../settings/command.ts";
import { checksSettings, configSettings } from "../../settings/judging-settings.ts";
import { releaseSettings } from "../../settings/release-settings.ts";
import { acceptSettings, clusterSettings, failOnSettings, outputSettings } from "../../settings/shared-settings.ts";

export const manifests = {
  name: "manifests",
  describe: "Judge manifests in files as a target's API server would",
  settings: {
    ...releaseSettings,
    to: {
      ...releaseSettings.to,
      describe:
        "Version to judge by: 4.20.8, or v1.36 for Kubernetes without OpenShift; without a cluster, OpenShift's own custom resources need --target or --to-image",
    },
    crds: {
      ...releaseSettings.crds,
      describe:
        "CRDs that the target will have besides its own, such as those of operators: a file, a folder, or - for stdin; alone, or beside a release",
    },
    "feature-set": {
      group: "target",
      placeholder: "NAME",
      choices: FEATURE_SETS,
      describe: "Feature set of the cluster, which decides which CRDs of the release count",
      defaultText: "Default, or that of the cluster beside it",
    },
    helm: {
      group: "target",
      type: "list",
      placeholder: "CHART",
      describe: "Charts that helm template renders, beside or instead of PATH (separated by commas)",
    },
    kustomize: {
      group: "target",
      type: "list",
      placeholder: "DIR",
      describe: "Kustomizations to build, with kustomize, kubectl or oc (separated by commas)",
    },
    since: {
      group: "target",
      placeholder: "REF",
      describe: "Count only what is new since this commit of PATH's repository, and tell the rest apart",
    },
    fix: {
      group: "output",
      type: "boolean",
      default: false,
      describe:
        "Show on stderr what is certain to mend findings, write it into the files, and judge what they say then",
    },
    diff: {
      group: "output",
      type: "boolean",
      default: false,
      describe: "Show on stderr what --fix would write, and write nothing",
    },
    checks: {
      ...checksSettings.checks,
      describe:
        "Files with checks of your own, or folders of them (PreflightCheck, separated by commas): those with onManifests run on the objects, too; also artefacts of 'preflight checks pack' (FILE, DIR or oci://HOST/REPOSITORY@sha256:...)",
    },
    ...clusterSettings,
    ...outputSettings(
      manifestsFormats,
      "Output format, and others for files: -o github -o sarif=manifests.sarif -o gitlab=gl-code-quality-report.json",
    ),
    ...acceptSettings,
    ...failOnSettings(
      "for what is refused, dropped, blocks an update or breaks with it (3), or also if something could not be judged (4)",
    ),
    ...configSettings,
  },
  operand: {
    name: "paths",
    placeholder: "PATH",
    describe: "Files, folders with their sub-folders, archives, or - for stdin",
    isList: true,
    isOptional: true,
  },
  examples: [
    { command: "preflight manifests deploy/ --target DIR", describe: "Judge a folder by an extracted release" },
    {
      command: "helm template charts/shop | preflight manifests - --to v1.36 --crds crds/",
      describe: "Judge a rendered chart by a version of Kubernetes and the CRDs that operators bring",
    },
    {
      command: "preflight manifests deploy/ --target DIR --context prod",
      describe: "Judge objects that live in a cluster as updates of what they are there",
    },
    {
      command: "preflight manifests deploy/ --to 4.21.0 --checks checks/",
      describe: "Run checks of your own on the files, those that have onManifests",
    },
    {
      command: "preflight manifests deploy/ --to v1.36 --crds crds/ --since origin/main -o github",
      describe: "Annotate what a pull request brings",
    },
  ],
  exitCodes: {
    0: "the target takes every object as it is written, or what it doesn't take is accepted",
    1: "the target or the manifests can't be read",
    2: "wrong usage",
    3: "an object is refused, loses fields, blocks an update or breaks with it",
    4: "nothing that was judged is refused or dropped, but something could not be judged or read",
  },
  process: "long",
} as const satisfies CommandDefinition;

export type ManifestsValues = CommandValues<typeof manifests>;
