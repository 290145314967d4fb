import { strict as assert } from "node:assert";
import { test } from "node:test";
import type { JsonObject } from "../../src/model/json.ts";
import {
  API_SERVER_MACROS,
  DYN,
  type Declarations,
  type Evaluation,
  compileObjectExpression,
  evaluateExpression,
  API_SERVER_FUNCTIONS,
  jsonToValue,
  type CelValue,
} from "../../src/schema/cel/index.ts";
import { type AdminApi, connectAdminApi } from "../../verify/api-server/admin-api.ts";
import { noControlPlane, startKubernetes } from "../../verify/api-server/control-plane.ts";
import {
  compileOnServer,
  createPolicies,
  createThings,
  labelObject,
  testObject,
} from "../support/schema/cel/admission-policy.ts";
import { generateObject, writeExpression } from "../support/schema/cel/object-expressions.ts";
import { buildValueTest, reverseMaps } from "../support/schema/cel/value-test.ts";
import { type Random, createRandom } from "../../verify/schema/random/random.ts";

// PREFLIGHT_POLICY_PAIRS=5000 PREFLIGHT_SEED=7 node --test test/integration/admission-policy.test.ts
const PAIRS = Number(process.env["PREFLIGHT_POLICY_PAIRS"] ?? 300);
const SEED = Number(process.env["PREFLIGHT_SEED"] ?? 1);
/** So many warnings of 256 characters fit into a response. */
const PAIRS_OF_OBJECT = 15;

const DECLARED: Declarations = {
  variables: [["object", DYN]],
  functions: API_SERVER_FUNCTIONS,
  macros: API_SERVER_MACROS,
};

/** `value` or else `why`. What preflight can't evaluate is `unsupported`, and never the same. */
type Pair = {
  readonly expression: string;
  readonly expected: "value" | "error" | "fault" | "unsupported";
  readonly value?: CelValue;
  readonly why?: string;
};
type ObjectPairs = { readonly object: JsonObject; readonly pairs: readonly Pair[] };

test(
  "finds for every pair of expression and object what the API server finds under a policy",
  {
    skip: noControlPlane,
  },
  async (t) => {
    const random = createRandom(SEED);
    const written = Array.from({ length: Math.ceil(PAIRS / PAIRS_OF_OBJECT) }, (_, i) => generatePairs(i, random));
    const groups = [...written, listNullPairs(written.length)];
    const cluster = await startKubernetes();
    t.after(cluster.down);
    const api = await connectAdminApi(cluster);
    t.after(api.close);
    await createThings(api);
    const pairs = groups.flatMap((group) => group.pairs);
    const refused = await findRefused(api, pairs);
    const differences = [...compareFaults(pairs, refused), ...(await compareValues(api, groups, refused))];
    const count = (kind: Pair["expected"]): number => pairs.filter(({ expected }) => expected === kind).length;
    t.diagnostic(
      `${pairs.length} pairs, of which ${count("value")} values, ${count("error")} errors and ${count("fault")} refused; ${differences.length} differ; seed ${SEED}`,
    );
    assert.deepEqual(differences, []);
    assert.ok(count("value") > pairs.length / 3 && count("error") > pairs.length / 20 && count("fault") > 0);
  },
);

function generatePairs(i: number, random: Random): ObjectPairs {
  const object = labelObject(generateObject(random), i);
  const pairs: Pair[] = [];
  while (pairs.length < PAIRS_OF_OBJECT) {
    const pair = buildPair(writeExpression(object, random), object);
    if (pair) pairs.push(pair);
  }
  return { object, pairs };
}

/** A policy sees a member that is null. For checks it is absent: see docs/design/decisions/data-checks.md. */
function listNullPairs(i: number): ObjectPairs {
  const thing = { apiVersion: "cel.example.com/v1", kind: "Thing", metadata: { name: "null" }, spec: { a: null } };
  const pairs: readonly Pair[] = [
    { expression: "has(object.spec.a)", expected: "value", value: true },
    { expression: "object.spec.a == null", expected: "value", value: true },
    { expression: "object.?spec.?a.hasValue()", expected: "value", value: true },
    { expression: "object.?spec.?a.orValue('b')", expected: "value", value: null },
    { expression: "object.?spec.?a.orValue(1) > 0", expected: "error" },
  ];
  return { object: labelObject(thing, i), pairs };
}

