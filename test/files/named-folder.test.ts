import assert from "node:assert/strict";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { createEntryBudget, listFiles, readEntries } from "../../src/files/named-folder.ts";
import { createTestFolder } from "../support/registry.ts";

test("lists the files of a folder and its sub-folders, and those behind links, sorted", async (t) => {
  const folder = createTestFolder(t);
  const other = createTestFolder(t);
  await mkdir(join(folder, "b/c"), { recursive: true });
  for (const path of ["z", "b/c/y", "b/x"]) await writeFile(join(folder, path), "");
  await writeFile(join(other, "w"), "");
  await symlink(other, join(folder, "link"));
  await symlink("z", join(folder, "a"));
  assert.deepEqual(await listFiles(folder), ["a", "b/c/y", "b/x", "link/w", "z"]);
});

test("reads each folder once, whatever the loops of links", async (t) => {
  const folder = createTestFolder(t);
  await mkdir(join(folder, "sub"));
  await writeFile(join(folder, "sub/file"), "");
  // By way of two links to itself, a folder has 2^40 paths.
  for (const name of ["one", "two", "sub/up"]) await symlink(folder, join(folder, name));
  assert.deepEqual(await listFiles(folder), ["sub/file"]);
});

test("a folder with too many entries is refused before all of them are read", async (t) => {
  const folder = createTestFolder(t);
  for (const name of ["a", "b", "c"]) await writeFile(join(folder, name), "");
  const budget = createEntryBudget();
  assert.deepEqual((await readEntries(folder, budget)).map(({ name }) => name).toSorted(), ["a", "b", "c"]);
  assert.equal(budget.remaining, 100_000 - 3);
  await assert.rejects(readEntries(folder, { remaining: 2 }), { message: "it has more than 100000 files and folders" });
});
