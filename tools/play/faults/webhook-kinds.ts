import type { JsonObject } from "../../../src/model/json.ts";
import type { Random } from "../../../test/support/schema/differential/random.ts";
import { repeat } from "./objects.ts";

/** What a webhook's configuration leads to. */
export type HookBackend = "ready" | "unready" | "empty" | "no port" | "no service" | "no namespace";

/** A webhook over a namespace of its own. */
export type Hook = {
  readonly backend: HookBackend;
  readonly isMutating: boolean;
  /** Whether its namespace is one of the platform, where operators write. */
  readonly isPlatform: boolean;
  /** Of the configuration: its rules, and what differs from the defaults. */
  readonly fields: JsonObject;
};

type HookParts = Partial<Omit<Hook, "fields" | "isMutating">>;

/** Some of each kind, in a fixed order: those that refuse an update's requests, and those that only seem to. */
export function buildHooks(random: Random): readonly Hook[] {
  return repeat(random, [...REFUSING, ...HARMLESS]).map((build) => build(random));
}

function buildHook(random: Random, rule: JsonObject, parts: HookParts = {}, more: JsonObject = {}): Hook {
  const backend = random.pick<HookBackend>(["unready", "empty", "no port", "no service", "no namespace"]);
  const defaults = { operations: ["*"], apiGroups: [""], apiVersions: ["v1"], resources: ["pods"] };
  const fields = { rules: [{ ...defaults, ...rule }], ...more };
  return { backend, isMutating: random.chance(0.5), isPlatform: random.chance(0.5), ...parts, fields };
}

const OPERATORS_WRITE: readonly [JsonObject, ...JsonObject[]] = [
  { apiGroups: [""], resources: ["configmaps", "secrets"] },
  { apiGroups: ["apps"], resources: ["deployments"] },
  { apiGroups: ["rbac.authorization.k8s.io"], resources: ["roles"] },
  { apiGroups: ["coordination.k8s.io"], resources: ["*"] },
  { apiGroups: ["policy", "networking.k8s.io"], resources: ["*/*"] },
];

const REFUSING: readonly ((random: Random) => Hook)[] = [
  (random) => buildHook(random, { operations: ["CREATE"] }),
  (random) => buildHook(random, { apiVersions: ["*"], resources: [random.pick(["*", "*/*"])] }),
  (random) => buildHook(random, { operations: ["CREATE"], resources: ["pods/eviction"] }),
  (random) => buildHook(random, { operations: ["CREATE"], resources: [random.pick(["pods/binding", "pods/*"])] }),
  (random) => buildHook(random, { operations: [random.pick(["UPDATE", "DELETE"])], scope: "Namespaced" }),
  (random) => {
    const rule = { ...random.pick(OPERATORS_WRITE), operations: ["CREATE", "UPDATE"] };
    return buildHook(random, rule, { isPlatform: true });
  },
];

const HARMLESS: readonly ((random: Random) => Hook)[] = [
  (random) => buildHook(random, {}, {}, { failurePolicy: "Ignore" }),
  (random) => buildHook(random, {}, { backend: "ready" }),
  (random) => buildHook(random, {}, {}, { namespaceSelector: { matchLabels: { "play.example.com/none": "true" } } }),
  (random) => buildHook(random, {}, {}, { objectSelector: { matchLabels: { "play.example.com/none": "true" } } }),
  (random) => buildHook(random, { resources: ["configmaps"] }, { isPlatform: false }),
  (random) => buildHook(random, { resources: ["configmaps"], operations: ["DELETE"] }, { isPlatform: true }),
  (random) => buildHook(random, { scope: "Cluster" }),
  (random) => buildHook(random, { operations: ["CONNECT"], resources: ["pods/exec"] }),
  (random) => buildHook(random, { apiGroups: ["play.example.com"], resources: ["widgets"] }),
  (random) => buildHook(random, { apiVersions: ["v2"] }),
];
