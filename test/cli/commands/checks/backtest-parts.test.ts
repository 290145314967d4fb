import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";
import { findRecordings } from "../../../../src/cli/commands/checks/backtest.ts";
import { buildTally, isOverShare } from "../../../../src/cli/commands/checks/backtest-definition.ts";
import { findNextVersion } from "../../../../src/cli/commands/checks/case-cluster.ts";
import type { Applicability, Finding } from "../../../../src/model/check.ts";
import type { Outcome } from "../../../../src/model/report.ts";
import { version } from "../../../support/fixtures.ts";
import { createTemporaryFolder } from "../../../../verify/shared/temporary-folder.ts";

const NEXT: readonly (readonly [source: string, boundary: string | undefined, next: string])[] = [
  ["4.18.5", undefined, "4.19.0"],
  ["4.18.5", "4.21", "4.21.0"],
  ["4.21.3", "4.21", "4.22.0"],
  ["4.22.1", undefined, "5.0.0"],
  ["4.23.1", undefined, "5.1.0"],
  ["4.23.1", "5.0", "5.1.0"],
  ["1.35.2", "4.21", "1.36.0"],
  ["1.31.2", "4.21", "1.34.0"],
];
for (const [source, boundary, next] of NEXT)
  test(`the update of ${source} for a check of ${boundary ?? "any"} is to ${next}`, () => {
    const applies: Applicability =
      boundary === undefined ? { kind: "leavesMinor" } : { kind: "crosses", minor: boundary };
    assert.equal(findNextVersion(version(source), applies).text, next);
  });

describe("recorded clusters", () => {
  const folder = createTemporaryFolder();
  const write = (path: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), "{}");
  };
  for (const path of [
    "all/a/cluster.json",
    "all/b/must-gather/cluster-scoped-resources/x.yaml",
    "all/c.tar.gz",
    "all/check/cases/base-other.yaml",
    "all/check/cases/base.yaml",
    "all/check/cases/risk-x.yaml",
    "all/check/cases/risk-y/case.yaml",
    "all/check/cases/risk-y/cluster.json",
    "all/check/check.yaml",
    "all/notes.txt",
    "empty/notes.txt",
  ])
    write(path);
  const find = async (...paths: readonly string[]): Promise<readonly (readonly [string, string])[]> =>
    (await findRecordings(paths.map((path) => join(folder, path)))).map(({ kind, path }) => [
      kind,
      path.slice(folder.length + 1),
    ]);

  test("are found in a folder, in one order", async () => {
    assert.deepEqual(await find("all"), [
      ["recorded", "all/a"],
      ["must-gather", "all/b/must-gather"],
      ["must-gather", "all/c.tar.gz"],
      ["case", "all/check/cases/risk-x.yaml"],
      ["case", "all/check/cases/risk-y/case.yaml"],
    ]);
  });

  test("are named one by one, and each counts once", async () => {
    assert.deepEqual(await find("all/a/cluster.json", "all/check/cases/risk-x.yaml", "all/check/cases"), [
      ["recorded", "all/a/cluster.json"],
      ["case", "all/check/cases/risk-x.yaml"],
      ["case", "all/check/cases/risk-y/case.yaml"],
    ]);
  });

  test("have to be there", async () => {
    await assert.rejects(find("empty"), { name: "UsageError", message: /empty has no recorded cluster/ });
    await assert.rejects(find("absent"), { name: "UsageError", message: /absent does not exist/ });
  });
});

describe("the tally of a check", () => {
  const finding = (name: string): Finding => ({
    risk: "Fault",
    object: { apiVersion: "v1", kind: "Node", name },
    message: "It is old.",
  });
  const outcomes: readonly Outcome[] = [
    { kind: "clear", notices: [] },
    { kind: "risk", findings: [finding("a"), finding("b")], notices: [] },
    { kind: "notApplicable", reason: "No kind." },
    { kind: "unknown", findings: [], notices: [], unknowns: [{ reason: "Forbidden", where: "nodes", message: "403" }] },
  ];
  const tally = buildTally(
    "c",
    "t",
    outcomes.map((outcome) => ({ outcome, objects: 2 })),
  );

  test("counts clusters, objects, findings and texts", () => {
    const { risk, clear, unknown, notApplicable } = tally.outcomes;
    assert.deepEqual([tally.objects, tally.findings], [8, 2]);
    assert.deepEqual(risk, { clusters: 1, texts: [{ text: "Fault: It is old.", count: 2 }] });
    assert.deepEqual(clear, { clusters: 1, texts: [] });
    assert.deepEqual(unknown, { clusters: 1, texts: [{ text: "nodes: 403", count: 1 }] });
    assert.deepEqual(notApplicable, { clusters: 1, texts: [{ text: "No kind.", count: 1 }] });
  });

  test("is over a share of the clusters that were judged", () => {
    assert.equal(isOverShare(tally, "risk", 33), true);
    assert.equal(isOverShare(tally, "risk", 34), false);
    assert.equal(isOverShare(buildTally("c", "t", []), "risk", 0), false);
  });
});
