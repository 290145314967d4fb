import { defineCommand, type Settings, type ValuesOf } from "../command-line/command.ts";
import { selectionSettings, targetSettings } from "../command-line/shared-settings.ts";

const rbacSettings = {
  ...targetSettings,
  "feature-set": {
    type: "string",
    default: "Default",
    choices: ["Default", "TechPreviewNoUpgrade", "DevPreviewNoUpgrade", "CustomNoUpgrade", "OKD"],
    describe: "Feature set of the cluster, which decides which kinds the target has",
  },
  ...selectionSettings,
} as const satisfies Settings;

export type RbacValues = ValuesOf<typeof rbacSettings>;

export const rbac = defineCommand({
  name: "rbac",
  describe: "Print the rights that the checks need, as a ClusterRole",
  settings: rbacSettings,
  examples: [
    { command: "preflight rbac --target DIR | oc apply -f -", describe: "Grant the exact rights for a target" },
  ],
  load: () => import("../commands/rbac.ts"),
});
