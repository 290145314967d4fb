import { crdsFormats } from "../../../format/crds.ts";
import { FEATURE_SETS } from "../../../release/payload/inclusion.ts";
import type { CommandDefinition, CommandValues } from "../../settings/command.ts";
import { failOnSettings, outputSettings } from "../../settings/shared-settings.ts";

export const crds = {
  name: "crds",
  describe: "Compare an operator's CRDs with its released ones, without a cluster",
  settings: {
    from: {
      group: "target",
      placeholder: "FILE|DIR",
      isRequired: true,
      describe: "The CRDs as they are released: a file or a folder, or - for stdin",
    },
    to: {
      group: "target",
      placeholder: "FILE|DIR",
      isRequired: true,
      describe: "The CRDs as they will be: a file or a folder, or - for stdin",
    },
    objects: {
      group: "target",
      placeholder: "FILE|DIR",
      describe: "Objects to judge by both, such as samples: a file, or a folder with its sub-folders",
    },
    "feature-set": {
      group: "target",
      placeholder: "NAME",
      choices: FEATURE_SETS,
      describe:
        "Judge the CRDs of this feature set (annotation release.openshift.io/feature-set), and leave out the others",
      defaultText: "Default; the others are not judged",
    },
    profile: {
      group: "target",
      placeholder: "NAME",
      describe:
        "Judge the CRDs of this cluster profile (annotation include.release.openshift.io/NAME), such as ibm-cloud-managed, and leave out the others",
      defaultText: "self-managed-high-availability; the others are not judged",
    },
    "kubernetes-version": {
      group: "target",
      placeholder: "VERSION",
      default: "v1.34",
      describe: "Version of the API server that judges; give the oldest that the operator supports",
    },
    ...outputSettings(crdsFormats, "Output format, and others for files: -o markdown=comment.md -o sarif=crds.sarif"),
    ...failOnSettings("for a change that breaks something (3), or also if something could not be judged (4)"),
  },
  examples: [
    {
      command: "preflight crds --from released/ --to config/crd/bases/",
      describe: "List what the API server refuses, what is lost and what gets stricter",
    },
    {
      command:
        "preflight crds --from released/ --to config/crd/bases/ --objects config/samples/ -o markdown=comment.md",
      describe: "Judge samples too, and write a comment for a pull request",
    },
  ],
  exitCodes: {
    0: "nothing breaks",
    1: "the CRDs or objects can't be read",
    2: "wrong usage",
    3: "a change breaks something",
    4: "nothing that was judged breaks, but something was not or could not be judged, or a schema may be stricter",
  },
  process: "long",
} as const satisfies CommandDefinition;

export type CrdsValues = CommandValues<typeof crds>;
