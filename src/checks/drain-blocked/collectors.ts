import type { Finding, Judgement, Unknown } from "../../model/check.ts";

/** As many findings of a risk, and as many unknowns, as a report names; more are only counted. */
const MAX_COLLECTED = 10_000;

/** Collects findings in the order of their objects. */
export function createFindingCollector(): {
  readonly add: (findings: readonly Finding[]) => void;
  readonly result: () => Pick<Judgement, "findings" | "omittedFindings">;
} {
  const findings: Finding[] = [];
  const counts = new Map<string, number>();
  return {
    add(more) {
      for (const finding of more) {
        const count = (counts.get(finding.risk) ?? 0) + 1;
        counts.set(finding.risk, count);
        if (count <= MAX_COLLECTED) findings.push(finding);
      }
    },
    result() {
      const omitted = [...counts].filter(([, count]) => count > MAX_COLLECTED);
      if (omitted.length === 0) return { findings };
      return {
        findings,
        omittedFindings: Object.fromEntries(omitted.map(([risk, count]) => [risk, count - MAX_COLLECTED])),
      };
    },
  };
}

/** Collects unknowns; the last one stands for all that are only counted. */
export function createUnknownCollector(): {
  readonly add: (unknowns: readonly Unknown[]) => void;
  readonly result: () => readonly Unknown[];
} {
  const unknowns: Unknown[] = [];
  let omitted = 0;
  return {
    add(more) {
      for (const unknown of more)
        if (unknowns.length < MAX_COLLECTED) unknowns.push(unknown);
        else omitted += 1;
    },
    result() {
      if (omitted === 0) return unknowns;
      const message = `the same holds for ${omitted} more`;
      return [...unknowns, { reason: "TooManyObjects", where: "poddisruptionbudgets.policy", message }];
    },
  };
}
