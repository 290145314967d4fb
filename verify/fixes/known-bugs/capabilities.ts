import type { JsonObject } from "../../../src/model/json.ts";
import { type Fixture, buildObject } from "./fake-cluster.ts";

function clusterVersion(enabled: readonly string[]): JsonObject {
  return buildObject("config.openshift.io/v1", "ClusterVersion", "version", {
    status: {
      desired: { version: "4.13.99" },
      history: [{ state: "Completed", version: "4.13.99" }],
      capabilities: { knownCapabilities: ["Console", "Storage"], enabledCapabilities: enabled },
    },
  });
}

export const CAPABILITY_FIXTURES: Readonly<Record<string, Fixture>> = {
  "console-enabled": { hit: [clusterVersion(["Storage"])], miss: [clusterVersion(["Console"])] },
};
