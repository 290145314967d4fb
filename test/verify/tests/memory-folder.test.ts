import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createMemoryFolder } from "../../../verify/tests/memory-folder.ts";

test("a folder in memory is open to every user, and programs in it can be run", (t) => {
  const folder = createMemoryFolder();
  if (folder === undefined) return t.skip("/dev/shm has no room, or no programs can be run in it");
  t.after(() => rmSync(folder, { recursive: true }));
  const program = join(folder, "program");
  writeFileSync(program, "#!/bin/sh\necho ran\n", { mode: 0o755 });
  assert.equal(execFileSync(program, { encoding: "utf8" }), "ran\n");
  assert.equal((statSync(folder).mode & 0o7777).toString(8), "1777");
});
