import { strict as assert } from "node:assert";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { type ObjectVerdict, getFieldEffect, judgeObject } from "../../src/checks/crd-skew/object-verdict.ts";
import { type Json, type JsonObject, at, formatCanonicalJson, isObject, listAt, textAt } from "../../src/model/json.ts";
import { type CompiledSchema, compileSchema } from "../../src/schema/object-validation.ts";
import { decodeStored, newPruneState } from "../../src/schema/stored-object.ts";
import { listOracleFaults, sortUnique } from "../support/schema/differential/disagreement.ts";
import { generate } from "../support/schema/differential/object-generator.ts";
import { type Oracle, ORACLE_MINOR, addServerMetadata, findOracle } from "../support/schema/differential/oracle.ts";
import { type Random, createRandom } from "../support/schema/differential/random.ts";
import { changeCrd } from "../support/schema/differential/crd-changes.ts";
import { generateCrd } from "../support/schema/differential/crd-generator.ts";
import { type SchemaKind, parseSchema, writeKinds } from "../support/schema/differential/schema-kinds.ts";

// PREFLIGHT_PAIRS=1000 PREFLIGHT_SEED=7 node --test test/checks/crd-skew-differential.test.ts
const PAIRS = Number(process.env["PREFLIGHT_PAIRS"] ?? 60);
const SEED = Number(process.env["PREFLIGHT_SEED"] ?? 1);
const OBJECTS_OF_PAIR = 40;
const MAX_REPORTED = 10;

/** A random CRD, and the one that replaces it. */
type Pair = { readonly before: SchemaKind; readonly after: SchemaKind };
type Case = { readonly pair: Pair; readonly object: JsonObject; readonly verdict: ObjectVerdict | undefined };

function compile({ version }: SchemaKind): CompiledSchema {
  const compiled = compileSchema(version.schema, { kubernetesMinor: ORACLE_MINOR });
  return compiled.kind === "refused" ? assert.fail(compiled.message) : compiled;
}

async function generatePairs(random: Random, oracle: Oracle, folder: string): Promise<readonly Pair[]> {
  const pairs = Array.from({ length: PAIRS }, (_, i) => {
    const crd = generateCrd(random, "example.com");
    const [before, after] = [crd, changeCrd(crd, random)].map((one, k) =>
      writeKinds(one, `pair ${i}`, join(folder, `${i}-${k}.json`)),
    );
    const [first] = before ?? [];
    const next = after?.find(({ version }) => version.name === first?.version.name);
    return first && next ? [{ before: first, after: next }] : [];
  }).flat();
  const files = pairs.flatMap(({ before, after }) => [before.file, after.file]);
  const answers = await oracle(files.map((crd) => ({ crd, check: true })));
  return pairs.filter((_, i) => [0, 1].every((k) => at(answers[2 * i + k], "valid") === true));
}

/** Objects as the API server shows them under the CRD of before. */
function buildCases(pair: Pair, random: Random): readonly Case[] {
  const schemas = { before: compile(pair.before), after: compile(pair.after), hasRatcheting: true };
  return Array.from({ length: OBJECTS_OF_PAIR }, () => {
    const apiVersion = `example.com/${pair.before.version.name}`;
    const plain = generate(parseSchema(pair.before), apiVersion, "Thing", random, random.pick([0, 0, 0.02]));
    const object = decodeStored(addServerMetadata(plain), schemas.before.root, true, newPruneState());
    assert.ok(isObject(object));
    return { pair, object, verdict: judgeObject(object, schemas, []) };
  });
}

/** What preflight says of the writes of an object, and what the API server does. Faults are those of a new object. */
type Effects = { readonly faults: readonly string[]; readonly isRejected: boolean; readonly isApplyRefused: boolean };

function describeOurs(verdict: ObjectVerdict | undefined): Effects {
  const { errors = [], applyFaults = [], prunedPaths = [] } = verdict ?? {};
  const effects = verdict === undefined ? [] : errors.map((error) => getFieldEffect(verdict, error));
  const isUnreadable = effects.includes("unreadable");
  return {
    faults: sortUnique([
      ...errors.filter(({ isTransition }) => !isTransition).map(({ type, path }) => `${type} ${path}`),
      ...prunedPaths.map((path) => `pruned ${path}`),
    ]),
    isRejected: isUnreadable || effects.includes("rejected"),
    isApplyRefused: isUnreadable || applyFaults.length > 0,
  };
}

function describeTheirs(answer: JsonObject): Effects {
  return {
    faults: textAt(answer, "error") === undefined ? listOracleFaults(answer) : [`error ${textAt(answer, "error")}`],
    isRejected: listAt(answer, "ratcheted").length > 0,
    isApplyRefused: textAt(answer, "apply") !== undefined,
  };
}

test("predicts for random changes of CRDs which writes of valid objects the API server refuses", async (t) => {
  const oracle = await findOracle();
  if (typeof oracle === "string") return t.skip(oracle);
  const folder = mkdtempSync(join(tmpdir(), "preflight-pairs-"));
  try {
    const random = createRandom(SEED * 104_729);
    const cases = (await generatePairs(random, oracle, folder)).flatMap((pair) => buildCases(pair, random));
    const ask = ({ pair: { before, after }, object }: Case, crd: "before" | "after") =>
      ({
        crd: { before, after }[crd].file,
        live: before.file,
        version: before.version.name,
        object,
        apply: true,
      }) as const;
    const answers = await oracle(cases.flatMap((one) => [ask(one, "before"), ask(one, "after")]));
    const judged = cases.flatMap((one, i) => {
      const [today, answer] = [answers[2 * i], answers[2 * i + 1]];
      // What the installed CRD refuses already is not the update's fault.
      const isFine =
        today &&
        [...listAt(today, "before"), ...listAt(today, "ratcheted")].length === 0 &&
        textAt(today, "apply") === undefined;
      return isFine && answer ? [{ one, ours: describeOurs(one.verdict), theirs: describeTheirs(answer) }] : [];
    });
    const count = (is: (effects: Effects) => boolean): number => judged.filter(({ theirs }) => is(theirs)).length;
    t.diagnostic(
      `${judged.length} objects that are valid before, ${count(({ faults }) => faults.length > 0)} changed, ${count(({ isRejected }) => isRejected)} rejected, ${count(({ isRejected, isApplyRefused }) => isApplyRefused && !isRejected)} refused by server-side apply alone, seed ${SEED}`,
    );
    const wrong = judged.filter(({ ours, theirs }) => format(ours) !== format(theirs));
    const texts = wrong.slice(0, MAX_REPORTED).map(({ one, ours, theirs }) => describe(one, ours, theirs));
    assert.equal(wrong.length, 0, texts.join("\n"));
    assert.ok(judged.length > PAIRS && count(({ isApplyRefused }) => isApplyRefused) > 0);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

function format(effects: Effects): string {
  return formatCanonicalJson(effects);
}

function describe({ pair: { before, after }, object }: Case, ours: Effects, theirs: Effects): string {
  const parts: readonly Json[] = [before.version.schema, after.version.schema, object];
  return [...parts.map((part) => formatCanonicalJson(part)), format(ours), format(theirs)].join("\n  ");
}
