import { strict as assert } from "node:assert";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { performance } from "node:perf_hooks";
import { test } from "node:test";
import type { JsonObject } from "../../src/model/json.ts";
import { judge, prepare, type Prepared, type Verdict } from "../../src/schema/judge.ts";
import { type Remaining, remaining } from "../../src/schema/ratchet.ts";
import { frozen } from "./cases.ts";
import { disagreement, ratchetDisagreement, type Sides } from "./differential/compare.ts";
import { generate } from "./differential/generate.ts";
import { type Kind, readKinds, schemaOf, writtenKinds } from "./differential/kinds.ts";
import { type Oracle, type Question, buildOracle } from "./differential/oracle.ts";
import { ownCrd } from "./differential/own-crd.ts";
import { seeded } from "./differential/random.ts";
import { shrink } from "./differential/shrink.ts";

// PREFLIGHT_VERDICTS=100000 PREFLIGHT_RELEASES=all PREFLIGHT_SEED=7 node --test test/schema/differential.test.ts
const SHARED = resolve(process.env["PREFLIGHT_SHARED"] ?? join(import.meta.dirname, "../../../shared"));
const VERDICTS = Number(process.env["PREFLIGHT_VERDICTS"] ?? 10_000);
const SEED = Number(process.env["PREFLIGHT_SEED"] ?? 1);
const RELEASES = process.env["PREFLIGHT_RELEASES"] ?? "4.12,4.18,5.1";
/** Objects that are held at once. */
const BATCH = 5_000;
/** Disagreements that are shrunk and told. */
const TOLD = 20;

type Case = {
  readonly kind: Kind;
  readonly prepared: Prepared;
  readonly question: Question;
  readonly verdict: Verdict;
  readonly left: Remaining;
};
type Tally = {
  verdicts: number;
  invalid: number;
  pruned: number;
  ratcheted: number;
  ours: number;
  theirs: number;
  failed: Case[];
};

async function oracleOrReason(): Promise<Oracle | string> {
  const script = join(SHARED, "oracle/build.sh");
  if (!existsSync(script)) return "there is no ../shared/oracle";
  return (await buildOracle(script)) ?? "the oracle can't be built here (it needs Go)";
}

function releases(): readonly string[] {
  if (RELEASES !== "all") return RELEASES.split(",");
  return readdirSync(join(SHARED, "crds")).filter((name) => /^\d+\.\d+$/.test(name));
}

test("says what the API server's own packages say of generated objects", async (t) => {
  const oracle = await oracleOrReason();
  if (typeof oracle === "string") return t.skip(oracle);
  const folder = mkdtempSync(join(tmpdir(), "preflight-schema-"));
  try {
    const kinds = readKinds(join(SHARED, "crds"), releases(), folder);
    const own = writtenKinds(ownCrd(), "own", join(folder, "own.json"));
    const tally: Tally = { verdicts: 0, invalid: 0, pruned: 0, ratcheted: 0, ours: 0, theirs: 0, failed: [] };
    for (const batch of [...batches(kinds, VERDICTS), ...batches(own, VERDICTS / 2)])
      await compareBatch(batch, oracle, tally);
    t.diagnostic(
      `${kinds.length} kinds, ${tally.verdicts} verdicts, ${tally.invalid} invalid, ${tally.pruned} pruned, ${tally.ratcheted} ratcheted in full, seed ${SEED}`,
    );
    t.diagnostic(
      `ours ${perSecond(tally.verdicts, tally.ours)}/s, the oracle (JSON in and out) ${perSecond(tally.verdicts, tally.theirs)}/s`,
    );
    const told = await Promise.all(tally.failed.slice(0, TOLD).map((one) => tell(one, oracle)));
    assert.equal(tally.failed.length, 0, told.join("\n"));
    assert.ok(tally.verdicts >= VERDICTS && tally.invalid > VERDICTS / 10 && tally.pruned > VERDICTS / 100);
    assert.ok(tally.invalid < tally.verdicts * 0.9, "enough objects are valid");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

function perSecond(count: number, milliseconds: number): number {
  return Math.round((count * 1000) / milliseconds);
}

/** Cases of a few kinds at a time. */
function* batches(kinds: readonly Kind[], count: number): Generator<readonly (() => Case)[]> {
  const each = Math.ceil(count / kinds.length);
  let batch: (() => Case)[] = [];
  for (const [index, kind] of kinds.entries()) {
    batch.push(...makers(kind, index, each));
    if (batch.length < BATCH && index + 1 < kinds.length) continue;
    yield batch;
    batch = [];
  }
}

function makers(kind: Kind, index: number, count: number): readonly (() => Case)[] {
  const prepared = prepare(kind.version.schema);
  if (prepared.kind === "refused") return assert.fail(`${kind.name}: ${prepared.message}`);
  const [schema, random] = [schemaOf(kind), seeded(SEED * 1_000_003 + index)];
  const apiVersion = `${kind.crd.group}/${kind.version.name}`;
  return Array.from({ length: count }, () => {
    const object = frozen(generate(schema, apiVersion, kind.crd.kind, random));
    const question: Question = { crd: kind.file, version: kind.version.name, object };
    return () => ({ kind, prepared, question, ...sides(prepared, object) });
  });
}

/** Both verdicts of ours; what remains is asked of valid objects too, and must be nothing. */
function sides(prepared: Prepared, object: JsonObject): Pick<Case, "verdict" | "left"> {
  return { verdict: judge(prepared, object), left: remaining(prepared, object) };
}

function differs({ verdict, left }: Pick<Case, "verdict" | "left">, answer: JsonObject): Sides | undefined {
  return disagreement(verdict, answer) ?? ratchetDisagreement(left, answer);
}

async function compareBatch(batch: readonly (() => Case)[], oracle: Oracle, tally: Tally): Promise<void> {
  const start = performance.now();
  const cases = batch.map((judged) => judged());
  const between = performance.now();
  const answers = await oracle(cases.map((one) => one.question));
  tally.ours += between - start;
  tally.theirs += performance.now() - between;
  assert.equal(answers.length, cases.length);
  for (const [i, one] of cases.entries()) {
    const answer = answers[i];
    tally.verdicts++;
    if (one.verdict.errors.length > 0) tally.invalid++;
    if (one.verdict.pruned.length > 0) tally.pruned++;
    if (one.verdict.errors.length > 0 && one.left.errors.length === 0) tally.ratcheted++;
    if (answer === undefined || differs(one, answer)) tally.failed.push(one);
  }
}

/** A disagreement in its smallest form. */
async function tell({ kind, prepared, question }: Case, oracle: Oracle): Promise<string> {
  const told = async (objects: readonly JsonObject[]): Promise<readonly (Sides | undefined)[]> => {
    const answers = await oracle(objects.map((object) => ({ ...question, object })));
    return objects.map((object, i) => differs(sides(prepared, object), answers[i] ?? {}));
  };
  const smallest = await shrink(question.object, async (smaller) => {
    const found = await told(smaller);
    return smaller.find(
      (_, i) => found[i] && !found[i].theirs.some((error) => / (?:kind|apiVersion)$|^error/.test(error)),
    );
  });
  return `${kind.name}\n  ${JSON.stringify(smallest)}\n  ${JSON.stringify((await told([smallest]))[0])}`;
}
