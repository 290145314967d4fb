import { strict as assert } from "node:assert";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { test } from "node:test";
import { type Json, type JsonObject, at, formatCanonicalJson, isObject } from "../../../src/model/json.ts";
import {
  validateObject,
  compileSchema,
  type CompiledSchema,
  type ValidationResult,
  type UpdateResult,
  validateUpdate,
  decodeStored,
  newPruneState,
} from "../../../src/schema/crd/index.ts";
import { deepFreeze } from "../../../src/cases/runner.ts";
import {
  findApplyDisagreement,
  findDisagreement,
  findUpdateDisagreement,
  type Disagreement,
} from "../../../verify/differential/disagreement.ts";
import { generate } from "../../../verify/schema/random/object-generator.ts";
import { generateCrd } from "../../../verify/schema/random/crd-generator.ts";
import { type SchemaKind, readKinds, parseSchema, writeKinds } from "../../support/schema/differential/schema-kinds.ts";
import {
  type Oracle,
  type Question,
  ORACLE_MINOR,
  addServerMetadata,
  findOracle,
} from "../../../verify/differential/oracle.ts";
import { buildOwnCrd } from "../../support/schema/differential/own-crd.ts";
import { createRandom } from "../../../verify/schema/random/random.ts";
import { shrink } from "../../../verify/schema/random/shrink.ts";
import { SHARED } from "../../../verify/api-server/control-plane.ts";
import { hasAllCases } from "../../support/cases/sample.ts";

// PREFLIGHT_VERDICTS=100000 PREFLIGHT_RELEASES=all PREFLIGHT_SEED=7 node --test test/schema/crd/differential.test.ts
const VERDICTS = Number(process.env["PREFLIGHT_VERDICTS"] ?? (hasAllCases ? 1_500 : 750));
const SEED = Number(process.env["PREFLIGHT_SEED"] ?? 1);
const RELEASES = process.env["PREFLIGHT_RELEASES"] ?? (hasAllCases ? "4.12,4.18,5.1" : "5.1");
/** The number of objects in memory at once. */
const BATCH = 5_000;
/** Go visits the fields of a map in a random order, so that an answer may have been one of several. */
const RETRIES = 8;
/** The number of disagreements to shrink and report. */
const MAX_REPORTED = 20;
/** The least number of objects for each CRD, since reading its types costs the oracle more than many objects. */
const OBJECTS_OF_KIND = 40;

/** Our verdicts on an object: when it is stored, when its labels change, when nothing changes; and what its API server reads. */
type Judged = {
  readonly verdict: ValidationResult;
  readonly left: UpdateResult;
  readonly unchanged: UpdateResult;
  readonly stored: Json;
};
type Case = Judged & {
  readonly kind: SchemaKind;
  readonly prepared: CompiledSchema;
  readonly question: Question;
};
type Tally = {
  verdicts: number;
  invalid: number;
  pruned: number;
  ratcheted: number;
  applyRefused: number;
  dropped: number;
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
    const kinds = selectSome(readKinds(join(SHARED, "crds"), listReleases(), folder), VERDICTS / OBJECTS_OF_KIND);
    const own = writeKinds(buildOwnCrd(), "own", join(folder, "own.json"));
    const random = await generateKinds(VERDICTS / 2 / OBJECTS_OF_KIND, oracle, folder);
    const tally: Tally = { ...NOTHING, disagreements: [] };
    for (const batch of batches(kinds, VERDICTS)) await compareBatch(batch, oracle, tally);
    for (const batch of batches([...own, ...own, ...random], VERDICTS / 2)) await compareBatch(batch, oracle, tally);
    t.diagnostic(
      `${kinds.length + own.length + random.length} kinds, ${tally.verdicts} verdicts, ${tally.invalid} invalid, ${tally.pruned} pruned, ${tally.dropped} with dropped metadata, ${tally.ratcheted} ratcheted in full, ${tally.applyRefused} refused by server-side apply, seed ${SEED}`,
    );
    t.diagnostic(
      `ours ${perSecond(tally.verdicts, tally.ours)}/s, the oracle (JSON in and out) ${perSecond(tally.verdicts, tally.theirs)}/s`,
    );
    const disagreements = await confirm(tally.disagreements, oracle);
    const compareAll = await Promise.all(
      disagreements.slice(0, MAX_REPORTED).map((one) => describeDisagreement(one, oracle)),
    );
    assert.equal(disagreements.length, 0, compareAll.join("\n"));
    assert.ok(tally.verdicts >= VERDICTS && tally.invalid > VERDICTS / 10 && tally.pruned > VERDICTS / 100);
    assert.ok(tally.invalid < tally.verdicts * 0.9, "enough objects are valid");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

const NOTHING = { verdicts: 0, invalid: 0, pruned: 0, ratcheted: 0, applyRefused: 0, dropped: 0, ours: 0, theirs: 0 };

/** Evenly spaced ones, others with another seed. */
function selectSome<T>(all: readonly T[], count: number): readonly T[] {
  const step = Math.max(1, Math.ceil(all.length / count));
  return all.filter((_, i) => i % step === SEED % step);
}

/** Random CRDs that the API server takes. */
async function generateKinds(count: number, oracle: Oracle, folder: string): Promise<readonly SchemaKind[]> {
  const random = createRandom(SEED * 7_919);
  const kinds = Array.from({ length: Math.ceil(count) }, (_, i) =>
    writeKinds(generateCrd(random, "example.com"), `random ${i}`, join(folder, `random-${i}.json`)),
  ).flat();
  const answers = await oracle(kinds.map(({ file }) => ({ crd: file, check: true })));
  return kinds.filter((_, i) => at(answers[i], "valid") === true);
}

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
  const schema = parseSchema(kind);
  const random = createRandom(SEED * 1_000_003 + index);
  const apiVersion = `${kind.crd.group}/${kind.version.name}`;
  return Array.from({ length: count }, () => {
    const object = deepFreeze(generate(schema, apiVersion, kind.crd.kind, random));
    const question: Question = { crd: kind.file, version: kind.version.name, object };
    return () => ({ kind, prepared, question, ...judge(prepared, object) });
  });
}

