import type { Unknown } from "../../model/check.ts";
import { type JsonObject, textAt } from "../../model/json.ts";
import type { CommandForm } from "../../model/commands.ts";
import { type ObjectRef, formatGroupResource, formatResource, parseResource } from "../../model/resource.ts";
import { isOfResource } from "../compile/command-rules.ts";
import type { ReadDefinition } from "../format/definition.ts";
import type { Platform } from "../../model/version.ts";
import {
  type CelValue,
  type CompiledExpression,
  type Evaluation,
  type EvaluationLimits,
  type ExpressionOutcome,
  type ReusedActivation,
  type Taken,
  PER_CALL_LIMIT,
  evaluateExpression,
  evaluateIn,
  getTaken,
  openActivation,
  reopenActivation,
} from "../../schema/cel/index.ts";
import { type Template, type TemplateResult, type TemplateUse, formatTemplate } from "../compile/template.ts";

/** Units of cost that a check of an origin with a pool may spend on a list or a verdict. A second of CPU is 5 to 14 million. */
const LIMIT = 25_000_000;
/** Of preflight's own checks, for lists of a quarter of a million objects. */
const OWN_LIMIT = 500_000_000;

/** Bytes that one evaluation may make, with those that stay until the verdict: values of variables, and what is reported. */
const MEMORY = 64 << 20;
const OWN_MEMORY = 4 * MEMORY;

/** What is left to spend, of cost and work together, and to keep. */
export type CheckBudget = {
  readonly left: () => number;
  /** For the next evaluation. What is evaluated for each object may cost no more than the API server allows. */
  readonly limit: (isPerObject: boolean) => EvaluationLimits;
  readonly spend: (taken: Pick<Taken, "cost" | "work">) => void;
  /** Counts what stays until the verdict. */
  readonly keep: (bytes: number) => void;
  /** Whether nothing more can be evaluated, or reported. */
  readonly isSpent: () => boolean;
};

export function createBudget(pool?: OriginPool): CheckBudget {
  const memory = pool === undefined ? OWN_MEMORY : MEMORY;
  let left = pool === undefined ? OWN_LIMIT : LIMIT;
  let reserve = pool?.reserve ?? 0;
  let kept = 0;
  const getLeft = (): number => Math.min(left, Math.max(reserve, pool?.costLeft() ?? left));
  return {
    left: getLeft,
    limit(isPerObject) {
      const work = Math.max(0, getLeft());
      return { cost: isPerObject ? Math.min(PER_CALL_LIMIT, work) : work, work, memory: Math.max(0, memory - kept) };
    },
    spend({ cost, work }) {
      left -= cost + work;
      reserve -= cost + work;
      pool?.spend(cost + work);
    },
    keep: (bytes) => void (kept += bytes),
    isSpent: () => getLeft() <= 0 || kept > memory,
  };
}

/** For the texts of a check, of which there are some for each finding: what they take in an update together. */
export function createTextBudgets(isLimited: boolean): (context: object) => CheckBudget {
  const budgets = new WeakMap<object, CheckBudget>();
  return (context) => {
    const budget = budgets.get(context) ?? createBudget(isLimited ? createOriginPool() : undefined);
    budgets.set(context, budget);
    return budget;
  };
}

/** What all checks of an origin spend and keep together in a cycle, so that greedy ones fail alone. */
export type OriginPool = {
  /** Called when the reads of a check are planned: the second time for one check a new cycle begins. */
  readonly begin: (id: string) => void;
  readonly costLeft: () => number;
  /** What a list or a verdict may spend in any case: it is enough for most, and does not depend on what others spent. */
  readonly reserve: number;
  readonly spend: (cost: number) => void;
  /** False if the check has no room for so many characters of kept objects. */
  readonly take: (id: string, characters: number) => boolean;
};

const COST_LIMIT = 75_000_000;
const KEPT_LIMIT = 16 << 20;
const RESERVE = 200_000;

type PoolLimits = { readonly cost: number; readonly kept: number; readonly reserve?: number };

export function createOriginPool(
  limits: PoolLimits = { cost: COST_LIMIT, kept: KEPT_LIMIT, reserve: RESERVE },
): OriginPool {
  let { cost, kept } = limits;
  /** What each check of this cycle keeps. */
  const keptBy = new Map<string, number>();
  return {
    begin(id) {
      if (keptBy.has(id)) {
        keptBy.clear();
        ({ cost, kept } = limits);
      }
      keptBy.set(id, 0);
    },
    costLeft: () => cost,
    reserve: limits.reserve ?? 0,
    spend: (spent) => void (cost -= spent),
    take(id, characters) {
      kept -= characters;
      const own = keptBy.get(id);
      if (own !== undefined) keptBy.set(id, own + characters);
      // Beside greedy checks, each may still keep an equal part of as much again.
      return kept >= 0 || (own !== undefined && own + characters <= limits.kept / keptBy.size);
    },
  };
}

