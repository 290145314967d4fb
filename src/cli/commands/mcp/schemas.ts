import { type Json, type JsonObject, isList } from "../../../model/json.ts";
import { FIX_KINDS } from "../../../model/commands.ts";
import { UsageError } from "../../../model/errors.ts";
import { formatDidYouMean } from "../../../model/text.ts";

/** A JSON schema of an object, as tools describe their arguments and results. */
export type ObjectSchema = { readonly type: "object"; readonly [keyword: string]: Json };

/** A tool of the server. `run` resolves with its structured result, or throws a FailedError or a UsageError of one line. */
export type Tool = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  readonly outputSchema: ObjectSchema;
  readonly run: (given: JsonObject, signal: AbortSignal) => Promise<JsonObject>;
};

/** Runs this program with these words, and resolves with its output; an exit code that is no verdict is a FailedError. */
export type RunCommand = (words: readonly string[], signal: AbortSignal) => Promise<CommandOutput>;

/** `warnings`: the lines on stderr. */
export type CommandOutput = { readonly code: number; readonly out: string; readonly warnings: readonly string[] };

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

const origin = {
  type: "object",
  description:
    "Who brings the check, if it is not preflight's own: an operator, the target release, or a file (site). Then names, texts and commands are theirs: say so.",
} as const;

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
    origin,
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
    ...objectList(
      object({ risk: TEXT, where: TEXT, reason: TEXT, message: TEXT }, { check: TEXT, accepted: FLAG, origin }),
    ),
    description:
      "What was not seen: what could not be checked, and checks that were left out. It is never the same as clear",
  },
  notices: objectList(object({ check: TEXT, notice: TEXT }, { origin })),
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

/** Throws a UsageError for an argument that the tool does not have: to ignore it would answer another question. */
export function requireKnownArguments(given: JsonObject, { properties }: ObjectSchema): void {
  const known = Object.keys(typeof properties === "object" && properties !== null ? properties : {});
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new UsageError(`no argument is called "${unknown}"${formatDidYouMean(unknown, known)}`);
}

export function findText(given: JsonObject, name: string): string | undefined {
  const value = given[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string" && value !== "") return value;
  throw new UsageError(`the argument ${name} must be a text`);
}

export function requireText(given: JsonObject, name: string): string {
  const text = findText(given, name);
  if (text === undefined) throw new UsageError(`the argument ${name} is missing`);
  return text;
}

export function findTexts(given: JsonObject, name: string): readonly string[] {
  const value = given[name];
  if (value === undefined || value === null) return [];
  if (isList(value) && value.every((item) => typeof item === "string")) return value;
  throw new UsageError(`the argument ${name} must be a list of texts`);
}

export function findCount(given: JsonObject, name: string, preset: number): number {
  const value = given[name] ?? preset;
  if (typeof value === "number" && Number.isInteger(value) && value >= 0) return value;
  throw new UsageError(`the argument ${name} must be a number from 0`);
}

/** A flag and its value in one word, so that a value which begins with "-" is no flag. */
export function formatFlag(name: string, value: string | number): string {
  return `--${name}=${value}`;
}

export function formatFlags(name: string, values: readonly string[]): readonly string[] {
  return values.map((value) => formatFlag(name, value));
}
