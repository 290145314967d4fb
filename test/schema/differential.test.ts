import { strict as assert } from "node:assert";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { performance } from "node:perf_hooks";
import { test } from "node:test";
import type { JsonObject } from "../../src/model/json.ts";
import {
  validateObject,
  compileSchema,
  type CompiledSchema,
  type ValidationResult,
  type UpdateResult,
  validateUpdate,
} from "../../src/schema/object-validation.ts";
import { deepFreeze } from "../support/schema/cases.ts";
import {
  findDisagreement,
  findUpdateDisagreement,
  type Disagreement,
} from "../support/schema/differential/disagreement.ts";
import { generate } from "../support/schema/differential/object-generator.ts";
import { type SchemaKind, readKinds, parseSchema, writeKinds } from "../support/schema/differential/schema-kinds.ts";
import { type Oracle, type Question, ORACLE_MINOR, findOracle } from "../support/schema/differential/oracle.ts";
import { buildOwnCrd } from "../support/schema/differential/own-crd.ts";
import { createRandom } from "../support/schema/differential/random.ts";
import { shrink } from "../support/schema/differential/shrink.ts";

// PREFLIGHT_VERDICTS=100000 PREFLIGHT_RELEASES=all PREFLIGHT_SEED=7 node --test test/schema/differential.test.ts
const SHARED = resolve(process.env["PREFLIGHT_SHARED"] ?? join(import.meta.dirname, "../../../shared"));
const VERDICTS = Number(process.env["PREFLIGHT_VERDICTS"] ?? 10_000);
const SEED = Number(process.env["PREFLIGHT_SEED"] ?? 1);
const RELEASES = process.env["PREFLIGHT_RELEASES"] ?? "4.12,4.18,5.1";
/** The number of objects in memory at once. */
const BATCH = 5_000;
/** The number of disagreements to shrink and report. */
const MAX_REPORTED = 20;

type Case = {
  readonly kind: SchemaKind;
  readonly prepared: CompiledSchema;
  readonly question: Question;
  readonly verdict: ValidationResult;
  readonly left: UpdateResult;
};
type Tally = {
  verdicts: number;
  invalid: number;
  pruned: number;
  ratcheted: number;
  ours: number;
  theirs: number;
  disagreements: Case[];
};

function listReleases(): readonly string[] {
  if (RELEASES !== "all") return RELEASES.split(",");
  return readdirSync(join(SHARED, "crds")).filter((name) => /^\d+\.\d+$/.test(name));
}

test("gives the same verdict on generated objects as the API server's own packages", async (t) => {
  const oracle = await findOracle();
  if (typeof oracle === "string") return t.skip(oracle);
  const folder = mkdtempSync(join(tmpdir(), "preflight-schema-"));
  try {
    const kinds = readKinds(join(SHARED, "crds"), listReleases(), folder);
    const own = writeKinds(buildOwnCrd(), "own", join(folder, "own.json"));
    const tally: Tally = { verdicts: 0, invalid: 0, pruned: 0, ratcheted: 0, ours: 0, theirs: 0, disagreements: [] };
    for (const batch of [...batches(kinds, VERDICTS), ...batches(own, VERDICTS / 2)])
      await compareBatch(batch, oracle, tally);
    t.diagnostic(
      `${kinds.length} kinds, ${tally.verdicts} verdicts, ${tally.invalid} invalid, ${tally.pruned} pruned, ${tally.ratcheted} ratcheted in full, seed ${SEED}`,
    );
    t.diagnostic(
      `ours ${perSecond(tally.verdicts, tally.ours)}/s, the oracle (JSON in and out) ${perSecond(tally.verdicts, tally.theirs)}/s`,
    );
    const compareAll = await Promise.all(
      tally.disagreements.slice(0, MAX_REPORTED).map((one) => describeDisagreement(one, oracle)),
    );
    assert.equal(tally.disagreements.length, 0, compareAll.join("\n"));
    assert.ok(tally.verdicts >= VERDICTS && tally.invalid > VERDICTS / 10 && tally.pruned > VERDICTS / 100);
    assert.ok(tally.invalid < tally.verdicts * 0.9, "enough objects are valid");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

function perSecond(count: number, milliseconds: number): number {
  return Math.round((count * 1000) / milliseconds);
}

/** Yields cases of a few kinds at a time. */
function* batches(kinds: readonly SchemaKind[], count: number): Generator<readonly (() => Case)[]> {
  const each = Math.ceil(count / kinds.length);
  let batch: (() => Case)[] = [];
  for (const [index, kind] of kinds.entries()) {
    batch.push(...buildCases(kind, index, each));
    if (batch.length < BATCH && index + 1 < kinds.length) continue;
    yield batch;
    batch = [];
  }
}

function buildCases(kind: SchemaKind, index: number, count: number): readonly (() => Case)[] {
  const prepared = compileSchema(kind.version.schema, { kubernetesMinor: ORACLE_MINOR });
  if (prepared.kind === "refused") return assert.fail(`${kind.name}: ${prepared.message}`);
  const [schema, random] = [parseSchema(kind), createRandom(SEED * 1_000_003 + index)];
  const apiVersion = `${kind.crd.group}/${kind.version.name}`;
  return Array.from({ length: count }, () => {
    const object = deepFreeze(generate(schema, apiVersion, kind.crd.kind, random));
    const question: Question = { crd: kind.file, version: kind.version.name, object };
    return () => ({ kind, prepared, question, ...validateBoth(prepared, object) });
  });
}

/** Both of our verdicts: a valid object is also validated as an update and must have no remaining errors. */
function validateBoth(prepared: CompiledSchema, object: JsonObject): Pick<Case, "verdict" | "left"> {
  return { verdict: validateObject(prepared, object), left: validateUpdate(prepared, object) };
}

function compareWithOracle(
  { verdict, left }: Pick<Case, "verdict" | "left">,
  answer: JsonObject,
): Disagreement | undefined {
  return findDisagreement(verdict, answer) ?? findUpdateDisagreement(left, answer);
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
    if (one.verdict.prunedPaths.length > 0) tally.pruned++;
    if (one.verdict.errors.length > 0 && one.left.errors.length === 0) tally.ratcheted++;
    if (answer === undefined || compareWithOracle(one, answer)) tally.disagreements.push(one);
  }
}

/** A disagreement, reduced to its smallest object. */
async function describeDisagreement({ kind, prepared, question }: Case, oracle: Oracle): Promise<string> {
  const compareAll = async (objects: readonly JsonObject[]): Promise<readonly (Disagreement | undefined)[]> => {
    const answers = await oracle(objects.map((object) => ({ ...question, object })));
    return objects.map((object, i) => compareWithOracle(validateBoth(prepared, object), answers[i] ?? {}));
  };
  const smallest = await shrink(question.object, async (smaller) => {
    const found = await compareAll(smaller);
    return smaller.find(
      (_, i) => found[i] && !found[i].theirs.some((error) => / (?:kind|apiVersion)$|^error/.test(error)),
    );
  });
  return `${kind.name}\n  ${JSON.stringify(smallest)}\n  ${JSON.stringify((await compareAll([smallest]))[0])}`;
}
