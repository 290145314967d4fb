import assert from "node:assert/strict";
import { test } from "node:test";
import { classifyEnd, createCrashReport } from "../../../src/cli/process/child-end.ts";
import { replaceHeapLimit, selectHeapLimit } from "../../../src/cli/process/child-flags.ts";

const REPORT = [
  "\n<--- Last few GCs --->\n",
  "\n[1:0x1] 31 ms: Mark-Compact\n",
  "FATAL ERROR: Reached heap limit - JavaScript heap out of memory\n",
];

test("passes on what a process writes, but not the report of its crash", () => {
  const written: string[] = [];
  const report = createCrashReport((text) => void written.push(text));
  for (const text of ["warning: a FATAL ERROR: in a sentence\n", "last line", ...REPORT]) report.push(text);
  assert.equal(written.join(""), "warning: a FATAL ERROR: in a sentence\nlast line");
  assert.equal(report.text(), REPORT.join(""));
});

test("keeps the beginning of a long report", () => {
  const report = createCrashReport(() => assert.fail("nothing else was written"));
  report.push("FATAL ERROR: something else\n");
  for (let i = 0; i < 100; i++) report.push("x".repeat(10_000));
  assert.equal(report.text().length, 65_536);
});

test("tells how a process ended", () => {
  const heap = REPORT.join("");
  assert.deepEqual(classifyEnd(null, "SIGABRT", heap, 192), { kind: "outOfMemory", heapMib: 192 });
  assert.deepEqual(classifyEnd(134, null, heap, 192), { kind: "outOfMemory", heapMib: 192 });
  assert.deepEqual(classifyEnd(null, "SIGKILL", "", 192), { kind: "killed" });
  assert.deepEqual(classifyEnd(null, "SIGSEGV", "", 192), { kind: "crashed", why: "it ended with SIGSEGV" });
  assert.deepEqual(classifyEnd(134, null, "", 192), { kind: "crashed", why: "it aborted" });
  assert.deepEqual(classifyEnd(3, null, "", 192), { kind: "exited", code: 3 });
});

const MIB = 2 ** 20;
const UNLIMITED = 2 ** 64;
const LIMITS: readonly [nodeOptions: string | undefined, containerBytes: number, heapMib: number][] = [
  [undefined, UNLIMITED, 320],
  [undefined, 0, 320],
  [undefined, 256 * MIB, 192],
  [undefined, 512 * MIB, 320],
  [undefined, 1_024 * MIB, 832],
  [undefined, 64 * 1_024 * MIB, 2_048],
  ["--max-old-space-size=96", 1_024 * MIB, 96],
  ["--no-warnings --max_old_space_size=4096", UNLIMITED, 4_096],
  ["--max-semi-space-size=2", UNLIMITED, 320],
];

for (const [nodeOptions, bytes, heapMib] of LIMITS) {
  test(`a container of ${bytes} bytes with NODE_OPTIONS "${nodeOptions ?? ""}" gets a heap of ${heapMib} MiB`, () => {
    assert.equal(selectHeapLimit(nodeOptions, bytes), heapMib);
  });
}

test("a child has the flags of its parent, except for the heap", () => {
  const flags = ["--max-semi-space-size=2", "--max-old-space-size=192", "--optimize-for-size"];
  assert.deepEqual(replaceHeapLimit(flags, 704), [
    "--max-semi-space-size=2",
    "--optimize-for-size",
    "--max-old-space-size=704",
  ]);
});
