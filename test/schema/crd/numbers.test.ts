import { strict as assert } from "node:assert";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type Json, type JsonNumber, type JsonObject, isObject, listAt, textAt } from "../../../src/model/json.ts";
import {
  type CompiledSchema,
  compileSchema,
  judgeDefinition,
  validateObject,
  validateUpdate,
} from "../../../src/schema/crd/index.ts";
import {
  findApplyDisagreement,
  findDisagreement,
  findUpdateDisagreement,
  sortUnique,
} from "../../../verify/differential/disagreement.ts";
import { ORACLE_MINOR, type Oracle, addServerMetadata, findOracle } from "../../../verify/differential/oracle.ts";
import { disagreement } from "../../../verify/schema/definition/compare.ts";
import { withTemporaryFolder } from "../../../verify/shared/temporary-folder.ts";
import { wrapSpec } from "../../../verify/schema/cel/cases.ts";
import {
  asSent,
  generateBoundaryList,
  generateBoundaryNumber,
  generateBoundarySchema,
} from "../../../verify/schema/random/boundary-numbers.ts";
import { type Random, createRandom } from "../../../verify/schema/random/random.ts";
import { hasAllCases } from "../../support/cases/sample.ts";
import { writeKinds } from "../../support/schema/differential/schema-kinds.ts";

// PREFLIGHT_NUMBERS=100 PREFLIGHT_SEED=7 node --test test/schema/crd/numbers.test.ts: thousands of verdicts for each hundred.
const ROUNDS = Number(process.env["PREFLIGHT_NUMBERS"] ?? (hasAllCases ? 3 : 1));
const SEED = Number(process.env["PREFLIGHT_SEED"] ?? 1);
const FIELDS = 40;
const OBJECTS = 50;

/** Expressions over a number; X is an integer at a limit, and F a double. */
const EXPRESSIONS = [
  ..."self < X|self >= X|self == X|self + X|self - X|self * X|-self|self / X|self % X|self in [X, F]".split("|"),
  ..."self < F|self == F|self + F|self * F|self / F|-X|X - self|F / self|self == Y || self > Y".split("|"),
  ..."string(self)|double(self)|int(self)|uint(self)|[self, X].max()|'%d'.format([self])|'%f'.format([self])".split(
    "|",
  ),
  ..."'%e'.format([self])|'%x'.format([self])|int(double(self))|uint(double(self))|int(uint(self))".split("|"),
  ..."double(self) == F|double(self) < F|string(double(self))|string(F)|int(F)|uint(F)|double(string(self))".split("|"),
  ..."{X: 1}[self]|{F: 1}[self]|self == int(self)|[self].sum() + X|quantity(string(self)).asInteger()".split("|"),
  ..."quantity(string(self)).compareTo(quantity(string(X)))|int(string(self)) == X|uint(string(X)) > self".split("|"),
  ..."type(self)|timestamp(self)|[[self]]|{'a': self}|[self, X].indexOf(X)|[self, self].isSorted()".split("|"),
];

type Kind = { readonly file: string; readonly compiled: CompiledSchema };
type Case = Kind & { readonly object: JsonObject };

test("agrees with the API server's packages on numbers at the limits of integers and floats", async (t) => {
  await compareAll(t, buildFields, (one, answer, unchanged) => {
    const object = addServerMetadata(one.object);
    const verdict = validateObject(one.compiled, object);
    return (
      findDisagreement(verdict, answer) ??
      findApplyDisagreement(verdict, answer) ??
      findUpdateDisagreement(validateUpdate(one.compiled, object), answer) ??
      findUpdateDisagreement(
        validateUpdate(one.compiled, object, (stored) => stored),
        unchanged,
        "errors",
      )
    );
  });
});

test("agrees with the API server's packages on what rules make of such numbers", async (t) => {
  await compareAll(t, buildRules, (one, answer) => {
    const { errors } = validateObject(one.compiled, addServerMetadata(one.object));
    const ours = sortUnique(errors.map(({ path, message }) => `${path} ${simplify(message)}`));
    const theirs = sortUnique(
      listAt(answer, "errors").map((error) => `${textAt(error, "field")} ${simplify(textAt(error, "detail") ?? "")}`),
    );
    return ours.join("\n") === theirs.join("\n")
      ? undefined
      : { ours: ours.filter((text) => !theirs.includes(text)), theirs: theirs.filter((text) => !ours.includes(text)) };
  });
});

test("agrees with the API server's packages on definitions with such limits and defaults", async (t) => {
  const oracle = await findOracle();
  if (typeof oracle === "string") return t.skip(oracle);
  await withTemporaryFolder("numbers", async (folder) => {
    const random = createRandom(SEED * 7_927);
    const definitions = Array.from({ length: ROUNDS * OBJECTS }, () => {
      const spec = { type: "object", properties: { f: buildLimited(random) } };
      return decodeObject(asSent(wrapSpec(spec)));
    });
    const questions = definitions.map((definition, i) => {
      const crd = join(folder, `${i}.json`);
      writeFileSync(crd, JSON.stringify(definition));
      return { crd, check: true, exact: true } as const;
    });
    const answers = await oracle(questions);
    const differences = definitions.flatMap((definition, i) => {
      const verdict = judgeDefinition(definition, undefined, ORACLE_MINOR);
      return disagreement(verdict, answers[i] ?? {}) ?? [];
    });
    assert.deepEqual(differences, []);
  });
});

