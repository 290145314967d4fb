import type { CommandDefinition, CommandValues } from "../../../settings/command.ts";
import { outputSettings, targetSettings } from "../../../settings/shared-settings.ts";
import { backtestFormats } from "./formats.ts";

export const backtestChecks = {
  name: "checks backtest",
  describe: "Run checks over many recorded clusters, and count what they say",
  settings: {
    ...targetSettings,
    "max-risk": {
      group: "output",
      placeholder: "PERCENT",
      describe:
        "Exit with 3 if a check reports a risk on more than this share of the clusters that it judges, such as 5%",
    },
    "max-unknown": {
      group: "output",
      placeholder: "PERCENT",
      default: "0%",
      describe: "Exit with 4 if a check is unknown on more than this share of them",
    },
    ...outputSettings(backtestFormats, "Output format, and others for files", "text"),
  },
  operand: [
    { name: "checks", placeholder: "FILE|DIR", describe: "File with checks, or folder with such files" },
    {
      name: "recordings",
      placeholder: "RECORDING|TAR",
      describe:
        "Recorded clusters (see 'preflight record'), must-gathers or cases of checks, or folders with any of them",
      isList: true,
    },
  ],
  examples: [
    {
      command: "preflight checks backtest my-check recordings/ --max-risk 5%",
      describe: "Find out on how many of the recorded clusters a check reports a risk",
    },
  ],
  exitCodes: {
    0: "no check reports a risk, or is unknown, on too many clusters",
    1: "a file can't be read, or no cluster can be judged",
    2: "wrong usage",
    3: "a check reports a risk on more clusters than --max-risk allows, or has an error",
    4: "a check is unknown on more clusters than --max-unknown allows, or a cluster could not be read",
  },
  process: "long",
} as const satisfies CommandDefinition;

export type BacktestValues = CommandValues<typeof backtestChecks>;
