import { type Json, at, isList, isObject } from "../../../src/model/json.ts";
import type { Random } from "../random/random.ts";
import { choice } from "./choice.ts";
import { type Mutable, schemasIn } from "./schemas.ts";

type SpecMutation = (definition: Mutable, random: Random) => void;

function inside(definition: Mutable, ...path: readonly (string | number)[]): Mutable {
  const found = at(definition, ...path);
  return isObject(found) ? found : {};
}

function versionsOf(definition: Mutable): Mutable[] {
  const { versions } = inside(definition, "spec");
  return isList(versions) ? versions.filter(isObject) : [];
}

function setIn(path: readonly string[], field: string, values: readonly (Json | undefined)[]): SpecMutation {
  return (definition, random) => put(inside(definition, ...path), field, choice(random, values));
}

function put(object: Mutable, field: string, value: Json | undefined): void {
  if (value === undefined) delete object[field];
  else object[field] = structuredClone(value);
}

function setInVersion(field: string, values: readonly (Json | undefined)[]): SpecMutation {
  return (definition, random) => put(random.oneOf(versionsOf(definition)) ?? {}, field, choice(random, values));
}

const NAMES: readonly (Json | undefined)[] = [
  undefined,
  "",
  "A",
  "a",
  "a.b",
  "-a",
  "a-",
  "1a",
  "x".repeat(64),
  null,
  5,
];
const LABELS: readonly (Json | undefined)[] = [["a"], ["A"], [""], [1], "a", [], undefined, null];
const COLUMNS: readonly Json[] = [
  [{ name: "a", type: "string", jsonPath: ".a" }],
  [{ name: "", type: "string", jsonPath: ".a" }],
  [{ name: "a", type: "text", jsonPath: ".a" }],
  [{ name: "a", type: "date", format: "date", jsonPath: "a" }],
  [{ name: "a", type: "date", format: "nope", jsonPath: ".a", priority: 1 }],
  [{ name: "a", type: "integer" }],
  [{ name: "a", type: "integer", jsonPath: ".", priority: "1" }],
  null,
];
const SUBRESOURCES: readonly (Json | undefined)[] = [
  undefined,
  {},
  { status: {} },
  { status: null },
  { scale: {} },
  { scale: { specReplicasPath: ".spec.a", statusReplicasPath: ".status.a" } },
  { scale: { specReplicasPath: ".spec.a", statusReplicasPath: ".status.a", labelSelectorPath: ".a" } },
  { scale: { specReplicasPath: "spec.a", statusReplicasPath: ".spec.a", labelSelectorPath: ".status.b" } },
];
const CONVERSIONS: readonly (Json | undefined)[] = [
  undefined,
  { strategy: "None" },
  { strategy: "" },
  { strategy: "Nope" },
  { strategy: "None", webhook: { conversionReviewVersions: ["v1"] } },
  { strategy: "Webhook" },
  { strategy: "Webhook", webhook: { clientConfig: { url: "https://a.b/c" }, conversionReviewVersions: ["v1"] } },
  { strategy: "Webhook", webhook: { clientConfig: { url: "http://a.b/c" }, conversionReviewVersions: ["v1"] } },
  { strategy: "Webhook", webhook: { clientConfig: { url: "https://a.b/c?d" }, conversionReviewVersions: ["v2"] } },
  { strategy: "Webhook", webhook: { clientConfig: {}, conversionReviewVersions: ["v1", "v1"] } },
  {
    strategy: "Webhook",
    webhook: {
      clientConfig: { service: { name: "a", namespace: "b", path: "/c", port: 443 } },
      conversionReviewVersions: ["v1"],
    },
  },
  {
    strategy: "Webhook",
    webhook: { clientConfig: { service: { name: "", port: 70_000, path: "c//d" } }, conversionReviewVersions: ["V1"] },
  },
];
const METADATA: readonly (readonly [string, Json | undefined])[] = [
  ["name", "other.example.com"],
  ["name", undefined],
  ["labels", { a: "b" }],
  ["labels", { "?": "b" }],
  ["annotations", { "a b": "c" }],
  ["annotations", {}],
  ["annotations", { "api-approved.kubernetes.io": "unapproved, testing" }],
  ["annotations", { "api-approved.kubernetes.io": "https://github.com/a/b/pull/1" }],
  ["annotations", { "api-approved.kubernetes.io": "yes" }],
  ["finalizers", ["a b"]],
  ["ownerReferences", [{}]],
];