/** A part of what all vendors have together: one that takes too much leaves the others theirs. */
export function createPoolShare(all: OriginPool, limits = { cost: COST_LIMIT / 3, kept: KEPT_LIMIT / 4 }): OriginPool {
  const own = createOriginPool(limits);
  return {
    begin(id) {
      own.begin(id);
      all.begin(id);
    },
    costLeft: () => Math.min(own.costLeft(), all.costLeft()),
    reserve: all.reserve,
    spend(cost) {
      own.spend(cost);
      all.spend(cost);
    },
    take: (id, characters) => own.take(id, characters) && all.take(id, characters),
  };
}

/** What checks of an origin may do. Without limits, those of preflight itself. */
export type CheckLimits = {
  /** Absent if they may read whatever the account that reads for them may. */
  readonly scope?: ReadScope;
  readonly pool?: OriginPool;
  readonly mostFindings?: number;
  /** What a kind means that the API server does not serve, of which the check says nothing: no objects, instead of an unknown. */
  readonly unserved?: "empty";
  /** How far the author is trusted with commands: those of others are for objects of kinds that the check reads. */
  readonly trust?: "named" | "others";
};

/** What the checks of a vendor may read besides the facts of the cluster, whatever the account that reads for them may. */
export type ReadScope = {
  /** Of all namespaces and versions, such as "kafkas.kafka.strimzi.io". */
  readonly kinds: readonly string[];
  /** Those whose workloads are the vendor's. */
  readonly namespaces: readonly string[];
  /** Whose checks they are, if not an operator's: "namespace shop". */
  readonly owner?: string;
};

/** A read that a check declares, or that one of its facts needs. */
type DeclaredRead = { readonly key: string; readonly definition: ReadDefinition };

/** Of a vendor's namespaces. */
export const WORKLOADS = ["deployments.apps", "statefulsets.apps", "daemonsets.apps"];

/** `namespaces`: of a list, the objects in the scope's own namespaces. */
type Access = "all" | "namespaces" | "none";

export function findAccess({ key, definition }: DeclaredRead, scope: ReadScope | undefined): Access {
  if (scope === undefined || isOfFact(key) || definition.of !== undefined) return "all";
  const { list, get, name = "" } = definition;
  const kind = formatGroupResource(parseResource(list ?? get ?? ""));
  if (scope.kinds.includes(kind)) return "all";
  if (!WORKLOADS.includes(kind)) return "none";
  if (list !== undefined) return "namespaces";
  const [, namespace = ""] = name.split("/").toReversed();
  return scope.namespaces.includes(namespace) ? "all" : "none";
}

/** Whether a check may print commands for this object. What its facts read, they may only show. */
export function mayName(
  { key, definition }: DeclaredRead,
  ref: ObjectRef,
  verb: CommandForm["kind"],
  scope: ReadScope | undefined,
): boolean {
  const resource = definition.list ?? definition.get ?? "";
  if (!isOfResource(ref, resource)) return false;
  if (isOfFact(key)) return verb === "get" || verb === "describe";
  const kind = formatGroupResource(parseResource(resource));
  if (scope === undefined || scope.kinds.includes(kind)) return true;
  return WORKLOADS.includes(kind) && scope.namespaces.includes(ref.namespace ?? "");
}

/** No author's key begins so. Rules see what such a read found only as the value of the fact. */
function isOfFact(key: string): boolean {
  return key.startsWith("@");
}

export function isInNamespaces(object: JsonObject, { namespaces }: ReadScope): boolean {
  return namespaces.includes(textAt(object, "metadata", "namespace") ?? "");
}

/** What is outside of the scope is never read: the check is then unknown. */
export function listRefusals(
  reads: readonly DeclaredRead[],
  scope: ReadScope | undefined,
  platform: Platform,
): readonly Unknown[] {
  if (scope === undefined) return [];
  const refused = reads.filter(
    (read) => (read.definition.only ?? platform) === platform && findAccess(read, scope) === "none",
  );
  return refused.map(({ definition: { list, get, name } }) => {
    const resource = parseResource(list ?? get ?? "");
    const where = [formatGroupResource(resource), ...(name === undefined ? [] : [name])].join(" ");
    return {
      reason: "ReadNotAllowed",
      where,
      message: `${scope.owner ?? "the operator"} does not own ${formatResource(resource)}`,
    };
  });
}

export function evaluateWithin(code: CompiledExpression, values: readonly CelValue[], budget: CheckBudget): Evaluation {
  const result = evaluateExpression(code, values, budget.limit(true));
  budget.spend(result);
  return result;
}

const ofObject: ReusedActivation = openActivation([]);

/** Evaluates an expression for an object of a list. There may be very many, so they share an activation. */
export function evaluateForObject(code: CompiledExpression, object: CelValue, budget: CheckBudget): ExpressionOutcome {
  reopenActivation(ofObject, object, budget.limit(true));
  const outcome = evaluateIn(code, ofObject);
  budget.spend(getTaken(ofObject));
  return outcome;
}

/** Lets go of the last object. */
export function forgetObject(): void {
  ofObject.variables.length = 0;
}

export function formatWithin(
  template: Template,
  values: readonly CelValue[],
  use: TemplateUse,
  budget: CheckBudget,
): TemplateResult {
  const result = formatTemplate(template, values, use, budget.limit(true));
  budget.spend(result);
  return result;
}
