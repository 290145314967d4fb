import assert from "node:assert/strict";
import { mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { readDocumentState } from "../../../../src/cli/commands/controller/controller.ts";

test("a document that is too large is not valid, and one on a broken volume can't be read", async () => {
  const folder = await mkdtemp(join(tmpdir(), "preflight-"));
  const path = join(folder, "preflight-v1.json");
  await writeFile(path, "");
  await truncate(path, 4 * 1024 * 1024 + 1);
  assert.deepEqual(await readDocumentState(path), {
    kind: "invalid",
    problems: [`reading ${path}: it has more than 4 MiB`],
  });
  assert.equal((await readDocumentState(join(path, "a"))).kind, "unreadable");
  await rm(folder, { recursive: true });
});
