import { planFormats, playbookFormats } from "../../../format/plan/index.ts";
import { type CommandDefinition, type CommandValues, VERDICT_EXIT_CODES } from "../../settings/command.ts";
import { configSettings, readLimitSettings, selectionSettings } from "../../settings/judging-settings.ts";
import { registrySettings } from "../../settings/release-settings.ts";
import * as shared from "../../settings/shared-settings.ts";

export const plan = {
  name: "plan",
  describe: "Find the updates that lead to a version, and check each of them",
  settings: {
    to: { ...shared.toSetting, isRequired: true },
    ...shared.updateGraphSettings,
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
    ...shared.clusterSettings,
    ...shared.promqlSettings,
    ...shared.outputSettings(planFormats, "Output format, and others for files: -o table -o html=plan.html"),
    ...shared.verboseSettings,
    ...shared.acceptSettings,
    ...shared.failOnSettings(),
    ...selectionSettings,
    ...shared.unknownRiskSettings,
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

const { output: _output, "fail-on": _failOn, to, graph, ...others } = plan.settings;
const { isRequired: _isRequired, ...optionalTo } = to;

export const playbook = {
  name: "playbook",
  describe: "Write an update as a checklist, in order and with commands",
  settings: {
    to: optionalTo,
    graph,
    target: {
      ...shared.targetSettings.target,
      describe: "Folder with the one release to update to, instead of --to",
    },
    "target-version": shared.targetSettings["target-version"],
    ...shared.releaseImageSettings,
    ...shared.outputSettings(playbookFormats, "Output format, and another for a file: -o html=update.html", "markdown"),
    ...others,
  },
  examples: [
    { command: "preflight playbook --to 4.20 > update.md", describe: "Write the way to the newest recommended 4.20" },
    { command: "preflight playbook --to 4.20 -o html=update.html", describe: "Write it as a page too, to tick off" },
    { command: "preflight playbook --target DIR > update.md", describe: "Write the update to an extracted release" },
  ],
  process: "supervised",
} as const satisfies CommandDefinition;

export type PlaybookValues = CommandValues<typeof playbook>;
