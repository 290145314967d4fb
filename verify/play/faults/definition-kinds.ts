import { type JsonObject, objectAt, textAt, textsAt } from "../../../src/model/json.ts";
import type { Random } from "../../schema/random/random.ts";
import type { Backend } from "./backend.ts";
import { repeat } from "./objects.ts";

/** The group of the definitions that faults plant. */
export const GROUP = "faults.play.example.com";

/** A definition before and after the update, and what its clients do in the meantime. */
export type Definition = {
  readonly before: JsonObject;
  /** Undefined if the update deletes it. */
  readonly after: JsonObject | undefined;
  /** The version in which each object is written. */
  readonly objects: readonly string[];
  /** Versions that the cluster counts requests for, by a client that needs them. */
  readonly counted: readonly string[];
  /** What status.storedVersions lists before the update, if not what the API server writes there. */
  readonly stored?: readonly string[];
};

export type ConversionServices = {
  readonly backend: Backend;
  readonly ready: string;
  readonly down: string;
  readonly namespace: string;
};

/** The parts of a definition that a kind changes. */
type Shape = {
  readonly versions: readonly JsonObject[];
  readonly names?: JsonObject;
  readonly scope?: string;
  readonly conversion?: JsonObject;
};

type Change = {
  readonly before: Shape;
  readonly after: Shape | undefined;
  readonly objects?: readonly string[];
  readonly counted?: readonly string[];
  readonly stored?: readonly string[];
};

const TEXT: JsonObject = { type: "string" };

function buildVersion(name: string, flags: JsonObject = {}, field: JsonObject = TEXT): JsonObject {
  const spec = { type: "object", properties: { field, replicas: { type: "integer" } } };
  const status = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  const schema = { openAPIV3Schema: { type: "object", properties: { spec, status } } };
  return { name, served: true, storage: true, schema, ...flags };
}

const SERVED = { storage: false };
const OFF = { storage: false, served: false };
const STATUS = { status: {} };
const SCALE = { scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" } };
const ONE: Shape = { versions: [buildVersion("v1")] };
const TWO: Shape = { versions: [buildVersion("v1"), buildVersion("v1beta1", SERVED)] };
const UNSERVED: Shape = { versions: [buildVersion("v1"), buildVersion("v1beta1", OFF)] };

function ofVersion(version: JsonObject): Shape {
  return { versions: [version] };
}

function withSubresources(subresources: JsonObject): Shape {
  return ofVersion(buildVersion("v1", { subresources }));
}

function withWebhook({ backend, namespace }: ConversionServices, name: string, shape: Shape): Shape {
  const service = { namespace, name, port: backend.port, path: "/convert" };
  const clientConfig = { caBundle: backend.caBundle, service };
  return { ...shape, conversion: { strategy: "Webhook", webhook: { conversionReviewVersions: ["v1"], clientConfig } } };
}

/** Others than those of every other definition, which would keep them. */
function buildOtherNames(random: Random): JsonObject {
  const number = random.below(1_000_000);
  return random.pick<JsonObject>([{ listKind: `Others${number}` }, { singular: `other${number}` }]);
}

/** What harms: each is planted once or twice. */
const HARMFUL: readonly ((random: Random, services: ConversionServices) => Change)[] = [
  (random) => {
    const faulty = random.pick<JsonObject>([{ type: "string", pattern: "(" }, { type: "text" }, { type: "array" }]);
    return { before: ONE, after: ofVersion(buildVersion("v1", {}, faulty)) };
  },
  (random) => ({ before: ONE, after: ofVersion(buildVersion("v1", {}, { ...TEXT, default: random.below(9) })) }),
  () => ({ before: TWO, after: ONE, objects: ["v1"], stored: ["v1beta1", "v1"] }),
  () => ({ before: ONE, after: { ...ONE, scope: "Cluster" } }),
  () => ({ before: ONE, after: { ...ONE, names: { kind: "Other" } } }),
  (random) => ({ before: TWO, after: random.pick([ONE, UNSERVED]), objects: ["v1beta1", "v1", "v1beta1"] }),
  () => ({ before: TWO, after: UNSERVED, counted: ["v1beta1"] }),
  (random) => ({
    before: ONE,
    after: { ...ONE, names: buildOtherNames(random) },
  }),
  (random) => ({
    before: withSubresources({ ...STATUS, ...SCALE }),
    after: random.pick([withSubresources(STATUS), withSubresources(SCALE), ONE]),
    objects: ["v1"],
  }),
  (_, services) => ({ before: TWO, after: withWebhook(services, services.down, TWO), objects: ["v1", "v1"] }),
  () => ({ before: ONE, after: undefined, objects: ["v1", "v1"] }),
];

/** What looks like harm and does none. */
const HARMLESS: readonly ((random: Random, services: ConversionServices) => Change)[] = [
  () => ({ before: ONE, after: ONE, objects: ["v1"] }),
  () => ({ before: ONE, after: TWO, objects: ["v1"] }),
  () => ({ before: TWO, after: ONE, objects: ["v1"] }),
  () => ({ before: TWO, after: UNSERVED, objects: ["v1"] }),
  () => ({
    before: TWO,
    after: { versions: [buildVersion("v1", SERVED), buildVersion("v1beta1")] },
    objects: ["v1beta1"],
  }),
  () => ({ before: ONE, after: { ...ONE, names: { shortNames: ["oth"], categories: ["all"] } }, objects: ["v1"] }),
  () => ({ before: ONE, after: withSubresources({ ...STATUS, ...SCALE }), objects: ["v1"] }),
  (_, services) => ({ before: TWO, after: withWebhook(services, services.ready, TWO), objects: ["v1", "v1beta1"] }),
  (_, services) => ({ before: ONE, after: withWebhook(services, services.down, ONE), objects: ["v1"] }),
  () => ({ before: ONE, after: undefined }),
];

export function buildDefinitions(random: Random, services: ConversionServices): readonly Definition[] {
  return repeat(random, [...HARMFUL, ...HARMLESS]).map((build, i) => {
    const { before, after, objects = [], counted = [], ...more } = build(random, services);
    const definition = { before: buildDefinition(i, before), after: after && buildDefinition(i, after) };
    return { ...definition, objects, counted, ...more };
  });
}

const INCLUDED = { "include.release.openshift.io/self-managed-high-availability": "true" };

/** Names that no other definition has: the API server takes each only once. */
function numberNames(names: JsonObject, i: number): JsonObject {
  const shortNames = textsAt(names, "shortNames").map((name) => `${name}${i}`);
  const own = Object.keys(names).flatMap((key) => {
    const name = textAt(names, key);
    return name === undefined ? [] : [[key, `${name}${i}`]];
  });
  return { ...names, ...Object.fromEntries(own), ...(shortNames.length > 0 ? { shortNames } : {}) };
}

function buildDefinition(i: number, { versions, names = {}, scope = "Namespaced", conversion }: Shape): JsonObject {
  const own = { plural: `fault${i}s`, singular: `fault${i}`, kind: `Fault${i}`, listKind: `Fault${i}List` };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${own.plural}.${GROUP}`, annotations: INCLUDED },
    spec: {
      group: GROUP,
      scope,
      names: { ...own, ...numberNames(names, i) },
      versions,
      ...(conversion ? { conversion } : {}),
    },
  };
}

/** The manifest with which the target deletes a definition. */
export function buildDeletion(crd: JsonObject): JsonObject {
  const annotations = { ...INCLUDED, "release.openshift.io/delete": "true" };
  return { ...crd, metadata: { ...objectAt(crd, "metadata"), annotations } };
}
