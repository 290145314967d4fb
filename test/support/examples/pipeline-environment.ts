import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import type { TestContext } from "node:test";
import { START, START_ENV } from "../../../verify/shared/preflight.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");
export const DEMO_RISKS = [
  "CrdServedVersionRemoved",
  "CrdSkewUnknown",
  "CustomResourceFieldsFrozen",
  "DrainBlockedByDisruptionBudget",
  "OVNSeveralClusterNetworksBreakPods",
  "OperatorIncompatibleWithNextMinor",
];

export type Pipeline = {
  /** Where the commands of the example run. */
  readonly folder: string;
  /** What CI systems set, with the demo in place of a live cluster. */
  readonly env: Readonly<Record<string, string>>;
  /** The calls of `oc`, one a line. */
  readonly updates: () => string;
  readonly read: (file: string) => string;
};

/** Where the examples put the file of the branch that a change goes to. */
export const REVIEWED = "reviewed/.preflight.yaml";

/** A job's working folder, in which preflight checks the demo and `oc` only writes down how it was called. */
export function createPipeline(t: TestContext, accepts: "nothing" | "everything"): Pipeline {
  const folder = mkdtempSync(join(tmpdir(), "preflight-pipeline-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const bin = join(folder, ".bin");
  mkdirSync(bin);
  writeScript(join(bin, "preflight"), `exec ${START.map((word) => `'${word}'`).join(" ")} "$@"`);
  writeScript(join(bin, "oc"), `echo "$@" >>'${join(bin, "calls")}'`);
  const entries = DEMO_RISKS.map((risk) => ({ risk, reason: "The demo has it." }));
  mkdirSync(join(folder, "reviewed"));
  writeFileSync(join(folder, REVIEWED), JSON.stringify({ accept: accepts === "everything" ? entries : [] }));
  writeFileSync(join(bin, "calls"), "");
  const path = [bin, dirname(process.execPath), process.env["PATH"] ?? ""].join(delimiter);
  return {
    folder,
    env: {
      PATH: path,
      HOME: folder,
      ...START_ENV,
      PREFLIGHT_RECORDED: join(ROOT, "demo"),
      PREFLIGHT_TARGET: join(ROOT, "demo", "release"),
    },
    updates: () => readFileSync(join(bin, "calls"), "utf8"),
    read: (file) => readFileSync(join(folder, file), "utf8"),
  };
}

function writeScript(path: string, text: string): void {
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
}

export type Ran = { readonly code: number | null; readonly out: string };

/** Runs a step as CI systems do: with `set -e`, in the folder of the job. Images have the executable at a path of their own. */
export function runStep({ folder, env }: Pipeline, text: string, more: Readonly<Record<string, string>> = {}): Ran {
  const script = text.replaceAll("/usr/lib/preflight/preflight", "preflight");
  const { status, stdout, stderr } = spawnSync("bash", ["-e", "-o", "pipefail", "-c", script], {
    cwd: folder,
    env: { ...env, ...more },
    encoding: "utf8",
  });
  return { code: status, out: `${stdout}${stderr}` };
}
