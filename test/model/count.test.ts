import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { formatCount } from "../../src/model/text.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const sources = globSync("src/**/*.ts", { cwd: ROOT }).map((path) => readFileSync(join(ROOT, path), "utf8"));

/** Each noun that is counted, with its plural if it is not the noun and an s. */
const nouns = sources.flatMap((text) =>
  [...text.matchAll(/formatCount\((?:[^()]|\([^()]*\))*?, "(?<one>[^"]+)"(?:, "(?<many>[^"]+)")?\)/g)].map(
    ({ groups }) => [groups?.["one"] ?? "", groups?.["many"]] as const,
  ),
);

test("whatever is counted is a noun with a plural", () => {
  assert.ok(nouns.length > 40);
  for (const [one, many] of nouns) {
    assert.equal(formatCount(1, one, many), `1 ${one}`);
    if (many === undefined)
      assert.match(one, /(?:^|[ -])(?!more$)[a-zA-Z]+[^sxy]$/, `"${one}" needs a plural of its own`);
  }
});
