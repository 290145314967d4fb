import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { runPreflight } from "../../../../verify/shared/preflight.ts";
import { runWords } from "../../../support/cli/run-words.ts";
import { createTemporaryFolder } from "../../../../verify/shared/temporary-folder.ts";

const folder = createTemporaryFolder();

test("writes a check with its README, a case of every outcome and what they share, under its names", async () => {
  const check = join(folder, "widget drivers");
  const { code, out, err } = await runWords("checks", "new", "widget-drivers", check);
  assert.deepEqual([code, out], [0, ""]);
  assert.ok(err.includes(`preflight checks lint '${check}' `), err);
  assert.deepEqual(readdirSync(check), ["README.md", "cases", "check.yaml"]);
  const [base, ...cases] = readdirSync(join(check, "cases"));
  assert.equal(base, "base.yaml");
  const outcomes = cases.map((name) => /^(?:not-)?[a-z]+/.exec(name)?.[0]);
  assert.deepEqual(outcomes, ["clear", "not-applicable", "risk", "unknown"]);
  const text = readFileSync(join(check, "check.yaml"), "utf8");
  assert.match(text, /^metadata: \{name: widget-drivers\}$/m);
  assert.match(text, /^ +name: WidgetDriversFault$/m);
  assert.doesNotMatch(text, /my-?check/i);
});

test("writes nothing beside a file that is there", async () => {
  const check = join(folder, "taken");
  mkdirSync(check);
  writeFileSync(join(check, "README.md"), "mine");
  const { code, err } = await runWords("checks", "new", "taken", check);
  assert.deepEqual([code, err], [2, `preflight: ${check}/README.md is there already: choose another folder\n`]);
  assert.deepEqual(readdirSync(check), ["README.md"]);
  assert.equal(readFileSync(join(check, "README.md"), "utf8"), "mine");
});

test("says in one line why a name or a folder can't be used", async () => {
  const bad = await runWords("checks", "new", "Upper");
  assert.deepEqual([bad.code, existsSync("Upper")], [2, false]);
  assert.match(bad.err, /^preflight: "Upper" is not a valid id: .*\n$/);
  writeFileSync(join(folder, "file"), "");
  const unusable = await runWords("checks", "new", "fine", join(folder, "file"));
  assert.equal(unusable.code, 1);
  assert.match(unusable.err, /file\/check\.yaml can't be written: .*\n$/);
});

test("the executable alone writes a check, finds no mistake in it and runs its cases", async () => {
  const place = { cwd: folder };
  const written = await runPreflight(["checks", "new", "by-executable"], {}, place);
  assert.deepEqual([written.code, written.out], [0, ""], written.err);
  const linted = await runPreflight(["checks", "lint", "by-executable", "--strict"], {}, place);
  assert.deepEqual([linted.code, linted.out], [0, ""]);
  assert.match(linted.err, /^No mistakes in 1 file\.\n/);
  const tested = await runPreflight(["checks", "test", "by-executable"], {}, place);
  assert.deepEqual([tested.code, tested.err], [0, "4 of 4 cases passed.\n"], tested.out);
});
