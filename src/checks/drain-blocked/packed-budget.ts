import { at, flagAt, isObject, type Json, textAt } from "../../model/json.ts";
import { defined } from "../../model/optional.ts";
import type { Budget, SyncFailure } from "./budget.ts";
import { findManagerByName } from "./managers.ts";
import { DRAIN_VERDICTS } from "./verdict.ts";

/** A budget as one text, which takes a third of the memory: a cluster may have hundreds of thousands. */
export type PackedBudget = string;

export function packBudget(budget: Budget): PackedBudget {
  const { namespace, name, verdict, setsMaxUnavailable, hasPods, requirements, failure, manager } = budget;
  const rest = [setsMaxUnavailable, failure, manager?.name];
  const optional = rest.some((field) => field !== undefined) ? rest : [];
  return JSON.stringify([namespace, name, verdict, hasPods, requirements, ...optional]);
}

function unpackBudget(text: PackedBudget): Budget {
  const packed: Json = JSON.parse(text);
  const failure = at(packed, 6);
  return {
    namespace: textAt(packed, 0) ?? "",
    name: textAt(packed, 1) ?? "",
    hasPods: flagAt(packed, 3) ?? false,
    requirements: textAt(packed, 4) ?? "",
    ...defined({
      verdict: DRAIN_VERDICTS.find((verdict) => verdict === textAt(packed, 2)),
      setsMaxUnavailable: flagAt(packed, 5),
      failure: isObject(failure) ? parseFailure(failure) : undefined,
      manager: findManagerByName(textAt(packed, 7)),
    }),
  };
}

function parseFailure(failure: Json): SyncFailure {
  return { message: textAt(failure, "message") ?? "", since: textAt(failure, "since") ?? "" };
}

/** The budgets of one namespace after the other, so that only these are unpacked. They are sorted by namespace. */
export function* unpackByNamespace(packed: readonly PackedBudget[]): Generator<readonly Budget[]> {
  let group: Budget[] = [];
  for (const text of packed) {
    const budget = unpackBudget(text);
    if (group.length > 0 && group[0]?.namespace !== budget.namespace) {
      yield group;
      group = [];
    }
    group.push(budget);
  }
  if (group.length > 0) yield group;
}