function judge(prepared: CompiledSchema, asked: JsonObject): Judged {
  const object = addServerMetadata(asked);
  return {
    verdict: validateObject(prepared, object),
    left: validateUpdate(prepared, object),
    unchanged: validateUpdate(prepared, object, (stored) => stored),
    stored: decodeStored(object, prepared.root, prepared.isPruning, newPruneState()),
  };
}

/** Only where an embedded resource may be read is the object that the API server reads worth its price. */
function buildQuestions({ kind, question }: Pick<Case, "kind" | "question">): readonly Question[] {
  const { crd, object } = question;
  const readsResources = kind.version.schema.includes("x-kubernetes-embedded-resource");
  return [
    { ...question, apply: true },
    { ...question, old: object },
    ...(readsResources ? [{ ...question, live: crd }] : []),
  ];
}

function compareWithOracle(
  judged: Judged,
  [answer, unchanged, stored]: readonly (JsonObject | undefined)[],
): Disagreement | undefined {
  if (answer === undefined || unchanged === undefined) return { ours: [], theirs: ["no answer"] };
  return (
    findDisagreement(judged.verdict, answer) ??
    findUpdateDisagreement(judged.left, answer) ??
    findUpdateDisagreement(judged.unchanged, unchanged, "errors") ??
    findApplyDisagreement(judged.verdict, answer) ??
    findStoredDisagreement(judged.stored, at(stored, "stored"))
  );
}

/** The API server stores only objects that are valid, and the oracle adds metadata of its own. */
function findStoredDisagreement(stored: Json, answer: Json | undefined): Disagreement | undefined {
  const [ours, theirs] = [stored, answer].map((one) =>
    isObject(one) ? formatCanonicalJson({ ...one, metadata: {} }) : "",
  );
  return answer === undefined || ours === theirs
    ? undefined
    : { ours: ["stored:", ours ?? ""], theirs: [theirs ?? ""] };
}

/** The answers to the questions of each case. */
async function ask(
  cases: readonly Pick<Case, "kind" | "question">[],
  oracle: Oracle,
): Promise<readonly (readonly (JsonObject | undefined)[])[]> {
  const questions = cases.map(buildQuestions);
  const answers = await oracle(questions.flat());
  assert.equal(answers.length, questions.flat().length);
  let next = 0;
  return questions.map((of) => of.map(() => answers[next++]));
}

async function compareBatch(batch: readonly (() => Case)[], oracle: Oracle, tally: Tally): Promise<void> {
  const start = performance.now();
  const cases = batch.map((judged) => judged());
  const between = performance.now();
  const answers = await ask(cases, oracle);
  tally.ours += between - start;
  tally.theirs += performance.now() - between;
  for (const [i, one] of cases.entries()) {
    tally.verdicts++;
    if (one.verdict.errors.length > 0) tally.invalid++;
    if (one.verdict.prunedPaths.length > 0) tally.pruned++;
    if (one.verdict.errors.length > 0 && one.left.errors.length === 0) tally.ratcheted++;
    if (one.verdict.applyFaults.length > 0) tally.applyRefused++;
    if (one.verdict.droppedFields.length > 0) tally.dropped++;
    if (compareWithOracle(one, answers[i] ?? [])) tally.disagreements.push(one);
  }
}

/** Those that disagree however often one asks. */
async function confirm(all: readonly Case[], oracle: Oracle): Promise<readonly Case[]> {
  let left = all;
  for (let i = 0; i < RETRIES && left.length > 0; i++) {
    const answers = await ask(left, oracle);
    left = left.filter((one, k) => compareWithOracle(one, answers[k] ?? []));
  }
  return left;
}

/** A disagreement, reduced to its smallest object. */
async function describeDisagreement({ kind, prepared, question }: Case, oracle: Oracle): Promise<string> {
  const compareAll = async (objects: readonly JsonObject[]): Promise<readonly (Disagreement | undefined)[]> => {
    const answers = await ask(
      objects.map((object) => ({ kind, question: { ...question, object } })),
      oracle,
    );
    return objects.map((object, i) => compareWithOracle(judge(prepared, object), answers[i] ?? []));
  };
  const smallest = await shrink(question.object, async (smaller) => {
    const found = await compareAll(smaller);
    return smaller.find(
      (_, i) => found[i] && !found[i].theirs.some((error) => / (?:kind|apiVersion)$|^error/.test(error)),
    );
  });
  return `${kind.name}\n  ${JSON.stringify(smallest)}\n  ${JSON.stringify((await compareAll([smallest]))[0])}`;
}