/** Paths of selectable fields in the version's own schema. */
const selectable: SpecMutation = (definition, random) => {
  const paths = schemasIn(definition)
    .slice(0, 1)
    .flatMap(({ schema }) => pathsOf({ ...schema }, 4));
  const count = random.below(11);
  const fields = Array.from({ length: count }, () => ({
    jsonPath: random.chance(0.9)
      ? (random.oneOf(paths) ?? "")
      : choice(random, ["", ".", "a", ".a..b", ".metadata.name", ".spec['a']", ".spec"]),
  }));
  put(random.oneOf(versionsOf(definition)) ?? {}, "selectableFields", fields);
};

function pathsOf(schema: Mutable, depth: number): string[] {
  const { properties, type } = schema;
  if (type !== "object") return [""];
  if (depth === 0 || !isObject(properties)) return [];
  return Object.entries(properties).flatMap(([name, child]) =>
    isObject(child) ? pathsOf({ ...child }, depth - 1).map((path) => `.${name}${path}`) : [],
  );
}

const anotherVersion: SpecMutation = (definition, random) => {
  const versions = versionsOf(definition);
  const next = structuredClone(random.oneOf(versions) ?? {});
  put(next, "name", choice(random, ["v9", "v9", "v9", "", "V9", next["name"]]));
  put(next, "storage", random.chance(0.2));
  const spec = inside(definition, "spec");
  put(spec, "versions", random.chance(0.5) ? [...versions, next] : [next, ...versions]);
};

export const SPEC_MUTATIONS: readonly SpecMutation[] = [
  ...["plural", "singular", "kind", "listKind"].map((field) => setIn(["spec", "names"], field, NAMES)),
  ...["shortNames", "categories"].map((field) => setIn(["spec", "names"], field, LABELS)),
  setIn(["spec"], "group", [...NAMES, "a.k8s.io"]),
  setIn(["spec"], "scope", ["Cluster", "Namespaced", "", "Nope", undefined, 1]),
  setIn(["spec"], "conversion", CONVERSIONS),
  setIn(["spec"], "preserveUnknownFields", [true, false, undefined, "yes"]),
  setIn(["spec"], "versions", [[], undefined, null, [{}], {}]),
  setInVersion("name", [...NAMES, "v1", "v2"]),
  setInVersion("storage", [true, false, undefined, "yes"]),
  setInVersion("served", [true, false, undefined]),
  setInVersion("deprecationWarning", ["a", "", "x".repeat(257), "a\nb", "\u200b", "é", "\u00a0", undefined]),
  setInVersion("deprecated", [true, false]),
  setInVersion("schema", [
    undefined,
    {},
    null,
    { openAPIV3Schema: null },
    { openAPIV3Schema: {} },
    { openAPIV3Schema: { type: "object" } },
  ]),
  setInVersion("subresources", SUBRESOURCES),
  setInVersion("additionalPrinterColumns", COLUMNS),
  selectable,
  selectable,
  anotherVersion,
  anotherVersion,
  (definition, random) => {
    const [field, value] = choice(random, METADATA);
    put(inside(definition, "metadata"), field, value);
  },
  (definition, random) => {
    const version = random.oneOf(versionsOf(definition)) ?? {};
    put(version, "deprecated", true);
    put(version, "deprecationWarning", choice(random, ["use v2", "x".repeat(256), "é\t", "日本語", "a\u0000"]));
  },
];
