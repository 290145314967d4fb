import { planFormats } from "../../../format/plan/index.ts";
import { VERDICT_EXIT_CODES } from "../../settings/exit-codes.ts";
import type { CommandDefinition, CommandValues } from "../../settings/command.ts";
import { configSettings, readLimitSettings } from "../../settings/config-settings.ts";
import { registrySettings } from "../../settings/image-settings.ts";
import { selectionSettings } from "../../settings/checks-settings.ts";
import {
  acceptSettings,
  clusterSettings,
  failOnSettings,
  outputSettings,
  toSetting,
  unknownRiskSettings,
  updateGraphSettings,
  verboseSettings,
} from "../../settings/shared-settings.ts";
import { promqlSettings } from "../../settings/promql-settings.ts";

export const plan = {
  name: "plan",
  describe: "Find the updates that lead to a version, and check each of them",
  settings: {
    to: { ...toSetting, isRequired: true },
    ...updateGraphSettings,
    release: {
      env: "PREFLIGHT_RELEASES",
      group: "target",
      isRepeated: true,
      placeholder: "DIR",
      type: "list",
      describe:
        "Folder of a release on the way, as for --target; give it once for each. Without --graph, the route then leads through these releases",
    },
    ...registrySettings,
    ...clusterSettings,
    ...promqlSettings,
    ...outputSettings(planFormats, "Output format, and others for files: -o table -o html=plan.html"),
    ...verboseSettings,
    ...acceptSettings,
    ...failOnSettings(),
    ...selectionSettings,
    ...unknownRiskSettings,
    ...readLimitSettings,
    ...configSettings,
  },
  examples: [
    { command: "preflight plan --to 4.20", describe: "Check every update on the way to the newest recommended 4.20" },
    {
      command: "preflight plan --to 4.20 --release 4.19.12/ --release 4.20.4/",
      describe: "The same without an update service, with the releases in folders",
    },
  ],
  exitCodes: VERDICT_EXIT_CODES,
  process: "supervised",
} as const satisfies CommandDefinition;

export type PlanValues = CommandValues<typeof plan>;
