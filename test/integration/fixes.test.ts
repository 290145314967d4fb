import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import type { Finding } from "../../src/model/check.ts";
import { formatRef } from "../../src/model/resource.ts";
import { type CaseCluster, startCaseCluster } from "../support/case-cluster.ts";
import { type Replay, buildReplays, selectRelease } from "../support/case-replays.ts";
import type { Result } from "../support/cases/expectation.ts";
import { noControlPlane } from "../support/control-plane.ts";
import { type AdminShell, classifyCommands, openAdminShell } from "../support/printed-commands.ts";
import { UnloadableCaseError } from "../support/test-server.ts";
import { syncBudgets } from "../support/budget-status.ts";
import { TRIED_FIXES_FILE, type TriedFixes, buildFixRows, isTried, readTriedFixes } from "../support/fix-table.ts";

/** The first commands of each risk that removed its fault. */
const mended: Record<string, TriedFixes[string]> = {};
/** The risks whose fault was shown by all of its `see`. */
const shown = new Set<string>();

function getFindings({ outcome }: Result): readonly Finding[] {
  return outcome.kind === "risk" || outcome.kind === "unknown" ? outcome.findings : [];
}

function buildKey({ risk, object, path = "", detail }: Finding): string {
  return [risk, formatRef(object), path, detail?.["gate"] ?? detail?.["request"] ?? ""].join(" ");
}

async function runAll(shell: AdminShell, commands: readonly string[]): Promise<void> {
  for (const command of new Set(commands)) {
    const { code, output } = await shell.run(command);
    assert.equal(code, 0, `${command}\n${output}`);
  }
}

/** While the fault stands, each command that shows it succeeds. Once for each risk is enough. */
async function showFaults(shell: AdminShell, findings: readonly Finding[]): Promise<void> {
  for (const [risk, [finding]] of Map.groupBy(findings, (one) => one.risk)) {
    if (shown.has(risk)) continue;
    await runAll(shell, finding?.see ?? []);
    shown.add(risk);
  }
}

/** Loads a case, runs what it prints, and looks again. */
async function tryCommands(cluster: CaseCluster, shell: AdminShell, replay: Replay): Promise<void> {
  try {
    await cluster.load(replay.cluster());
    const before = getFindings(await replay.judge(cluster.reader));
    await showFaults(shell, before);
    const fixable = before.filter(({ fix = [] }) => fix.length > 0 && classifyCommands(fix) === "as printed");
    if (fixable.length === 0) return;
    await runAll(
      shell,
      fixable.flatMap(({ fix = [] }) => fix),
    );
    await syncBudgets(cluster.api, fixable);
    const later = new Set(getFindings(await replay.judge(cluster.reader)).map(buildKey));
    const left = fixable.map(buildKey).filter((key) => later.has(key));
    assert.deepEqual(left, []);
    for (const { risk, fix = [] } of fixable) mended[risk] ??= { case: replay.id, commands: fix };
  } finally {
    await cluster.reset();
  }
}

/** CI tries a few cases of each risk; PREFLIGHT_FIXES=all tries every one, which takes some minutes. */
const CASES_PER_RISK = process.env["PREFLIGHT_FIXES"] === "all" ? Infinity : 2;

function selectFew(all: readonly Replay[]): readonly Replay[] {
  const counts = new Map<string, number>();
  return all.filter(({ risks }) => {
    const isWanted = risks.some((risk) => (counts.get(risk) ?? 0) < CASES_PER_RISK);
    for (const risk of isWanted ? risks : []) counts.set(risk, (counts.get(risk) ?? 0) + 1);
    return isWanted;
  });
}

const isLoadable = ({ isRisk, notReplayed, notTried }: Replay): boolean =>
  isRisk && notReplayed === undefined && notTried === undefined;
const replays = selectFew(buildReplays().filter(isLoadable));

for (const [release, ones] of Map.groupBy(replays, selectRelease)) {
  describe(`the commands printed for a ${release} cluster`, { skip: noControlPlane }, () => {
    let cluster: CaseCluster;
    let shell: AdminShell;
    before(async () => {
      cluster = await startCaseCluster(release);
      shell = await openAdminShell(cluster.env);
    });
    after(async () => {
      await shell?.close();
      await cluster?.down();
    });
    for (const replay of ones) {
      test(`show and mend ${replay.id}`, async (t) => {
        try {
          await tryCommands(cluster, shell, replay);
        } catch (error) {
          if (!(error instanceof UnloadableCaseError)) throw error;
          t.skip(error.message);
        }
      });
    }
  });
}

test("the record of commands that removed their fault is true and complete", { skip: noControlPlane }, () => {
  const sorted = Object.fromEntries(Object.entries(mended).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  if (process.env["UPDATE"] === "1") writeFileSync(TRIED_FIXES_FILE, `${JSON.stringify(sorted, undefined, 2)}\n`);
  assert.deepEqual(readTriedFixes(), sorted);
  for (const row of buildFixRows().filter(({ uses }) => uses.includes("as printed")))
    assert.equal(isTried(row, sorted), row.notTried === undefined, row.risk);
});
