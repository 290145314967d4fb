import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { checks } from "../../src/checks/index.ts";
import { openMustGather } from "../../src/cluster/must-gather/must-gather.ts";
import type { Check } from "../../src/model/check.ts";
import type { JsonObject } from "../../src/model/json.ts";
import type { Outcome } from "../../src/model/report.ts";
import { formatRef } from "../../src/model/resource.ts";
import { type CaseFile, type CheckCase, readCase } from "../../src/cases/case-files.ts";
import { caseFiles } from "../../verify/shared/check-folders.ts";
import { judgeCase, runCase } from "../../src/cases/runner.ts";
import { buildRecordedSource, RELATED_OBJECTS } from "../support/must-gather/sources.ts";
import { type Source, writeMustGather } from "../support/must-gather/writer.ts";
import { sampleEach } from "../support/cases/sample.ts";
import { createTemporaryFolder } from "../../verify/shared/temporary-folder.ts";

const NEVER = new AbortController().signal;
const TIMES = { startedAt: new Date(-60_000), endedAt: new Date(0) };

const folder = createTemporaryFolder();

/** The namespaces of the platform are gathered, and so are all that hold objects of the case: with them the archive holds the most. */
async function judgeArchive(one: CheckCase, hasEverything: boolean): Promise<Outcome> {
  const archive = mkdtempSync(join(folder, "archive-"));
  const source = buildRecordedSource(one.cluster);
  const namespaces = hasEverything
    ? source.namespaces
    : source.namespaces.filter((name) => name.startsWith("openshift"));
  await writeMustGather(addOperator(addNamespaces(source, source.namespaces)), archive, { ...TIMES, namespaces });
  const gathered = await openMustGather(archive, NEVER);
  try {
    return (await judgeCase(one, gathered.reader, checks)).outcome;
  } finally {
    await gathered.close();
    rmSync(archive, { recursive: true });
  }
}

function addNamespaces(source: Source, names: readonly string[]): Source {
  if (source.kinds.some(({ resource, group }) => resource === "namespaces" && group === "")) return source;
  const kind = { group: "", version: "v1", resource: "namespaces", kind: "Namespace", isNamespaced: false };
  const objects = names.map((name): JsonObject => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } }));
  return {
    kinds: [...source.kinds, kind],
    list: (one) => (one === kind ? Promise.resolve(objects) : source.list(one)),
  };
}

/** An operator whose related objects are those that operators of OpenShift have. It is healthy. */
function addOperator(source: Source): Source {
  const usual = {
    group: "config.openshift.io",
    version: "v1",
    resource: "clusteroperators",
    kind: "ClusterOperator",
    isNamespaced: false,
  };
  const isKind = (one: Source["kinds"][number]): boolean => one.resource === "clusteroperators";
  const hasKind = source.kinds.some(isKind);
  const conditions = [
    ["Available", "True"],
    ["Progressing", "False"],
    ["Degraded", "False"],
    ["Upgradeable", "True"],
  ].map(([type = "", status = ""]) => ({ type, status, lastTransitionTime: "1970-01-01T00:00:00Z" }));
  const operator: JsonObject = {
    apiVersion: "config.openshift.io/v1",
    kind: "ClusterOperator",
    metadata: { name: "related" },
    status: { conditions, relatedObjects: RELATED_OBJECTS },
  };
  return {
    kinds: hasKind ? source.kinds : [...source.kinds, usual],
    list: async (one) => (isKind(one) ? [...(hasKind ? await source.list(one) : []), operator] : source.list(one)),
  };
}

function describeFindings(outcome: Outcome): readonly string[] {
  if (outcome.kind !== "risk" && outcome.kind !== "unknown") return [];
  return outcome.findings.map(({ risk, object, path }) => [risk, formatRef(object), path ?? ""].join(" "));
}

/** Those that read the objects of users' namespaces. */
const ACROSS_NAMESPACES = ["crd-skew", "drain-blocked", "dual-stack", "known-bugs", "virtual-machines", "webhooks"];

/** Of many cases, many are alike. */
function selectCases(check: Check): readonly CaseFile[] {
  const files = caseFiles(check);
  return sampleEach(files, Math.ceil(files.length / 12));
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
