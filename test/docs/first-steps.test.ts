import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { parseCodes, readFile } from "../support/docs/pages.ts";
import { EXECUTABLE } from "../../verify/shared/preflight.ts";
import { createTemporaryFolder } from "../../verify/shared/temporary-folder.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const RISK = "DrainBlockedByDisruptionBudget";

/** What `npm start` runs, without npm. */
const NPM = `npm() {
  shift
  [ $# -gt 0 ] || set -- -- check --recorded demo --target demo/release --fail-on never
  shift
  "$NODE" "$PREFLIGHT" "$@"
}`;

test("a newcomer who runs the first commands of README.md sees a risk and removes it", () => {
  const [, section = ""] = /^## Try it without a cluster\n(.*?)^## /ms.exec(readFile("README.md")) ?? [];
  const lines = parseCodes(section).flatMap(({ text, isBlock }) => (isBlock ? [text] : []));
  const folder = createTemporaryFolder("first-steps");
  symlinkSync(join(ROOT, "demo"), join(folder, "demo"));
  const script = [NPM, ...lines.flatMap((line) => [`echo "=== ${line.split(" ")[0]}"`, line])].join("\n");
  const env = { PATH: process.env["PATH"], NODE: process.execPath, PREFLIGHT: EXECUTABLE };
  const { status, stdout, stderr } = spawnSync("bash", ["-euc", script], {
    cwd: folder,
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
  assert.equal(status, 0, stderr);
  const outputs = stdout.split(/^=== .*\n/m).slice(1);
  assert.equal(outputs.length, lines.length);
  const first = outputs[0] ?? "";
  const last = outputs.at(-1) ?? "";
  assert.ok(first.includes(RISK));
  assert.match(outputs[1] ?? "", new RegExp(`^${RISK}: `));
  assert.ok(last.includes("OperatorIncompatibleWithNextMinor") && !last.includes(RISK), last);
});
