import { defineCommand, type Settings, type ValuesOf } from "../../settings/command.ts";
import { readLimitSettings } from "../../settings/config-settings.ts";
import { imageSettings } from "../../settings/image-settings.ts";
import {
  connectionSettings,
  crdSettings,
  releaseImageSettings,
  selectionSettings,
  targetSettings,
  toSetting,
  updateGraphSettings,
  verboseSettings,
} from "../../settings/shared-settings.ts";

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
  to: toSetting,
  ...updateGraphSettings,
  ...targetSettings,
  ...releaseImageSettings,
  ...imageSettings,
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
  load: () => import("./run.ts"),
});
