import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { test } from "node:test";
import { KNOWN_BUGS } from "../../src/checks/known-bugs/bugs.ts";
import { OTHER_NAMES } from "../../src/checks/known-bugs/published-names.ts";
import { checks } from "../../src/checks/index.ts";
import { isList, textAt } from "../../src/model/json.ts";
import { collectPublishedNames } from "../../tools/pages/published-page.ts";

const shared = process.env["PREFLIGHT_SHARED"] ?? fileURLToPath(new URL("../../../shared", import.meta.url));
const data = `${shared}/data/known-risks.json`;
const ALL = 124;
const LEAST_DECIDED = 91;

const accounts = collectPublishedNames(checks);

test("covers every name that the update service has published, and decides most", () => {
  assert.equal(accounts.length, ALL);
  const decided = accounts.filter(({ decidability }) => decidability === "decided");
  assert.ok(decided.length >= LEAST_DECIDED, `${decided.length} are decided`);
});

test("every undecided name is narrowed or has a notice", () => {
  const others = accounts.filter(({ decidability }) => decidability !== "decided");
  assert.deepEqual([...new Set(others.map(({ decidability }) => decidability))].toSorted(), ["narrowed", "told"]);
  for (const { name, explanation } of others) assert.match(explanation, /^a notice of /, name);
});

test("names that other checks cover refer to existing checks and have no entry", () => {
  const named = new Set(KNOWN_BUGS.flatMap(({ published }) => published));
  for (const account of OTHER_NAMES) {
    assert.ok(!named.has(account.name), `${account.name} is an entry's too`);
    assert.ok(checks.some(({ id }) => id === account.check));
  }
});

test("covers no other names", { skip: existsSync(data) ? false : `${data} doesn't exist` }, () => {
  const read: unknown = JSON.parse(readFileSync(data, "utf8"));
  assert.ok(isList(read));
  const names = read.flatMap((risk) => textAt(risk, "name") ?? []);
  assert.deepEqual(accounts.map(({ name }) => name).toSorted(), names.toSorted());
});
