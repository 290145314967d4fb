import { strict as assert } from "node:assert";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { test } from "node:test";
import { at, listAt, textAt } from "../../../../src/model/json.ts";
import { type Verdict, judgeDefinition } from "../../../../src/schema/crd/index.ts";
import { NEWEST_MINOR } from "../../../../src/schema/openapi/server-features.ts";
import { ORACLE_MINOR, type Oracle, findOracle } from "../../../../verify/differential/oracle.ts";
import { type Random, createRandom } from "../../../../verify/schema/random/random.ts";
import { disagreement } from "../../../../verify/schema/definition/compare.ts";
import { type Case, change, readDefinitions, smallest } from "../../../../verify/schema/definition/release-crds.ts";
import { type Mutable, mutable, withoutDescriptions } from "../../../../verify/schema/definition/schemas.ts";
import { SHARED } from "../../../../verify/api-server/control-plane.ts";
import { hasAllCases } from "../../../support/cases/sample.ts";

// PREFLIGHT_CRDS=20000 PREFLIGHT_RELEASES=all PREFLIGHT_SEED=7 node --test test/schema/crd/definition/differential.test.ts
const COUNT = Number(process.env["PREFLIGHT_CRDS"] ?? (hasAllCases ? 250 : 150));
const SEED = Number(process.env["PREFLIGHT_SEED"] ?? 1);
const RELEASES = process.env["PREFLIGHT_RELEASES"] ?? (hasAllCases ? "4.12,5.1" : "4.18");
/** The number of CRDs in memory at once, and of disagreements to report. */
const BATCH = 250;
const TOLD = 25;

/** `installed`: what the definition replaces, if it is not new. */
type UpdateCase = Case & { readonly installed?: Mutable };
type Tally = { judged: number; refused: number; ours: number; theirs: number; readonly failed: string[] };

/** Compares both verdicts on the CRDs, which are written to files for the oracle. */
async function compare(cases: readonly UpdateCase[], folder: string, oracle: Oracle, tally: Tally): Promise<void> {
  const questions = cases.map(({ definition, installed }, i) => {
    const crd = join(folder, `${i}.json`);
    const live = join(folder, `${i}-installed.json`);
    writeFileSync(crd, JSON.stringify(definition));
    if (installed !== undefined) writeFileSync(live, JSON.stringify(installed));
    return { crd, check: true as const, ...(installed && { live }) };
  });
  const start = performance.now();
  const verdicts = cases.map(judged);
  const between = performance.now();
  const answers = await oracle(questions);
  tally.ours += between - start;
  tally.theirs += performance.now() - between;
  for (const [i, { name }] of cases.entries()) {
    const verdict = verdicts[i];
    const answer = answers[i];
    assert.ok(verdict && answer);
    tally.judged++;
    if (verdict.refusals.length > 0) tally.refused++;
    const difference = disagreement(verdict, answer);
    if (difference !== undefined) tally.failed.push(`${name}\n  ${difference}`);
  }
}

function judged({ name, definition, installed }: UpdateCase): Verdict {
  try {
    return judgeDefinition(definition, installed && asEstablished(installed), ORACLE_MINOR);
  } catch (error) {
    throw new Error(`judging ${name}`, { cause: error });
  }
}

/** With the status that the oracle gives it. */
function asEstablished(installed: Mutable): Mutable {
  const stored = listAt(installed, "spec", "versions").filter((version) => at(version, "storage") === true);
  const storedVersions = stored.flatMap((version) => textAt(version, "name") ?? []);
  return { ...installed, status: { storedVersions, conditions: [{ type: "Established", status: "True" }] } };
}

/** Updates of installed definitions, of which some have a fault. */
function* updated(definitions: readonly Case[], count: number): Generator<UpdateCase> {
  const texts = definitions.map(({ definition }) => JSON.stringify(withoutDescriptions(definition)));
  for (let i = 0; i < count; i++) {
    const random = createRandom(SEED * 2_000_003 + i);
    const [name, installed] = pick(definitions, texts, random);
    const fault = random.chance(0.3) ? change(installed, random) : "nothing";
    const definition = structuredClone(installed);
    const changes = `${fault}, then ${change(definition, random)}`;
    definition["metadata"] = {
      ...mutable(definition["metadata"] ?? {}),
      name: at(installed, "metadata", "name") ?? "",
    };
    yield { name: `${name} ${i} (${changes})`, installed, definition };
  }
}

function pick(definitions: readonly Case[], texts: readonly string[], random: Random): readonly [string, Mutable] {
  const place = smallest(
    [0, 1, 2].map(() => random.below(texts.length)),
    texts,
  );
  return [definitions[place]?.name ?? "", JSON.parse(texts[place] ?? "{}")];
}

function* changed(definitions: readonly Case[], count: number): Generator<Case> {
  const texts = definitions.map(({ definition }) => JSON.stringify(withoutDescriptions(definition)));
  for (let i = 0; i < count; i++) {
    const random = createRandom(SEED * 1_000_003 + i);
    const [name, definition] = pick(definitions, texts, random);
    const changes = [change(definition, random), ...(random.chance(0.15) ? [change(definition, random)] : [])];
    yield { name: `${name} ${i} (${changes.join(", ")})`, definition };
  }
}

function* batches(cases: Iterable<UpdateCase>): Generator<readonly UpdateCase[]> {
  let batch: UpdateCase[] = [];
  for (const one of cases) {
    batch.push(one);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function newTally(): Tally {
  return { judged: 0, refused: 0, ours: 0, theirs: 0, failed: [] };
}

async function compareAll(cases: Iterable<UpdateCase>, oracle: Oracle): Promise<Tally> {
  const folder = mkdtempSync(join(tmpdir(), "preflight-definitions-"));
  const tally = newTally();
  try {
    for (const batch of batches(cases)) await compare(batch, folder, oracle, tally);
  } finally {
    rmSync(folder, { recursive: true });
  }
  return tally;
}

function summary({ judged: count, refused, ours, theirs }: Tally): string {
  const each = (milliseconds: number): string => `${(milliseconds / count).toFixed(1)} ms`;
  return `${count} CRDs, ${refused} refused, ours ${each(ours)} each, the oracle ${each(theirs)}, seed ${SEED}`;
}

test("gives the same verdict on CRDs as the API server's own packages", async (t) => {
  const oracle = await findOracle();
  if (typeof oracle === "string") return t.skip(oracle);
  const definitions = readDefinitions(SHARED, RELEASES);
  await t.test("as in the releases", async (own) => {
    const tally = await compareAll(definitions, oracle);
    own.diagnostic(summary(tally));
    assert.equal(tally.failed.length, 0, tally.failed.slice(0, TOLD).join("\n"));
    // An older API server refuses what its release does not have.
    if (ORACLE_MINOR >= NEWEST_MINOR) assert.equal(tally.refused, 0);
  });
  await t.test("changed in one or two places", async (own) => {
    const tally = await compareAll(changed(definitions, COUNT), oracle);
    own.diagnostic(summary(tally));
    assert.equal(tally.failed.length, 0, `${tally.failed.length} differ\n${tally.failed.slice(0, TOLD).join("\n")}`);
    assert.ok(tally.judged >= COUNT && tally.refused > COUNT / 5 && tally.refused < COUNT * 0.9);
  });
  await t.test("in place of an installed one", async (own) => {
    const tally = await compareAll(updated(definitions, COUNT / 5), oracle);
    own.diagnostic(summary(tally));
    assert.equal(tally.failed.length, 0, `${tally.failed.length} differ\n${tally.failed.slice(0, TOLD).join("\n")}`);
  });
});
