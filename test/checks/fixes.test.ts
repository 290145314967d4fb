import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { buildFixRows, formatFixTable } from "../support/fix-table.ts";
import { NO_COMMAND } from "../support/fix-reasons.ts";

const FILE = join(import.meta.dirname, "..", "..", "docs", "fixes.md");

describe("the commands that remove a fault", () => {
  test("are missing only for the risks that say why", () => {
    const missing = buildFixRows().flatMap(({ risk, uses }) => (uses.length === 0 ? [risk] : []));
    assert.deepEqual(missing.toSorted(), Object.keys(NO_COMMAND).toSorted());
  });

  test("are listed in docs/fixes.md", async () => {
    if (process.env["UPDATE"] === "1") await writeFile(FILE, formatFixTable());
    assert.equal(await readFile(FILE, "utf8"), formatFixTable());
  });
});
