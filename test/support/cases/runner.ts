import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checks } from "../../../src/checks/index.ts";
import { createRecordedReader } from "../../../src/cluster/recorded/recorded-reader.ts";
import { defined } from "../../../src/model/optional.ts";
import type { Reader } from "../../../src/model/reader.ts";
import { readPayload } from "../../../src/release/payload/payload-reader.ts";
import { selectRelease } from "../../../src/release/payload/release-selection.ts";
import { runCycle } from "../../../src/runner/cycle.ts";
import { freezeReader, freezeCheck } from "../checks/freeze.ts";
import type { Case } from "./case-files.ts";
import type { Result } from "./expectation.ts";

/** Runs one cycle over a case; cluster and target are read from folders, as by `preflight check --recorded --target`. */
export async function runCase(one: Case): Promise<Result> {
  return withFolder(async (folder) => {
    await writeFile(join(folder, "cluster.json"), JSON.stringify(one.cluster));
    return judge(one, await createRecordedReader(folder), folder);
  });
}

/** Runs the same cycle over the cluster of another reader. */
export async function judgeCase(one: Case, reader: Reader): Promise<Result> {
  return withFolder((folder) => judge(one, reader, folder));
}

async function withFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "preflight-case-"));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function judge(one: Case, reader: Reader, folder: string): Promise<Result> {
  const release = join(folder, "release");
  await mkdir(release);
  for (const [file, text] of Object.entries(one.release)) await writeFile(join(release, file), text);
  const read = await readPayload(release);
  if (read.kind === "failed") throw new Error(`${one.file}: ${read.failure.message}`);
  const { payload } = read;
  const result = await runCycle({
    checks: [freezeCheck(one.check), ...checks.filter(({ id }) => one.otherChecks.includes(id))],
    reader: freezeReader(reader),
    target: {
      kind: "read",
      version: payload.version,
      select: (facts) => ({ ...selectRelease(payload, facts), ...one.image }),
      ...defined({ recommendation: one.recommendation }),
    },
    now: new Date(0),
    signal: new AbortController().signal,
    concurrency: 4,
    checkTimeout: 60_000,
    cycleTimeout: 60_000,
  });
  if (result.kind === "failed") throw new Error(`${one.file}: ${result.failure.message}`);
  const report = result.report.checks.find(({ id }) => id === one.check.id);
  if (!report) throw new Error(`${one.file}: no check ran`);
  return { outcome: report.outcome, risks: result.report.risks.filter((risk) => risk.check === one.check.id) };
}
