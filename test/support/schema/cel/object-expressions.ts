import { type Json, type JsonObject, isList, isObject } from "../../../../src/model/json.ts";
import { FORMS, LITERALS, SORTS, type Sort } from "./expression-forms.ts";
import type { Random } from "../../../../verify/schema/random/random.ts";

type Scope = { readonly object: JsonObject; readonly variables: readonly string[]; readonly random: Random };

/** An expression over `object`; most can be compiled, and many fail for this object. */
export function writeExpression(object: JsonObject, random: Random): string {
  return write(random.pick(WANTED), 1 + random.below(3), { object, variables: [], random });
}

const WANTED = ["bool", "bool", ...SORTS] as const;

/** "{list:x}" is an expression of a sort, in which the variable x may be used. */
const HOLE = /\{(bool|int|double|string|list|map|any)(?::(\w+))?(?:,(\w+))?\}/g;

function write(sort: Sort, depth: number, scope: Scope): string {
  const { random } = scope;
  if (depth <= 0 || random.chance(0.1)) return writeLeaf(sort, scope);
  const form = random.oneOf(FORMS[random.chance(0.015) ? random.pick(SORTS) : sort]) ?? "null";
  return form.replaceAll(HOLE, (_, inner: string, ...names: readonly unknown[]) => {
    const variables = names.slice(0, 2).filter((name) => typeof name === "string");
    return write(toSort(inner), depth - 1, { ...scope, variables: [...scope.variables, ...variables] });
  });
}

function toSort(text: string): Sort {
  return SORTS.find((sort) => sort === text) ?? "any";
}

function writeLeaf(sort: Sort, scope: Scope): string {
  const { random, variables } = scope;
  const variable = random.oneOf(variables);
  if (variable !== undefined && random.chance(0.5))
    return random.chance(0.25) ? `${variable}.${random.pick(NAMES)}` : variable;
  return random.chance(0.8) ? writePath(sort, scope) : (random.oneOf(LITERALS[sort]) ?? "null");
}

/** A path to a value of the sort, or at times to any other or none. */
function writePath(sort: Sort, { object, random }: Scope): string {
  const roots = ["spec", "data"].filter((name) => isObject(object[name]));
  const paths = [
    ...roots.flatMap((name) => listPaths(`object.${name}`, object[name] ?? null)),
    ...listPaths(
      "object.metadata.labels",
      isObject(object["metadata"]) ? (object["metadata"]["labels"] ?? null) : null,
    ),
  ];
  const fitting = random.chance(0.05) ? paths : paths.filter(({ value }) => sort === "any" || getSort(value) === sort);
  const { text } = random.oneOf(fitting) ?? { text: "object.spec" };
  const kind = random.below(40);
  if (kind === 0) return `${text}.${random.pick(NAMES)}`;
  if (kind === 1) return `${text}.?${random.pick(NAMES)}`;
  if (kind === 2) return `${text}[?${random.pick(["'a'", "0", "'if'", "1u", "1.0", "true"])}]`;
  if (kind === 3) return text.replace(/^object\./, "object.?");
  return text;
}

type Path = { readonly text: string; readonly value: Json };

function listPaths(text: string, value: Json): readonly Path[] {
  const inner = isList(value)
    ? value.flatMap((item, i) => listPaths(`${text}[${i}]`, item))
    : isObject(value)
      ? Object.entries(value).flatMap(([name, member]) => listPaths(`${text}${writeMember(name)}`, member))
      : [];
  return [{ text, value }, ...inner];
}

function writeMember(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) && !["in", "true", "false", "null"].includes(name)
    ? `.${name}`
    : `[${JSON.stringify(name)}]`;
}

function getSort(value: Json): Sort {
  if (typeof value === "boolean") return "bool";
  if (typeof value === "number") return Number.isInteger(value) ? "int" : "double";
  if (typeof value === "string") return "string";
  return value === null ? "any" : isList(value) ? "list" : "map";
}

const NAMES = ["a", "b", "name", "if", "namespace", "missing", "type", "status", "size"] as const;

/** None has control characters: the API server sends no warning whose text has one. */
const TEXTS = [
  "",
  "a",
  "b",
  "a,b,c",
  "ab",
  "True",
  "true",
  "10Gi",
  "500m",
  "1.5",
  "12",
  "-3",
  "0x1f",
  "1.2.3",
  "v4.20.1",
  "4.20",
  "2024-02-29T12:30:45.5Z",
  "2023-12-31T23:59:59+02:00",
  "90s",
  "1h30m",
  "10.0.0.1",
  "fd00::1",
  "10.0.0.0/8",
  "https://u@h.example:8443/p?q=1&q=2",
  "héllo 😀",
  'a b "c"\\',
  "%d",
  "(",
  "[a-z]+",
  "AWS",
  "my-name",
  "\u2028",
  "NaN",
  "1e3",
  "9223372036854775808",
] as const;
const KEYS = [
  "a",
  "b",
  "name",
  "if",
  "namespace",
  "type",
  "status",
  "size",
  "in",
  "a-b",
  "app.kubernetes.io/name",
  "",
  "1",
  "ü",
  "__x__",
  "Name",
  "true",
] as const;

/** A custom resource with any values, or at times a ConfigMap. */
export function generateObject(random: Random): JsonObject {
  const metadata: JsonObject = { name: "x", labels: { a: "b", "app.kubernetes.io/name": "x" } };
  if (random.chance(0.2)) {
    const keys = ["a", "b", "name", "a-b", "config.json"].filter(() => random.chance(0.7));
    const data = Object.fromEntries(keys.map((key) => [key, random.pick(TEXTS)]));
    return { apiVersion: "v1", kind: "ConfigMap", metadata, data: { ...data, last: "z" } };
  }
  return {
    apiVersion: "cel.example.com/v1",
    kind: "Thing",
    metadata,
    spec: { ...generateMap(3, random), ...WORKLOAD },
  };
}

/** What every object has, so that longer paths are frequent. */
const WORKLOAD: JsonObject = {
  replicas: 3,
  ratio: 0.25,
  paused: false,
  selector: { matchLabels: { a: "b" } },
  conditions: [
    { type: "Available", status: "True", lastTransitionTime: "2024-05-06T07:08:09Z" },
    { type: "Degraded", status: "False", reason: null },
  ],
  containers: [
    { name: "a", image: "quay.io/x/y:v1.2.3", ports: [80, 443], resources: { limits: { cpu: "500m", memory: "1Gi" } } },
    { name: "b", image: "z@sha256:abc", ports: [], env: [{ name: "A", value: "1" }, { name: "B" }] },
  ],
};

function generateMap(depth: number, random: Random): JsonObject {
  const keys = KEYS.filter(() => random.chance(0.25));
  return Object.fromEntries(keys.map((key) => [key, generateValue(depth - 1, random)]));
}

function generateValue(depth: number, random: Random): Json {
  switch (random.below(depth <= 0 ? 6 : 10)) {
    case 0:
      return null;
    case 1:
      return random.chance(0.5);
    case 2:
      return random.pick([0, 1, -1, 2, 7, 80, 65_536, 2 ** 31, -(2 ** 40), 2 ** 53 - 1]);
    case 3:
      return random.pick([0.5, -2.25, 1e300, 0.1, 1e-7, 1.5e10 + 0.5, 123_456_789.125]);
    case 4:
    case 5:
      return random.pick(TEXTS);
    case 6:
      return Array.from({ length: random.below(4) }, () => generateValue(depth - 1, random));
    case 7:
      return Array.from({ length: random.below(4) }, () => random.pick(TEXTS));
    default:
      return generateMap(depth, random);
  }
}
