import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { EXECUTABLE, START, START_ENV } from "../../verify/shared/preflight.ts";
import { createTemporaryFolder } from "../../verify/shared/temporary-folder.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const folder = createTemporaryFolder();
for (const tool of ["kubectl", "oc"]) symlinkSync(EXECUTABLE, join(folder, `${tool}-preflight_update`));

function runPlugin(
  tool: "kubectl" | "oc",
  ...words: readonly string[]
): { readonly out: string; readonly err: string } {
  const plugin = join(folder, `${tool}-preflight_update`);
  const [node = "", ...args] = START.map((word) => (word === EXECUTABLE ? plugin : word));
  const env = { ...process.env, ...START_ENV };
  const { stdout, stderr } = spawnSync(node, [...args, ...words], { cwd: ROOT, encoding: "utf8", env });
  return { out: stdout, err: stderr };
}

/** A command that calls the program by its own name. */
const OWN_NAME = /["'`(] ?preflight [a-z-]+|^preflight: /m;
const DEMO = ["--recorded", "demo", "--target", "demo/release"];

const PEOPLES = ["table", "wide", "markdown", "html"];
const PROGRAMS = ["json", "csv", "preflight-v1-json"];
/** What a plugin writes in each format, in one run. */
const outputs = new Map<string, string>();
before(() => {
  const files = [...PEOPLES, ...PROGRAMS].map((format) => [format, join(folder, format)] as const);
  runPlugin("kubectl", "check", ...DEMO, ...files.flatMap(([format, file]) => ["-o", `${format}=${file}`]));
  for (const [format, file] of files) outputs.set(format, readFileSync(file, "utf8"));
});

for (const format of PEOPLES)
  test(`a plugin's ${format} calls the program as a plugin`, () => {
    const out = (outputs.get(format) ?? "").replaceAll(/<\/?span>/g, "");
    // The markdown of the demo has no such command.
    if (format !== "markdown") assert.match(out, /kubectl\s+preflight-update\s+rbac/);
    assert.doesNotMatch(out, OWN_NAME);
  });

for (const format of PROGRAMS)
  test(`a plugin's ${format} is that of any other program`, () => {
    const out = outputs.get(format) ?? "";
    assert.match(out, /CustomResourceFieldsFrozen/);
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
