import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { run } from "../shared/run.ts";
import { PLUGIN } from "../../tools/release/krew.ts";

/** Installs the plugin with krew from the release's files, into a folder that is not there yet. Resolves with what was seen. */
export async function tryKrew(
  release: string,
  archive: string,
  root: string,
  check: (runPlugin: (...args: readonly string[]) => Promise<string>) => Promise<void>,
): Promise<string> {
  const bin = join(root, "bin");
  // Even `krew version` makes its folders, and asks for a newer one.
  const env = { PATH: `${bin}:${process.env["PATH"]}`, HOME: root, KREW_ROOT: root, KREW_NO_UPGRADE_CHECK: "1" };
  const starts = (program: string) => spawnSync(program, ["version"], { env }).status === 0;
  const krew = ["kubectl-krew", "krew"].find(starts);
  if (krew === undefined) return "not tried here with krew: needs krew";
  const missing = [
    ["kubectl", "version", "--client"],
    ["git", "--version"],
  ].find(([program = "", ...args]) => spawnSync(program, args, { env }).status !== 0);
  if (missing !== undefined) return `not tried here with krew: needs ${missing[0]}`;
  const files = [`--manifest=${join(release, `${PLUGIN}.yaml`)}`, `--archive=${join(release, archive)}`];
  await run(krew, ["install", ...files], release, env);
  await check((...args) => run("kubectl", [PLUGIN, ...args], root, env));
  // krew removes a plugin only where there is an index, though it does not look into it.
  await run("git", ["init", "--quiet", join(root, "index", "default")], root, env);
  await run(krew, ["uninstall", PLUGIN], root, env);
  for (const path of [join(root, "store", PLUGIN), join(bin, "kubectl-preflight_update")])
    assert.ok(!existsSync(path), path);
  return `installed with krew, checks the demo as kubectl ${PLUGIN}, leaves nothing when removed`;
}
