import assert from "node:assert/strict";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { checks } from "../../../src/checks/index.ts";
import type { Check } from "../../../src/model/check.ts";
import type { Reader } from "../../../src/model/reader.ts";
import type { CycleResult, Report } from "../../../src/model/report.ts";
import { readPayload } from "../../../src/release/payload/payload-reader.ts";
import { selectRelease } from "../../../src/release/payload/release-selection.ts";
import { runCycle } from "../../../src/runner/cycle.ts";
import { createPayload, createSmallPayload } from "../../../verify/api-server/control-plane.ts";
import { keepAnswers } from "../../../verify/reliability/kept-answers.ts";
import { createTemporaryFolder } from "../../../verify/shared/temporary-folder.ts";
import { startCaseCluster } from "../case-cluster.ts";
import { hasAllCases } from "../cases/sample.ts";
import { listHidden } from "../demo.ts";
import { type FaultyCluster, openFaultyCluster } from "../faulty-cluster.ts";
import { combineStrikes, type Strike } from "../strikes.ts";
import { PLANTED_CRD, plantRisks } from "./planted-risks.ts";

/** A seeded cluster with risks, between which and preflight a proxy strikes its answers. */
export type SeededFaults = {
  readonly whole: Report;
  /** Without the proxy. */
  readonly readDirectly: () => Promise<Report>;
  readonly lists: readonly string[];
  readonly others: readonly string[];
  /** What is hidden if these strike. Only the checks that read a struck path run. */
  readonly findHidden: (strikes: readonly Strike[]) => Promise<readonly string[]>;
};

export async function openSeededFaults(t: TestContext, release: string, target: string): Promise<SeededFaults> {
  const cluster = await startCaseCluster(release);
  t.after(async () => {
    // The pool keeps no control plane in which it finds a webhook.
    await cluster.reset();
    await cluster.down();
  });
  await plantRisks(cluster);
  const kept = await keepAnswers(cluster.env["KUBECONFIG"] ?? "");
  t.after(kept.close);
  const faulty = await openFaultyCluster(t, kept.answers);
  const judgeBy = await createJudge(target);
  const judge = (some: readonly Check[]): Promise<CycleResult> => judgeBy(faulty.reader, some);
  const whole = requireReport(await judge(checks));
  const readDirectly = async (): Promise<Report> => requireReport(await judgeBy(cluster.reader, checks));
  const lists = [...faulty.lists];
  const others = [...faulty.paths].filter((path) => !faulty.lists.has(path));
  const readers = await findReaders(faulty, judge);
  const wholes = new Map<string, Promise<CycleResult>>();
  const findHidden = async (strikes: readonly Strike[]): Promise<readonly string[]> => {
    const some = checks.filter(({ id }) => strikes.some(({ path }) => readers.get(path)?.has(id)));
    const key = some.map(({ id }) => id).join();
    faulty.strike(combineStrikes([]), () => false);
    const before = wholes.get(key) ?? judge(some);
    wholes.set(key, before);
    const unstruck = requireReport(await before);
    faulty.strike(combineStrikes(strikes), (path) => strikes.some((one) => one.path === path));
    return listHidden(unstruck, await judge(some));
  };
  return { whole, readDirectly, lists, others, findHidden };
}

async function createJudge(target: string): Promise<(reader: Reader, some: readonly Check[]) => Promise<CycleResult>> {
  const folder = join(createTemporaryFolder(), "target");
  const release = target.replace(/\.\d+$/, "");
  const path = await (hasAllCases
    ? createPayload(folder, release, target)
    : createSmallPayload(folder, release, target, PLANTED_CRD));
  const read = await readPayload(path);
  if (read.kind === "failed") assert.fail(read.failure.message);
  const { payload } = read;
  const now = new Date();
  return (reader, some) =>
    runCycle({
      selection: { checks: some },
      reader,
      target: { kind: "read", version: payload.version, select: (facts) => selectRelease(payload, facts) },
      now,
      signal: new AbortController().signal,
      limits: { concurrency: 4, checkTimeout: 60_000, cycleTimeout: 60_000 },
    });
}

/** The checks that read each path. */
async function findReaders(
  { paths, watch }: FaultyCluster,
  judge: (some: readonly Check[]) => Promise<CycleResult>,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const readers = new Map([...paths].map((path) => [path, new Set<string>()]));
  for (const check of checks) {
    const seen = await watch(() => judge([check]));
    for (const path of seen) readers.get(path)?.add(check.id);
  }
  return readers;
}

function requireReport(result: CycleResult): Report {
  if (result.kind === "failed") assert.fail(result.failure.message);
  return result.report;
}
