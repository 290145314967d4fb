import assert from "node:assert/strict";
import type { Finding } from "../../../src/model/check.ts";
import { formatRef } from "../../../src/model/resource.ts";
import { syncBudgets } from "../budget-status.ts";
import type { CaseCluster } from "../case-cluster.ts";
import type { Replay } from "../case-replays.ts";
import type { Result } from "../../../src/cases/expectation.ts";
import type { TriedFixes } from "../../../verify/fixes/fix-table.ts";
import type { AdminShell } from "../../../verify/shared/admin-shell.ts";
import { classifyCommands } from "../../../src/model/commands.ts";

/** More cases of a risk print the same commands. */
const CASES_PER_RISK = 2;

/** The cases of which the printed commands are run. */
export function selectTried(all: readonly Replay[]): readonly Replay[] {
  const counts = new Map<string, number>();
  return all.filter(({ isRisk, notReplayed, notTried, risks }) => {
    if (!isRisk || notReplayed !== undefined || notTried !== undefined) return false;
    const isWanted = risks.some((risk) => (counts.get(risk) ?? 0) < CASES_PER_RISK);
    for (const risk of isWanted ? risks : []) counts.set(risk, (counts.get(risk) ?? 0) + 1);
    return isWanted;
  });
}

export type FixTrials = {
  /** Loads a case, runs what it prints, and looks again. */
  readonly run: (cluster: CaseCluster, shell: AdminShell, replay: Replay) => Promise<void>;
  /** The first commands of each risk that removed its fault, by the order of the cases. */
  readonly listMended: () => TriedFixes;
};

/** Of several clusters that are tried at the same time. */
export function createFixTrials(tried: readonly Replay[]): FixTrials {
  const mended = new Map<string, readonly Finding[]>();
  /** The risks whose fault was shown by all of its `see`. */
  const shown = new Set<string>();
  return {
    async run(cluster, shell, replay) {
      try {
        await cluster.load(replay.cluster());
        const before = getFindings(await replay.judge(cluster.reader));
        await showFaults(shell, before, shown);
        mended.set(replay.id, await mendFaults(cluster, shell, replay, before));
      } finally {
        await cluster.reset();
      }
    },
    listMended() {
      const records: Record<string, TriedFixes[string]> = {};
      for (const { id } of tried)
        for (const { risk, fix = [] } of mended.get(id) ?? []) records[risk] ??= { case: id, commands: fix };
      return Object.fromEntries(Object.entries(records).toSorted(([a], [b]) => (a < b ? -1 : 1)));
    },
  };
}

/** While the fault stands, each command that shows it succeeds. Once for each risk is enough. */
async function showFaults(shell: AdminShell, findings: readonly Finding[], shown: Set<string>): Promise<void> {
  for (const [risk, [finding]] of Map.groupBy(findings, (one) => one.risk)) {
    if (shown.has(risk)) continue;
    await runAll(shell, finding?.see ?? []);
    shown.add(risk);
  }
}

/** The findings whose commands removed the fault. */
async function mendFaults(
  cluster: CaseCluster,
  shell: AdminShell,
  replay: Replay,
  before: readonly Finding[],
): Promise<readonly Finding[]> {
  const fixable = before.filter(({ fix = [] }) => fix.length > 0 && classifyCommands(fix) === "as printed");
  if (fixable.length === 0) return [];
  await runAll(
    shell,
    fixable.flatMap(({ fix = [] }) => fix),
  );
  await syncBudgets(cluster.api, fixable);
  const later = new Set(getFindings(await replay.judge(cluster.reader)).map(buildKey));
  const left = fixable.map(buildKey).filter((key) => later.has(key));
  assert.deepEqual(left, []);
  return fixable;
}

async function runAll(shell: AdminShell, commands: readonly string[]): Promise<void> {
  for (const command of new Set(commands)) {
    const { code, output } = await shell.run(command);
    assert.equal(code, 0, `${command}\n${output}`);
  }
}

function getFindings({ outcome }: Result): readonly Finding[] {
  return outcome.kind === "risk" || outcome.kind === "unknown" ? outcome.findings : [];
}

function buildKey({ risk, object, path = "", detail }: Finding): string {
  return [risk, formatRef(object), path, detail?.["gate"] ?? detail?.["request"] ?? ""].join(" ");
}
