import { buildFoundRisk } from "../../data-checks/found-risks.ts";
import type { ComputedValues } from "../../data-checks/run/risk-text.ts";
import type { Context, Finding, RiskText } from "../../model/check.ts";
import type { OptionalFix } from "../../model/commands.ts";
import { TEXTS, judgeTexts } from "./texts.ts";

/** What the texts of a risk can't say: values that they name, and commands that differ from finding to finding. */
export type Computed = ComputedValues & Pick<RiskText, "see"> & OptionalFix<Finding, Context>;

/** The risks of a check by name, of the texts in its risks.yaml. A risk or a value that only one of the two names is an error. */
export function readRisks<N extends string>(
  id: string,
  computed: Readonly<Record<N, Computed>>,
): Readonly<Record<N, RiskText>> {
  judgeTexts(id, computed);
  const parts: Readonly<Record<string, Computed>> = computed;
  const risks = Object.fromEntries(
    (TEXTS[id] ?? []).map((texts): readonly [string, RiskText] => {
      const { message, remediation, ...commands } = parts[texts.name] ?? {};
      return [texts.name, { ...buildFoundRisk(texts, { message, remediation }), ...commands }];
    }),
  );
  if (!hasEach(risks, computed)) throw new Error(`src/checks/${id}/risks.yaml lacks a risk`);
  return risks;
}

function hasEach<N extends string>(
  risks: Readonly<Record<string, RiskText>>,
  names: Readonly<Record<N, unknown>>,
): risks is Readonly<Record<N, RiskText>> {
  return Object.keys(names).every((name) => Object.hasOwn(risks, name));
}
