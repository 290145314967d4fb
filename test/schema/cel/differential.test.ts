import { strict as assert } from "node:assert";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { performance } from "node:perf_hooks";
import { test } from "node:test";
import { type JsonObject, isObject, listAt, textAt } from "../../../src/model/json.ts";
import { judge, prepare, type Prepared, type Rule, rulesOf, type Verdict } from "../../../src/schema/judge.ts";
import { remaining } from "../../../src/schema/ratchet.ts";
import { frozen } from "../cases.ts";
import { disagreement, ratchetDisagreement } from "../differential/compare.ts";
import { generate } from "../differential/generate.ts";
import { type Kind, readKinds, schemaOf } from "../differential/kinds.ts";
import { buildOracle, type Oracle } from "../differential/oracle.ts";
import { seeded } from "../differential/random.ts";
import { shrink } from "../differential/shrink.ts";
import { literalsOf, salted } from "./literals.ts";
import { ruledKinds } from "./ruled.ts";

// PREFLIGHT_CEL_VERDICTS=200000 PREFLIGHT_RELEASES=all PREFLIGHT_SEED=7 node --test test/schema/cel/differential.test.ts
const SHARED = resolve(process.env["PREFLIGHT_SHARED"] ?? join(import.meta.dirname, "../../../../shared"));
const VERDICTS = Number(process.env["PREFLIGHT_CEL_VERDICTS"] ?? 6_000);
const SEED = Number(process.env["PREFLIGHT_SEED"] ?? 1);
const RELEASES = process.env["PREFLIGHT_RELEASES"] ?? "4.18,5.1";
const BATCH = 5_000;
const TOLD = 20;

type Case = { readonly kind: Kind; readonly prepared: Prepared; readonly object: JsonObject };
type Tally = {
  verdicts: number;
  failed: Case[];
  ours: number;
  theirs: number;
  broken: Set<string>;
  held: Set<string>;
  left: Set<string>;
};

function releases(): readonly string[] {
  if (RELEASES !== "all") return RELEASES.split(",");
  return readdirSync(join(SHARED, "crds")).filter((name) => /^\d+\.\d+$/.test(name));
}

