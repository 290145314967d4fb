import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { checks } from "../../src/checks/index.ts";
import type { Check } from "../../src/model/check.ts";
import type { Outcome } from "../../src/model/report.ts";
import { formatRef } from "../../src/model/resource.ts";
import { type CaseFile, readCase } from "../../src/cases/case-files.ts";
import { caseFiles } from "../../verify/shared/check-folders.ts";
import { runCase } from "../../src/cases/runner.ts";
import { judgeArchive } from "../support/must-gather/judge-archive.ts";
import { buildRecordedSource } from "../support/must-gather/sources.ts";
import { sampleEach } from "../support/cases/sample.ts";

function describeFindings(outcome: Outcome): readonly string[] {
  if (outcome.kind !== "risk" && outcome.kind !== "unknown") return [];
  return outcome.findings.map(({ risk, object, path }) => [risk, formatRef(object), path ?? ""].join(" "));
}

/** Those that read the objects of users' namespaces. */
const ACROSS_NAMESPACES = ["crd-skew", "drain-blocked", "dual-stack", "known-bugs", "virtual-machines", "webhooks"];

/** Of many cases, many are alike. */
function selectCases(check: Check): readonly CaseFile[] {
  const files = caseFiles(check);
  return sampleEach(files, Math.ceil(files.length / 4));
}

for (const hasEverything of [true, false])
  describe(`a must-gather ${hasEverything ? "with every namespace" : "with the platform's namespaces"}`, () => {
    const counts = { cases: 0, findings: 0, shown: 0, clear: 0, shownClear: 0 };
    for (const check of checks.filter(({ id }) => hasEverything || ACROSS_NAMESPACES.includes(id)))
      test(`never contradicts the cluster in the cases of ${check.id}`, async () => {
        for (const file of selectCases(check)) {
          // What others left for it to repeat depends on what they could read.
          const one = check.special?.judgedLast ? { ...readCase(file), otherChecks: [] } : readCase(file);
          const live = (await runCase(one, checks)).outcome;
          if (live.kind === "unknown") continue;
          const isKubernetes = one.cluster["/version"] !== undefined;
          if (isKubernetes || buildRecordedSource(one.cluster).contradictions.length > 0) continue;
          const archived = await judgeArchive(one, hasEverything);
          const expected = describeFindings(live);
          const actual = describeFindings(archived);
          assert.deepEqual(
            actual.filter((finding) => !expected.includes(finding)),
            [],
            `${file.name}: false findings`,
          );
          // Nothing of a kind may also mean that it is not served.
          const kinds = [archived.kind, live.kind].map((kind) => (kind === "notApplicable" ? "clear" : kind));
          if (archived.kind !== "unknown") assert.equal(kinds[0], kinds[1], file.name);
          if (archived.kind === "risk") assert.deepEqual(actual, expected, file.name);
          counts.cases += 1;
          counts.findings += expected.length;
          counts.shown += actual.length;
          counts.clear += live.kind === "clear" ? 1 : 0;
          counts.shownClear += archived.kind === "clear" ? 1 : 0;
        }
      });
    const [share, title] = hasEverything ? [0.4, "two findings in five"] : [0.2, "one finding in five"];
    test(`shows at least ${title}`, (t) => {
      t.diagnostic(JSON.stringify(counts));
      assert.ok(counts.shown > counts.findings * share, JSON.stringify(counts));
      assert.ok(counts.shownClear > 0);
    });
  });
