import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { parseDocument } from "../../src/format/document/document-parser.ts";
import { removeStaleFiles } from "../../src/publish/atomic-file.ts";
import { readPublishedDocument } from "../../src/publish/published-document.ts";
import { hasAllCases } from "../support/cases/sample.ts";
import { randomFrom } from "../../verify/pages/sample.ts";
import { buildChildEnvironment, parseNumber, createTemporaryFolder } from "../support/publish/sample-document.ts";

/** Of the document; a thousand with PREFLIGHT_CASES=all. */
const WRITES = hasAllCases ? 1_000 : 150;
/** By then a kill has come within a write, on the fastest disk and the busiest machine. */
const MAX_WRITES = 20_000;
/** On a disk, where a write takes its time. */
const DISK = "/var/tmp";
const MAX_WRITES_PER_WRITER = 50;
/** About how long a write takes, in milliseconds, so that the kill lands anywhere in the next one. */
const ONE_WRITE = 4;

type KilledWriter = { readonly acknowledged: number; readonly signal: NodeJS.Signals | null };

/** Starts a writer at the given number, kills it somewhere after `writes` writes, and returns the last number that it acknowledged. */
async function runKilledWriter(path: string, first: number, writes: number, delay: number): Promise<KilledWriter> {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, "../support/publish/writer.ts"), path, String(first)],
    {
      env: buildChildEnvironment(),
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const ended = once(child, "exit");
  let acknowledged = first - 1;
  for await (const line of createInterface({ input: child.stdout })) {
    acknowledged = Number(line);
    if (acknowledged !== first + writes - 1) continue;
    await setTimeout(delay);
    child.kill("SIGKILL");
  }
  await ended;
  return { acknowledged, signal: child.signalCode };
}

test("kill -9 at random moments during many writes always leaves a complete, valid document", async (t) => {
  const path = join(await createTemporaryFolder(t, DISK), "preflight-v1.json");
  const random = randomFrom(1_000);
  let next = 0;
  let kills = 0;
  let stale = 0;
  while (next < WRITES || (stale === 0 && next < MAX_WRITES)) {
    const writes = 1 + Math.floor(random() * MAX_WRITES_PER_WRITER);
    const { acknowledged, signal } = await runKilledWriter(path, next, writes, random() * ONE_WRITE);
    assert.equal(signal, "SIGKILL");
    const text = (await readPublishedDocument(path)) ?? "";
    const read = await parseDocument(text);
    assert.equal(read.kind, "valid", JSON.stringify(read).slice(0, 500));
    const number = parseNumber(text);
    // An acknowledged write stays; a write renamed just before the kill may be one ahead.
    assert.ok(
      number === acknowledged || number === acknowledged + 1,
      `${number} is there, ${acknowledged} was acknowledged`,
    );
    const left = await listFilesBeside(path);
    assert.deepEqual(await removeStaleFiles(path), left);
    assert.deepEqual(await listFilesBeside(path), []);
    stale += left.length;
    kills += 1;
    next = number + 1;
  }
  t.diagnostic(`${next} writes, ${kills} kills, ${stale} of them within a write`);
  assert.ok(stale > 0, "no kill came within a write: the test shows nothing");
});

async function listFilesBeside(path: string): Promise<readonly string[]> {
  const names = await readdir(join(path, ".."));
  return names.filter((name) => name !== basename(path)).toSorted();
}
