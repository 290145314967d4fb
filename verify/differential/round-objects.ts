import { type Json, type JsonObject, formatCanonicalJson, isList, isObject } from "../../src/model/json.ts";
import { type CompiledSchema, compileSchema, validateObject } from "../../src/schema/crd/index.ts";
import { generate } from "../schema/random/object-generator.ts";
import { ORACLE_MINOR } from "./oracle.ts";
import type { Random } from "../schema/random/random.ts";
import type { RoundVersion } from "./round.ts";

const TRIES = 4;
const REPAIRS = 4;
const COMPILED = new WeakMap<JsonObject, CompiledSchema | "refused">();

function compile(schema: JsonObject): CompiledSchema | undefined {
  const known = COMPILED.get(schema) ?? compileSchema(formatCanonicalJson(schema), { kubernetesMinor: ORACLE_MINOR });
  const result = known === "refused" || known.kind === "refused" ? "refused" : known;
  COMPILED.set(schema, result);
  return result === "refused" ? undefined : result;
}

const METADATA: readonly [JsonObject, ...JsonObject[]] = [
  {},
  {},
  {},
  {},
  { labels: { a: "b" } },
  { annotations: { "example.com/a": "b c" } },
  { labels: { "app.kubernetes.io/name": "x" }, annotations: {} },
];

/** An object that our engine takes for valid, or one with faults that it need not see. */
export function generateStoredObject({ apiVersion, kind, schema }: RoundVersion, random: Random): JsonObject {
  const compiled = compile(schema);
  const metadata = random.pick(METADATA);
  const build = (faultRate: number): JsonObject => ({
    ...generate(schema, apiVersion, kind, random, faultRate),
    metadata: { name: "o1", ...metadata },
  });
  if (compiled === undefined || random.chance(0.3)) return build(random.pick([0, 0.01, 0.03, 0.1]));
  for (let i = 1; ; i++) {
    const plain = build(0);
    const object = { ...repair(compiled, plain), apiVersion, kind, metadata: plain["metadata"] ?? {} };
    if (i === TRIES || validateObject(compiled, object).errors.length === 0) return object;
  }
}

/** Without what our engine refuses. */
function repair(compiled: CompiledSchema, object: JsonObject): JsonObject {
  let current = object;
  for (let i = 0; i < REPAIRS; i++) {
    const paths = validateObject(compiled, current).errors.map(({ path }) => path);
    if (paths.length === 0) return current;
    const next = paths.reduce<Json>(remove, current);
    if (!isObject(next)) return current;
    current = next;
  }
  return current;
}

/** Without the value at a path as the API server writes it, or, if there is none, what should contain it. */
function remove(value: Json, path: string): Json {
  if (isObject(value)) {
    const key = Object.keys(value).find((name) => startsWith(path, name));
    if (key === undefined) return value;
    const rest = path.slice(getLength(path, key));
    const inner = value[key] ?? null;
    if (rest !== "" && hasStep(inner, rest)) return { ...value, [key]: remove(inner, rest) };
    return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
  }
  const [text = "", index = ""] = /^\.?\[(\d+)\]/.exec(path) ?? [];
  if (!isList(value) || text === "" || !(Number(index) in value)) return value;
  const i = Number(index);
  const rest = path.slice(text.length);
  const inner = value[i] ?? null;
  return rest !== "" && hasStep(inner, rest) ? value.with(i, remove(inner, rest)) : value.toSpliced(i, 1);
}

function startsWith(path: string, key: string): boolean {
  return getLength(path, key) > 0;
}

/** How much of the path names the key: "a", ".a" or "[a]". 0 if it begins with another one. */
function getLength(path: string, key: string): number {
  const forms = [`[${key}]`, `.${key}`, key];
  const form = forms.find((one) => path.startsWith(one) && /^(?:[.[]|$)/.test(path.slice(one.length)));
  return form?.length ?? 0;
}

function hasStep(value: Json, rest: string): boolean {
  if (isObject(value)) return Object.keys(value).some((name) => startsWith(rest, name));
  const [, index] = /^\.?\[(\d+)\]/.exec(rest) ?? [];
  return isList(value) && index !== undefined && Number(index) in value;
}