/** Undefined if the value depends on the order of a map, which is random in the API server. */
function buildPair(expression: string, object: JsonObject): Pair | undefined {
  const compiled = compileObjectExpression(expression, DECLARED);
  if (compiled.kind === "fault")
    return { expression, expected: compiled.isUndecided ? "unsupported" : "fault", why: compiled.message };
  const value = jsonToValue(object);
  const [pair, reversed] = [value, reverseMaps(value)].map((one) =>
    describe(expression, evaluateExpression(compiled, [one])),
  );
  return pair && reversed && formatValue(pair) === formatValue(reversed) ? pair : undefined;
}

function formatValue({ value }: Pair): string | undefined {
  return value === undefined ? undefined : buildValueTest("it", value);
}

function describe(expression: string, evaluation: Evaluation): Pair {
  if (evaluation.kind === "value") return { expression, expected: "value", value: evaluation.value };
  return { expression, expected: evaluation.kind === "error" ? "error" : "unsupported", why: evaluation.text };
}

const COMPILED_AT_ONCE = 200;

/** Why the API server refuses expressions. */
async function findRefused(api: AdminApi, pairs: readonly Pair[]): Promise<ReadonlyMap<Pair, string>> {
  const refused: (readonly [Pair, string])[] = [];
  for (let from = 0; from < pairs.length; from += COMPILED_AT_ONCE) {
    const batch = pairs.slice(from, from + COMPILED_AT_ONCE);
    const reasons = await compileOnServer(
      api,
      batch.map(({ expression }) => expression),
    );
    refused.push(...batch.flatMap((pair, i) => (reasons.has(i) ? [[pair, reasons.get(i) ?? ""] as const] : [])));
  }
  return new Map(refused);
}

/** The expressions that only one side refuses. */
function compareFaults(pairs: readonly Pair[], refused: ReadonlyMap<Pair, string>): readonly string[] {
  return pairs
    .filter((pair) => (pair.expected === "fault") !== refused.has(pair))
    .map((pair) => `${pair.expression}: ${refused.get(pair) ?? "accepted"}, not ${pair.why ?? pair.expected}`);
}

/** The expressions with another value, or with a value on one side only. */
async function compareValues(
  api: AdminApi,
  groups: readonly ObjectPairs[],
  refused: ReadonlyMap<Pair, string>,
): Promise<readonly string[]> {
  const evaluated = groups.map(({ object, pairs }) => ({
    object,
    tests: pairs.filter((pair) => pair.expected !== "fault" && !refused.has(pair)),
  }));
  await createPolicies(api, evaluated);
  const differences: string[] = [];
  for (const group of evaluated) differences.push(...(await compareObject(api, group)));
  return differences;
}

const ATTEMPTS = 10;

/** The API server visits maps in a random order, so that some of its answers vary: one of them must be ours. */
async function compareObject(
  api: AdminApi,
  { object, tests }: { readonly object: JsonObject; readonly tests: readonly Pair[] },
): Promise<readonly string[]> {
  let differing = tests.map((pair, k) => ({ pair, k, theirs: "" }));
  for (let attempt = 0; attempt < ATTEMPTS && differing.length > 0; attempt++) {
    const answers = await testObject(api, object);
    differing = differing
      .map(({ pair, k }) => ({ pair, k, theirs: answers.get(k) ?? "a value" }))
      .filter(({ pair, k }) => !isSame(pair, answers.get(k)));
  }
  return differing.map(
    ({ pair, theirs }) =>
      `${pair.expression}: ${theirs}, not ${formatValue(pair) ?? pair.why ?? ""}\n  ${JSON.stringify(object)}`,
  );
}

function isSame({ expected }: Pair, answer: string | undefined): boolean {
  return expected === "value"
    ? answer === undefined
    : expected === "error" && answer !== undefined && answer.includes(" resulted in error: ");
}
