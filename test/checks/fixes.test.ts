import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { formatFixTable } from "../support/fix-table.ts";

const FILE = join(import.meta.dirname, "..", "..", "docs", "fixes.md");

describe("the commands that remove a fault", () => {
  test("are listed in docs/fixes.md", async () => {
    if (process.env["UPDATE"] === "1") await writeFile(FILE, formatFixTable());
    assert.equal(await readFile(FILE, "utf8"), formatFixTable());
  });
});
