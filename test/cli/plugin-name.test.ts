import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { EXECUTABLE } from "../../verify/shared/preflight.ts";
import { createTemporaryFolder } from "../../verify/shared/temporary-folder.ts";
import { sampleEach } from "../support/cases/sample.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const folder = createTemporaryFolder();
for (const tool of ["kubectl", "oc"]) symlinkSync(EXECUTABLE, join(folder, `${tool}-preflight_update`));

function runPlugin(
  tool: "kubectl" | "oc",
  ...words: readonly string[]
): { readonly out: string; readonly err: string } {
  const args = [join(folder, `${tool}-preflight_update`), ...words];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: "utf8" });
  return { out: stdout, err: stderr };
}

/** A command that calls the program by its own name. */
const OWN_NAME = /["'`(] ?preflight [a-z-]+|^preflight: /m;
const DEMO = ["--recorded", "demo", "--target", "demo/release"];

for (const format of sampleEach(["table", "wide", "markdown", "html"], 3))
  test(`a plugin's ${format} calls the program as a plugin`, () => {
    const out = runPlugin("kubectl", "check", ...DEMO, "-o", format).out.replaceAll(/<\/?span>/g, "");
    // The markdown of the demo has no such command.
    if (format !== "markdown") assert.match(out, /kubectl\s+preflight-update\s+rbac/);
    assert.doesNotMatch(out, OWN_NAME);
  });

for (const format of sampleEach(["json", "csv", "preflight-v1-json"], 3))
  test(`a plugin's ${format} is that of any other program`, () => {
    const { out } = runPlugin("kubectl", "check", ...DEMO, "-o", format);
    assert.doesNotMatch(out, /preflight-update/);
  });

test("a plugin's help, explanations, lists and errors call the program as a plugin", () => {
  for (const words of [["help"], ["help", "check"], ["explain", "crd-skew"], ["explain", "CrdSkewUnknown"], ["list"]]) {
    const { out } = runPlugin("oc", ...words);
    assert.match(out, /oc\s+preflight-update/, words.join(" "));
    assert.doesNotMatch(out, OWN_NAME, words.join(" "));
  }
  assert.match(runPlugin("oc", "help").out, /oc preflight-update COMMAND/);
  const { err } = runPlugin("kubectl", "explain", "xyzzy");
  assert.match(err, /^kubectl preflight-update: no check or risk .*; see 'kubectl preflight-update list'\n$/);
  const { err: config } = runPlugin("kubectl", "check", ...DEMO, "--accept", "Typo");
  assert.match(config, /^kubectl preflight-update: /);
  assert.doesNotMatch(config, OWN_NAME);
});
