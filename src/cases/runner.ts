import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRecordedReader } from "../cluster/recorded/recorded-reader.ts";
import type { Check } from "../model/check.ts";
import { FailedError } from "../model/errors.ts";
import type { Reader } from "../model/reader.ts";
import { readPayload } from "../release/payload/payload-reader.ts";
import type { Payload } from "../release/payload/payload.ts";
import { selectRelease } from "../release/payload/release-selection.ts";
import { runCycle } from "../runner/cycle.ts";
import type { CycleTarget } from "../runner/updates/update.ts";
import type { CheckCase, FileCase } from "./case-files.ts";
import type { Result } from "./expectation.ts";
import { isDeepStrictEqual } from "node:util";

/** A case whose cluster and release are read, so that several checks can judge it. */
export type OpenCase = { readonly one: FileCase; readonly reader: Reader; readonly payload: Payload };

/** Runs one cycle over a case. `others`: where its `otherChecks` are looked up. */
export async function runCase(one: CheckCase, others: readonly Check[]): Promise<Result> {
  return judgeOpenCase(await openCase(one), one.check, others);
}

/** Runs the same cycle over the cluster of another reader. */
export async function judgeCase(one: CheckCase, reader: Reader, others: readonly Check[]): Promise<Result> {
  return judgeOpenCase({ one, reader, payload: await readCasePayload(one) }, one.check, others);
}

/** Reads cluster and target from folders, as `preflight check --recorded --target` does. */
export async function openCase(one: FileCase): Promise<OpenCase> {
  const reader = await withFolder(async (folder) => {
    await writeFile(join(folder, "cluster.json"), JSON.stringify(one.cluster));
    return createRecordedReader(folder);
  });
  return { one, reader, payload: await readCasePayload(one) };
}

export async function readCasePayload({ file, release }: Pick<FileCase, "file" | "release">): Promise<Payload> {
  return withFolder(async (folder) => {
    for (const [name, text] of Object.entries(release)) await writeFile(join(folder, name), text);
    const read = await readPayload(folder, { isTemporary: true });
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

export function buildCaseTarget({ one, payload }: Pick<OpenCase, "one" | "payload">): CycleTarget {
  return {
    kind: "read",
    version: payload.version,
    select: (facts) => ({ ...selectRelease(payload, facts), ...one.image }),
    recommendation: one.recommendation,
  };
}

/** What a check says of the case: its own, or one in its place. */
export async function judgeOpenCase(
  { one, reader, payload }: OpenCase,
  check: Check,
  others: readonly Check[],
): Promise<Result> {
  const result = await runCycle({
    selection: { checks: [freezeCheck(check), ...others.filter(({ id }) => one.otherChecks.includes(id))] },
    reader: freezeReader(reader),
    target: buildCaseTarget({ one, payload }),
    now: one.now,
    signal: new AbortController().signal,
    limits: { concurrency: 4, checkTimeout: 60_000, cycleTimeout: 60_000 },
  });
  if (result.kind === "failed") throw new FailedError(`${one.file}: ${result.failure.message}`);
  const report = result.report.checks.find(({ id }) => id === check.id);
  if (!report) throw new FailedError(`${one.file}: no check ran`);
  return { outcome: report.outcome, risks: result.report.risks.filter((risk) => risk.check === check.id) };
}

/** Freezes a value and everything in it, at any depth. */
export function deepFreeze<T>(value: T): T {
  const pending: unknown[] = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next !== "object" || next === null || Object.isFrozen(next)) continue;
    pending.push(...Object.values(Object.freeze(next)));
  }
  return value;
}

/** A reader whose objects can't be changed, since checks share them. */
function freezeReader(reader: Reader): Reader {
  return {
    get: async (place, ...more) => deepFreeze(await reader.get(place, ...more)),
    list: (resource, begin, ...more) =>
      reader.list(
        resource,
        (held) => {
          const visit = begin(held);
          return (object) => visit(deepFreeze(object));
        },
        ...more,
      ),
    raw: reader.raw,
  };
}

/** A check whose `evaluate` is called twice with frozen arguments and must return the same result both times. */
export function freezeCheck(check: Check): Check {
  return {
    ...check,
    evaluate: (values, context, followed) => {
      const args = [deepFreeze(values), deepFreeze(context), deepFreeze(followed)] as const;
      const judgement = check.evaluate(...args);
      if (!isDeepStrictEqual(check.evaluate(...args), judgement))
        throw new Error(`${check.id} says something else when asked again`);
      return judgement;
    },
  };
}
