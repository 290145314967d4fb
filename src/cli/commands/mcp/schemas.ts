import { FIX_KINDS } from "../../../model/fix-kind.ts";
import type { Json } from "../../../model/json.ts";
import type { ObjectSchema } from "./tool.ts";

const TEXT = { type: "string" } as const;
const TEXTS = { type: "array", items: TEXT } as const;
const COUNT = { type: "integer", minimum: 0 } as const;
const FLAG = { type: "boolean" } as const;

/** Every key that is named is required, unless it is optional; others may be added. */
function object(required: Readonly<Record<string, Json>>, optional: Readonly<Record<string, Json>> = {}): ObjectSchema {
  return { type: "object", required: Object.keys(required), properties: { ...required, ...optional } };
}

const affectedObject = object(
  { kind: TEXT, name: TEXT },
  {
    apiVersion: TEXT,
    namespace: TEXT,
    path: TEXT,
    message: TEXT,
    see: { ...TEXTS, description: "Commands that show the fault" },
    fix: { ...TEXTS, description: "Commands that remove the fault, for the administrator to run" },
    fixKind: {
      enum: FIX_KINDS,
      description:
        "What the commands of fix do at worst: safe (change nothing that runs or serves, and can be undone), disruptive (restart, drain or delete something, or interrupt somebody) or weakening (take away a protection). Say so before anybody runs them.",
    },
  },
);

const risk = object(
  {
    name: TEXT,
    check: TEXT,
    message: TEXT,
    url: TEXT,
    accepted: FLAG,
    objects: objectList(affectedObject),
    omittedObjects: { ...COUNT, description: "How many more places the risk has than are in objects" },
  },
  {
    effect: { enum: ["refused", "notRecommended", "stuck", "broken"] },
    leadTime: { enum: ["days", "hours", "minutes"] },
  },
);

const verdict = {
  enum: ["clear", "risks", "incomplete"],
  description:
    "risks: at least one that is not accepted. incomplete: none, but something could not be checked, so nothing is known of it. clear: neither",
} as const;

const findings = {
  risks: { ...objectList(risk), description: "In the order of work" },
  unknowns: {
    ...objectList(object({ risk: TEXT, where: TEXT, reason: TEXT, message: TEXT }, { check: TEXT, accepted: FLAG })),
    description:
      "What was not seen: what could not be checked, and checks that were left out. It is never the same as clear",
  },
  notices: objectList(object({ check: TEXT, notice: TEXT })),
};

function objectList(items: ObjectSchema): { readonly type: "array"; readonly items: ObjectSchema } {
  return { type: "array", items };
}

const updateFacts = {
  clusterID: TEXT,
  observedAt: TEXT,
  complete: FLAG,
  minorsBetween: {
    ...TEXTS,
    description: "Minors that were passed over by an update that is not known to be offered as one: see the tool plan",
  },
  recommendation: { enum: ["recommended", "conditional", "notOffered", "unknown"] },
};

export const checkOutput = object(
  {
    resultId: { ...TEXT, description: "Names the result for the tool compare, until the server ends" },
    verdict,
    sourceVersion: TEXT,
    targetVersion: TEXT,
    warnings: TEXTS,
    ...findings,
  },
  updateFacts,
);

const step = object(
  { step: COUNT, sourceVersion: TEXT, targetVersion: TEXT, state: { enum: ["checked", "notChecked"] } },
  {
    reason: { ...TEXT, description: "Why it was not checked" },
    channel: { ...TEXT, description: "The channel that has to be selected before it" },
    pending: objectList(object({ id: TEXT, reason: TEXT })),
    repeated: objectList(object({ risk: TEXT, step: COUNT })),
    ...findings,
    ...updateFacts,
  },
);

export const planOutput = object(
  {
    verdict,
    sourceVersion: TEXT,
    targetVersion: TEXT,
    basis: { enum: ["graph", "clusterVersion", "rule"] },
    complete: FLAG,
    steps: objectList(step),
    warnings: TEXTS,
  },
  { controlPlaneOnly: object({ pools: TEXTS }) },
);

export const explainOutput = object({ name: TEXT, text: TEXT });

/** The arguments that `check` and `plan` share. `hasContext`: the server was not started for one context. */
export function buildSelectionProperties(hasContext: boolean): Readonly<Record<string, Json>> {
  return {
    only: { ...TEXTS, description: "Run only these checks, by id" },
    skip: { ...TEXTS, description: "Do not run these checks, by id" },
    accept: { ...TEXTS, description: "Names of risks to accept for this call; the cluster stays as it is" },
    maxObjects: { ...COUNT, description: "How many places of each risk to list (default 10)" },
    ...(hasContext
      ? { context: { ...TEXT, description: "Context of the kubeconfig (default: the current one)" } }
      : {}),
  };
}

export function buildInput(properties: Readonly<Record<string, Json>>, required: readonly string[] = []): ObjectSchema {
  return { type: "object", properties, required, additionalProperties: false };
}

export function describeText(description: string): Json {
  return { ...TEXT, description };
}
