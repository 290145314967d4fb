import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createCredentialFinder } from "../../../src/release/image/registry/credential-files.ts";
import { createTestFolder } from "../../support/registry.ts";

const find = (t: Parameters<typeof createTestFolder>[0], auths: object) => {
  const authFile = join(createTestFolder(t), "auth.json");
  writeFileSync(authFile, JSON.stringify({ auths }));
  return createCredentialFinder({ env: {}, authFile, signal: new AbortController().signal })("a.example", "org/b");
};
const LOGIN = { username: "a", password: "b" };

for (const key of ["a.example", "https://a.example", "https://a.example/v2/", "a.example/v1", "a.example//"])
  test(`a login is found by the key ${key}`, async (t) => {
    assert.equal((await find(t, { [key]: LOGIN })).kind, "password");
  });

test("keys and passwords of a million fillers take no more than a moment", async (t) => {
  const begun = process.cpuUsage();
  const filler = `${"/".repeat(500_000)}a`;
  const auth = Buffer.from(`a:${"\0".repeat(500_000)}b`).toString("base64");
  await find(t, { [`other.example${filler}`]: LOGIN, "a.example": { auth } });
  assert.ok(process.cpuUsage(begun).user < 5_000_000);
});
