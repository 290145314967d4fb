import assert from "node:assert/strict";
import drainBlocked from "../../../src/checks/drain-blocked/check.ts";
import { type Judgement, buildContext } from "../../../src/model/check.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import { release, version } from "../fixtures.ts";

/** What the check says of one budget. */
export type Statements = {
  /** By risk: the messages of the findings. */
  readonly findings: Readonly<Record<string, string>>;
  readonly notices: readonly string[];
  readonly unknowns: readonly string[];
};

/** Runs the check on the objects of one namespace, as a cycle does, with the pods only if it asks for them. */
export function runDrainBlocked(budgets: readonly JsonObject[], pods: readonly JsonObject[], now: Date): Judgement {
  const context = buildContext(version("4.18.8"), release("4.19.2"), now);
  const kept = budgets.map((budget) => drainBlocked.reads().budgets.keep(budget) ?? assert.fail("a budget is dropped"));
  const values = { topology: { kind: "found", value: "" }, budgets: { kind: "found", values: kept } } as const;
  const podsRead = drainBlocked.follow?.(values, context).pods;
  if (podsRead === undefined) return drainBlocked.evaluate(values, context, {});
  const keptPods = pods.map(podsRead.keep).filter((pod) => pod !== undefined);
  return drainBlocked.evaluate(values, context, { pods: { kind: "found", values: keptPods } });
}

export function selectStatements(judgement: Judgement, namespace: string, name: string): Statements {
  const findings = (judgement.findings ?? []).filter(({ object }) => object.name === name);
  const names = (notice: string): readonly string[] =>
    (/^PodDisruptionBudget (.*?): /.exec(notice)?.[1] ?? "").split(/, | and /);
  return {
    findings: Object.fromEntries(findings.map(({ risk, message }) => [risk, message])),
    notices: (judgement.notices ?? []).filter((notice) => names(notice).includes(`${namespace}/${name}`)),
    unknowns: (judgement.unknowns ?? [])
      .filter(({ where }) => where === `PodDisruptionBudget ${namespace}/${name}`)
      .map(({ reason }) => reason),
  };
}
