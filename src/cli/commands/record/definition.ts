import type { CommandDefinition, CommandValues } from "../../settings/command.ts";
import { readLimitSettings } from "../../settings/config-settings.ts";
import { releaseSettings } from "../../settings/image-settings.ts";
import { selectionSettings } from "../../settings/checks-settings.ts";
import { connectionSettings, verboseSettings } from "../../settings/shared-settings.ts";

export const record = {
  name: "record",
  describe: "Record what the checks read from a cluster, with secrets redacted",
  settings: {
    "dest-dir": {
      former: { flag: "output" },
      alias: "o",
      placeholder: "DIR",
      group: "output",
      isRequired: true,
      describe: "Folder to write cluster.json to; created if it does not exist",
    },
    ...verboseSettings,
    ...releaseSettings,
    ...connectionSettings,
    ...selectionSettings,
    ...readLimitSettings,
  },
  examples: [
    {
      command: "preflight record --to 4.20.8 --dest-dir recording",
      describe: "Record what decides on an update of the current cluster",
    },
    {
      command: "preflight check --recorded recording --to 4.20.8",
      describe: "Check the recording, on any machine",
    },
  ],
  process: "supervised",
} as const satisfies CommandDefinition;

export type RecordValues = CommandValues<typeof record>;
