import assert from "node:assert/strict";
import { COMMANDS } from "../../../src/cli/commands/index.ts";
import { findConfig } from "../../../src/cli/settings/config-file.ts";
import { parseCommandLine } from "../../../src/cli/command-line/parser.ts";
import { hasLapsed } from "../../../src/model/unseen.ts";
import { writeScratch } from "../scratch.ts";
import type { FuzzTarget } from "../target.ts";

const CONFIG = {
  accept: [
    { risk: "Alpha", reason: "r", until: "2026-12-31", objects: ["Node a"] },
    { check: "etcd-health", reason: "r" },
  ],
  settings: { timeout: "5m", concurrency: 4, skip: ["nodes"], "fail-on": "never", color: false },
};

/** A configuration is valid, or is refused in one line; so are the defaults that it gives to flags. */
export const target: FuzzTarget = {
  seeds: [JSON.stringify(CONFIG), "accept:\n- risk: A\n  reason: b\n", "settings: {output: [csv=a], kubeconfig: b}\n"],
  maxBytes: 2048,
  run: async (input) => {
    const setting = COMMANDS.find(({ name }) => name === "check")?.settings["config"];
    const config = await findConfig(setting, writeScratch("preflight.yaml", input), COMMANDS);
    if (config === undefined) return;
    for (const acceptance of config.accept)
      assert.equal(typeof hasLapsed(acceptance, "2026-11-20T00:00:00Z"), "boolean");
    await parseCommandLine(["check"], {}, 80, config.settings);
  },
};
