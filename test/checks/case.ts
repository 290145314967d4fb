import { existsSync, readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { checks } from "../../src/checks/index.ts";
import { recordedReader } from "../../src/cluster/recorded.ts";
import type { Check } from "../../src/model/check.ts";
import { type JsonObject, isObject } from "../../src/model/json.ts";
import type { Reader } from "../../src/model/reader.ts";
import type { Outcome, ReportRisk } from "../../src/model/report.ts";
import { readPayload } from "../../src/release/read-payload.ts";
import { selectRelease } from "../../src/release/select-release.ts";
import { runCycle } from "../../src/runner/cycle.ts";
import { frozenReader, held } from "./freeze.ts";

const CHECKS = fileURLToPath(new URL("../../src/checks/", import.meta.url));

export type Case = { readonly name: string; readonly folder: string; readonly check: Check };
export type Expected = { readonly outcome: Outcome; readonly risks: readonly ReportRisk[] };

export function folderOf(check: Pick<Check, "id">): string {
  return `${CHECKS}${check.id}/`;
}

export function folders(path: string): readonly string[] {
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted();
}

export function checkFolders(): readonly string[] {
  return folders(CHECKS);
}

export function casesOf(check: Check): readonly Case[] {
  const cases = `${folderOf(check)}cases/`;
  if (!existsSync(cases)) return [];
  return folders(cases).map((name) => ({ name, folder: `${cases}${name}/`, check }));
}

export function readJson(path: string): JsonObject {
  const value: unknown = JSON.parse(readFileSync(path, "utf8"));
  if (!isObject(value)) throw new Error(`${path} holds no object`);
  return value;
}

/** The checks that run beside the one of the case, where it is about what is left to them: ids in beside.json. */
function besideOf(folder: string): readonly Check[] {
  const file = `${folder}beside.json`;
  if (!existsSync(file)) return [];
  const ids: unknown = JSON.parse(readFileSync(file, "utf8"));
  return checks.filter(({ id }) => Array.isArray(ids) && ids.includes(id));
}

/** One cycle of one check over a case: target folder, recorded cluster and runner as `preflight check --recorded` takes them. */
export async function runCase(one: Case): Promise<Expected> {
  return judgeCase(one, await recordedReader(one.folder));
}

/** The same over another reader's cluster. */
export async function judgeCase({ check, folder }: Case, reader: Reader): Promise<Expected> {
  const read = await readPayload(`${folder}release`);
  if (read.kind === "failed") throw new Error(`${folder}: ${read.failure.message}`);
  const { payload } = read;
  const result = await runCycle({
    checks: [held(check), ...besideOf(folder)],
    reader: frozenReader(reader),
    target: { kind: "read", version: payload.version, select: (facts) => selectRelease(payload, facts) },
    now: new Date(0),
    signal: new AbortController().signal,
    concurrency: 4,
    checkTimeout: 60_000,
    cycleTimeout: 60_000,
  });
  if (result.kind === "failed") throw new Error(`${folder}: ${result.failure.message}`);
  const report = result.report.checks.find(({ id }) => id === check.id);
  if (!report) throw new Error(`${folder}: no check ran`);
  return { outcome: report.outcome, risks: result.report.risks.filter((risk) => risk.check === check.id) };
}
