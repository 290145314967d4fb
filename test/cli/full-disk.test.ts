import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { EXECUTABLE, runPreflight } from "../../verify/shared/preflight.ts";

const DEMO = ["--recorded", "demo", "--target", "demo/release"];

/** Runs a command whose stdout, or stderr, is on a disk that is full. */
function runOnFullDisk(args: readonly string[], stream: "out" | "err") {
  const full = openSync("/dev/full", "w");
  const result = spawnSync(process.execPath, [EXECUTABLE, ...args], {
    cwd: join(import.meta.dirname, "..", ".."),
    env: { PATH: process.env["PATH"] ?? "", HOME: "/nonexistent" },
    stdio: ["ignore", stream === "out" ? full : "pipe", stream === "err" ? full : "pipe"],
    encoding: "utf8",
  });
  closeSync(full);
  return result;
}

const COMMANDS: readonly (readonly string[])[] = [
  ["check", ...DEMO],
  ["check", ...DEMO, "--fail-on", "never", "-o", "json"],
  ["plan", "--recorded", "demo", "--to", "4.18.6", "--release", "demo/release"],
  ["playbook", ...DEMO],
  ["list"],
  ["help", "check"],
  ["version"],
  ["completion", "bash"],
];
for (const args of COMMANDS)
  test(`a result that does not fit on the disk is a failure: ${args.join(" ")}`, () => {
    const { status, stderr } = runOnFullDisk(args, "out");
    assert.equal(status, 1, stderr);
    assert.match(
      stderr,
      /^preflight: the (?:result|version) can't be written: ENOSPC: no space left on device, write\n$/,
    );
  });

test("a runner whose document does not fit on the disk fails", () => {
  const { status, stderr } = runOnFullDisk(["--format=preflight-v1-json", ...DEMO, "--interval", "0"], "out");
  assert.equal(status, 1);
  assert.match(stderr, /\npreflight: the result can't be written: ENOSPC[^\n]*\n$/);
});

test("a file that can't be written is a failure", async () => {
  const { code, err } = await runPreflight(["check", ...DEMO, "-o", "json=/dev/full"]);
  assert.equal(code, 1);
  assert.match(err, /^preflight: the file \/dev\/full can't be written: [^\n]+\n$/);
});

test("what can't be said on stderr changes no verdict", () => {
  const { status, stdout } = runOnFullDisk(["check", ...DEMO, "--accept", "Unheard"], "err");
  assert.equal(status, 3);
  assert.match(stdout, /^Don't update yet\. 4\.17\.20 -> 4\.18\.6/);
});

test("a reader that has enough ends nothing", () => {
  const script = `"$0" "$@" | head -n 1; exit "\${PIPESTATUS[0]}"`;
  const words = ["-c", script, process.execPath, EXECUTABLE, "check", ...DEMO, "-o", "json"];
  const { status, stderr } = spawnSync("bash", words, {
    cwd: join(import.meta.dirname, "..", ".."),
    encoding: "utf8",
  });
  assert.deepEqual([status, stderr], [3, ""]);
});
