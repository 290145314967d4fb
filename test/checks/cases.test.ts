import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { describe, test } from "node:test";
import { ENTRIES } from "../../src/checks/known-bugs/entries.ts";
import { checks } from "../../src/checks/index.ts";
import type { Check } from "../../src/model/check.ts";
import type { OutcomeKind, ReportRisk } from "../../src/model/report.ts";
import { FIXTURES } from "./known-bugs/fixtures.ts";
import { type Expected, casesOf, readJson, runCase } from "./case.ts";

const PREFIX: Readonly<Record<OutcomeKind, string>> = {
  clear: "clear-",
  risk: "risk-",
  unknown: "unknown-",
  notApplicable: "not-applicable-",
};
/**
 * known-bugs is a table, and so are its cases: known-bugs.test.ts runs a whole cycle over each entry's fixture and demands its risk,
 * and demands a fixture of every entry. Every other check has its risks in cases of its own.
 */
const tabled = ({ id }: Pick<Check, "id">): readonly string[] => (id === "known-bugs" ? tabledRisks() : []);

function tabledRisks(): readonly string[] {
  return ENTRIES.filter(({ id }) => id in FIXTURES).map(({ name }) => name);
}

const update = process.env["UPDATE"] === "1";

for (const check of checks) {
  describe(`check ${check.id}`, () => {
    const cases = casesOf(check);
    const seen: Expected[] = [];

    for (const one of cases) {
      test(`says what is expected of ${one.name}`, async () => {
        const result = await runCase(one);
        seen.push(result);
        assert.ok(one.name.startsWith(PREFIX[result.outcome.kind]), `${one.name} came out as ${result.outcome.kind}`);
        const file = `${one.folder}expected.json`;
        if (update) writeFileSync(file, `${JSON.stringify(result, null, 2)}\n`);
        assert.ok(existsSync(file), `${file} is missing: write it with UPDATE=1`);
        assert.deepEqual(JSON.parse(JSON.stringify(result)), readJson(file));
        for (const risk of result.risks) readsWell(risk);
      });
    }

    test("has a case of every outcome", () => {
      for (const prefix of Object.values(PREFIX))
        assert.ok(
          cases.some(({ name }) => name.startsWith(prefix)),
          `${check.id} has no case ${prefix}<why>`,
        );
    });

    test("has a case of every risk that it declares", () => {
      const found = new Set([...seen.flatMap(({ risks }) => risks.map(({ name }) => name)), ...tabled(check)]);
      for (const { name } of check.risks) assert.ok(found.has(name), `no case of ${check.id} ends in ${name}`);
    });
  });
}

/** Short enough for ClusterVersion, in whole sentences, and with numbers where versions are meant. */
function readsWell({ name, message }: ReportRisk): void {
  assert.ok(message.length > 0 && message.length <= 1000, `${name} has ${message.length} characters`);
  const sentences = message.match(/[.!?]["')]?(?=\s|$)/g) ?? [];
  assert.ok(sentences.length >= 1 && sentences.length <= 3, `${name} has ${sentences.length} sentences: ${message}`);
  assert.match(message, /[.!?]$/, `${name} ends within a sentence`);
  assert.doesNotMatch(message, /minor versions?(?! \d)/i, `${name} speaks of minor versions without a number`);
  assert.doesNotMatch(message, /undefined|\[object|\bnull\b|NaN/, `${name} shows a value that is none`);
}
