import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRecordedReader } from "../../../src/cluster/recorded/recorded-reader.ts";
import type { Check } from "../../../src/model/check.ts";
import { FailedError } from "../../../src/model/errors.ts";
import { defined } from "../../../src/model/optional.ts";
import type { Reader } from "../../../src/model/reader.ts";
import { readPayload } from "../../../src/release/payload/payload-reader.ts";
import type { Payload } from "../../../src/release/payload/payload.ts";
import { selectRelease } from "../../../src/release/payload/release-selection.ts";
import { runCycle } from "../../../src/runner/cycle.ts";
import { freezeReader, freezeCheck } from "../checks/freeze.ts";
import type { Case } from "./case-files.ts";
import type { Result } from "./expectation.ts";

/** A case whose cluster and release are read, so that several checks can judge it. */
export type OpenCase = { readonly one: Case; readonly reader: Reader; readonly payload: Payload };

/** Runs one cycle over a case. `others`: where its `otherChecks` are looked up. */
export async function runCase(one: Case, others: readonly Check[]): Promise<Result> {
  return judgeOpenCase(await openCase(one), one.check, others);
}

/** Runs the same cycle over the cluster of another reader. */
export async function judgeCase(one: Case, reader: Reader, others: readonly Check[]): Promise<Result> {
  return judgeOpenCase({ one, reader, payload: await readCasePayload(one) }, one.check, others);
}

/** Reads cluster and target from folders, as `preflight check --recorded --target` does. */
export async function openCase(one: Case): Promise<OpenCase> {
  const reader = await withFolder(async (folder) => {
    await writeFile(join(folder, "cluster.json"), JSON.stringify(one.cluster));
    return createRecordedReader(folder);
  });
  return { one, reader, payload: await readCasePayload(one) };
}

export async function readCasePayload({ file, release }: Pick<Case, "file" | "release">): Promise<Payload> {
  return withFolder(async (folder) => {
    for (const [name, text] of Object.entries(release)) await writeFile(join(folder, name), text);
    const read = await readPayload(folder);
    if (read.kind === "failed") throw new FailedError(`${file}: ${read.failure.message}`);
    return read.payload;
  });
}

async function withFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "preflight-case-"));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** What a check says of the case: its own, or one in its place. */
export async function judgeOpenCase(
  { one, reader, payload }: OpenCase,
  check: Check,
  others: readonly Check[],
): Promise<Result> {
  const result = await runCycle({
    checks: [freezeCheck(check), ...others.filter(({ id }) => one.otherChecks.includes(id))],
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
  if (result.kind === "failed") throw new FailedError(`${one.file}: ${result.failure.message}`);
  const report = result.report.checks.find(({ id }) => id === check.id);
  if (!report) throw new FailedError(`${one.file}: no check ran`);
  return { outcome: report.outcome, risks: result.report.risks.filter((risk) => risk.check === check.id) };
}
