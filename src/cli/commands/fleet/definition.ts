import { defineCommand } from "../../settings/command.ts";
import { fleetSettings } from "./settings.ts";

export const fleet = defineCommand({
  name: "fleet",
  describe: "Check many clusters and print them by their risks",
  settings: fleetSettings,
  examples: [
    { command: "preflight fleet --to 4.20", describe: "Check the clusters of all contexts" },
    { command: "preflight fleet --to 4.20 --kubeconfig DIR", describe: "Check a folder of kubeconfigs" },
    {
      command: "preflight fleet --to 4.20 --context 'prod-*' -o html=fleet.html",
      describe: "Write a page about some contexts",
    },
    { command: "preflight fleet --from DIR", describe: "Show what clusters wrote, without reading any" },
  ],
  exitCodes: {
    0: "no cluster has an unaccepted risk",
    1: "the preflight failed",
    2: "wrong usage",
    3: "a cluster has an unaccepted risk",
    4: "no cluster has an unaccepted risk, but one has no current and complete result",
  },
  process: "long",
  load: () => import("./run.ts"),
});
