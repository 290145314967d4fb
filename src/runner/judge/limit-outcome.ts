import type { Check } from "../../model/check.ts";
import type { CheckReport, Outcome } from "../../model/report.ts";

/** Findings and unknowns of one check in a report; the risks' texts count all of them. */
const MAX_FINDINGS = 10_000;

/** What a report names of an outcome, and how many findings it does not. */
export function limitOutcome(check: Check, outcome: Outcome): Pick<CheckReport, "outcome" | "omittedFindings"> {
  if (outcome.kind !== "risk" && outcome.kind !== "unknown") return { outcome };
  const { mostFindings = MAX_FINDINGS } = check.special ?? {};
  const counts = new Map<string, number>();
  const isNamed = (risk: string): boolean => {
    const count = (counts.get(risk) ?? 0) + 1;
    counts.set(risk, count);
    return count <= mostFindings;
  };
  const findings = outcome.findings.filter(({ risk }) => isNamed(risk)).slice(0, MAX_FINDINGS);
  const omitted = outcome.findings.length - findings.length;
  const limited =
    outcome.kind === "risk"
      ? { ...outcome, findings }
      : { ...outcome, findings, unknowns: outcome.unknowns.slice(0, MAX_FINDINGS) };
  return { outcome: limited, ...(omitted > 0 ? { omittedFindings: omitted } : {}) };
}
