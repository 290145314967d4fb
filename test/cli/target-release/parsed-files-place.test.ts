import assert from "node:assert/strict";
import { readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { spawnPreflight } from "../../../verify/shared/preflight.ts";
import { createTestFolder } from "../../support/registry.ts";
import { addReleaseFiles, formatCrd, makeFolder } from "../../support/release/payload/payload-folder.ts";

test("a second check of a large target parses nothing, and says the same", async (t) => {
  const home = createTestFolder(t);
  const folder = makeFolder(t, addReleaseFiles({ "a.yaml": `# ${"x".repeat(1_000_000)}\n${formatCrd("widgets")}` }));
  const check = async (): Promise<readonly unknown[]> => {
    const args = ["check", "--recorded", "demo", "--target", folder, "--fail-on", "never"];
    const { code, out, err } = await spawnPreflight(args, { HOME: home });
    return [code, out, err];
  };
  const first = await check();
  const kept = join(home, ".cache/preflight/parsed");
  const [name = ""] = readdirSync(kept);
  const before = readFileSync(join(kept, name), "utf8");
  const { mtimeMs } = statSync(join(kept, name));
  assert.match(before, /widgets/);
  assert.deepEqual(await check(), first);
  assert.equal(statSync(join(kept, name)).mtimeMs, mtimeMs);
  writeFileSync(join(kept, name), "damaged");
  assert.deepEqual(await check(), first);
  assert.equal(readFileSync(join(kept, name), "utf8"), before);
});
