import type { RiskText } from "../model/check.ts";
import { openCompilation } from "./compile/compile.ts";
import { RISK_NAMES } from "./compile/names.ts";
import { type CompiledRisk, compileRisk } from "./compile/rules.ts";
import type { RiskTexts } from "./format/definition.ts";
import type { DocumentPlace, PlacedFault } from "./format/fault.ts";
import { type ComputedValues, buildRiskText, listComputedNames } from "./run/risk-text.ts";

/** A risk that TypeScript finds, of texts without faults. They are compiled when they are first needed. */
export function buildFoundRisk(texts: RiskTexts, computed: ComputedValues): RiskText {
  let compiled: CompiledRisk | undefined;
  const names = listComputedNames(computed);
  return buildRiskText(
    texts,
    () => (compiled ??= compileRisk({ compilation: openCompilation(true), place: [] }, texts, names)),
    { computed },
  );
}

/** What is wrong with the texts, or with the names of what is computed for them. */
export function findTextFaults(
  texts: RiskTexts,
  place: DocumentPlace,
  computed: ComputedValues,
): readonly PlacedFault[] {
  const compilation = openCompilation(false);
  const names = listComputedNames(computed);
  const compiled = compileRisk({ compilation, place }, texts, names);
  const found = [...compilation.faults, ...compilation.warnings];
  // Then nobody knows what the texts use.
  if (found.length > 0) return found;
  const known = new Set(RISK_NAMES.message.map(([name]) => name));
  return (["message", "remediation"] as const).flatMap((field) =>
    names[field].flatMap((name): readonly PlacedFault[] => {
      const used = compiled[field].names.has(name) || compiled.hosted[field].names.has(name);
      const isUsed = used && !known.has(name);
      const message = known.has(name) ? `the computed ${name} hides a name` : `the computed ${name} is not used`;
      return isUsed ? [] : [{ severity: "error", place: [...place, field], message }];
    }),
  );
}
