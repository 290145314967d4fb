import { strict as assert } from "node:assert";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { test } from "node:test";
import { type JsonObject, isObject, listAt, textAt } from "../../../src/model/json.ts";
import {
  validateObject,
  compileSchema,
  type CompiledSchema,
  type ValidationResult,
  validateUpdate,
} from "../../../src/schema/crd/index.ts";
import type { SchemaRule } from "../../../src/schema/openapi/structural-schema.ts";
import { deepFreeze } from "../../../src/cases/runner.ts";
import { findDisagreement, findUpdateDisagreement } from "../../../verify/differential/disagreement.ts";
import { generate } from "../../../verify/schema/random/object-generator.ts";
import { type SchemaKind, readKinds, parseSchema } from "../../support/schema/differential/schema-kinds.ts";
import { ORACLE_MINOR, type Oracle, findOracle } from "../../../verify/differential/oracle.ts";
import { createRandom } from "../../../verify/schema/random/random.ts";
import { shrink } from "../../../verify/schema/random/shrink.ts";
import { collectLiterals, insertLiterals } from "../../support/schema/cel/literals.ts";
import { buildRuledKinds } from "../../support/schema/cel/ruled-kinds.ts";
import { SHARED } from "../../../verify/api-server/control-plane.ts";
import { hasAllCases } from "../../support/cases/sample.ts";

// PREFLIGHT_CEL_VERDICTS=200000 PREFLIGHT_RELEASES=all PREFLIGHT_SEED=7 node --test test/schema/cel/differential.test.ts
const VERDICTS = Number(process.env["PREFLIGHT_CEL_VERDICTS"] ?? (hasAllCases ? 1_000 : 400));
const SEED = Number(process.env["PREFLIGHT_SEED"] ?? 1);
const RELEASES = process.env["PREFLIGHT_RELEASES"] ?? (hasAllCases ? "4.18,5.1" : "4.18");
const BATCH = 5_000;
const MAX_REPORTED = 20;

type Case = { readonly kind: SchemaKind; readonly prepared: CompiledSchema; readonly object: JsonObject };
type Tally = {
  verdicts: number;
  disagreements: Case[];
  ours: number;
  theirs: number;
  failedMessages: Set<string>;
  messages: Set<string>;
  unevaluated: Set<string>;
};

function listReleases(): readonly string[] {
  if (RELEASES !== "all") return RELEASES.split(",");
  return readdirSync(join(SHARED, "crds")).filter((name) => /^\d+\.\d+$/.test(name));
}

