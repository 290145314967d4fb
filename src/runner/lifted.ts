import type { Check, Context, Finding } from "../model/check.ts";
import { byText } from "../model/json.ts";
import { isLifted } from "../model/lifted.ts";
import { joinNames } from "../model/names.ts";
import type { Outcome } from "../model/report.ts";

/** Are risks that the running cluster-version operator lifts by itself shown as well, or left to it? */
export type Lifted = "show" | "leave";

/** Why a check has nothing to say of its own: the operator lifts all that it looks for. */
export function whyLeft(check: Check, context: Context): string | undefined {
  if (check.risks.length === 0 || !check.risks.every((risk) => isLifted(risk, context))) return undefined;
  const names = new Set(check.risks.flatMap(({ liftedAs }) => liftedAs ?? []));
  return `What it looks for is left to the cluster-version operator, which lifts it as ${joinNames([...names].toSorted(byText))}.`;
}

/** The outcome without the findings that the operator lifts by itself; a notice says which these are. */
export function withoutLifted(check: Check, outcome: Outcome, context: Context): Outcome {
  if (outcome.kind !== "risk" && outcome.kind !== "unknown") return outcome;
  const lifted = new Map(
    check.risks.filter((risk) => isLifted(risk, context)).map(({ name, liftedAs = "" }) => [name, liftedAs]),
  );
  const [left, findings] = [
    outcome.findings.filter(({ risk }) => lifted.has(risk)),
    outcome.findings.filter(({ risk }) => !lifted.has(risk)),
  ];
  if (left.length === 0) return outcome;
  const notices = [...outcome.notices, ...leftNotices(left, lifted)].toSorted(byText);
  if (outcome.kind === "risk" && findings.length === 0) return { kind: "clear", notices };
  return { ...outcome, findings, notices };
}

function leftNotices(left: readonly Finding[], lifted: ReadonlyMap<string, string>): readonly string[] {
  return [...Map.groupBy(left, ({ risk }) => risk)].map(([risk, { length }]) => {
    const [count, them] = length === 1 ? ["1 finding", "is left"] : [`${length} findings`, "are left"];
    return `${count} of ${risk} ${them} to the cluster-version operator, which lifts ${length === 1 ? "it" : "them"} as ${lifted.get(risk) ?? ""}.`;
  });
}
