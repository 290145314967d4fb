import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { describe, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { checks } from "../../src/checks/index.ts";
import { KNOWN_BUGS } from "../../src/checks/known-bugs/check.ts";
import { type Check, getUnknownRiskName } from "../../src/model/check.ts";
import type { Outcome, ReportRisk } from "../../src/model/report.ts";
import { KUBERNETES_UNKNOWN_URL, UNKNOWN_URL } from "../../src/runner/report/risks.ts";
import { type CaseFile, readCase } from "../../src/cases/case-files.ts";
import { caseFiles } from "../../verify/shared/check-folders.ts";
import { CASE_PREFIXES, listMissingPrefixes, expectOf, withExpect } from "../../src/cases/expectation.ts";
import { runCase } from "../../src/cases/runner.ts";
import { findLongSentences } from "../../src/data-checks/sentences.ts";
import { selectedChecks } from "../support/cases/selected-checks.ts";
import { FIXTURES } from "../../verify/fixes/known-bugs/fixtures.ts";

/**
 * known-bugs is a table, and so are its cases: known-bugs.test.ts runs a whole cycle over each entry's fixture and requires its risk,
 * and requires a fixture for every entry. Every other check declares its risks in its own cases.
 */
const tabled = ({ id }: Pick<Check, "id">): readonly string[] => (id === "known-bugs" ? tabledRisks() : []);

function tabledRisks(): readonly string[] {
  return KNOWN_BUGS.filter(({ id }) => id in FIXTURES).map(({ name }) => name);
}

const update = process.env["UPDATE"] === "1";

for (const check of selectedChecks) {
  describe(`check ${check.id}`, () => {
    const cases = caseFiles(check);
    const seen: string[] = [];

    for (const one of cases) {
      test(`has the expected outcome for ${one.name}`, async () => {
        for (const risk of await risksOf(one)) {
          seen.push(risk.name);
          readsWell(risk);
          assert.deepEqual(risk, { ...risk, ...constantsOf(check, risk) });
        }
      });
    }

    test("has a case for every outcome", () => {
      const names = cases.map(({ name }) => name);
      assert.deepEqual(listMissingPrefixes(check, names), [], `${check.id} has no case with these names`);
    });

    test("has a case for every risk that it declares", () => {
      const found = new Set([...seen, ...tabled(check)]);
      for (const { name } of check.risks) assert.ok(found.has(name), `no case of ${check.id} ends in ${name}`);
    });
  });
}

/** The risks of a case that passed, or whose `expect` was rewritten. */
async function risksOf(file: CaseFile): Promise<readonly ReportRisk[]> {
  const one = readCase(file);
  const result = await runCase(one, checks);
  const { kind } = result.outcome;
  assert.ok(one.name.startsWith(CASE_PREFIXES[kind]), `${one.name} came out as ${kind}`);
  for (const text of textsOf(result.outcome)) assert.deepEqual(findLongSentences(text), [], one.name);
  const expect: unknown = JSON.parse(JSON.stringify(expectOf(result)));
  if (!update) assert.deepEqual(expect, one.expect ?? "nothing yet: write it with UPDATE=1");
  else if (!isDeepStrictEqual(expect, one.expect))
    writeFileSync(one.file, withExpect(readFileSync(one.file, "utf8"), expectOf(result)));
  return result.risks;
}

/** What a check says of each object, and its notices. */
function textsOf(outcome: Outcome): readonly string[] {
  if (outcome.kind === "notApplicable") return [outcome.reason];
  const findings = outcome.kind === "clear" ? [] : outcome.findings;
  return [...findings.map(({ message }) => message), ...outcome.notices];
}

/** The parts of a risk that come from its check, so that no case has to repeat them. */
function constantsOf(
  check: Check,
  { name, description, remediation, url: actualUrl }: ReportRisk,
): Partial<ReportRisk> {
  const message = `${description} ${remediation}`;
  const declared = check.risks.find((risk) => risk.name === name);
  if (!declared)
    return {
      name: getUnknownRiskName(check),
      check: check.id,
      unknown: true,
      title: check.title,
      url: actualUrl === KUBERNETES_UNKNOWN_URL ? KUBERNETES_UNKNOWN_URL : UNKNOWN_URL,
      message,
    };
  const { title, url, knownAs: { published } = {} } = declared;
  return { check: check.id, unknown: false, title, url, message, ...(published ? { published } : {}) };
}

/** Short enough for ClusterVersion, in whole and short sentences, with a number for each minor version. */
function readsWell({ name, message, remediation }: ReportRisk): void {
  assert.ok(message.length > 0 && message.length <= 1000, `${name} has ${message.length} characters`);
  assert.deepEqual(findLongSentences(remediation), [], name);
  assert.match(message, /[.!?]$/, `${name} ends within a sentence`);
  // What is quoted are an operator's own words.
  const ownWords = message.replaceAll(/"[^"]*"/g, '""');
  assert.doesNotMatch(ownWords, /minor versions?(?! \d)/i, `${name} speaks of minor versions without a number`);
  assert.doesNotMatch(message, /undefined|\[object|\bnull\b|NaN/, `${name} shows a value that is none`);
}
