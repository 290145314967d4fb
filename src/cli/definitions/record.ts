import { defineCommand, type Settings, type ValuesOf } from "../command-line/command.ts";
import {
  connectionSettings,
  crdSettings,
  readLimitSettings,
  releaseImageSettings,
  selectionSettings,
  targetSettings,
  verboseSettings,
} from "../command-line/shared-settings.ts";

const recordSettings = {
  "dest-dir": {
    former: { flag: "output" },
    alias: "o",
    placeholder: "DIR",
    group: "output",
    type: "string",
    isRequired: true,
    describe: "Folder to write cluster.json to; created if it does not exist",
  },
  ...verboseSettings,
  ...targetSettings,
  ...releaseImageSettings,
  ...crdSettings,
  ...connectionSettings,
  ...selectionSettings,
  ...readLimitSettings,
} as const satisfies Settings;

export type RecordValues = ValuesOf<typeof recordSettings>;

export const record = defineCommand({
  name: "record",
  describe: "Record what the checks read from a cluster, with secrets redacted",
  settings: recordSettings,
  examples: [
    { command: "preflight record --target DIR --dest-dir recording", describe: "Record the current cluster" },
    {
      command: "preflight check --recorded recording --target DIR",
      describe: "Check the recording, on any machine",
    },
  ],
  load: () => import("../commands/record.ts"),
});
