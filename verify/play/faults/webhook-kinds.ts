import type { JsonObject } from "../../../src/model/json.ts";
import type { Random } from "../../schema/random/random.ts";
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

/** So many are made up beside those of the kinds. */
const RANDOM_HOOKS = 12;

/** Some of each kind, in a fixed order: those that refuse an update's requests, those that only seem to, and some of none. */
export function buildHooks(random: Random): readonly Hook[] {
  const kinds = [
    ...repeat(random, [...REFUSING, ...HARMLESS]),
    ...Array.from({ length: RANDOM_HOOKS }, () => buildAny),
  ];
  return kinds.map((build) => build(random));
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
  (random) => buildHook(random, { scope: "Namespaced", resources: [random.pick(["*", "*/*"])] }),
  (random) => buildHook(random, { operations: ["CREATE"], resources: ["pods/eviction"] }),
  (random) => buildHook(random, { operations: ["CREATE"], resources: [random.pick(["pods/binding", "pods/*"])] }),
  (random) => buildHook(random, { operations: [random.pick(["UPDATE", "DELETE"])], scope: "Namespaced" }),
  (random) => {
    const rule = { ...random.pick(OPERATORS_WRITE), operations: ["CREATE", "UPDATE"], scope: "Namespaced" };
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

const OPERATIONS: readonly [string[], ...string[][]] = [
  ["*"],
  ["CREATE"],
  ["UPDATE"],
  ["DELETE"],
  ["CONNECT"],
  ["CREATE", "UPDATE"],
  ["UPDATE", "DELETE"],
];
const GROUPS: readonly [string[], ...string[][]] = [[""], ["*"], ["apps"], ["policy", ""], ["coordination.k8s.io"]];
const RESOURCES = [
  "*",
  "*/*",
  "*/status",
  "pods",
  "pods/*",
  "pods/eviction",
  "pods/status",
  "configmaps",
  "configmaps/*",
  "leases",
  "namespaces",
] as const;

/** Any one rule. No selector keeps a webhook from cluster-scoped objects, which the rest of the played update writes. */
function buildAny(random: Random): Hook {
  const resource = random.pick(RESOURCES);
  const rule = {
    operations: random.pick(OPERATIONS),
    apiGroups: random.pick(GROUPS),
    apiVersions: [random.pick(["*", "v1"])],
    resources: [resource],
    scope: resource === "namespaces" ? random.pick(["*", "Namespaced", "Cluster"]) : "Namespaced",
  };
  const unlabelled = { matchExpressions: [{ key: "play.example.com/none", operator: "DoesNotExist" }] };
  return buildHook(random, rule, {}, random.chance(0.3) ? { objectSelector: unlabelled } : {});
}
