import type { CommandDefinition, CommandValues } from "../../../settings/command.ts";

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