test("evaluates rules as the API server's own packages do", async (t) => {
  const oracle = await findOracle();
  if (typeof oracle === "string") return t.skip(oracle);
  const folder = mkdtempSync(join(tmpdir(), "preflight-cel-"));
  try {
    const kinds = readKinds(join(SHARED, "crds"), listReleases(), folder, (crd) => crd);
    const tally: Tally = {
      verdicts: 0,
      disagreements: [],
      ours: 0,
      theirs: 0,
      failedMessages: new Set(),
      messages: new Set(),
      unevaluated: new Set(),
    };
    const whole = kinds.filter((kind) => kind.version.schema.includes("x-kubernetes-validations"));
    for (const batch of [...batches(whole), ...batches(buildRuledKinds(whole, folder))]) {
      await compareBatch(batch, oracle, tally);
    }
    t.diagnostic(
      `${tally.verdicts} verdicts, ${tally.disagreements.length} disagreements, ${tally.failedMessages.size} of ${tally.messages.size} rule texts seen to fail, seed ${SEED}`,
    );
    t.diagnostic(
      `ours ${Math.round((tally.verdicts * 1000) / tally.ours)}/s, the oracle ${Math.round((tally.verdicts * 1000) / tally.theirs)}/s`,
    );
    const reports = await Promise.all(
      tally.disagreements.slice(0, MAX_REPORTED).map((one) => describeDisagreement(one, oracle)),
    );
    assert.deepEqual([...tally.unevaluated], [], "rules that were not evaluated");
    assert.equal(tally.disagreements.length, 0, reports.join("\n"));
    assert.ok(tally.verdicts >= VERDICTS && tally.failedMessages.size > 30);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

function* batches(kinds: readonly SchemaKind[]): Generator<readonly Case[]> {
  const each = Math.ceil(VERDICTS / 2 / kinds.length);
  let batch: Case[] = [];
  for (const [index, kind] of kinds.entries()) {
    batch.push(...buildCases(kind, index, each));
    if (batch.length < BATCH && index + 1 < kinds.length) continue;
    yield batch;
    batch = [];
  }
}

function buildCases(kind: SchemaKind, index: number, count: number): readonly Case[] {
  const prepared = compileSchema(kind.version.schema, { kubernetesMinor: ORACLE_MINOR });
  if (prepared.kind === "refused") return assert.fail(`${kind.name}: ${prepared.message}`);
  const wrong = [...prepared.programs].filter(([, program]) => program.kind === "none");
  assert.deepEqual(
    wrong.map(([{ rule }]) => rule),
    [],
  );
  const schema = parseSchema(kind);
  const random = createRandom(SEED * 1_000_003 + index);
  const literals = collectLiterals(schema);
  const apiVersion = `${kind.crd.group}/${kind.version.name}`;
  return Array.from({ length: count }, () => {
    const plain = generate(schema, apiVersion, kind.crd.kind, random, random.pick([0, 0, 0, 0.02]));
    const object = insertLiterals(plain, schema, literals, random);
    const whole = isObject(object)
      ? { ...object, apiVersion, kind: kind.crd.kind, metadata: plain["metadata"] ?? {} }
      : plain;
    return { kind, prepared, object: deepFreeze(whole) };
  });
}

async function compareBatch(batch: readonly Case[], oracle: Oracle, tally: Tally): Promise<void> {
  const start = performance.now();
  const verdicts = batch.map(({ prepared, object }) => validateObject(prepared, object));
  const between = performance.now();
  const answers = await oracle(
    batch.map((one) => ({ crd: one.kind.file, version: one.kind.version.name, object: one.object })),
  );
  tally.ours += between - start;
  tally.theirs += performance.now() - between;
  for (const [i, one] of batch.entries()) {
    const verdict = verdicts[i];
    const answer = answers[i];
    tally.verdicts++;
    for (const { rule } of verdict?.unevaluatedRules ?? []) tally.unevaluated.add(rule);
    if (!verdict || !answer || compareWithOracle(one, verdict, answer) || !hasSameMessages(one, verdict, answer, tally))
      tally.disagreements.push(one);
  }
}

/** Compares the verdicts on a new object, or on an update of it that changes only a label. */
function compareWithOracle(
  { prepared, object }: Case,
  verdict: ValidationResult,
  answer: JsonObject,
): ReturnType<typeof findDisagreement> {
  return findDisagreement(verdict, answer) ?? findUpdateDisagreement(validateUpdate(prepared, object), answer);
}

/** Whether the oracle gives each failed rule the same message. */
function hasSameMessages({ prepared }: Case, verdict: ValidationResult, answer: JsonObject, tally: Tally): boolean {
  const messages = new Set([...prepared.programs.keys()].map(formatRuleMessage));
  for (const message of messages) tally.messages.add(message);
  return verdict.errors.every(({ message, path }) => {
    if (!messages.has(message)) return true;
    tally.failedMessages.add(message);
    return listAt(answer, "errors").some((error) => {
      const field = (textAt(error, "field") ?? "").replace("<nil>", "");
      return field === path && (textAt(error, "detail") ?? "").endsWith(`: ${message}`);
    });
  });
}

function formatRuleMessage({ rule, message }: SchemaRule): string {
  return message === "" ? `failed rule: ${rule.trim()}` : message.trim();
}

async function describeDisagreement({ kind, prepared, object }: Case, oracle: Oracle): Promise<string> {
  const sides = async (objects: readonly JsonObject[]): Promise<readonly ReturnType<typeof findDisagreement>[]> => {
    const answers = await oracle(objects.map((one) => ({ crd: kind.file, version: kind.version.name, object: one })));
    return objects.map((one, i) =>
      compareWithOracle({ kind, prepared, object: one }, validateObject(prepared, one), answers[i] ?? {}),
    );
  };
  const smallest = await shrink(object, async (smaller) => {
    const found = await sides(smaller);
    return smaller.find(
      (_, i) => found[i] && !found[i].theirs.some((error) => / (?:kind|apiVersion)$|^error/.test(error)),
    );
  });
  const errors = validateObject(prepared, smallest).errors.map(({ path, message }) => `${path}: ${message}`);
  return `${kind.name}\n  ${JSON.stringify(smallest)}\n  ${JSON.stringify((await sides([smallest]))[0])}\n  ${errors.join("\n  ")}`;
}
