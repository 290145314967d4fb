import type { Json, JsonObject } from "../../../src/model/json.ts";
import { type Fixture, infrastructure, buildObject } from "./fake-cluster.ts";

const WITH_CONSOLE = ["Console"];
const ON_AWS = infrastructure("AWS");

/** At 4.12.0, which reports that it can't be updated to the next minor. */
function notUpgradeable(availableUpdates: Json, enabled: readonly string[], upgradeable = "False"): JsonObject {
  return buildObject("config.openshift.io/v1", "ClusterVersion", "version", {
    status: {
      desired: { version: "4.12.0" },
      history: [{ state: "Completed", version: "4.12.0" }],
      conditions: [{ type: "Upgradeable", status: upgradeable }],
      capabilities: { knownCapabilities: ["Console", "Storage"], enabledCapabilities: enabled },
      availableUpdates,
    },
  });
}

function plugins(names: readonly string[]): JsonObject {
  return buildObject("operator.openshift.io/v1", "Console", "cluster", {
    spec: { managementState: "Managed", plugins: names },
  });
}

const REMOVED = buildObject("operator.openshift.io/v1", "Console", "cluster", { spec: { managementState: "Removed" } });
const PLUGIN = buildObject("console.openshift.io/v1", "ConsolePlugin", "monitoring-plugin");

export const CONSOLE_FIXTURES: Readonly<Record<string, Fixture>> = {
  "console-available-updates": {
    hit: [notUpgradeable(null, ["Console", "Storage"])],
    remedied: [notUpgradeable(null, ["Console", "Storage"], "True")],
    miss: [notUpgradeable(null, ["Storage"])],
    otherHits: [{ hit: [notUpgradeable([{ version: "4.12.1" }], ["Console"])] }],
    otherMisses: [
      { miss: [notUpgradeable([{ version: "4.12.1" }, { version: "4.12.3" }], ["Console"])] },
      { miss: [notUpgradeable(null, ["Console"]), REMOVED] },
    ],
  },
  "console-missing-plugin": {
    hit: [plugins(["monitoring-plugin", "gone-plugin"]), PLUGIN],
    remedied: [plugins(["monitoring-plugin"]), PLUGIN],
    miss: [plugins([]), PLUGIN],
  },
  "console-grey-status": {
    hit: [ON_AWS],
    hitCapabilities: WITH_CONSOLE,
    miss: [infrastructure("AWS", "External")],
    missCapabilities: WITH_CONSOLE,
    otherMisses: [{ miss: [ON_AWS, REMOVED], missCapabilities: WITH_CONSOLE }],
  },
  "console-target-down": {
    hit: [],
    hitCapabilities: ["Console", "Storage"],
    miss: [],
    missCapabilities: ["Storage"],
    otherMisses: [{ miss: [REMOVED], missCapabilities: WITH_CONSOLE }],
  },
};
