import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { closeSync, constants, openSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { EXECUTABLE, START, START_ENV, isBundle, runPreflight } from "../../verify/shared/preflight.ts";
import { sampleEach } from "../support/cases/sample.ts";
import { createTemporaryFolder } from "../../verify/shared/temporary-folder.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const DEMO = ["--recorded", "demo", "--target", "demo/release"];

/** Of one check, which takes less time. */
const QUICK = [...DEMO, "--only", "kubelet-skew", "--fail-on", "never"];

const OPTIONS = {
  cwd: ROOT,
  encoding: "utf8",
  env: { PATH: process.env["PATH"] ?? "", HOME: "/nonexistent", ...START_ENV },
} as const;
const [NODE = "", ...STARTED] = START;

/** Runs a command whose stdout, or stderr, is on a disk that is full. */
function runOnFullDisk(args: readonly string[], stream: "out" | "err") {
  return runWith(args, openSync("/dev/full", "w"), stream);
}

/** Runs a command whose stdout, or stderr, is a file, and closes it. */
function runWith(args: readonly string[], file: number, stream: "out" | "err") {
  const result = spawnSync(NODE, [...STARTED, ...args], {
    ...OPTIONS,
    stdio: ["ignore", stream === "out" ? file : "pipe", stream === "err" ? file : "pipe"],
  });
  closeSync(file);
  return result;
}

const COMMANDS: readonly (readonly string[])[] = [
  ["check", ...QUICK],
  ["list"],
  ["version"],
  ["check", ...DEMO, "--fail-on", "never", "-o", "json"],
  ["plan", "--recorded", "demo", "--to", "4.18.6", "--release", "demo/release"],
  ["help", "check"],
  ["playbook", ...DEMO],
  ["completion", "bash"],
];
for (const args of sampleEach(COMMANDS, 2))
  test(`a result that does not fit on the disk is a failure: ${args.join(" ")}`, () => {
    const { status, stderr } = runOnFullDisk(args, "out");
    assert.equal(status, 1, stderr);
    assert.match(
      stderr,
      /^preflight: the (?:result|version) can't be written: ENOSPC: no space left on device, write\n$/,
    );
  });

test("a runner whose document does not fit on the disk fails", () => {
  const { status, stderr } = runOnFullDisk(
    ["--format=preflight-v1-json", ...DEMO, "--only", "kubelet-skew", "--interval", "0"],
    "out",
  );
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

/** Node opens /dev/null in place of a closed stdout before anything of ours runs. */
const skip = isBundle(EXECUTABLE) ? false : "only the bundle begins with a shell, which sees that stdout is closed";

const CLOSED = [["check", ...QUICK], ["list"], ["version"]];
for (const args of sampleEach(CLOSED, 2)) {
  test(`a closed stdout is a failure: ${args.join(" ")}`, { skip }, () => {
    const env = { ...OPTIONS.env, PATH: `${dirname(process.execPath)}:${OPTIONS.env.PATH}` };
    const { status, stderr } = spawnSync("sh", ["-c", `"$0" "$@" >&-`, EXECUTABLE, ...args], { ...OPTIONS, env });
    assert.match(stderr, /^preflight: the (?:result|version) can't be written: EBADF: bad file descriptor, write\n$/);
    assert.equal(status, 1);
  });

  test(`a pipe that nobody reads is a failure: ${args.join(" ")}`, () => {
    const pipe = join(createTemporaryFolder(), "pipe");
    spawnSync("mkfifo", [pipe]);
    const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
    const writer = openSync(pipe, "w");
    closeSync(reader);
    const { status, stderr } = runWith(args, writer, "out");
    assert.match(stderr, /^preflight: the (?:result|version) can't be written: [^\n]*EPIPE[^\n]*\n$/);
    assert.equal(status, 1);
  });
}

test("a reader that has enough ends nothing", () => {
  const script = `"$0" "$@" | head -n 1; exit "\${PIPESTATUS[0]}"`;
  const words = ["-c", script, ...START, "check", ...DEMO, "-o", "json"];
  const { status, stderr } = spawnSync("bash", words, OPTIONS);
  assert.deepEqual([status, stderr], [3, ""]);
});