test("evaluates rules as the API server's own packages do", async (t) => {
  const script = join(SHARED, "oracle/build.sh");
  const oracle = existsSync(script) ? await buildOracle(script) : undefined;
  if (!oracle) return t.skip("there is no ../shared/oracle, or it can't be built here (it needs Go)");
  const folder = mkdtempSync(join(tmpdir(), "preflight-cel-"));
  try {
    const kinds = readKinds(join(SHARED, "crds"), releases(), folder, (crd) => crd);
    const tally: Tally = {
      verdicts: 0,
      failed: [],
      ours: 0,
      theirs: 0,
      broken: new Set(),
      held: new Set(),
      left: new Set(),
    };
    const whole = kinds.filter((kind) => kind.version.schema.includes("x-kubernetes-validations"));
    for (const batch of [...batches(whole), ...batches(ruledKinds(whole, folder))]) {
      await compareBatch(batch, oracle, tally);
    }
    t.diagnostic(
      `${tally.verdicts} verdicts, ${tally.failed.length} disagreements, ${tally.broken.size} of ${tally.held.size} rule texts seen to fail, seed ${SEED}`,
    );
    t.diagnostic(
      `ours ${Math.round((tally.verdicts * 1000) / tally.ours)}/s, the oracle ${Math.round((tally.verdicts * 1000) / tally.theirs)}/s`,
    );
    const told = await Promise.all(tally.failed.slice(0, TOLD).map((one) => tell(one, oracle)));
    assert.deepEqual([...tally.left], [], "rules that were not evaluated");
    assert.equal(tally.failed.length, 0, told.join("\n"));
    assert.ok(tally.verdicts >= VERDICTS && tally.broken.size > 30);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

function* batches(kinds: readonly Kind[]): Generator<readonly Case[]> {
  const each = Math.ceil(VERDICTS / 2 / kinds.length);
  let batch: Case[] = [];
  for (const [index, kind] of kinds.entries()) {
    batch.push(...casesOf(kind, index, each));
    if (batch.length < BATCH && index + 1 < kinds.length) continue;
    yield batch;
    batch = [];
  }
}

function casesOf(kind: Kind, index: number, count: number): readonly Case[] {
  const prepared = prepare(kind.version.schema);
  if (prepared.kind === "refused") return assert.fail(`${kind.name}: ${prepared.message}`);
  const wrong = rulesOf(prepared).filter(({ program }) => program.kind === "none");
  assert.deepEqual(
    wrong.map(({ rule }) => rule),
    [],
  );
  const [schema, random] = [schemaOf(kind), seeded(SEED * 1_000_003 + index)];
  const [literals, apiVersion] = [literalsOf(schema), `${kind.crd.group}/${kind.version.name}`];
  return Array.from({ length: count }, () => {
    const plain = generate(schema, apiVersion, kind.crd.kind, random, random.pick([0, 0, 0, 0.02]));
    const object = salted(plain, schema, literals, random);
    const whole = isObject(object)
      ? { ...object, apiVersion, kind: kind.crd.kind, metadata: plain["metadata"] ?? {} }
      : plain;
    return { kind, prepared, object: frozen(whole) };
  });
}

async function compareBatch(batch: readonly Case[], oracle: Oracle, tally: Tally): Promise<void> {
  const start = performance.now();
  const verdicts = batch.map(({ prepared, object }) => judge(prepared, object));
  const between = performance.now();
  const answers = await oracle(
    batch.map((one) => ({ crd: one.kind.file, version: one.kind.version.name, object: one.object })),
  );
  tally.ours += between - start;
  tally.theirs += performance.now() - between;
  for (const [i, one] of batch.entries()) {
    const [verdict, answer] = [verdicts[i], answers[i]];
    tally.verdicts++;
    for (const { rule } of verdict?.rules ?? []) tally.left.add(rule);
    if (!verdict || !answer || differs(one, verdict, answer) || !sameMessages(one, verdict, answer, tally))
      tally.failed.push(one);
  }
}

/** In the verdict on a new object, or on an update of it that changes nothing but a label. */
function differs({ prepared, object }: Case, verdict: Verdict, answer: JsonObject): ReturnType<typeof disagreement> {
  return disagreement(verdict, answer) ?? ratchetDisagreement(remaining(prepared, object), answer);
}

/** Does the oracle give each failed rule the text that we give it? */
function sameMessages({ prepared }: Case, verdict: Verdict, answer: JsonObject, tally: Tally): boolean {
  const known = new Set(rulesOf(prepared).map(messageOf));
  for (const message of known) tally.held.add(message);
  // Where the oracle can't read embedded metadata it says that alone.
  if (listAt(answer, "errors").some((error) => textAt(error, "type") === "Metadata")) return true;
  return verdict.errors.every(({ message, path }) => {
    if (!known.has(message)) return true;
    tally.broken.add(message);
    return listAt(answer, "errors").some((error) => {
      const field = (textAt(error, "field") ?? "").replace("<nil>", "");
      return field === path && (textAt(error, "detail") ?? "").endsWith(`: ${message}`);
    });
  });
}

function messageOf({ rule, message }: Rule): string {
  return message === "" ? `failed rule: ${rule.trim()}` : message.trim();
}

async function tell({ kind, prepared, object }: Case, oracle: Oracle): Promise<string> {
  const sides = async (objects: readonly JsonObject[]): Promise<readonly ReturnType<typeof disagreement>[]> => {
    const answers = await oracle(objects.map((one) => ({ crd: kind.file, version: kind.version.name, object: one })));
    return objects.map((one, i) => differs({ kind, prepared, object: one }, judge(prepared, one), answers[i] ?? {}));
  };
  const smallest = await shrink(object, async (smaller) => {
    const found = await sides(smaller);
    return smaller.find(
      (_, i) => found[i] && !found[i].theirs.some((error) => / (?:kind|apiVersion)$|^error/.test(error)),
    );
  });
  const errors = judge(prepared, smallest).errors.map(({ path, message }) => `${path}: ${message}`);
  return `${kind.name}\n  ${JSON.stringify(smallest)}\n  ${JSON.stringify((await sides([smallest]))[0])}\n  ${errors.join("\n  ")}`;
}
