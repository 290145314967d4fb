import type { CommandDefinition, CommandValues } from "../../../settings/command.ts";
import { clusterSettings, targetSettings } from "../../../settings/shared-settings.ts";

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
