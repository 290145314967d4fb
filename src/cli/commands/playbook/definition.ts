import type { CommandDefinition, CommandValues } from "../../settings/command.ts";
import { playbookFormats } from "../../../format/plan/index.ts";
import { outputSettings, releaseImageSettings, targetSettings } from "../../settings/shared-settings.ts";
import { plan } from "../plan/definition.ts";

const { output: _output, "fail-on": _failOn, to, graph, ...others } = plan.settings;
const { isRequired: _isRequired, ...optionalTo } = to;

export const playbook = {
  name: "playbook",
  describe: "Write an update as a checklist, in order and with commands",
  settings: {
    to: optionalTo,
    graph,
    target: {
      ...targetSettings.target,
      describe: "Folder with the one release to update to, instead of --to",
    },
    "target-version": targetSettings["target-version"],
    ...releaseImageSettings,
    ...outputSettings(playbookFormats, "Output format, and another for a file: -o html=update.html", "markdown"),
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