function decodeObject(value: Json): JsonObject {
  return isObject(value) ? value : assert.fail();
}

/** A default, or a size that the cost of a rule follows from. */
function buildLimited(random: Random): JsonObject {
  const limit = generateBoundaryNumber(random);
  const rule = (text: string): JsonObject => ({ "x-kubernetes-validations": [{ rule: text }] });
  switch (random.below(4)) {
    case 0:
      return { type: "string", maxLength: limit, ...rule("self.contains(self) || self == 'a'") };
    case 1:
      return { type: "array", maxItems: limit, items: { type: "integer", ...rule("self > 1") } };
    case 2:
      return { type: "object", maxProperties: limit, additionalProperties: { type: "integer", ...rule("self > 1") } };
    default:
      return { ...generateBoundarySchema(random), default: generateBoundaryNumber(random) };
  }
}

/** The value of an expression, or its rule's own message where the expression fails. */
function simplify(message: string): string {
  return /(?:= .*|RULE)$/s.exec(message)?.[0] ?? message;
}

type Build = (random: Random) => readonly [spec: JsonObject, objects: readonly JsonObject[]];
type Compare = (one: Case, answer: JsonObject, unchanged: JsonObject) => object | undefined;

async function compareAll(
  t: { skip: (why: string) => void; diagnostic: (text: string) => void },
  build: Build,
  compare: Compare,
): Promise<void> {
  const oracle = await findOracle();
  if (typeof oracle === "string") return t.skip(oracle);
  await withTemporaryFolder("numbers", async (folder) => {
    const random = createRandom(SEED * 104_729);
    const cases = Array.from({ length: ROUNDS }, (_, i) => buildCases(build(random), join(folder, `${i}.json`))).flat();
    const differences = await findDifferences(cases, oracle, compare);
    t.diagnostic(`${cases.length} objects, seed ${SEED}`);
    assert.equal(differences.length, 0, differences.slice(0, 10).join("\n"));
  });
}

function buildCases([spec, specs]: ReturnType<Build>, file: string): readonly Case[] {
  const [kind] = writeKinds(asSent(wrapSpec(spec)), "numbers", file);
  const compiled = compileSchema(kind?.version.schema ?? "", { kubernetesMinor: ORACLE_MINOR });
  if (compiled.kind === "refused") return assert.fail(compiled.message);
  return specs.map((one) => ({
    file,
    compiled,
    object: { apiVersion: "example.com/v1", kind: "Thing", spec: asSent(one) },
  }));
}

async function findDifferences(cases: readonly Case[], oracle: Oracle, compare: Compare): Promise<readonly string[]> {
  const questions = cases.flatMap(({ file, object }) => {
    const question = { crd: file, version: "v1", object } as const;
    return [{ ...question, apply: true } as const, { ...question, old: object }];
  });
  const answers = await oracle(questions);
  return cases.flatMap((one, i) => {
    const found = compare(one, answers[2 * i] ?? {}, answers[2 * i + 1] ?? {});
    return found ? [JSON.stringify(found)] : [];
  });
}

/** Each object has few of the fields, so that its errors stay below their limit. */
function buildFields(random: Random): ReturnType<Build> {
  const fields = Array.from({ length: FIELDS }, () =>
    random.chance(0.15) ? generateBoundaryList(random) : ([generateBoundarySchema(random), undefined] as const),
  );
  const properties = Object.fromEntries(fields.map(([schema], i) => [`f${i}`, schema]));
  const build = (): JsonObject =>
    Object.fromEntries(
      fields.flatMap(([, value], i) =>
        random.chance(0.2) ? [[`f${i}`, value ?? generateBoundaryNumber(random)] as const] : [],
      ),
    );
  return [{ type: "object", properties }, Array.from({ length: OBJECTS }, build)];
}

function buildRules(random: Random): ReturnType<Build> {
  const fields = EXPRESSIONS.flatMap((text) =>
    ["integer", "number"].map((type) => ({ type, "x-kubernetes-validations": [buildRule(text, random)] })),
  );
  const properties = Object.fromEntries(fields.map((field, i) => [`f${i}`, field]));
  const build = (): JsonObject =>
    Object.fromEntries(
      fields.flatMap(({ type }, i) => {
        const value = type === "integer" ? pickInteger(random) : generateBoundaryNumber(random);
        return random.chance(0.5) ? [[`f${i}`, value] as const] : [];
      }),
    );
  return [{ type: "object", properties }, Array.from({ length: OBJECTS }, build)];
}

/** A rule that fails, so that its message tells the value. Without types, each operator decides as it runs. */
function buildRule(text: string, random: Random): JsonObject {
  const expression = text
    .replaceAll("self", "dyn(self)")
    .replaceAll(/[XY]/g, () => `dyn(${pickInteger(random)})`)
    .replaceAll("F", () => `dyn(${formatDouble(Number(generateBoundaryNumber(random)))})`);
  return { rule: "false", message: "RULE", messageExpression: `'= ' + '%s'.format([${expression}])` };
}

function pickInteger(random: Random): JsonNumber {
  const number = generateBoundaryNumber(random);
  return typeof number === "bigint" || Number.isSafeInteger(number) ? number : pickInteger(random);
}

function formatDouble(value: number): string {
  const text = String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}
