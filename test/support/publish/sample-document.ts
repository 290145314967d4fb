import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { formatJsonText } from "../../../src/model/visible-text.ts";

const CHECKS = 15;
const NOTICES = 20;

/** A folder for one test, removed when the test ends. */
export async function createTemporaryFolder(t: TestContext, base = tmpdir()): Promise<string> {
  const folder = await mkdtemp(join(base, "preflight-publish-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** The text of a complete, valid document of about 40 KiB that identifies its write by `number`, at its start and its end. */
export function buildDocument(number: number): string {
  const notices = Array.from({ length: NOTICES }, (_, i) => `${i} ${"text of a notice ".repeat(8)}`);
  const checks = Array.from(
    { length: CHECKS },
    (_, i) => ({ id: `check-${100 + i}`, outcome: "clear", notices }) as const,
  );
  const document = formatJsonText({
    format: "preflight-v1-json",
    preflightID: "2026-03-01T10:00:00Z-preflight-4.20.3",
    targetVersion: `4.20.${number}`,
    executionStatus: "completed",
    risks: [],
    complete: true,
    checks,
    runner: { version: `0.1.${number}` },
  });
  return document;
}

/** The number in such a text; throws if the two places differ. */
export function parseNumber(text: string): number {
  const start = /"targetVersion": "4\.20\.(\d+)"/.exec(text)?.[1];
  const end = /"version": "0\.1\.(\d+)"\n {2}\}\n\}\n$/.exec(text.slice(-80))?.[1];
  if (start === undefined || start !== end)
    throw new Error(`this is no whole document: it ends with ${text.slice(-80)}`);
  return Number(start);
}

/** The environment for a child process of a test. Without "" it would inherit the coverage folder and leave a broken report there. */
export function buildChildEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env, NODE_V8_COVERAGE: "" };
}
