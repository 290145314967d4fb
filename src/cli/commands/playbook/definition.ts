import { defineCommand, type Settings, type ValuesOf } from "../../settings/command.ts";
import { releaseImageSettings, targetSettings } from "../../settings/shared-settings.ts";
import { planSettings } from "../plan/definition.ts";

const { output: _output, "fail-on": _failOn, to, graph, ...others } = planSettings;
const { isRequired: _isRequired, ...optionalTo } = to;

const playbookSettings = {
  to: optionalTo,
  graph,
  target: {
    ...targetSettings.target,
    describe: "Folder with the one release to update to, instead of --to",
  },
  "target-version": targetSettings["target-version"],
  ...releaseImageSettings,
  ...others,
} as const satisfies Settings;

export type PlaybookValues = ValuesOf<typeof playbookSettings>;

export const playbook = defineCommand({
  name: "playbook",
  describe: "Write an update as markdown: what to do, in which order, with commands",
  settings: playbookSettings,
  examples: [
    { command: "preflight playbook --to 4.20 > update.md", describe: "Write the way to the newest recommended 4.20" },
    { command: "preflight playbook --target DIR > update.md", describe: "Write the update to an extracted release" },
  ],
  process: "supervised",
  load: () => import("./run.ts"),
});
